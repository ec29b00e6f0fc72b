// SPDX-License-Identifier: Apache-2.0
// Private: a function compiled for several instruction sets, the best of which is taken at run time. The loops of such
// functions add in one order and never contract, so that every version gives the same bits.
#pragma once

// Sanitizers instrument the function that picks a version, and it runs before they are ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FOLDOUT_VERSIONS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOLDOUT_VERSIONS
#endif
