// SPDX-License-Identifier: Apache-2.0
// PNG through libpng. It reports errors by longjmp, which skips destructors: objects that have one live outside the
// functions that are passed to try_png().
#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include "io/atomic_file.h"
#include "io/bad_file.h"
#include "io/image.h"
#include "io/image_formats.h"

namespace foldout {
namespace {

constexpr png_uint_32 kMaxSide = 1 << 24;
constexpr double kMaxRatio = 1032;  // deflate cannot pack better

struct PngFile {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const std::byte> rest;  ///< when reading: what libpng has not taken yet
  std::string out;                  ///< when writing
  char message[160] = "";
};

struct PngReading : PngFile {
  ~PngReading() { png_destroy_read_struct(&png, &info, nullptr); }
};

struct PngWriting : PngFile {
  ~PngWriting() { png_destroy_write_struct(&png, &info); }
};

[[noreturn]] void keep_message(png_structp png, png_const_charp text) {
  auto& file = *static_cast<PngFile*>(png_get_error_ptr(png));
  std::snprintf(file.message, sizeof(file.message), "%s", text);
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

void take_bytes(png_structp png, png_bytep to, std::size_t size) {
  auto& file = *static_cast<PngFile*>(png_get_io_ptr(png));
  if (size > file.rest.size()) png_error(png, "it is cut off");
  std::memcpy(to, file.rest.data(), size);
  file.rest = file.rest.subspan(size);
}

void append_bytes(png_structp png, png_bytep from, std::size_t size) {
  bool appended = true;
  try {
    static_cast<PngFile*>(png_get_io_ptr(png))->out.append(reinterpret_cast<const char*>(from), size);
  } catch (const std::bad_alloc&) {
    appended = false;
  }
  if (!appended) png_error(png, "out of memory");
}

/// False where libpng gave up in the middle of `calls`, which must own nothing.
template <class Calls>
bool try_png(const PngFile& file, const Calls& calls) {
  if (setjmp(png_jmpbuf(file.png))) return false;
  calls();
  return true;
}

void start(PngReading& file, std::span<const std::byte> bytes) {
  file.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, static_cast<PngFile*>(&file), keep_message, ignore_warning);
  file.info = file.png ? png_create_info_struct(file.png) : nullptr;
  if (!file.info) throw std::bad_alloc();
  file.rest = bytes;
  png_set_read_fn(file.png, static_cast<PngFile*>(&file), take_bytes);
  png_set_user_limits(file.png, kMaxSide, kMaxSide);
  png_set_crc_action(file.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_keep_unknown_chunks(file.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // texts, profiles, times
}

/// Values as they are in the file: 8 or 16 bits, one channel of grey or three of colours.
void choose_values(const PngReading& file) {
  if (png_get_color_type(file.png, file.info) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(file.png);
  png_set_expand_gray_1_2_4_to_8(file.png);
  png_set_strip_alpha(file.png);
  png_set_swap(file.png);  // 16 bits are stored with the larger byte first
  png_set_interlace_handling(file.png);
  png_read_update_info(file.png, file.info);
}

template <class T>
Matrix to_grey(const std::vector<png_byte>& pixels, Index height, Index width, Index channels, double scale) {
  Matrix grey(height, width);
  const png_byte* at = pixels.data();
  for (Index i = 0; i < grey.size(); ++i, at += static_cast<std::size_t>(channels) * sizeof(T)) {
    T value[3] = {};
    std::memcpy(value, at, static_cast<std::size_t>(channels) * sizeof(T));
    grey.data()[i] = scale * (channels == 1 ? value[0] : luma(value[0], value[1], value[2]));
  }
  return grey;
}

}  // namespace

bool is_png(std::span<const std::byte> bytes) {
  return bytes.size() >= 8 && png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) == 0;
}

Matrix decode_png(std::span<const std::byte> bytes, const std::string& name) {
  PngReading file;
  start(file, bytes);
  const auto fail = [&] { bad_file(name, "is a damaged PNG image ({}): get it again", file.message); };
  if (!try_png(file, [&] { png_read_info(file.png, file.info); })) fail();
  const png_uint_32 width = png_get_image_width(file.png, file.info);
  const png_uint_32 height = png_get_image_height(file.png, file.info);
  const auto packed = static_cast<double>(bytes.size());
  if (static_cast<double>(height) * static_cast<double>(png_get_rowbytes(file.png, file.info)) > kMaxRatio * packed)
    bad_file(name, "claims to be an image of {}×{}, more than {} bytes can hold: it is damaged", width, height,
             bytes.size());
  if (!try_png(file, [&] { choose_values(file); })) fail();
  const std::size_t row_bytes = png_get_rowbytes(file.png, file.info);
  require_image_memory(static_cast<double>(height) * (static_cast<double>(row_bytes) + 8.0 * width), name);
  std::vector<png_byte> pixels(row_bytes * height);
  std::vector<png_bytep> rows(height);
  for (std::size_t i = 0; i < height; ++i) rows[i] = pixels.data() + i * row_bytes;
  const bool read = try_png(file, [&] {
    png_read_image(file.png, rows.data());
    png_read_end(file.png, nullptr);
  });
  if (!read) fail();
  const Index channels = png_get_channels(file.png, file.info);
  return png_get_bit_depth(file.png, file.info) == 16
             ? to_grey<std::uint16_t>(pixels, height, width, channels, 1 / 257.0)
             : to_grey<std::uint8_t>(pixels, height, width, channels, 1);
}

std::string encode_png(const MatrixRef& grey) {
  constexpr Index kMaxWritten = 1 << 16;
  if (grey.size() == 0 || std::max(grey.rows(), grey.cols()) > kMaxWritten)
    throw InvalidArgument(
        fmt::format("an image of {}×{} cannot be written: sides are 1 … {}", grey.cols(), grey.rows(), kMaxWritten));
  std::vector<png_byte> row(static_cast<std::size_t>(grey.cols()));
  PngWriting file;
  file.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<PngFile*>(&file), keep_message, ignore_warning);
  file.info = file.png ? png_create_info_struct(file.png) : nullptr;
  if (!file.info) throw std::bad_alloc();
  png_set_write_fn(file.png, static_cast<PngFile*>(&file), append_bytes, nullptr);
  const bool written = try_png(file, [&] {
    png_set_IHDR(file.png, file.info, static_cast<png_uint_32>(grey.cols()), static_cast<png_uint_32>(grey.rows()), 8,
                 PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(file.png, file.info);
    for (Index i = 0; i < grey.rows(); ++i) {
      for (Index j = 0; j < grey.cols(); ++j) {
        const double value = std::isfinite(grey(i, j)) ? std::clamp(grey(i, j), 0.0, 255.0) : 0.0;
        row[static_cast<std::size_t>(j)] = static_cast<png_byte>(std::lround(value));
      }
      png_write_row(file.png, row.data());
    }
    png_write_end(file.png, nullptr);
  });
  if (!written) throw std::bad_alloc();  // nothing else can go wrong in memory
  return std::move(file.out);
}

void save_png(const std::string& path, const MatrixRef& grey) {
  AtomicFile file(path);
  file.stream() << encode_png(grey);
  file.commit();
}

}  // namespace foldout
