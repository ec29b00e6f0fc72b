// SPDX-License-Identifier: Apache-2.0
// Private: the checksum of a model file. Tests use it to reach the checks behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace foldout {

/// The position of the checksum's digits, if the header has them.
[[nodiscard]] std::optional<std::size_t> find_checksum_digits(std::span<const std::uint8_t> bytes);
/// The digits that make the file valid.
[[nodiscard]] std::string checksum_digits(std::span<const std::uint8_t> bytes, std::size_t digits_at);

}  // namespace foldout
