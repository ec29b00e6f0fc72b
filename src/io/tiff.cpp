// SPDX-License-Identifier: Apache-2.0
// TIFF through libtiff, from memory.
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "io/bad_file.h"
#include "io/image_formats.h"

namespace foldout {
namespace {

constexpr double kMaxPixelsPerByte = 8192;  // fax codes spend a byte on some rows

struct Source {
  std::span<const std::byte> bytes;
  std::uint64_t at = 0;
};

Source& source_of(thandle_t handle) { return *static_cast<Source*>(handle); }

tmsize_t read(thandle_t handle, void* out, tmsize_t count) {
  Source& source = source_of(handle);
  if (count < 0 || source.at >= source.bytes.size()) return 0;
  const auto size = std::min<std::uint64_t>(static_cast<std::uint64_t>(count), source.bytes.size() - source.at);
  std::memcpy(out, source.bytes.data() + source.at, size);
  source.at += size;
  return static_cast<tmsize_t>(size);
}

tmsize_t write(thandle_t, void*, tmsize_t) { return 0; }

toff_t seek(thandle_t handle, toff_t offset, int whence) {
  Source& source = source_of(handle);
  source.at = offset + (whence == SEEK_CUR ? source.at : whence == SEEK_END ? source.bytes.size() : 0);
  return source.at;
}

int close(thandle_t) { return 0; }
toff_t size(thandle_t handle) { return source_of(handle).bytes.size(); }

}  // namespace

bool is_tiff(std::span<const std::byte> bytes) {
  constexpr std::array<unsigned char, 4> kLittle = {'I', 'I', 42, 0}, kBig = {'M', 'M', 0, 42};
  const auto starts = [&](const auto& magic) {
    return bytes.size() >= 2 * magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  return starts(kLittle) || starts(kBig);
}

Matrix decode_tiff(std::span<const std::byte> bytes, const std::string& name) {
  static const bool quiet = [] {  // libtiff would print what we throw
    TIFFSetErrorHandler(nullptr);
    TIFFSetWarningHandler(nullptr);
    return true;
  }();
  (void)quiet;
  const auto damaged = [&]() { bad_file(name, "is a damaged TIFF image: get it again, or convert it to PNG"); };
  Source source{bytes};
  const std::unique_ptr<TIFF, void (*)(TIFF*)> file(
      TIFFClientOpen(name.c_str(), "rm", &source, read, write, seek, close, size, nullptr, nullptr), TIFFClose);
  if (!file) damaged();
  std::uint32_t width = 0, height = 0;
  TIFFGetField(file.get(), TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(file.get(), TIFFTAG_IMAGELENGTH, &height);
  char reason[1024] = "";
  if (width == 0 || height == 0) damaged();
  if (!TIFFRGBAImageOK(file.get(), reason))
    bad_file(name, "is a TIFF image of a kind that cannot be read ({}): convert it to PNG", reason);
  const double pixels = static_cast<double>(width) * height;
  if (pixels > kMaxPixelsPerByte * static_cast<double>(bytes.size()))
    bad_file(name, "claims {}×{} pixels, more than its {} bytes can hold: get it again", width, height, bytes.size());
  require_image_memory(12 * pixels, name);
  std::vector<std::uint32_t> raster(static_cast<std::size_t>(width) * height);
  if (!TIFFReadRGBAImageOriented(file.get(), width, height, raster.data(), ORIENTATION_TOPLEFT, 1)) damaged();
  Matrix grey(static_cast<Index>(height), static_cast<Index>(width));
  for (std::size_t i = 0; i < raster.size(); ++i) {
    const std::uint32_t red = TIFFGetR(raster[i]), green = TIFFGetG(raster[i]), blue = TIFFGetB(raster[i]);
    grey.data()[i] = red == green && green == blue ? red : luma(red, green, blue);
  }
  return grey;
}

}  // namespace foldout
