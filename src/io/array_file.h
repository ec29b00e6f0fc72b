// SPDX-License-Identifier: Apache-2.0
// Files of arrays (.npy, .npz, .mat, IDX): which array holds the samples, and which one their labels.
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

/// The array of samples. Its bytes are in memory or mapped, or they are unpacked sequentially.
struct ArrayFile {
  Array array;                            ///< without bytes where it is packed
  std::function<PackedArray()> open;      ///< packed: starts at the first sample; else empty
  std::shared_ptr<const FileBytes> file;  ///< that the bytes are mapped from; null if they are in memory
  std::vector<std::string> labels;        ///< one for each sample, or none
};

/// `with_labels`: also read the array of labels, unless a key names the samples. Throws IoError.
[[nodiscard]] ArrayFile open_arrays(const Location& location, const ReadOptions& options, bool with_labels);

/// A file of labels, one text for each. Throws IoError.
[[nodiscard]] std::vector<std::string> read_label_array(const Location& location, const ReadOptions& options);

}  // namespace foldout
