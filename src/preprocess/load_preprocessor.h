// SPDX-License-Identifier: Apache-2.0
// Private: any saved step, from its archive.
#pragma once

#include <memory>

#include "core/archive.h"
#include "foldout/preprocess/preprocess.h"

namespace foldout {

/// Throws IoError for a step that this version does not know or arrays that do not fit together.
[[nodiscard]] std::shared_ptr<const Preprocessor> load_preprocessor(const Archive& archive);

}  // namespace foldout
