// SPDX-License-Identifier: Apache-2.0
// Private: what load_preprocessor() makes steps from.
#pragma once

#include "core/archive.h"
#include "foldout/preprocess/preprocess.h"

namespace foldout {

[[nodiscard]] std::shared_ptr<const Preprocessor> load_scaling(const Archive& archive);
[[nodiscard]] std::shared_ptr<const Preprocessor> load_histogram_equalization(const Archive& archive);
[[nodiscard]] std::shared_ptr<const Preprocessor> load_linear_step(const Archive& archive);
[[nodiscard]] std::shared_ptr<const Preprocessor> load_kernel_step(const Archive& archive);

}  // namespace foldout
