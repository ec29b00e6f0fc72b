// SPDX-License-Identifier: Apache-2.0
// Many small images in a few PNG files: sheets in which they stand side by side, row by row.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"

namespace foldout {

struct ImageSheets {
  ImageShape shape = {};          ///< of an image on the sheets
  Index columns = 0, rows = 0;    ///< images side by side, and rows of them, on a full sheet
  std::vector<std::string> pngs;  ///< encoded; the last may have fewer rows
};

/// The largest size, of the shape of `image`, at which `n` images have at most `pixels` pixels; at least `least` pixels
/// on the longer side, at most `most`.
[[nodiscard]] ImageShape thumbnail_shape(ImageShape image, Index n, double pixels, Index least, Index most);

/// How numbers become grey values.
struct GreyScale {
  double low = 0, high = 255;  ///< black and white
};
/// 0 … 255 for values that are such grey values, otherwise their range.
[[nodiscard]] GreyScale grey_scale(const MatrixRef& values);

/// The images in these rows of `values`, in this order.
[[nodiscard]] ImageSheets make_sheets(const MatrixRef& values, const std::vector<Index>& rows, ImageShape image,
                                      ImageShape shape, GreyScale scale);

}  // namespace foldout
