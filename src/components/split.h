// SPDX-License-Identifier: Apache-2.0
// Private: samples to learn from, and samples that are held out.
#pragma once

#include <cstdint>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

struct Split {
  std::vector<Index> train, held;
};

/// `train` is the part of the samples to learn from; with labels (else empty), the same part of every class.
[[nodiscard]] Split split_samples(Index n_samples, const std::vector<int>& labels, double train, std::uint64_t seed);

/// Labels of some of the samples; empty where there are none.
[[nodiscard]] std::vector<int> labels_of(const std::vector<int>& labels, const std::vector<Index>& rows);

}  // namespace foldout
