// SPDX-License-Identifier: Apache-2.0
// Private: what every classifier checks first.
#pragma once

#include "foldout/classify/classifier.h"

namespace foldout {

/// At least one point, one label each.
void require_training(const LabelledPoints& training);

}  // namespace foldout
