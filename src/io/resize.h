// SPDX-License-Identifier: Apache-2.0
// Images of another size.
#pragma once

#include <memory>

#include "foldout/core/sample_stream.h"

namespace foldout {

/// Scales an image. Every pixel is a mean of the pixels around its place, weighted by a triangle that is as wide as a
/// pixel of the coarser of both images: bilinear interpolation where it grows, without aliasing where it shrinks.
[[nodiscard]] Matrix resize_image(const MatrixRef& image, ImageShape shape);

/// The images of another stream, of this size; the stream itself if its samples are not images.
[[nodiscard]] std::unique_ptr<SampleStream> resized(std::unique_ptr<SampleStream> stream, ImageShape shape);

}  // namespace foldout
