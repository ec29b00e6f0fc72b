// SPDX-License-Identifier: Apache-2.0
// The counterpart of a SampleStream: rows of numbers that are written as they come.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "foldout/core/types.h"
#include "io/atomic_file.h"
#include "io/csv.h"
#include "io/location.h"

namespace foldout {

/// Writes what save_matrix() writes. Memory is bounded by a block, except for .npz and .mat, whose rows are collected
/// first. The file appears under its name by commit(), or not at all.
class RowWriter {
 public:
  /// `columns` is the header of the text formats. Throws InvalidArgument for an unknown format, IoError where the file
  /// cannot be made.
  explicit RowWriter(const std::string& path, const std::vector<std::string>& columns = {});
  void write(const MatrixRef& rows);
  void commit();

 private:
  [[nodiscard]] bool collects() const;

  Format format_;
  std::optional<AtomicFile> file_;  ///< none: standard output
  std::optional<CsvWriter> text_;
  std::vector<Matrix> collected_;
  Index rows_ = 0, width_ = 0;
};

}  // namespace foldout
