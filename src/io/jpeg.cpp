// SPDX-License-Identifier: Apache-2.0
// JPEG through libjpeg. It reports errors by a callback that must not return. We leave it by longjmp, which skips
// destructors: objects that have one live outside the functions that are passed to try_jpeg().
#include <csetjmp>
#include <cstdint>
#include <cstdio>  // before jpeglib.h, which uses FILE

#include <jpeglib.h>

#include <jerror.h>

#include <vector>

#include "io/bad_file.h"
#include "io/image_formats.h"

namespace foldout {
namespace {

constexpr double kMaxPixelsPerByte =
    1024;                       // at least one bit is spent on 64 pixels; twice that, to be on the safe side
constexpr int kMaxScans = 100;  // of a progressive file: each may take a few bytes and the time of a whole image

struct JpegFile {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf jump{};
  char message[JMSG_LENGTH_MAX] = "";
  ~JpegFile() { jpeg_destroy_decompress(&jpeg); }
};

[[noreturn]] void give_up(j_common_ptr jpeg) {
  auto& file = *static_cast<JpegFile*>(jpeg->client_data);
  file.errors.format_message(jpeg, file.message);
  std::longjmp(file.jump, 1);
}

/// Most of what libjpeg warns of does no harm; the end of the data before the end of the image does.
void judge_warning(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  const int code = jpeg->err->msg_code;
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) give_up(jpeg);
}

void limit_scans(j_common_ptr jpeg) {
  if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number <= kMaxScans) return;
  auto& file = *static_cast<JpegFile*>(jpeg->client_data);
  std::snprintf(file.message, sizeof(file.message), "it has more than %d scans", kMaxScans);
  std::longjmp(file.jump, 1);
}

/// False where libjpeg gave up in the middle of `calls`, which must own nothing.
template <class Calls>
bool try_jpeg(JpegFile& file, const Calls& calls) {
  if (setjmp(file.jump)) return false;
  calls();
  return true;
}

void read_header(JpegFile& file, std::span<const std::byte> bytes) {
  jpeg_create_decompress(&file.jpeg);  // keeps the error handler and client_data
  file.progress.progress_monitor = limit_scans;
  file.jpeg.progress = &file.progress;
  jpeg_mem_src(&file.jpeg, reinterpret_cast<const unsigned char*>(bytes.data()),
               static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&file.jpeg, TRUE);
}

/// Of one pixel: grey, colours, or inks as Adobe's programs store them, where 255 means none.
double grey_of(const JSAMPLE* value, int channels) {
  if (channels == 1) return value[0];
  if (channels == 3) return luma(value[0], value[1], value[2]);
  const auto mixed = [&](int i) { return (value[i] * value[3] + 127) / 255; };
  return luma(mixed(0), mixed(1), mixed(2));
}

}  // namespace

bool is_jpeg(std::span<const std::byte> bytes) {
  return bytes.size() >= 3 && bytes[0] == std::byte{0xFF} && bytes[1] == std::byte{0xD8} && bytes[2] == std::byte{0xFF};
}

Matrix decode_jpeg(std::span<const std::byte> bytes, const std::string& name) {
  JpegFile file;
  jpeg_decompress_struct& jpeg = file.jpeg;
  jpeg.err = jpeg_std_error(&file.errors);
  jpeg.client_data = &file;
  file.errors.error_exit = give_up;
  file.errors.emit_message = judge_warning;
  const auto fail = [&] { bad_file(name, "is a damaged JPEG image ({}): get it again", file.message); };
  if (!try_jpeg(file, [&] { read_header(file, bytes); })) fail();
  const double pixels = static_cast<double>(jpeg.image_width) * jpeg.image_height;
  if (pixels > kMaxPixelsPerByte * static_cast<double>(bytes.size()))
    bad_file(name, "claims to be an image of {}×{}, more than {} bytes can hold: it is damaged", jpeg.image_width,
             jpeg.image_height, bytes.size());
  const int channels = jpeg.num_components;
  if (channels != 1 && channels != 3 && channels != 4)
    bad_file(name, "is a JPEG image of {} channels; 1 (grey), 3 (colours) and 4 (inks) can be read: convert it",
             channels);
  require_image_memory((8 + 2.0 * channels) * pixels, name);  // progressive images have coefficients of 2 bytes
  Matrix grey(jpeg.image_height, jpeg.image_width);
  std::vector<JSAMPLE> row(std::size_t{4} * jpeg.image_width);
  const bool read = try_jpeg(file, [&] {
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
      const auto i = static_cast<Index>(jpeg.output_scanline);
      JSAMPROW rows[] = {row.data()};
      jpeg_read_scanlines(&jpeg, rows, 1);
      for (Index j = 0; j < grey.cols(); ++j) grey(i, j) = grey_of(row.data() + j * channels, channels);
    }
    jpeg_finish_decompress(&jpeg);
  });
  if (!read) fail();
  return grey;
}

}  // namespace foldout
