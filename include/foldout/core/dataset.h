// SPDX-License-Identifier: Apache-2.0
// Samples with what is known about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// One label per sample: integers or texts, kept as they came.
struct Labels {
  std::vector<std::string> names;  ///< the distinct labels: integers by value, texts by the alphabet
  std::vector<int> index;          ///< per sample, into `names`
  bool integers = false;           ///< every name is an integer

  [[nodiscard]] Index size() const { return static_cast<Index>(index.size()); }
  [[nodiscard]] const std::string& text(Index sample) const {
    return names[static_cast<std::size_t>(index[static_cast<std::size_t>(sample)])];
  }
  /// One for each sample.
  [[nodiscard]] std::vector<std::string> texts() const;
};

/// Collects the distinct labels. Whole numbers written as reals ("1.0", "2e0") become integers.
[[nodiscard]] Labels make_labels(const std::vector<std::string>& per_sample);

/// Height and width where samples are images, row by row; zero where they are not.
struct ImageShape {
  Index height = 0;
  Index width = 0;
};

struct Dataset {
  Matrix samples;  ///< at least one sample and one feature, all values finite
  std::optional<Labels> labels;
  ImageShape image;
  std::vector<std::string> columns;  ///< names of the features, from a CSV header; may be empty
};

}  // namespace foldout
