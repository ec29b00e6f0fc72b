// SPDX-License-Identifier: Apache-2.0
// Private: e^x of many values.
#pragma once

#include "foldout/core/types.h"

namespace foldout {

/// e^x in place, to about one unit in the last place, with the same bits for a value wherever it stands and on every
/// processor. Values beyond −708 … 709 count as these ends.
void exp_each(double* values, Index n);

}  // namespace foldout
