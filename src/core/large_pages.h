// SPDX-License-Identifier: Apache-2.0
// Private: large arrays in large pages, where the system has them: their first use takes a fraction of the time.
#pragma once

#include <cstddef>

namespace foldout {

/// Call it for memory that has just been allocated and not been written. Does nothing below a few megabytes.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace foldout
