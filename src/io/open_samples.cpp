// SPDX-License-Identifier: Apache-2.0
#include "io/open_samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>

#include "core/check.h"
#include "io/array_file.h"
#include "io/bad_file.h"
#include "io/csv.h"
#include "io/image.h"
#include "io/json_lines.h"
#include "io/npy.h"
#include "io/resize.h"
#include "io/text_source.h"

namespace foldout {
namespace {

constexpr std::size_t kSlice = std::size_t{8} << 20;  // bytes of a file that are converted at a time

/// Replaces NaN by the mean of the feature, if there are means; returns their number.
Index fill_missing(Matrix& samples, const Vector& means) {
  Index count = 0;
  for (Index i = 0; i < samples.rows(); ++i)
    for (Index j = 0; j < samples.cols(); ++j)
      if (std::isnan(samples(i, j))) {
        ++count;
        if (j < means.size()) samples(i, j) = means[j];
      }
  return count;
}

/// An array: slices of it are read or unpacked into a buffer, and converted.
class ArrayStream final : public SampleStream {
 public:
  ArrayStream(ArrayFile source, const std::string& name, const ReadOptions& options)
      : source_(std::move(source)),
        shape_(sample_shape(source_.array, name)),
        missing_(options.skip_bad ? MissingValues::kDrop : options.missing),
        fill_(options.fill) {
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
    do {
      const Index rows = std::min(max_rows, shape_.samples - at_);
      take_labels(rows);
      if (rows == 0) return false;
      read(block, rows);
      if (missing_ == MissingValues::kDrop) drop_missing(block);
      if (missing_ == MissingValues::kMean) n_filled_ += fill_missing(block, fill_);
      if (missing_ != MissingValues::kMean || fill_.size() > 0) require_finite_values(block, at_, name());
      at_ += rows;
      if (packed_ && at_ == shape_.samples) packed_->source->finish();
    } while (block.rows() == 0);
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
  void read(Matrix& block, Index rows) {
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
  }

  void drop_missing(Matrix& block) {
    Index kept = 0;
    for (Index i = 0; i < block.rows(); ++i) {
      if (block.row(i).hasNaN()) {
        skipped_.push_back({fmt::format("row {}", at_ + i), "a value is missing (NaN)"});
        continue;
      }
      if (kept != i) {
        block.row(kept) = block.row(i);
        if (!labels_.empty()) labels_[static_cast<std::size_t>(kept)] = labels_[static_cast<std::size_t>(i)];
      }
      ++kept;
    }
    if (!labels_.empty()) labels_.resize(static_cast<std::size_t>(kept));
    block.conservativeResize(kept, Eigen::NoChange);
  }

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
    convert_rows(out);
  }

  void copy_rows(Index row, Eigen::Ref<Matrix> out) {
    if (!source_.file) return copy_samples(source_.array, row, 0, out, name());
    buffer_.resize(static_cast<std::size_t>(out.rows()) * row_bytes_);
    source_.file->copy(position() + static_cast<std::size_t>(row) * row_bytes_, buffer_);
    convert_rows(out);
  }

  /// The rows in the buffer.
  void convert_rows(Eigen::Ref<Matrix> out) const {
    Array part = source_.array;
    part.shape[0] = static_cast<std::uint64_t>(out.rows());
    part.bytes = buffer_;
    copy_samples(part, 0, 0, out, name());
  }

  /// Of the array in its file.
  [[nodiscard]] std::size_t position() const {
    return static_cast<std::size_t>(source_.array.bytes.data() - source_.file->bytes().data());
  }

  /// Each column of the file has the values of these rows side by side.
  void copy_columns(Index row, Eigen::Ref<Matrix> out) {
    if (!source_.file) return copy_samples(source_.array, row, 0, out, name());
    const std::size_t piece = static_cast<std::size_t>(out.rows()) * source_.array.item_size;
    buffer_.resize(static_cast<std::size_t>(out.cols()) * piece);
    for (Index j = 0; j < out.cols(); ++j)
      source_.file->copy(position() + column_offset(source_.array, shape_, row, j),
                         std::span(buffer_).subspan(static_cast<std::size_t>(j) * piece, piece));
    Array part = source_.array;
    part.shape = {static_cast<std::uint64_t>(out.rows()), static_cast<std::uint64_t>(out.cols())};
    part.bytes = buffer_;
    copy_samples(part, 0, 0, out, name());
  }

  ArrayFile source_;
  SampleShape shape_;
  MissingValues missing_;
  Vector fill_;  ///< empty: missing values remain NaN
  std::optional<PackedArray> packed_;
  std::vector<std::byte> buffer_;
  std::size_t row_bytes_ = 0;
  Index at_ = 0;
};

class CsvStream final : public SampleStream {
 public:
  CsvStream(const Location& location, const ReadOptions& options, LoneColumn lone)
      : location_(location), options_(options), lone_(lone) {
    const bool standard = location.format == Format::kStandardStream;
    std::error_code error;
    options_.as_they_arrive = standard && options.as_they_arrive;
    info_.name = standard ? "standard input" : location.file;
    info_.can_restart = !standard && std::filesystem::is_regular_file(location.file, error);
    if (info_.can_restart && !is_packed_text(location.file))
      size_ = static_cast<double>(std::filesystem::file_size(location.file, error));
    open();
    info_.n_features = reader_->width();
    info_.warnings = reader_->warnings();
    info_.columns = reader_->layout().feature_names();
    // Features only, without names: nothing that other samples could be matched by.
    if (reader_->layout().names.empty() && info_.n_features == std::ssize(reader_->layout().roles)) return;
    info_.table = reader_->layout();
  }

  bool next(Matrix& block, Index max_rows) override {
    const bool more = reader_->next(block, max_rows);
    labels_ = reader_->labels();
    ids_ = reader_->ids();
    skipped_ = reader_->skipped();
    n_filled_ = reader_->n_filled();
    return more;
  }

  void restart() override {
    if (!can_restart())
      throw InvalidArgument(
          fmt::format("{} can be read only once: give max_iterations=1, or the samples in a file", name()));
    open();
  }

  [[nodiscard]] double fraction() const override {
    return size_ > 0 ? std::min(1.0, static_cast<double>(reader_->consumed()) / size_) : 0;
  }

 private:
  void open() {
    reader_.reset();
    text_ = open_text(location_);
    reader_.emplace(*text_, name(), options_, lone_);
  }

  Location location_;
  ReadOptions options_;
  LoneColumn lone_;
  double size_ = 0;
  std::shared_ptr<std::istream> text_;
  std::optional<CsvReader> reader_;
};

}  // namespace

namespace {

/// A .npy file on standard input, read to its end.
ArrayFile standard_array() {
  auto bytes =
      std::make_shared<std::vector<char>>(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  ArrayFile file;
  file.array = parse_npy(std::as_bytes(std::span(*bytes)), "standard input");
  file.array.owner = bytes;
  return file;
}

/// What standard input contains, by its first byte: a .npy file, JSON or a table.
Format standard_format() {
  const int first = std::cin.peek();
  return first == 0x93 ? Format::kNpy : first == '[' || first == '{' ? Format::kJsonLines : Format::kStandardStream;
}

}  // namespace

std::unique_ptr<SampleStream> open_samples(const Location& location, const ReadOptions& options, Content content) {
  const bool samples = content == Content::kSamples, standard = location.format == Format::kStandardStream;
  const Format format = standard ? standard_format() : location.format;
  const bool table = format == Format::kText || format == Format::kStandardStream;
  if (!table && format != Format::kJsonLines && !options.columns.empty())
    bad_file(location.path,
             "has no named columns: choosing labels, ids and features by column is for tables (.csv, .tsv, .txt)");
  std::unique_ptr<SampleStream> stream;
  if (format == Format::kFolder || format == Format::kImage) {
    stream = std::make_unique<ImageFolder>(location.file, options);
  } else if (table) {
    stream = std::make_unique<CsvStream>(location, options, samples ? LoneColumn::kLabel : LoneColumn::kFeature);
  } else if (format == Format::kJsonLines) {
    stream = std::make_unique<JsonLines>(location, options);
  } else {
    ArrayFile file = standard ? standard_array() : open_arrays(location, options, samples);
    if (samples && file.array.shape.size() == 1)
      bad_file(location.path, "has shape {}: samples need 2 dimensions (N, D), or 3 for images (N, height, width)",
               shape_text(file.array.shape));
    stream = std::make_unique<ArrayStream>(std::move(file), standard ? "standard input" : location.path, options);
  }
  if (options.missing == MissingValues::kMean && options.fill.size() > 0 &&
      options.fill.size() != stream->info().n_features)
    bad_file(location.path, "has {} features, but the means for missing values are {}: one for each is needed",
             stream->info().n_features, options.fill.size());
  return options.resize.height > 0 ? resized(std::move(stream), options.resize) : std::move(stream);
}

std::unique_ptr<SampleStream> open_stream(const std::string& path, const ReadOptions& options) {
  if (options.missing == MissingValues::kMean && options.fill.size() == 0)
    bad_file(path, "is read in blocks, so the means for missing values must be known: read all of it, or drop samples");
  return open_samples(locate_input(path), options, Content::kSamples);
}

}  // namespace foldout
