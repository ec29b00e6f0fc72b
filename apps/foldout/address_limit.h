// SPDX-License-Identifier: Apache-2.0
// A limit of the address space (ulimit -v), under which OpenBLAS waits forever for memory that it cannot get.
#pragma once

namespace foldout::cli {

/// OpenBLAS starts its threads when it is loaded. If there is no room for them it waits for them when the program ends.
/// The tool has threads of its own: under a limit it starts again with one thread of OpenBLAS.
void restart_under_address_limit(char** argv);

/// Of `n_threads` those whose buffers in OpenBLAS take no more than a quarter of the room, at least one; allocates
/// these buffers. Without a limit: `n_threads`. Throws InvalidArgument where there is no room for one.
[[nodiscard]] int threads_under_address_limit(int n_threads);

}  // namespace foldout::cli
