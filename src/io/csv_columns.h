// SPDX-License-Identifier: Apache-2.0
// What the columns of a table contain: features, labels, ids, or nothing of interest.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/io/files.h"

namespace foldout {

/// The start of a table: as much of it as is known before its columns are assigned.
struct TableHead {
  std::string name;                            ///< for messages
  std::vector<std::string> header;             ///< empty: there is none
  std::vector<std::vector<std::string>> rows;  ///< cells of the first rows of data: at least one
  Index first_line = 1;                        ///< of rows[0]
};

struct AssignedColumns {
  TableLayout layout;
  std::vector<Index> feature;         ///< per column: which feature it is; −1: none
  std::vector<std::string> warnings;  ///< columns that were taken for features, but do not look like them
};

/// What a column is that is called like labels and has no other beside it.
enum class LoneColumn { kLabel, kFeature };

/// In this order: the columns of `choice`; those of the table that `like` describes (by name if both have names,
/// otherwise by position if both have as many columns); a column with the name of labels or ids; text columns, which
/// are labels, or ids if nearly all of their cells differ. Everything else is a feature. Throws IoError.
[[nodiscard]] AssignedColumns assign_columns(const TableHead& head, const ColumnChoice& choice, const TableLayout& like,
                                             LoneColumn lone = LoneColumn::kLabel);

/// Whether the text is a usual name of a column of labels.
[[nodiscard]] bool is_label_name(std::string_view text);
/// Whether the cell stands for a missing value.
[[nodiscard]] bool is_missing(std::string_view cell);
/// Whether the cell is a number written with a decimal comma.
[[nodiscard]] bool has_decimal_comma(std::string cell);

}  // namespace foldout
