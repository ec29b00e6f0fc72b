// SPDX-License-Identifier: Apache-2.0
// Private to parallel_for: the threads of the process. They start when they are first needed, sleep between calls and
// end with the process.
#pragma once

#include <functional>

#include "foldout/core/types.h"

namespace foldout {

/// Runs task(true) on the calling thread and task(false) on up to `helpers` threads of the pool at the same time;
/// returns when every run has returned. Helpers join while the caller is at work; where no thread can be started, the
/// caller works alone. Calls may be nested and may come from several threads. `task` must not throw.
void run_with_helpers(Index helpers, const std::function<void(bool is_caller)>& task);

}  // namespace foldout
