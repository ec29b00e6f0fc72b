// SPDX-License-Identifier: Apache-2.0
// The one parallel loop. Each index writes only its own slot, so results never depend on threads.
#pragma once

#include <functional>
#include <string_view>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Runs fn(0) … fn(n−1), each once, on context.threads() threads. The first exception stops the loop
/// and is rethrown here. With a phase name, progress is reported and cancellation is checked at intervals.
void parallel_for(Index n, const RunContext& context, const std::function<void(Index)>& fn,
                  std::string_view phase = {});

/// The same over fixed blocks [begin, end) of at most `block` indices, which do not depend on the number of threads.
void parallel_blocks(Index n, Index block, const RunContext& context,
                     const std::function<void(Index begin, Index end)>& fn, std::string_view phase = {});

}  // namespace foldout
