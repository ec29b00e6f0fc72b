// SPDX-License-Identifier: Apache-2.0
// The samples of a file in blocks, as often as wanted: for data that do not fit into memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foldout/core/types.h"
#include "foldout/io/files.h"

namespace [[gnu::visibility("default")]] foldout {

class SampleStream {
 public:
  virtual ~SampleStream() = default;
  /// Fills `block` with 1 … max_rows samples; false at the end. Memory is bounded by the block.
  virtual bool next(Matrix& block, Index max_rows) = 0;
  /// From the first sample again. Throws InvalidArgument for standard input, which can be read once.
  virtual void restart() = 0;
  /// As messages should call it.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool can_restart() const { return true; }
  /// Labels of the last block, where the file has them; else empty.
  [[nodiscard]] virtual const std::vector<std::string>& labels() const = 0;
  [[nodiscard]] virtual ImageShape image() const { return {}; }
};

/// .npy and IDX (unpacked, stored row by row), .csv, .tsv, .txt, and - for CSV on standard input. Throws IoError for a
/// file that cannot be read in blocks, with what can.
[[nodiscard]] std::unique_ptr<SampleStream> open_stream(const std::string& path);

}  // namespace foldout
