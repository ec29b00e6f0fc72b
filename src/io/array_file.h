// SPDX-License-Identifier: Apache-2.0
// Files of arrays: .npy, .npz, .mat and IDX. Which array is meant, and which labels lie beside it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "foldout/io/files.h"
#include "io/array.h"
#include "io/file_bytes.h"
#include "io/location.h"

namespace foldout {

/// The array of samples: its bytes are at hand, or have to be unpacked from the first to the last.
struct ArrayFile {
  Array array;                            ///< without bytes where it is packed
  std::function<PackedArray()> open;      ///< packed: from the first sample on; else empty
  std::shared_ptr<const FileBytes> file;  ///< whose pages the bytes are; null where they are in memory
  std::vector<std::string> labels;        ///< one for each sample, if any lie beside it
};

/// `with_labels`: look for labels beside the samples where no key was given. Throws IoError.
[[nodiscard]] ArrayFile open_arrays(const Location& location, const ReadOptions& options, bool with_labels);

/// A file of labels, one text for each. Throws IoError.
[[nodiscard]] std::vector<std::string> read_label_array(const Location& location, const ReadOptions& options);

}  // namespace foldout
