// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <utility>

namespace foldout {

/// What `write` writes to a stream. Throws std::bad_alloc without memory, where a stream alone would lose the rest.
template <class Write>
[[nodiscard]] std::string written(Write&& write) {
  std::ostringstream out;
  out.exceptions(std::ios::badbit);
  std::forward<Write>(write)(out);
  return std::move(out).str();
}

}  // namespace foldout
