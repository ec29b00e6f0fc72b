// SPDX-License-Identifier: Apache-2.0
// The counterpart of SampleStream: writes rows of numbers in blocks.
//
//   RowWriter file("placed.npy");
//   for (Matrix block; stream->next(block, 10000);) file.write(model.transform(block));
//   file.commit();
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

struct TextColumn {
  std::string name;
  std::span<const std::string> cells;  ///< one per row
};

/// Text cells beside the numbers.
struct RowTexts {
  std::span<const std::string> ids = {};  ///< one per row, in a first column "id"; empty: no such column
  std::vector<TextColumn> last = {};      ///< after the numbers
};

/// Writes what save_matrix() writes. Memory is bounded by a block, except for .npz and .mat, whose rows are collected
/// first. The file appears under its name when commit() succeeds, or not at all.
class RowWriter {
 public:
  /// `columns` is the header of .csv and .tsv: the names of the numbers. Without it and without last text columns there
  /// are no ids either. Throws InvalidArgument for an unknown format, IoError if the file
  /// cannot be created.
  explicit RowWriter(const std::string& path, const std::vector<std::string>& columns = {});
  ~RowWriter();
  RowWriter(RowWriter&&) noexcept;
  RowWriter& operator=(RowWriter&&) noexcept;

  /// Throws InvalidArgument if the width differs from that of earlier rows, or after commit().
  /// Only .csv and .tsv have text cells; the other formats omit them.
  void write(const MatrixRef& rows, const RowTexts& texts = {});
  /// Completes the file. A second call has no effect.
  void commit();

 private:
  struct Output;
  std::unique_ptr<Output> output_;
};

}  // namespace foldout
