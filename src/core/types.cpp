// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/types.h"

namespace foldout {

template <int align_bytes, bool by_malloc>
const char EigenAllocation<align_bytes, by_malloc>::is_that_of_libfoldout = 0;

template struct EigenAllocation<kEigenAlignBytes, kEigenByMalloc>;

}  // namespace foldout
