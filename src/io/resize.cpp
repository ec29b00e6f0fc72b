// SPDX-License-Identifier: Apache-2.0
#include "io/resize.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace foldout {
namespace {

// Row i: the weights of the old pixels in new pixel i, along one axis.
Matrix weights(Index from, Index to) {
  const double step = static_cast<double>(from) / static_cast<double>(to), reach = std::max(step, 1.0);
  Matrix W = Matrix::Zero(to, from);
  for (Index i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * step - 0.5;
    for (Index j = 0; j < from; ++j) W(i, j) = std::max(0.0, 1 - std::abs(static_cast<double>(j) - center) / reach);
    W.row(i) /= W.row(i).sum();
  }
  return W;
}

class ResizedStream final : public SampleStream {
 public:
  ResizedStream(std::unique_ptr<SampleStream> stream, ImageShape shape) : stream_(std::move(stream)) {
    info_ = stream_->info();
    info_.image = shape;
    info_.resized = true;
    info_.n_features = shape.height * shape.width;
  }

  bool next(Matrix& block, Index max_rows) override {
    const bool more = stream_->next(block, max_rows);
    labels_ = stream_->labels();
    ids_ = stream_->ids();
    skipped_ = stream_->skipped();
    n_filled_ = stream_->n_filled();
    const auto& [height, width] = stream_->image();
    if (!more || (height == info_.image.height && width == info_.image.width)) return more;
    Matrix scaled(block.rows(), info_.n_features);
    for (Index i = 0; i < block.rows(); ++i) {
      const Matrix image = resize_image(Eigen::Map<const Matrix>(block.row(i).data(), height, width), info_.image);
      scaled.row(i) = Eigen::Map<const Eigen::RowVectorXd>(image.data(), image.size());
    }
    block = std::move(scaled);
    return true;
  }
  void restart() override { stream_->restart(); }
  [[nodiscard]] double fraction() const override { return stream_->fraction(); }

 private:
  std::unique_ptr<SampleStream> stream_;
};

}  // namespace

Matrix resize_image(const MatrixRef& image, ImageShape shape) {
  if (image.rows() == shape.height && image.cols() == shape.width) return image;
  return weights(image.rows(), shape.height) * image * weights(image.cols(), shape.width).transpose();
}

std::unique_ptr<SampleStream> resized(std::unique_ptr<SampleStream> stream, ImageShape shape) {
  if (stream->image().height == 0) return stream;
  return std::make_unique<ResizedStream>(std::move(stream), shape);
}

}  // namespace foldout
