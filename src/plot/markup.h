// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace foldout {

/// Text as it may stand between tags and inside quotes. Characters that no document may hold are dropped.
[[nodiscard]] std::string escape(std::string_view text);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace foldout
