// SPDX-License-Identifier: Apache-2.0
// Private: loads steps from their archives.
#pragma once

#include <memory>

#include "core/archive.h"
#include "foldout/preprocess/preprocess.h"

namespace foldout {

/// Throws IoError if this version does not know the step or its arrays do not fit together.
[[nodiscard]] std::shared_ptr<const Preprocessor> load_preprocessor(const Archive& archive);

[[nodiscard]] std::shared_ptr<const Preprocessor> load_scaling(const Archive& archive);
[[nodiscard]] std::shared_ptr<const Preprocessor> load_histogram_equalization(const Archive& archive);
[[nodiscard]] std::shared_ptr<const Preprocessor> load_linear_step(const Archive& archive);
[[nodiscard]] std::shared_ptr<const Preprocessor> load_kernel_step(const Archive& archive);

}  // namespace foldout
