// SPDX-License-Identifier: Apache-2.0
// Samples with their labels, ids, image shape and feature names.
#pragma once

#include <cstdint>
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

/// What a column of a table contains.
enum class ColumnRole : std::uint8_t { kFeature, kLabel, kId, kDropped };

/// The columns of the table that samples were read from, in its order; empty if they were not in a table.
struct TableLayout {
  std::vector<ColumnRole> roles = {};
  std::vector<std::string> names = {};  ///< the header; empty if there is none

  [[nodiscard]] bool empty() const { return roles.empty(); }
  /// The name of the first column with this role, or its position ("column 5"); empty: no such column.
  [[nodiscard]] std::string name_of(ColumnRole role) const;
  [[nodiscard]] std::vector<std::string> feature_names() const;  ///< empty if there is no header
  friend bool operator==(const TableLayout&, const TableLayout&) = default;
};

struct Dataset {
  Matrix samples;  ///< at least one sample and one feature, all values finite
  std::optional<Labels> labels = {};
  ImageShape image = {};
  std::vector<std::string> columns = {};  ///< names of the features, from a CSV header; may be empty
  std::vector<std::string> ids = {};      ///< per sample: its cell of the id column, or its file; may be empty
  TableLayout table = {};
  bool resized = false;                    ///< images were scaled to `image` when they were read
  Vector fill = {};                        ///< means that replaced missing values; empty: none were allowed
  std::vector<std::string> warnings = {};  ///< what a user should know about the interpretation of the file
};

}  // namespace foldout
