// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "core/thread_pool.h"

namespace foldout {

void parallel_for(Index n, const RunContext& context, const std::function<void(Index)>& fn, std::string_view phase) {
  if (n <= 0) return;
  std::atomic<Index> next{0};
  std::atomic<bool> stop{false};
  std::exception_ptr first_error;
  std::mutex error_mutex;
  const Index tick_every = std::max<Index>(1, n / 200);

  const std::function<void(bool)> work = [&](bool is_caller) {
    try {
      for (Index i = next++; i < n && !stop; i = next++) {
        fn(i);
        if (is_caller && !phase.empty() && i % tick_every == 0)
          context.tick(phase, static_cast<double>(i) / static_cast<double>(n));
      }
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!first_error) first_error = std::current_exception();
      stop = true;
    }
  };

  run_with_helpers(std::min<Index>(context.threads(), n) - 1, work);
  if (first_error) std::rethrow_exception(first_error);
  if (!phase.empty()) context.tick(phase, 1.0);
}

void parallel_blocks(Index n, Index block, const RunContext& context,
                     const std::function<void(Index begin, Index end)>& fn, std::string_view phase) {
  const Index n_blocks = (n + block - 1) / block;
  parallel_for(
      n_blocks, context, [&](Index b) { fn(b * block, std::min(n, (b + 1) * block)); }, phase);
}

}  // namespace foldout
