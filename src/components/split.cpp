// SPDX-License-Identifier: Apache-2.0
#include "components/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/random.h"
#include "foldout/core/error.h"

namespace foldout {

Split split_samples(Index n_samples, const std::vector<int>& labels, double train, std::uint64_t seed) {
  if (!labels.empty() && std::ssize(labels) != n_samples)
    throw InvalidArgument(
        fmt::format("{} labels for {} samples: one label per sample is needed", labels.size(), n_samples));
  std::map<int, std::vector<Index>> classes;
  for (Index i = 0; i < n_samples; ++i) classes[labels.empty() ? 0 : labels[static_cast<std::size_t>(i)]].push_back(i);
  Split split;
  const Rng rng(seed);
  for (auto& [label, members] : classes) {
    const auto order = rng.stream(static_cast<std::uint64_t>(label)).permutation(static_cast<Index>(members.size()));
    const auto n = static_cast<double>(members.size());
    const auto count = static_cast<std::size_t>(std::lround(train * n));
    for (std::size_t i = 0; i < members.size(); ++i)
      (i < count ? split.train : split.held).push_back(members[static_cast<std::size_t>(order[i])]);
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.held);
  if (split.train.empty() || split.held.empty())
    throw InvalidArgument(
        fmt::format("{} samples cannot be split into {:.0f} % for training and a rest", n_samples, 100 * train));
  return split;
}

std::vector<int> labels_of(const std::vector<int>& labels, const std::vector<Index>& rows) {
  std::vector<int> some;
  if (labels.empty()) return some;
  for (const Index i : rows) some.push_back(labels[static_cast<std::size_t>(i)]);
  return some;
}

}  // namespace foldout
