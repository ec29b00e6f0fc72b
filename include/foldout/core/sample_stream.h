// SPDX-License-Identifier: Apache-2.0
// Samples in blocks, as often as wanted: for data that do not fit into memory. open_stream() makes one of a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// What is known about the samples before they are read.
struct StreamInfo {
  std::string name;      ///< as messages should call it
  Index n_features = 0;  ///< at least 1
  ImageShape image = {};
  std::vector<std::string> columns = {};  ///< names of the features, from a CSV header; may be empty
  bool can_restart = true;                ///< false: standard input or a pipe, which can be read once
};

class SampleStream {
 public:
  virtual ~SampleStream() = default;

  /// Fills `block` with the next samples, `max_rows` of them or as many as are left; false if there are none. Throws
  /// IoError for what is wrong with a file; rows in its text are counted from the first sample of the file.
  virtual bool next(Matrix& block, Index max_rows) = 0;
  /// From the first sample again. Throws InvalidArgument where can_restart() is false.
  virtual void restart() = 0;
  /// The part of the file that next() has passed, from 0 to 1; 0 where that is not known.
  [[nodiscard]] virtual double fraction() const = 0;

  [[nodiscard]] const StreamInfo& info() const { return info_; }
  [[nodiscard]] const std::string& name() const { return info_.name; }
  [[nodiscard]] ImageShape image() const { return info_.image; }
  [[nodiscard]] bool can_restart() const { return info_.can_restart; }
  /// Labels of the last block, where the file has them; else empty.
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }

 protected:
  StreamInfo info_;
  std::vector<std::string> labels_;
};

/// Samples in memory: of a data set that the stream keeps, and of a matrix that must outlive it.
[[nodiscard]] std::unique_ptr<SampleStream> stream_of(Dataset data, std::string name);
[[nodiscard]] std::unique_ptr<SampleStream> stream_over(const MatrixRef& samples, std::string name);

/// All samples that are left.
[[nodiscard]] Dataset read_all(SampleStream& stream);

}  // namespace foldout
