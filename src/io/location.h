// SPDX-License-Identifier: Apache-2.0
// What a path means: which format, and which array in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace foldout {

enum class Format { kNpy, kNpz, kMat, kText, kJsonLines, kIdx, kImage, kFolder, kStandardStream };

struct Location {
  std::string path;  ///< as given: for messages
  std::string file;  ///< without the key
  std::string key;   ///< after the colon of "file.npz:key"; may be empty
  Format format = Format::kText;
};

/// By the ending of the name; a name without a known one by the first bytes of the file. Throws IoError.
[[nodiscard]] Location locate_input(const std::string& path);

/// By the ending of the name. Throws InvalidArgument that lists the formats that can be written.
[[nodiscard]] Location locate_output(const std::string& path);

/// The separator that the name of a text file implies: tab for .tsv, none for .txt, else a comma.
[[nodiscard]] char separator_of(const std::string& file);

// Which of several arrays in a file to read if no key is given.

/// X, data, fea or samples; else the only one that is not called like labels. Throws IoError that lists them.
[[nodiscard]] std::string choose_samples(const std::vector<std::string>& keys, const std::string& name);

/// y, labels, label, gnd or target, if there is one.
[[nodiscard]] std::optional<std::string> find_labels(const std::vector<std::string>& keys);

/// find_labels, or else the only array. Throws IoError that lists them.
[[nodiscard]] std::string choose_labels(const std::vector<std::string>& keys, const std::string& name);

}  // namespace foldout
