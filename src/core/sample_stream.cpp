// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/sample_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/check.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

class MemoryStream final : public SampleStream {
 public:
  MemoryStream(Dataset data, std::string name) : data_(std::move(data)), samples_(data_.samples) {
    info_ = {.name = std::move(name),
             .n_features = data_.samples.cols(),
             .image = data_.image,
             .columns = data_.columns,
             .table = data_.table,
             .resized = data_.resized,
             .warnings = data_.warnings};
  }
  MemoryStream(const MatrixRef& samples, std::string name) : samples_(samples) {
    info_ = {.name = std::move(name), .n_features = samples.cols()};
  }

  bool next(Matrix& block, Index max_rows) override {
    const Index rows = std::min(max_rows, samples_.rows() - at_);
    labels_.clear();
    for (Index i = 0; data_.labels && i < rows; ++i) labels_.push_back(data_.labels->text(at_ + i));
    if (!data_.ids.empty()) ids_.assign(data_.ids.begin() + at_, data_.ids.begin() + at_ + rows);
    if (rows == 0) return false;
    block = samples_.middleRows(at_, rows);
    at_ += rows;
    return true;
  }

  void restart() override { at_ = 0; }
  [[nodiscard]] double fraction() const override {
    return static_cast<double>(at_) / static_cast<double>(samples_.rows());
  }

 private:
  Dataset data_;       // empty if the caller owns the samples
  MatrixRef samples_;  // all of them
  Index at_ = 0;
};

}  // namespace

std::unique_ptr<SampleStream> stream_over(const MatrixRef& samples, std::string name) {
  require_count(samples, 1, name);
  return std::make_unique<MemoryStream>(samples, std::move(name));
}

std::unique_ptr<SampleStream> stream_of(Dataset data, std::string name) {
  require_count(data.samples, 1, name);
  if (data.labels && data.labels->size() != data.samples.rows())
    throw InvalidArgument(fmt::format("{} has {} samples but {} labels: one label per sample is needed", name,
                                      data.samples.rows(), data.labels->size()));
  return std::make_unique<MemoryStream>(std::move(data), std::move(name));
}

Dataset read_all(SampleStream& stream) {
  const StreamInfo& info = stream.info();
  Dataset data{.samples = {},
               .image = info.image,
               .columns = info.columns,
               .table = info.table,
               .resized = info.resized,
               .warnings = info.warnings};
  stream.next(data.samples, std::numeric_limits<Index>::max());
  data.ids = stream.ids();
  if (!stream.labels().empty()) data.labels = make_labels(stream.labels());
  return data;
}

}  // namespace foldout
