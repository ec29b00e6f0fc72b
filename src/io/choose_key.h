// SPDX-License-Identifier: Apache-2.0
// Which array of a file with several is meant, where none was named.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace foldout {

/// X, data, fea or samples; else the only one that is not called like labels. Throws IoError that lists them.
[[nodiscard]] std::string choose_samples(const std::vector<std::string>& keys, const std::string& name);

/// y, labels, label, gnd or target, if there is one.
[[nodiscard]] std::optional<std::string> find_labels(const std::vector<std::string>& keys);

/// find_labels, or else the only array. Throws IoError that lists them.
[[nodiscard]] std::string choose_labels(const std::vector<std::string>& keys, const std::string& name);

}  // namespace foldout
