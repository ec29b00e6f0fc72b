// SPDX-License-Identifier: Apache-2.0
// The counterpart of SampleStream: writes rows of numbers in blocks.
//
//   RowWriter file("placed.npy");
//   for (Matrix block; stream->next(block, 10000);) file.write(model.transform(block));
//   file.commit();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// Writes what save_matrix() writes. Memory is bounded by a block, except for .npz and .mat, whose rows are collected
/// first. The file appears under its name when commit() succeeds, or not at all.
class RowWriter {
 public:
  /// `columns` is the header of the text formats. Throws InvalidArgument for an unknown format, IoError if the file
  /// cannot be created.
  explicit RowWriter(const std::string& path, const std::vector<std::string>& columns = {});
  ~RowWriter();
  RowWriter(RowWriter&&) noexcept;
  RowWriter& operator=(RowWriter&&) noexcept;

  /// Throws InvalidArgument if the width differs from that of earlier rows, or after commit().
  void write(const MatrixRef& rows);
  /// Completes the file. A second call has no effect.
  void commit();

 private:
  struct Output;
  std::unique_ptr<Output> output_;
};

}  // namespace foldout
