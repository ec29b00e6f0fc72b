// SPDX-License-Identifier: Apache-2.0
#include "plot/image_sheet.h"

#include <algorithm>
#include <cmath>

#include "io/image.h"
#include "io/resize.h"

namespace foldout {

ImageShape thumbnail_shape(ImageShape image, Index n, double pixels, Index least, Index most) {
  const auto height = static_cast<double>(image.height), width = static_cast<double>(image.width);
  const double longer = std::max(height, width);
  double scale = std::sqrt(pixels / (std::max(1.0, static_cast<double>(n)) * height * width));
  scale = std::clamp(scale, static_cast<double>(least) / longer, static_cast<double>(most) / longer);
  scale = std::min(scale, 1.0);
  const auto scaled = [&](double side) {
    return std::max<Index>(1, static_cast<Index>(std::floor(scale * side + 1e-9)));
  };
  return {scaled(height), scaled(width)};
}

GreyScale grey_scale(const MatrixRef& values) {
  if (values.size() == 0) return {};
  const double least = values.minCoeff(), largest = values.maxCoeff();
  if (least >= 0 && largest <= 255 && largest > 1) return {};
  return least < largest ? GreyScale{least, largest} : GreyScale{least - 1, least + 1};
}

ImageSheets make_sheets(const MatrixRef& values, const std::vector<Index>& rows, ImageShape image, ImageShape shape,
                        GreyScale scale) {
  constexpr Index kSide = 2048;  // any browser decodes this size
  ImageSheets sheets{shape, std::max<Index>(1, kSide / shape.width), std::max<Index>(1, kSide / shape.height), {}};
  sheets.columns = std::min(sheets.columns, std::max<Index>(1, std::ssize(rows)));
  const Index per_sheet = sheets.columns * sheets.rows;
  const bool same = shape.height == image.height && shape.width == image.width;
  for (Index first = 0; first < std::ssize(rows); first += per_sheet) {
    const Index n = std::min(per_sheet, std::ssize(rows) - first);
    Matrix sheet = Matrix::Zero((n + sheets.columns - 1) / sheets.columns * shape.height, sheets.columns * shape.width);
    for (Index i = 0; i < n; ++i) {
      const Index row = rows[static_cast<std::size_t>(first + i)];
      const Eigen::Map<const Matrix> pixels(values.row(row).data(), image.height, image.width);
      sheet.block(i / sheets.columns * shape.height, i % sheets.columns * shape.width, shape.height, shape.width) =
          same ? Matrix(pixels) : resize_image(pixels, shape);
    }
    sheets.pngs.push_back(encode_png((255 / (scale.high - scale.low)) * (sheet.array() - scale.low).matrix()));
  }
  return sheets;
}

}  // namespace foldout
