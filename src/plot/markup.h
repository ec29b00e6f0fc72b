// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace foldout {

/// Escapes text for use between tags and inside quotes. Characters not allowed in a document are dropped.
[[nodiscard]] std::string escape(std::string_view text);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace foldout
