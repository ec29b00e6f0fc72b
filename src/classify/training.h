// SPDX-License-Identifier: Apache-2.0
// Private: what every classifier checks first.
#pragma once

#include <string_view>

#include "classify/classifier.h"

namespace foldout {

/// At least one point, one label each, every value finite.
void require_training(const LabelledPoints& training, std::string_view classifier);

}  // namespace foldout
