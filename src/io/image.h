// SPDX-License-Identifier: Apache-2.0
// Folders of grey images, and PNG output. Values are 0 … 255; colours become grey as 0.299 R + 0.587 G + 0.114 B.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/sample_stream.h"
#include "foldout/core/types.h"
#include "foldout/io/files.h"

namespace foldout {

/// Whether the ending of the name is that of an image.
[[nodiscard]] bool has_image_name(const std::string& path);

/// A single image, or the PGM, PPM, PNG, JPEG and TIFF files either all in a folder itself (no labels) or in one
/// sub-folder per class, which is their label. Folders, and the images in each, are in the order of the bytes of their
/// names. All must be of one size, unless they are resized; they are decoded as they are asked for. Ids are the names
/// of the files, relative to the folder. Throws IoError.
class ImageFolder final : public SampleStream {
 public:
  explicit ImageFolder(const std::string& path, const ReadOptions& options = {});
  bool next(Matrix& block, Index max_rows) override;
  void restart() override;
  [[nodiscard]] double fraction() const override;

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }  ///< relative to the folder
  [[nodiscard]] Index n_ignored() const { return n_ignored_; }  ///< files that are not images, by their names

 private:
  void list_files();
  /// False if it cannot be read and is left out.
  [[nodiscard]] bool read(std::size_t i, Matrix& image);

  std::string path_;
  bool skip_bad_;
  ImageShape resize_;
  std::vector<std::string> files_;
  std::vector<std::string> classes_;  ///< per file; empty in a folder without sub-folders
  Index n_ignored_ = 0;
  std::size_t at_ = 0;
};

/// Decodes one PGM, PPM, PNG, JPEG or TIFF file, recognised by its first bytes; `name` is for messages. Throws IoError
/// for damaged files, and for those that claim more pixels than so many bytes can hold.
[[nodiscard]] Matrix decode_image(std::span<const std::byte> bytes, const std::string& name);

/// The bytes of a grey PNG; values are rounded and clipped to 0 … 255.
[[nodiscard]] std::string encode_png(const MatrixRef& grey);
void save_png(const std::string& path, const MatrixRef& grey);

}  // namespace foldout
