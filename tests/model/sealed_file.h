// SPDX-License-Identifier: Apache-2.0
// Model files that lie: the header changed at will, the checksum made right again, so that the checks behind it are
// reached.
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
/// A file of this header and this data, with length and checksum as they should be.
Bytes sealed(const std::string& header, const Bytes& data);
/// The arrays' bytes.
Bytes data_of(const Bytes& file);
/// The file with its header changed as JSON, and sealed again.
Bytes with_header(const Bytes& file, const std::function<void(nlohmann::json&)>& change);

}  // namespace foldout
