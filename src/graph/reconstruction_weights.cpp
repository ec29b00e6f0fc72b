// SPDX-License-Identifier: Apache-2.0
#include "graph/reconstruction_weights.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/parallel.h"
#include "linalg/products.h"

namespace foldout {
void reconstruction_weights(const double* sample, const MatrixRef& anchors, std::span<const int> neighbors, double reg,
                            std::span<double> weights) {
  const auto k = static_cast<Index>(neighbors.size());
  const Index d = anchors.cols();
  thread_local Matrix differences;
  thread_local ColMatrix gram;
  differences.resize(k, d);
  const Eigen::Map<const Eigen::RowVectorXd> x(sample, d);
  for (Index j = 0; j < k; ++j) differences.row(j) = anchors.row(neighbors[static_cast<std::size_t>(j)]) - x;
  gram_of_rows(differences, gram);
  const double trace = gram.trace();
  Vector w;
  double sum = 0;
  // A singular system (reg = 0 and more neighbours than dimensions) gets the least regularisation that solves it.
  for (const double least : {0.0, 1e-13, 1e-10, 1e-7}) {
    thread_local ColMatrix system;
    system = gram;
    const double used = std::max(reg, least);
    system.diagonal().array() += trace > 0 ? used * trace : used;
    const Eigen::LLT<Eigen::Ref<ColMatrix>, Eigen::Lower> factor(system);
    w = factor.solve(Vector::Ones(k));
    sum = w.sum();
    if (factor.info() == Eigen::Success && w.allFinite() && sum > 0) break;
    w.setOnes();  // coincident neighbours get equal weights
    sum = static_cast<double>(k);
  }
  for (Index j = 0; j < k; ++j) weights[static_cast<std::size_t>(j)] = w[j] / sum;
}

SparseMatrix reconstruction_weights(const MatrixRef& samples, const Neighborhoods& neighborhoods, double reg,
                                    const RunContext& context) {
  const Index n = samples.rows();
  SparseMatrix W(n, n);
  W.resizeNonZeros(static_cast<Index>(neighborhoods.neighbors.size()));
  std::ranges::copy(neighborhoods.first, W.outerIndexPtr());
  constexpr Index kBlock = 256;
  parallel_blocks(
      n, kBlock, context,
      [&](Index begin, Index end) {
        std::vector<double> weights;
        std::vector<std::size_t> order;
        for (Index i = begin; i < end; ++i) {
          const auto neighbors = neighborhoods.of(i);
          weights.resize(neighbors.size());
          reconstruction_weights(samples.row(i).data(), samples, neighbors, reg, weights);
          order.resize(neighbors.size());
          std::iota(order.begin(), order.end(), std::size_t{0});
          std::ranges::sort(order, {}, [&](std::size_t j) { return neighbors[j]; });
          Index at = neighborhoods.first[static_cast<std::size_t>(i)];
          for (const std::size_t j : order) {
            W.innerIndexPtr()[at] = neighbors[j];
            W.valuePtr()[at++] = weights[j];
          }
        }
      },
      "weights");
  return W;
}

}  // namespace foldout
