// SPDX-License-Identifier: Apache-2.0
#include "address_limit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/available_memory.h"
#include "core/check.h"
#include "foldout/core/error.h"

extern "C" {  // of OpenBLAS: a buffer from its pool, and back into it
[[gnu::weak]] void* blas_memory_alloc(int position);
[[gnu::weak]] void blas_memory_free(void* buffer);
}

namespace foldout::cli {
namespace {

constexpr double kBuffer = 136e6;  // bytes that each thread takes in OpenBLAS
constexpr double kMargin = 16e6;

}  // namespace

void restart_under_address_limit(char** argv) {
  constexpr const char* kThreads = "OPENBLAS_NUM_THREADS";
  if (std::isinf(address_space_room()) || std::getenv(kThreads)) return;
  if (::setenv(kThreads, "1", 1) == 0) (void)::execv("/proc/self/exe", argv);  // returns only where it fails
}

int threads_under_address_limit(int n_threads) {
  static const double room = address_space_room();  // before any buffer was allocated
  if (std::isinf(room)) return n_threads;
  if (room < kBuffer + kMargin)
    throw InvalidArgument(fmt::format(
        "the limit of the address space leaves {}, but linear algebra takes {}: raise the limit (ulimit -v)",
        format_bytes(room), format_bytes(kBuffer + kMargin)));
  const int affordable = std::clamp(static_cast<int>(std::min(room / 4 / kBuffer, 4096.0)), 1, n_threads);
  if (!blas_memory_alloc || !blas_memory_free) return affordable;
  std::vector<void*> buffers(static_cast<std::size_t>(affordable));
  for (void*& buffer : buffers) buffer = blas_memory_alloc(0);
  for (void* buffer : buffers) blas_memory_free(buffer);
  return affordable;
}

}  // namespace foldout::cli
