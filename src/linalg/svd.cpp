// SPDX-License-Identifier: Apache-2.0
#include "linalg/svd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.h"
#include "foldout/core/error.h"
#include "linalg/blas.h"
#include "linalg/eigenpairs.h"

namespace foldout {

Index Svd::rank(double tolerance, double least) const {
  return s.size() == 0 ? 0 : static_cast<Index>((s.array() > std::max(tolerance * s[0], least)).count());
}

double centering_error(const MatrixRef& A) {
  if (A.size() == 0) return 0;
  const auto n = static_cast<double>(A.rows());  // the mean is a sum of n terms and is rounded n times
  return (n + 8) * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(A.size())) *
         A.cwiseAbs().maxCoeff();
}

Svd thin_svd(const MatrixRef& A) {
  const int m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols()), k = std::min(m, n);
  Svd svd{ColMatrix(m, k), Vector(k), ColMatrix(n, k)};
  if (k == 0) return svd;
  ColMatrix copy = A, Vt(k, n);
  int info = 0, lwork = -1;
  double size = 0;
  std::vector<int> iwork(8 * static_cast<std::size_t>(k));
  const BlasGuard guard;
  const auto call = [&](double* work) {
    dgesdd_("S", &m, &n, copy.data(), &m, svd.s.data(), svd.U.data(), &m, Vt.data(), &k, work, &lwork, iwork.data(),
            &info);
  };
  call(&size);
  lwork = static_cast<int>(size);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  call(work.data());
  if (info != 0)
    throw NumericalError(
        fmt::format("the singular value decomposition {}: divide the samples by a constant, or use "
                    "fewer or other features",
                    info < 0 ? "has entries beyond the range of numbers" : "did not converge"));
  svd.V = Vt.transpose();
  const ColMatrix before = svd.V;
  fix_signs(svd.V);
  for (Index j = 0; j < k; ++j)
    if (svd.V.col(j).dot(before.col(j)) < 0) svd.U.col(j) *= -1;
  return svd;
}

Index PrincipalAxes::count(const ComponentCount& wanted, std::string_view method) const {
  const Index rank = axes.cols(), least = wanted.is_fraction() ? 1 : static_cast<Index>(wanted.value());
  require_rank(rank, least, "samples", method);
  if (!wanted.is_fraction()) return least;
  Index kept = 0;
  for (double explained = 0; kept < rank && explained <= wanted.value();)
    explained += variances[kept++] / total_variance;
  return kept;
}

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
