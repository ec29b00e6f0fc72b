// SPDX-License-Identifier: Apache-2.0
#include "core/rows.h"

namespace foldout {

Matrix rows_of(const MatrixRef& samples, const std::vector<Index>& picked) {
  Matrix rows(static_cast<Index>(picked.size()), samples.cols());
  for (std::size_t i = 0; i < picked.size(); ++i) rows.row(static_cast<Index>(i)) = samples.row(picked[i]);
  return rows;
}

KeptSamples::KeptSamples(const MatrixRef& samples, const std::vector<Index>& kept)
    : copy_(rows_of(samples, kept)), view_(kept.empty() ? samples : MatrixRef(copy_)) {}

}  // namespace foldout
