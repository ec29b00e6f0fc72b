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
#include "io/resize.h"

namespace foldout {
namespace fs = std::filesystem;

bool has_image_name(const std::string& path) {
  constexpr std::array<std::string_view, 9> kEndings = {".pgm",  ".ppm", ".pnm",  ".png", ".jpg",
                                                        ".jpeg", ".tif", ".tiff", ".bmp"};
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

namespace {

struct Listing {
  std::vector<std::string> images;
  std::vector<std::string> folders;
  Index n_others = 0;
};

/// Names in one folder, in the order of their bytes; hidden ones are left out.
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
    else if (has_image_name(name) && entry.is_regular_file(error))
      listing.images.push_back(name);
    else
      ++listing.n_others;
  }
  std::ranges::sort(listing.images);
  std::ranges::sort(listing.folders);
  return listing;
}

}  // namespace

Matrix decode_image(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.empty()) bad_file(name, "is empty: remove it, or get it again");
  if (is_png(bytes)) return decode_png(bytes, name);
  if (is_jpeg(bytes)) return decode_jpeg(bytes, name);
  if (is_pnm(bytes)) return decode_pnm(bytes, name);
  if (is_tiff(bytes)) return decode_tiff(bytes, name);
  bad_file(name, "is not a PGM, PPM, PNG, JPEG or TIFF image: convert it, or remove it from the folder");
}

ImageFolder::ImageFolder(const std::string& path, const ReadOptions& options)
    : path_(path), skip_bad_(options.skip_bad), resize_(options.resize) {
  if (fs::is_directory(path))
    list_files();
  else
    files_ = {path};
  info_.name = path;
  Matrix first;
  while (at_ < files_.size() && !read(at_, first)) ++at_;  // the size of the first image is that of all
  if (at_ == files_.size()) bad_file(path, "has no image that can be read: {}", skipped_.back().reason);
  info_.n_features = first.size();
  info_.image = {first.rows(), first.cols()};
  info_.resized = resize_.height > 0;
  restart();
}

void ImageFolder::list_files() {
  const Listing top = list(path_);
  files_ = top.images;
  n_ignored_ = top.n_others;
  std::string deeper;
  for (const std::string& folder : top.folders) {
    const Listing inner = list(fs::path(path_) / folder);
    n_ignored_ += inner.n_others;
    for (const std::string& image : inner.images) {
      files_.push_back((fs::path(folder) / image).string());
      classes_.push_back(folder);
    }
    for (const std::string& name : inner.folders)
      if (deeper.empty() && !list(fs::path(path_) / folder / name).images.empty())
        deeper = (fs::path(path_) / folder).string();
  }
  if (!classes_.empty() && !top.images.empty())
    bad_file(path_,
             "has images both in itself ('{}') and in sub-folders ('{}'): keep either one sub-folder per class, or all "
             "images in one folder",
             top.images[0], files_[top.images.size()]);
  if (files_.empty() && !deeper.empty())
    bad_file(path_, "has its images one level deeper: give a folder with one sub-folder per class, such as {}", deeper);
  if (files_.empty())
    bad_file(path_, "has no images in it (PGM, PPM, PNG, JPEG or TIFF), but {} other file{}", n_ignored_,
             n_ignored_ == 1 ? "" : "s");
}

bool ImageFolder::read(std::size_t i, Matrix& image) {
  const std::string path = fs::is_directory(path_) ? (fs::path(path_) / files_[i]).string() : path_;
  try {
    const FileBytes file(path);
    image = decode_image(file.bytes(), path);
    if (resize_.height > 0) image = resize_image(image, resize_);
    return true;
  } catch (const IoError& error) {
    if (!skip_bad_) throw;
    skipped_.push_back({files_[i], error.what()});
    return false;
  }
}

bool ImageFolder::next(Matrix& block, Index max_rows) {
  const auto rows = std::min<std::size_t>(static_cast<std::size_t>(max_rows), files_.size() - at_);
  labels_.clear();
  ids_.clear();
  const double bytes = 8.0 * static_cast<double>(info_.n_features) * static_cast<double>(rows);
  if (bytes > 1e8) require_memory(bytes, path_, "make the images smaller (resize=), or take fewer");
  block.resize(static_cast<Index>(rows), info_.n_features);
  const auto& [height, width] = info_.image;
  Index kept = 0;
  Matrix image;
  for (; kept < block.rows() && at_ < files_.size(); ++at_) {
    if (!read(at_, image)) continue;
    if (image.rows() != height || image.cols() != width)
      bad_file(path_,
               "'{}' is {}×{}, but '{}' is {}×{}: all images must be of one size, scale them (resize={}x{}) or crop "
               "them",
               files_[at_], image.cols(), image.rows(), files_[0], width, height, width, height);
    block.row(kept++) = Eigen::Map<const Eigen::RowVectorXd>(image.data(), image.size());
    ids_.push_back(files_[at_]);
    if (!classes_.empty()) labels_.push_back(classes_[at_]);
  }
  block.conservativeResize(kept, Eigen::NoChange);
  return kept > 0;
}

void ImageFolder::restart() {
  at_ = 0;
  skipped_.clear();
}

double ImageFolder::fraction() const { return static_cast<double>(at_) / static_cast<double>(files_.size()); }

}  // namespace foldout
