// SPDX-License-Identifier: Apache-2.0
// The result of every extend_x().
#pragma once

#include <memory>

#include "foldout/core/report.h"
#include "foldout/maps/out_of_sample_map.h"

namespace [[gnu::visibility("default")]] foldout {

/// A map that places new samples among given ones, and the report of its fit:
///
///   const Extension place = extend_sparse(X, Y);
///   const Matrix y = place->transform(x_new);
struct Extension {
  std::shared_ptr<const OutOfSampleMap> map;
  Report report;

  const OutOfSampleMap* operator->() const { return map.get(); }
  const OutOfSampleMap& operator*() const { return *map; }
};

}  // namespace foldout
