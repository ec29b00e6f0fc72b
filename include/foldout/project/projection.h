// SPDX-License-Identifier: Apache-2.0
// What the explicit maps have in common: which features they are linear in, and what a fit returns.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "foldout/core/choices.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/explicit_map.h"

namespace [[gnu::visibility("default")]] foldout {

struct ProjectionFit : Embedding {
  std::shared_ptr<const ExplicitMap> map;
};

}  // namespace foldout
