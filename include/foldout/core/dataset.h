// SPDX-License-Identifier: Apache-2.0
// Samples with their labels, image shape and feature names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// One label per sample, an integer or a string.
struct Labels {
  std::vector<std::string> names;  ///< the distinct labels, sorted: integers by value, strings bytewise
  std::vector<int> index;          ///< per sample, into `names`
  bool integers = false;           ///< every name is an integer

  [[nodiscard]] Index size() const { return static_cast<Index>(index.size()); }
  [[nodiscard]] const std::string& text(Index sample) const {
    return names[static_cast<std::size_t>(index[static_cast<std::size_t>(sample)])];
  }
  /// The label of every sample.
  [[nodiscard]] std::vector<std::string> texts() const;
};

/// Collects the distinct labels. If all are whole numbers written as reals ("1.0", "2e0"), they become integers.
[[nodiscard]] Labels make_labels(const std::vector<std::string>& per_sample);
/// The same for integer labels.
[[nodiscard]] Labels make_labels(std::span<const int> per_sample);

/// Height and width of samples that are images, stored row by row; otherwise zero.
struct ImageShape {
  Index height = 0;
  Index width = 0;
};

struct Dataset {
  Matrix samples;  ///< at least one sample and one feature, all values finite
  std::optional<Labels> labels = {};
  ImageShape image = {};
  std::vector<std::string> columns = {};  ///< names of the features, from a CSV header; may be empty
};

}  // namespace foldout
