// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/sample_stream.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include "foldout/core/dataset.h"
#include "io/array.h"
#include "io/bad_file.h"
#include "io/csv.h"
#include "io/file_bytes.h"
#include "io/idx.h"
#include "io/location.h"
#include "io/npy.h"

namespace foldout {
namespace {

// An array that lies row by row in a file: blocks of it are converted, and their pages given back.
class ArrayStream final : public SampleStream {
 public:
  explicit ArrayStream(const Location& location)
      : name_(location.path),
        file_(open_file(location.file)),
        array_(location.format == Format::kNpy ? parse_npy(file_->bytes(), name_) : parse_idx(file_->bytes(), name_)) {
    if (array_.owner)
      bad_file(name_, "is packed and would have to be unpacked into memory: unpack it, or fit without batch_size");
    if (array_.column_major && array_.shape.size() > 1)
      bad_file(name_,
               "is stored column by column and cannot be read in blocks: save it in C order, or fit without "
               "batch_size");
    if (array_.shape.size() < 2 || array_.shape.size() > 3 || array_.bytes.empty())
      bad_file(name_, "has the shape {}: samples are the rows of an array of two or three dimensions",
               shape_text(array_.shape));
    row_bytes_ = array_.bytes.size() / array_.shape[0];
  }

  bool next(Matrix& block, Index max_rows) override {
    const auto rows = std::min(static_cast<std::uint64_t>(max_rows), array_.shape[0] - at_);
    if (rows == 0) return false;
    Array part = array_;
    part.shape[0] = rows;
    part.bytes = array_.bytes.subspan(at_ * row_bytes_, rows * row_bytes_);
    block = to_matrix(part, at_ == 0 ? name_ : fmt::format("{}, counted from sample {}", name_, at_));
    file_->release(part.bytes);
    at_ += rows;
    return true;
  }

  void restart() override { at_ = 0; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] const std::vector<std::string>& labels() const override { return none_; }
  [[nodiscard]] ImageShape image() const override {
    if (array_.shape.size() != 3) return {};
    return {static_cast<Index>(array_.shape[1]), static_cast<Index>(array_.shape[2])};
  }

 private:
  std::string name_;
  std::shared_ptr<const FileBytes> file_;
  Array array_;
  std::uint64_t at_ = 0, row_bytes_ = 0;
  std::vector<std::string> none_;
};

class CsvStream final : public SampleStream {
 public:
  explicit CsvStream(const Location& location)
      : location_(location), name_(can_restart() ? location.path : "standard input") {
    open();
  }

  bool next(Matrix& block, Index max_rows) override {
    // The reader gives what is there; a batch is as large as it can be.
    labels_.clear();
    std::vector<Matrix> parts;
    Index rows = 0;
    for (Matrix part; rows < max_rows && reader_->next(part, max_rows - rows); rows += part.rows()) {
      labels_.insert(labels_.end(), reader_->labels().begin(), reader_->labels().end());
      parts.push_back(part);
    }
    if (rows == 0 && at_start_) bad_file(name_, "has no samples: there is no row of numbers in it");
    at_start_ = false;
    if (rows == 0) return false;
    block.resize(rows, parts.front().cols());
    Index at = 0;
    for (const Matrix& part : parts) {
      block.middleRows(at, part.rows()) = part;
      at += part.rows();
    }
    return true;
  }

  void restart() override {
    if (!can_restart())
      throw InvalidArgument("standard input can be read once: give max_iterations=1, or the samples in a file");
    open();
  }
  [[nodiscard]] std::string name() const override { return can_restart() ? location_.path : "standard input"; }
  [[nodiscard]] bool can_restart() const override { return location_.format != Format::kStandardStream; }
  [[nodiscard]] const std::vector<std::string>& labels() const override { return labels_; }

 private:
  void open() {
    at_start_ = true;
    if (!can_restart()) {
      reader_.emplace(std::cin, name_);
      return;
    }
    reader_.reset();
    file_ = std::ifstream(location_.file, std::ios::binary);
    if (!file_) bad_file(name_, "cannot be opened: check the path and its permissions");
    reader_.emplace(file_, name_);
  }

  Location location_;
  std::string name_;  // for messages
  std::ifstream file_;
  std::optional<CsvReader> reader_;
  std::vector<std::string> labels_;
  bool at_start_ = true;
};

}  // namespace

std::unique_ptr<SampleStream> open_stream(const std::string& path) {
  const Location location = locate_input(path);
  switch (location.format) {
    case Format::kNpy:
    case Format::kIdx:
      return std::make_unique<ArrayStream>(location);
    case Format::kText:
    case Format::kStandardStream:
      return std::make_unique<CsvStream>(location);
    default:
      bad_file(path,
               "cannot be read in blocks, only .npy, IDX, .csv, .tsv, .txt and - can: convert it, or fit without "
               "batch_size");
  }
}

}  // namespace foldout
