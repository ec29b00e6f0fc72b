// SPDX-License-Identifier: Apache-2.0
// Model files with a manipulated header and a correct checksum, to reach the checks behind the checksum.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace foldout {

using Bytes = std::vector<std::uint8_t>;

/// The header of a model file, without its padding.
std::string header_text(const Bytes& file);
/// A file with this header and data, and with correct length and checksum.
Bytes sealed(const std::string& header, const Bytes& data);
/// The arrays' bytes.
Bytes data_of(const Bytes& file);
/// The file with its header changed as JSON and its checksum updated.
Bytes with_header(const Bytes& file, const std::function<void(nlohmann::json&)>& change);

}  // namespace foldout
