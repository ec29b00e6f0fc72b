// SPDX-License-Identifier: Apache-2.0
#include "io/open_samples.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "core/check.h"
#include "io/array_file.h"
#include "io/bad_file.h"
#include "io/csv.h"
#include "io/image.h"

namespace foldout {
namespace {

constexpr std::size_t kSlice = std::size_t{8} << 20;  // bytes of a file that are converted at a time

/// An array: slices of it are converted, after which their pages are released or their buffer is reused.
class ArrayStream final : public SampleStream {
 public:
  ArrayStream(ArrayFile source, const std::string& name)
      : source_(std::move(source)), shape_(sample_shape(source_.array, name)) {
    info_ = {.name = name, .n_features = shape_.features()};
    if (source_.array.shape.size() == 3) info_.image = {shape_.height, shape_.width};
    row_bytes_ = static_cast<std::size_t>(shape_.features()) * source_.array.item_size;
    const std::size_t n_labels = source_.labels.size();
    if (n_labels > 0 && static_cast<Index>(n_labels) != shape_.samples)
      bad_file(name, "has {} samples but {} labels: name the array of samples to read it alone, as {}:key",
               shape_.samples, n_labels, name);
    restart();
  }

  bool next(Matrix& block, Index max_rows) override {
    const Index rows = std::min(max_rows, shape_.samples - at_);
    take_labels(rows);
    if (rows == 0) return false;
    require_room(rows);
    block.resize(rows, shape_.features());
    const auto slice = static_cast<Index>(std::max<std::size_t>(1, kSlice / row_bytes_));
    for (Index done = 0; done < rows; done += slice) {
      const Index count = std::min(slice, rows - done);
      if (packed_)
        unpack_rows(block.middleRows(done, count));
      else if (source_.array.column_major)
        copy_columns(at_ + done, block.middleRows(done, count));
      else
        copy_rows(at_ + done, block.middleRows(done, count));
    }
    require_finite_values(block, at_, name());
    at_ += rows;
    if (packed_ && at_ == shape_.samples) packed_->source->finish();
    return true;
  }

  void restart() override {
    at_ = 0;
    if (source_.open) packed_ = source_.open();
  }

  [[nodiscard]] double fraction() const override {
    return static_cast<double>(at_) / static_cast<double>(shape_.samples);
  }

 private:
  void take_labels(Index rows) {
    if (source_.labels.empty()) return;
    const auto begin = source_.labels.begin() + at_;
    labels_.assign(begin, begin + rows);
  }

  void require_room(Index rows) const {
    const double bytes = 8.0 * static_cast<double>(rows) * static_cast<double>(shape_.features());
    if (bytes > 1e8) require_memory(bytes, name(), "take fewer samples or features at a time");
  }

  void unpack_rows(Eigen::Ref<Matrix> out) {
    buffer_.resize(static_cast<std::size_t>(out.rows()) * row_bytes_);
    packed_->source->fill(buffer_);
    Array part = source_.array;
    part.shape[0] = static_cast<std::uint64_t>(out.rows());
    part.bytes = buffer_;
    copy_samples(part, 0, 0, out, name());
  }

  void copy_rows(Index row, Eigen::Ref<Matrix> out) const {
    copy_samples(source_.array, row, 0, out, name());
    if (source_.file)
      source_.file->release(source_.array.bytes.subspan(static_cast<std::size_t>(row) * row_bytes_,
                                                        static_cast<std::size_t>(out.rows()) * row_bytes_));
  }

  /// Columns are far apart in the file, and each brings in whole pages: they are released after every few columns.
  void copy_columns(Index row, Eigen::Ref<Matrix> out) const {
    constexpr std::size_t kAround = std::size_t{128} << 10;  // what the system reads around a page
    const std::size_t piece = static_cast<std::size_t>(out.rows()) * source_.array.item_size;
    const auto group = static_cast<Index>(std::max<std::size_t>(1, kSlice / (piece + kAround)));
    for (Index j = 0; j < out.cols(); j += group) {
      const Index count = std::min(group, out.cols() - j);
      copy_samples(source_.array, row, j, out.middleCols(j, count), name());
      if (!source_.file) continue;
      for (Index k = j; k < j + count; ++k)
        source_.file->release(source_.array.bytes.subspan(column_offset(source_.array, shape_, row, k), piece));
    }
  }

  ArrayFile source_;
  SampleShape shape_;
  std::optional<PackedArray> packed_;
  std::vector<std::byte> buffer_;
  std::size_t row_bytes_ = 0;
  Index at_ = 0;
};

class CsvStream final : public SampleStream {
 public:
  CsvStream(const Location& location, LabelColumn label_column, Blocks blocks)
      : file_name_(location.file), label_column_(label_column), blocks_(blocks) {
    const bool standard = location.format == Format::kStandardStream;
    std::error_code error;
    info_.name = standard ? "standard input" : location.file;
    info_.can_restart = !standard && std::filesystem::is_regular_file(file_name_, error);
    if (info_.can_restart) size_ = static_cast<double>(std::filesystem::file_size(file_name_, error));
    open(standard);
    info_.n_features = reader_->width();
    info_.columns = reader_->columns();
  }

  bool next(Matrix& block, Index max_rows) override {
    const bool more = reader_->next(block, max_rows);
    labels_ = reader_->labels();
    return more;
  }

  void restart() override {
    if (!can_restart())
      throw InvalidArgument(
          fmt::format("{} can be read only once: give max_iterations=1, or the samples in a file", name()));
    open(false);
  }

  [[nodiscard]] double fraction() const override {
    return size_ > 0 ? std::min(1.0, static_cast<double>(reader_->consumed()) / size_) : 0;
  }

 private:
  void open(bool standard) {
    reader_.reset();
    if (!standard) {
      file_ = std::ifstream(file_name_, std::ios::binary);
      if (!file_) bad_file(name(), "cannot be opened: check its permissions");
      if (file_.peek() == std::ifstream::traits_type::eof())
        bad_file(name(), "is empty: give a file with one row per sample");
    }
    reader_.emplace(standard ? std::cin : file_, name(), label_column_, blocks_);
  }

  std::string file_name_;
  LabelColumn label_column_;
  Blocks blocks_;
  double size_ = 0;
  std::ifstream file_;
  std::optional<CsvReader> reader_;
};

}  // namespace

std::unique_ptr<SampleStream> open_samples(const Location& location, const ReadOptions& options, Content content) {
  const bool samples = content == Content::kSamples;
  switch (location.format) {
    case Format::kFolder:
      return std::make_unique<ImageFolder>(location.file);
    case Format::kText:
    case Format::kStandardStream: {
      const bool waits = location.format == Format::kText || !options.as_they_arrive;
      return std::make_unique<CsvStream>(location, samples ? LabelColumn::kRecognised : LabelColumn::kNone,
                                         waits ? Blocks::kFull : Blocks::kAtHand);
    }
    default: {
      ArrayFile file = open_arrays(location, options, samples);
      if (samples && file.array.shape.size() == 1)
        bad_file(location.path, "has shape {}: samples need 2 dimensions (N, D), or 3 for images (N, height, width)",
                 shape_text(file.array.shape));
      return std::make_unique<ArrayStream>(std::move(file), location.path);
    }
  }
}

std::unique_ptr<SampleStream> open_stream(const std::string& path, const ReadOptions& options) {
  return open_samples(locate_input(path), options, Content::kSamples);
}

}  // namespace foldout
