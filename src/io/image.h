// SPDX-License-Identifier: Apache-2.0
// Folders of grey images, and PNG output. Values are 0 … 255; colours become grey as 0.299 R + 0.587 G + 0.114 B.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/sample_stream.h"
#include "foldout/core/types.h"

namespace foldout {

/// The PGM, PPM, PNG and JPEG files either all in the folder itself (no labels) or in one sub-folder per class, which
/// is their label, in the order of names, numbers in them by value ("img2" before "img10"). All must be of one size;
/// they are decoded as they are asked for. Throws IoError.
class ImageFolder final : public SampleStream {
 public:
  explicit ImageFolder(const std::string& path);
  bool next(Matrix& block, Index max_rows) override;
  void restart() override { at_ = 0; }
  [[nodiscard]] double fraction() const override;

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }  ///< relative to the folder
  [[nodiscard]] Index n_ignored() const { return n_ignored_; }  ///< files that are not images, by their names

 private:
  [[nodiscard]] Matrix read(std::size_t i) const;

  std::string path_;
  std::vector<std::string> files_;
  std::vector<std::string> classes_;  ///< per file; empty in a folder without sub-folders
  Index n_ignored_ = 0;
  std::size_t at_ = 0;
};

/// Decodes one PGM, PPM, PNG or JPEG file, recognised by its first bytes; `name` is for messages. Throws IoError for
/// damaged files, and for those that claim more pixels than so many bytes can hold.
[[nodiscard]] Matrix decode_image(std::span<const std::byte> bytes, const std::string& name);

/// The bytes of a grey PNG; values are rounded and clipped to 0 … 255.
[[nodiscard]] std::string encode_png(const MatrixRef& grey);
void save_png(const std::string& path, const MatrixRef& grey);

}  // namespace foldout
