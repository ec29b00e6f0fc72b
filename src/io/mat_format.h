// SPDX-License-Identifier: Apache-2.0
// The two families of .mat files: version 5 to 7 (mat5.cpp) and version 7.3 (mat73.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/mat.h"

namespace foldout {

/// Characters of a MATLAB text array, in units of UTF-16 (or code points), column by column.
struct MatText {
  std::vector<std::uint32_t> units;
  std::uint64_t rows = 0;
};

/// One text per row, blanks at the end removed.
[[nodiscard]] std::vector<std::string> text_rows(const MatText& text);

[[nodiscard]] std::vector<MatVariable> list_mat5(std::span<const std::byte> bytes, const std::string& path);
[[nodiscard]] Array read_mat5(std::span<const std::byte> bytes, const std::string& path, const std::string& key);
[[nodiscard]] std::vector<std::string> read_mat5_texts(std::span<const std::byte> bytes, const std::string& path,
                                                       const std::string& key);

[[nodiscard]] std::vector<MatVariable> list_mat73(const std::string& path);
[[nodiscard]] Array read_mat73(const MatVariable& variable, std::size_t file_size, const std::string& path);
[[nodiscard]] std::vector<std::string> read_mat73_texts(const MatVariable& variable, const std::string& path);

/// A sparse matrix with checked indices, before it is made dense: columns one after the other.
struct SparseColumns {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_indices;
  std::vector<std::uint64_t> starts;  ///< of the columns, one more than there are
  std::vector<double> values;
};

/// Throws IoError where the indices lead outside, or the dense matrix would be out of all proportion.
[[nodiscard]] Array make_dense(const SparseColumns& sparse, const std::string& name);

}  // namespace foldout
