// SPDX-License-Identifier: Apache-2.0
#include "foldout/project/lpp.h"

#include <algorithm>
#include <cmath>

#include "project/textbook.h"

namespace foldout {
namespace {

class Lpp : public Textbook {
 protected:
  [[nodiscard]] Matrix cost(const Matrix& W) const { return centered_.transpose() * laplacian(W) * centered_; }
  [[nodiscard]] Matrix constraint(const Matrix& W) const { return centered_.transpose() * degrees(W) * centered_; }
  [[nodiscard]] Matrix nearest(Index k) const { return oracle::adjacency(oracle::nearest_others(X_, k), false); }
};

TEST_F(Lpp, SolvesTheGeneralisedEigenproblem) {
  const Matrix W = nearest(6);
  for (const double ridge : {0.0, 0.2})
    expect_solution(
        fit_lpp(X_, {}, {.n_components = 3, .n_neighbors = 6, .weights = EdgeWeights::kBinary, .ridge = ridge}),
        with_ridge(cost(W), ridge), constraint(W), false);
}

TEST_F(Lpp, WeighsTenNeighborsByHeatByDefault) {
  const Matrix W = oracle::heat(oracle::distances(X_, X_), nearest(10), 30);
  const ProjectionFit fit = fit_lpp(X_, {}, {.n_components = 3, .width = 30});
  expect_solution(fit, with_ridge(cost(W), 1e-6), constraint(W), false);
  const Matrix V = fit.map->matrix();  // scaled by the constraint
  EXPECT_LT((V.transpose() * constraint(W) * V - Matrix::Identity(3, 3)).norm(), 1e-8);
}

TEST_F(Lpp, JoinsAllSamplesByDefaultIfThereAreFewerThanTenOthers) {
  const Matrix few = X_.topRows(7);
  EXPECT_EQ(fit_lpp(few, {}, {}).coordinates, fit_lpp(few, {}, {.n_neighbors = 6}).coordinates);
}

TEST_F(Lpp, JoinsWholeClassesIfSupervised) {
  const Matrix W = same_class();
  const ProjectionFit fit =
      fit_lpp(X_, labels_, {.n_components = 3, .supervised = true, .weights = EdgeWeights::kBinary});
  expect_solution(fit, with_ridge(cost(W), 0.1), constraint(W), false);
  EXPECT_LT((fit.map->matrix().colwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
}

TEST_F(Lpp, JoinsTheNearestOfAClassIfTheirNumberIsGiven) {
  const Matrix D = oracle::distances(X_, X_);
  Matrix names = Matrix::Zero(80, 80);
  for (Index i = 0; i < 80; ++i) {
    std::vector<std::pair<double, Index>> kin;
    for (Index j = 0; j < 80; ++j)
      if (j != i && labels_[static_cast<std::size_t>(j)] == labels_[static_cast<std::size_t>(i)])
        kin.emplace_back(D(i, j), j);
    std::ranges::sort(kin);
    for (std::size_t j = 0; j < 4; ++j) names(i, kin[j].second) = 1;
  }
  const Matrix adjacency = names.cwiseMax(Matrix(names.transpose()));
  const double width = D.squaredNorm() / (80 * 79);  // the mean over pairs
  Matrix cosines = Matrix::Zero(80, 80);
  for (Index i = 0; i < 80; ++i)
    for (Index j = 0; j < 80; ++j)
      cosines(i, j) = std::max(0.0, X_.row(i).dot(X_.row(j)) / (X_.row(i).norm() * X_.row(j).norm()));
  for (const auto& [weights, W] : {std::pair{EdgeWeights::kHeat, oracle::heat(D, adjacency, width)},
                                   std::pair{EdgeWeights::kCosine, Matrix(adjacency.cwiseProduct(cosines))},
                                   std::pair{EdgeWeights::kBinary, adjacency}})
    expect_solution(fit_lpp(X_, labels_, {.n_components = 3, .supervised = true, .n_neighbors = 4, .weights = weights}),
                    with_ridge(cost(W), 0.1), constraint(W), false);
}

// A kernel of full rank can give the samples any coordinates of mean zero: yᵀLy / yᵀDy is minimised over those.
TEST_F(Lpp, OfAKernelOfFullRankIsConstrainedByTheMeanAlone) {
  const Matrix W = nearest(6), kernel_widths = oracle::distances(X_, X_);
  double closest = kernel_widths.maxCoeff();
  for (Index i = 0; i < 80; ++i)
    for (Index j = 0; j < i; ++j) closest = std::min(closest, kernel_widths(i, j));
  const ProjectionFit fit = fit_lpp(X_, {},
                                    {.n_components = 3,
                                     .n_neighbors = 6,
                                     .weights = EdgeWeights::kBinary,
                                     .ridge = 0,
                                     .features = FeatureKind::kKernel,
                                     .width = closest * closest});
  ColMatrix Q = ColMatrix::Zero(80, 79);  // Helmert's basis of the vectors of mean zero
  for (Index k = 0; k < 79; ++k) {
    const auto m = static_cast<double>(k + 1);
    Q.col(k).head(k + 1).setConstant(1 / std::sqrt(m * (m + 1)));
    Q(k + 1, k) = -m / std::sqrt(m * (m + 1));
  }
  const oracle::Pairs pairs =
      oracle::generalised_eigenpairs(Q.transpose() * laplacian(W) * Q, Q.transpose() * degrees(W) * Q);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, Q * pairs.vectors.leftCols(3)), 1e-8);
  EXPECT_LT((fit.eigenvalues - pairs.values.head(3)).cwiseAbs().maxCoeff(), 1e-10);
}

}  // namespace
}  // namespace foldout
