// SPDX-License-Identifier: Apache-2.0
// Samples read in blocks, in several passes if needed, for data that do not fit into memory. open_stream() opens files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// What is known about the samples before they are read.
struct StreamInfo {
  std::string name;      ///< name used in messages
  Index n_features = 0;  ///< at least 1
  ImageShape image = {};
  std::vector<std::string> columns = {};  ///< names of the features, from a CSV header; may be empty
  bool can_restart = true;                ///< false: standard input or a pipe, which can be read once
  TableLayout table = {};
  bool resized = false;                    ///< images are scaled to `image`
  std::vector<std::string> warnings = {};  ///< what a user should know about the interpretation of the file
};

/// A row of a file that is not a sample.
struct SkippedRow {
  std::string place;   ///< "line 17", "row 3", or a file
  std::string reason;  ///< what is wrong with it
};

class SampleStream {
 public:
  virtual ~SampleStream() = default;

  /// Fills `block` with the next `max_rows` samples, or with all that remain; returns false if there are none. Throws
  /// IoError if the file is malformed; rows in the message count from the first sample of the file.
  virtual bool next(Matrix& block, Index max_rows) = 0;
  /// Returns to the first sample. Throws InvalidArgument if can_restart() is false.
  virtual void restart() = 0;
  /// The fraction of the file that next() has read, from 0 to 1; 0 if unknown.
  [[nodiscard]] virtual double fraction() const = 0;

  [[nodiscard]] const StreamInfo& info() const { return info_; }
  [[nodiscard]] const std::string& name() const { return info_.name; }
  [[nodiscard]] ImageShape image() const { return info_.image; }
  [[nodiscard]] bool can_restart() const { return info_.can_restart; }
  /// Labels of the last block; empty if the file has none.
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  /// Ids of the samples of the last block; empty if the file has none.
  [[nodiscard]] const std::vector<std::string>& ids() const { return ids_; }
  /// Rows that next() left out so far, as ReadOptions allow.
  [[nodiscard]] const std::vector<SkippedRow>& skipped() const { return skipped_; }
  /// Missing values that next() replaced so far.
  [[nodiscard]] Index n_filled() const { return n_filled_; }

 protected:
  StreamInfo info_;
  std::vector<std::string> labels_, ids_;
  std::vector<SkippedRow> skipped_;
  Index n_filled_ = 0;
};

/// Samples in memory: stream_of() owns its data set; the matrix of stream_over() must outlive the stream.
[[nodiscard]] std::unique_ptr<SampleStream> stream_of(Dataset data, std::string name);
[[nodiscard]] std::unique_ptr<SampleStream> stream_over(const MatrixRef& samples, std::string name);

/// All remaining samples.
[[nodiscard]] Dataset read_all(SampleStream& stream);

}  // namespace foldout
