// SPDX-License-Identifier: Apache-2.0
// The only file that compiles stb: PNG and JPEG in, PNG out.
#include "io/image.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "io/atomic_file.h"
#include "io/bad_file.h"
#include "io/image_check.h"
#include "io/pnm.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_ASSERT(condition) ((void)0)
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace foldout {
namespace {

// More than this no file can hold, however it is packed: deflate makes at most 1032 bytes of one; a JPEG spends at
// least one bit on 64 pixels.
constexpr double kMaxPngRatio = 1032;
constexpr double kMaxJpegPixelsPerByte = 1024;

/// The most pixels that so many bytes can hold.
double most_pixels(std::span<const std::byte> bytes) {
  const auto size = static_cast<double>(bytes.size());
  constexpr std::size_t kDepth = 24;  // of a PNG: bits per value, then the kind of colours
  if (is_jpeg(bytes) || bytes.size() <= kDepth + 1) return kMaxJpegPixelsPerByte * size;
  const auto depth = static_cast<double>(bytes[kDepth]);
  constexpr double kValues[] = {1, 1, 3, 1, 2, 1, 4};
  const auto colours = std::min<std::size_t>(static_cast<std::size_t>(bytes[kDepth + 1]), std::size(kValues) - 1);
  return kMaxPngRatio * size * 8 / std::max(1.0, depth * kValues[colours]);
}

struct FreePixels {
  void operator()(void* pixels) const { stbi_image_free(pixels); }
};

/// Grey from 1 (grey), 2 (grey, alpha), 3 (colours) or 4 (colours, alpha) channels; transparency is ignored.
template <class T>
Matrix to_grey(const T* pixels, int height, int width, int channels, double scale) {
  Matrix grey(height, width);
  for (Index i = 0; i < grey.size(); ++i, pixels += channels)
    grey.data()[i] = scale * (channels < 3 ? pixels[0] : luma(pixels[0], pixels[1], pixels[2]));
  return grey;
}

Matrix decode_stb(std::span<const std::byte> bytes, const std::string& name) {
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  int width = 0;
  int height = 0;
  int channels = 0;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    bad_file(name, "is an image of more than 2 GB: reduce it first");
  const auto size = static_cast<int>(bytes.size());
  const auto fail = [&name] {
    bad_file(name, "is no PGM, PPM, PNG or JPEG image, or damaged ({})", stbi_failure_reason());
  };
  if (!stbi_info_from_memory(data, size, &width, &height, &channels)) fail();
  const double pixels = static_cast<double>(width) * height;
  if (pixels > most_pixels(bytes))
    bad_file(name, "claims to be an image of {}×{}, more than {} bytes can hold: it is damaged", width, height, size);
  if (stbi_is_16_bit_from_memory(data, size)) {
    const std::unique_ptr<stbi_us, FreePixels> image(
        stbi_load_16_from_memory(data, size, &width, &height, &channels, 0));
    if (!image) fail();
    return to_grey(image.get(), height, width, channels, 1 / 257.0);
  }
  const std::unique_ptr<stbi_uc, FreePixels> image(stbi_load_from_memory(data, size, &width, &height, &channels, 0));
  if (!image) fail();
  return to_grey(image.get(), height, width, channels, 1);
}

}  // namespace

Matrix decode_image(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.empty()) bad_file(name, "is empty: remove it, or get it again");
  if (is_jpeg(bytes)) check_jpeg_tables(bytes, name);
  if (is_png(bytes)) check_png_chunks(bytes, name);
  return is_pnm(bytes) ? decode_pnm(bytes, name) : decode_stb(bytes, name);
}

std::string encode_png(const MatrixRef& grey) {
  constexpr Index kMaxSide = 1 << 16;
  if (grey.size() == 0 || std::max(grey.rows(), grey.cols()) > kMaxSide)
    throw InvalidArgument(
        fmt::format("an image of {}×{} cannot be written: sides are 1 … {}", grey.cols(), grey.rows(), kMaxSide));
  std::vector<unsigned char> pixels(static_cast<std::size_t>(grey.size()));
  for (Index i = 0; i < grey.rows(); ++i)
    for (Index j = 0; j < grey.cols(); ++j) {
      const double value = std::isfinite(grey(i, j)) ? std::clamp(grey(i, j), 0.0, 255.0) : 0.0;
      pixels[static_cast<std::size_t>(i * grey.cols() + j)] = static_cast<unsigned char>(std::lround(value));
    }
  std::string png;
  const auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  const int width = static_cast<int>(grey.cols());
  if (!stbi_write_png_to_func(append, &png, width, static_cast<int>(grey.rows()), 1, pixels.data(), width))
    throw std::bad_alloc();
  return png;
}

void save_png(const std::string& path, const MatrixRef& grey) {
  AtomicFile file(path);
  file.stream() << encode_png(grey);
  file.commit();
}

}  // namespace foldout
