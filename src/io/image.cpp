// SPDX-License-Identifier: Apache-2.0
#include "io/image.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "core/check.h"
#include "io/bad_file.h"
#include "io/file_bytes.h"
#include "io/image_formats.h"

namespace foldout {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool has_image_name(const fs::path& path) {
  constexpr std::array<std::string_view, 6> kEndings = {".pgm", ".ppm", ".pnm", ".png", ".jpg", ".jpeg"};
  std::string ending = path.extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

/// The digits at the front of `text`, without leading zeros; removes them from it.
std::string_view take_digits(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits;
}

/// "img2" before "img10"; names that differ only in leading zeros by their characters.
bool natural_less(const std::string& a, const std::string& b) {
  std::string_view x = a;
  std::string_view y = b;
  while (!x.empty() && !y.empty()) {
    if (is_digit(x[0]) && is_digit(y[0])) {
      const std::string_view m = take_digits(x);
      const std::string_view n = take_digits(y);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else {
      if (x[0] != y[0]) return static_cast<unsigned char>(x[0]) < static_cast<unsigned char>(y[0]);
      x.remove_prefix(1);
      y.remove_prefix(1);
    }
  }
  if (x.empty() != y.empty()) return x.empty();
  return a < b;
}

struct Listing {
  std::vector<std::string> images;
  std::vector<std::string> folders;
  Index n_others = 0;
};

/// Names in one folder, sorted; hidden ones are left out.
Listing list(const fs::path& folder) {
  Listing listing;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) bad_file(folder.string(), "cannot be listed ({}): check its permissions", error.message());
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) continue;
    if (entry.is_directory(error))
      listing.folders.push_back(name);
    else if (has_image_name(entry.path()) && entry.is_regular_file(error))
      listing.images.push_back(name);
    else
      ++listing.n_others;
  }
  std::ranges::sort(listing.images, natural_less);
  std::ranges::sort(listing.folders, natural_less);
  return listing;
}

}  // namespace

Matrix decode_image(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.empty()) bad_file(name, "is empty: remove it, or get it again");
  if (is_png(bytes)) return decode_png(bytes, name);
  if (is_jpeg(bytes)) return decode_jpeg(bytes, name);
  if (is_pnm(bytes)) return decode_pnm(bytes, name);
  bad_file(name, "is not a PGM, PPM, PNG or JPEG image: convert it, or remove it from the folder");
}

ImageFolder::ImageFolder(const std::string& path) : path_(path) {
  const Listing top = list(path);
  files_ = top.images;
  n_ignored_ = top.n_others;
  for (const std::string& folder : top.folders) {
    const Listing inner = list(fs::path(path) / folder);
    n_ignored_ += inner.n_others;
    for (const std::string& image : inner.images) {
      files_.push_back((fs::path(folder) / image).string());
      classes_.push_back(folder);
    }
  }
  if (!classes_.empty() && !top.images.empty())
    bad_file(path,
             "has images both in itself ('{}') and in sub-folders ('{}'): keep either one sub-folder per class, or all "
             "images in one folder",
             top.images[0], files_[top.images.size()]);
  if (files_.empty())
    bad_file(path, "has no images in it (PGM, PPM, PNG or JPEG), but {} other file{}", n_ignored_,
             n_ignored_ == 1 ? "" : "s");
  const Matrix first = read(0);
  info_ = {.name = path, .n_features = first.size(), .image = {first.rows(), first.cols()}};
}

Matrix ImageFolder::read(std::size_t i) const {
  const std::string path = (fs::path(path_) / files_[i]).string();
  const FileBytes file(path);
  return decode_image(file.bytes(), path);
}

bool ImageFolder::next(Matrix& block, Index max_rows) {
  const auto rows = std::min<std::size_t>(static_cast<std::size_t>(max_rows), files_.size() - at_);
  labels_.clear();
  if (rows == 0) return false;
  const double bytes = 8.0 * static_cast<double>(info_.n_features) * static_cast<double>(rows);
  if (bytes > 1e8) require_memory(bytes, path_, "make the images smaller, or take fewer");
  block.resize(static_cast<Index>(rows), info_.n_features);
  const auto& [height, width] = info_.image;
  for (std::size_t i = 0; i < rows; ++i, ++at_) {
    const Matrix image = read(at_);
    if (image.rows() != height || image.cols() != width)
      bad_file(path_, "'{}' is {}×{}, but '{}' is {}×{}: all images must be of one size, scale or crop them",
               files_[at_], image.cols(), image.rows(), files_[0], width, height);
    block.row(static_cast<Index>(i)) = Eigen::Map<const Eigen::RowVectorXd>(image.data(), image.size());
    if (!classes_.empty()) labels_.push_back(classes_[at_]);
  }
  return true;
}

double ImageFolder::fraction() const { return static_cast<double>(at_) / static_cast<double>(files_.size()); }

}  // namespace foldout
