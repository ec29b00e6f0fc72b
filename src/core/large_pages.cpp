// SPDX-License-Identifier: Apache-2.0
#include "core/large_pages.h"

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace foldout {

#ifdef __linux__
void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t kWorthwhile = std::size_t{4} << 20, kPage = 4096;  // of bytes; numpy begins at the same size
  if (bytes < kWorthwhile) return;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);  // NOLINT(*-reinterpret-cast): to round it
  const std::size_t skipped = (kPage - address % kPage) % kPage;
  // A refusal changes nothing but the time.
  (void)madvise(static_cast<char*>(memory) + skipped, (bytes - skipped) / kPage * kPage, MADV_HUGEPAGE);
}
#else
void prefer_large_pages(void*, std::size_t) {}
#endif

}  // namespace foldout
