// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/context.h"

#include <algorithm>
#include <thread>

#include "foldout/core/error.h"

namespace foldout {

void RunContext::tick(std::string_view phase, double fraction) const {
  if (progress && !progress(Progress{std::string(phase), fraction})) throw Cancelled();
}

int RunContext::threads() const {
  return n_threads > 0 ? n_threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace foldout
