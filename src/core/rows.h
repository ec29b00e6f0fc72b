// SPDX-License-Identifier: Apache-2.0
// Private: some rows of a matrix.
#pragma once

#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// Rows `picked` of `samples`.
[[nodiscard]] Matrix rows_of(const MatrixRef& samples, const std::vector<Index>& picked);

/// The rows that were kept, or `samples` itself if `kept` is empty (all were).
class KeptSamples {
 public:
  KeptSamples(const MatrixRef& samples, const std::vector<Index>& kept);
  [[nodiscard]] const MatrixRef& rows() const { return view_; }

 private:
  Matrix copy_;
  MatrixRef view_;
};

}  // namespace foldout
