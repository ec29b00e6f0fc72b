// SPDX-License-Identifier: Apache-2.0
// Folders of grey images, and PNG output. Values are 0 … 255; colours become grey as 0.299 R + 0.587 G + 0.114 B.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"
#include "foldout/io/files.h"

namespace foldout {

struct ImageFolder {
  Dataset dataset;                 ///< one image per row; labels are the names of the sub-folders
  std::vector<std::string> files;  ///< per sample, relative to the folder
  Index n_ignored = 0;             ///< files that are no images by their names
};

/// Reads PGM, PPM, PNG and JPEG files, either all in the folder itself (no labels) or one sub-folder per class, in
/// the order of names, numbers in them by value ("img2" before "img10"). All must be of one size. Throws IoError.
[[nodiscard]] ImageFolder load_image_folder(const std::string& path);

/// Decodes one PGM, PPM, PNG or JPEG file, recognised by its first bytes; `name` is for messages. Throws IoError for
/// damaged files, and for those that claim more pixels than so many bytes can hold.
[[nodiscard]] Matrix decode_image(std::span<const std::byte> bytes, const std::string& name);

/// The bytes of a grey PNG; values are rounded and clipped to 0 … 255.
[[nodiscard]] std::string encode_png(const MatrixRef& grey);
void save_png(const std::string& path, const MatrixRef& grey);

}  // namespace foldout
