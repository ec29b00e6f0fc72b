// SPDX-License-Identifier: Apache-2.0
#include "linalg/principal_axes.h"

#include "linalg/svd.h"

namespace foldout {

PrincipalAxes principal_axes(const MatrixRef& samples) {
  PrincipalAxes result;
  result.mean = samples.colwise().mean();
  const Svd svd = thin_svd(samples.rowwise() - result.mean.transpose());
  const Index rank = svd.rank(1e-10, centering_error(samples));
  result.axes = svd.V.leftCols(rank);
  result.variances = svd.s.head(rank).array().square() / static_cast<double>(samples.rows());
  result.total_variance = svd.s.squaredNorm() / static_cast<double>(samples.rows());
  return result;
}

}  // namespace foldout
