// SPDX-License-Identifier: Apache-2.0
// Format: https://netpbm.sourceforge.net/doc/pgm.html and ppm.html
#include "io/image_formats.h"

#include <string_view>

#include "io/bad_file.h"

namespace foldout {
namespace {

constexpr Index kMaxSide = 1 << 16;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

class PnmParser {
 public:
  PnmParser(std::span<const std::byte> bytes, const std::string& name)
      : rest_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), name_(name) {}

  Matrix parse() {
    const char kind = rest_[1];
    rest_.remove_prefix(2);
    plain_ = kind == '2' || kind == '3';
    const Index channels = kind == '3' || kind == '6' ? 3 : 1;
    const Index width = header_number("the width", kMaxSide);
    const Index height = header_number("the height", kMaxSide);
    maximum_ = header_number("the maximum", 65535);
    if (!plain_ && !rest_.empty()) rest_.remove_prefix(1);  // one white space, then the raw values
    const Index values = width * height * channels;
    const Index least = values * (maximum_ > 255 && !plain_ ? 2 : 1);  // bytes
    if (static_cast<Index>(rest_.size()) < least)
      bad_file(name_, "is an image of {}×{} that needs {} bytes, but has {}: it is cut off", width, height, least,
               rest_.size());
    Matrix grey(height, width);
    for (Index i = 0; i < height; ++i)
      for (Index j = 0; j < width; ++j) grey(i, j) = channels == 1 ? value() : colour();
    return maximum_ == 255 ? grey : Matrix(grey * (255.0 / static_cast<double>(maximum_)));
  }

 private:
  void skip_space() {
    while (!rest_.empty() && (is_space(rest_[0]) || rest_[0] == '#')) {
      if (rest_[0] == '#')
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else
        rest_.remove_prefix(1);
    }
  }
  Index number(std::string_view what, Index most) {
    skip_space();
    Index value = 0;
    bool digits = false;
    for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; rest_.remove_prefix(1), digits = true)
      if (value <= most) value = 10 * value + (rest_[0] - '0');
    if (!digits) bad_file(name_, "{} of the image is missing or no number: the file is damaged", what);
    if (value > most) bad_file(name_, "{} of the image is over {}: the file is damaged", what, most);
    return value;
  }
  Index header_number(std::string_view what, Index most) {
    const Index value = number(what, most);
    if (value == 0) bad_file(name_, "{} of the image is 0: it is empty or damaged", what);
    return value;
  }
  double value() {
    if (plain_) return static_cast<double>(number("a value", maximum_));
    const auto byte = [this] {
      const auto first = static_cast<unsigned char>(rest_[0]);
      rest_.remove_prefix(1);
      return static_cast<Index>(first);
    };
    Index result = byte();
    if (maximum_ > 255) result = 256 * result + byte();
    if (result > maximum_) bad_file(name_, "has the value {} over its own maximum {}: it is damaged", result, maximum_);
    return static_cast<double>(result);
  }
  double colour() {
    const double red = value();
    const double green = value();
    return luma(red, green, value());
  }

  std::string_view rest_;
  const std::string& name_;
  Index maximum_ = 255;
  bool plain_ = false;
};

}  // namespace

bool is_pnm(std::span<const std::byte> bytes) {
  if (bytes.size() < 3 || bytes[0] != std::byte{'P'}) return false;
  const auto kind = static_cast<char>(bytes[1]);
  return (kind == '2' || kind == '3' || kind == '5' || kind == '6') && is_space(static_cast<char>(bytes[2]));
}

Matrix decode_pnm(std::span<const std::byte> bytes, const std::string& name) { return PnmParser(bytes, name).parse(); }

}  // namespace foldout
