// SPDX-License-Identifier: Apache-2.0
#include "graph/reconstruction_weights.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "linalg/loops.h"
#include "linalg/products.h"

namespace foldout {
namespace {

constexpr Index kSmall = 24;  // neighbours up to which systems are solved side by side
constexpr Index kLanes = 8;

// The weights of kLanes samples, or of one, from their Gram matrices: entry (j, l) of sample s is at (j·k + l)·L + s,
// and only the lower triangle is read. Overwrites it by the Cholesky factor. A singular system leaves weights that are
// not finite. Both versions perform the same operations in the same order for every sample.
template <int L>
[[gnu::always_inline]] inline void solve_side_by_side(Index k, double reg, double* gram, double* weights) {
  double inverse[kSmall][L], shift[L], sum[L];
  const auto at = [=](Index j, Index l) { return gram + (j * k + l) * L; };
  for (int s = 0; s < L; ++s) shift[s] = 0;
  for (Index j = 0; j < k; ++j)
    for (int s = 0; s < L; ++s) shift[s] += at(j, j)[s];
  for (int s = 0; s < L; ++s) shift[s] = reg * (shift[s] > 0 ? shift[s] : 1);
  for (Index j = 0; j < k; ++j) {
    for (int s = 0; s < L; ++s) at(j, j)[s] += shift[s];
    for (Index l = 0; l <= j; ++l) {
      for (int s = 0; s < L; ++s) sum[s] = at(j, l)[s];
      for (Index c = 0; c < l; ++c)
        for (int s = 0; s < L; ++s) sum[s] -= at(j, c)[s] * at(l, c)[s];
      for (int s = 0; s < L; ++s) {
        if (l < j)
          at(j, l)[s] = sum[s] * inverse[l][s];
        else
          inverse[j][s] = 1 / std::sqrt(sum[s]);
      }
    }
  }
  for (Index j = 0; j < k; ++j) {
    for (int s = 0; s < L; ++s) sum[s] = 1;
    for (Index c = 0; c < j; ++c)
      for (int s = 0; s < L; ++s) sum[s] -= at(j, c)[s] * weights[c * L + s];
    for (int s = 0; s < L; ++s) weights[j * L + s] = sum[s] * inverse[j][s];
  }
  for (Index j = k - 1; j >= 0; --j) {
    for (int s = 0; s < L; ++s) sum[s] = weights[j * L + s];
    for (Index c = j + 1; c < k; ++c)
      for (int s = 0; s < L; ++s) sum[s] -= at(c, j)[s] * weights[c * L + s];
    for (int s = 0; s < L; ++s) weights[j * L + s] = sum[s] * inverse[j][s];
  }
}

FOLDOUT_VERSIONS void solve_eight(Index k, double reg, double* gram, double* weights) {
  solve_side_by_side<kLanes>(k, reg, gram, weights);
}

// Scales the weights, `stride` apart, to sum one; false if that is impossible.
bool normalize(Index k, const double* weights, Index stride, std::span<double> normalized) {
  double sum = 0;
  for (Index j = 0; j < k; ++j) sum += weights[j * stride];
  if (!(sum > 0) || !std::isfinite(sum)) return false;
  for (Index j = 0; j < k; ++j) normalized[static_cast<std::size_t>(j)] = weights[j * stride] / sum;
  return true;
}

// A singular system (reg = 0 and more neighbours than dimensions) gets the least regularisation that solves it.
void solve_one(const ColMatrix& gram, double reg, std::span<double> weights) {
  const Index k = gram.rows();
  const double trace = gram.trace();
  thread_local ColMatrix system;
  for (const double least : {0.0, 1e-13, 1e-10, 1e-7}) {
    system = gram;
    const double used = std::max(reg, least);
    system.diagonal().array() += trace > 0 ? used * trace : used;
    const Eigen::LLT<Eigen::Ref<ColMatrix>, Eigen::Lower> factor(system);
    const Vector w = factor.solve(Vector::Ones(k));
    if (factor.info() == Eigen::Success && w.allFinite() && normalize(k, w.data(), 1, weights)) return;
  }
  std::ranges::fill(weights, 1 / static_cast<double>(k));  // coincident neighbours get equal weights
}

// The lower triangle of the Gram matrix of the differences between a sample and its neighbours.
void local_gram(const double* sample, const MatrixRef& anchors, std::span<const int> neighbors, ColMatrix& gram) {
  thread_local Matrix differences;
  const Index d = anchors.cols();
  differences.resize(std::ssize(neighbors), d);
  const Eigen::Map<const Eigen::RowVectorXd> x(sample, d);
  for (Index j = 0; j < differences.rows(); ++j)
    differences.row(j) = anchors.row(neighbors[static_cast<std::size_t>(j)]) - x;
  gram_of_rows(differences, gram);
}

}  // namespace

void reconstruction_weights(const double* sample, const MatrixRef& anchors, std::span<const int> neighbors, double reg,
                            std::span<double> weights) {
  thread_local ColMatrix gram;
  local_gram(sample, anchors, neighbors, gram);
  const auto k = static_cast<Index>(neighbors.size());
  if (k <= kSmall) {
    double system[kSmall * kSmall], w[kSmall];
    for (Index j = 0; j < k; ++j)
      for (Index l = 0; l <= j; ++l) system[j * k + l] = gram(j, l);
    solve_side_by_side<1>(k, reg, system, w);
    if (normalize(k, w, 1, weights)) return;
  }
  solve_one(gram, reg, weights);
}

std::vector<double> neighborhood_weights(const MatrixRef& samples, const Neighborhoods& neighborhoods, double reg,
                                         const RunContext& context) {
  std::vector<double> weights(neighborhoods.neighbors.size());
  const auto weights_of = [&](Index i) {
    return std::span(weights).subspan(static_cast<std::size_t>(neighborhoods.first[static_cast<std::size_t>(i)]),
                                      neighborhoods.of(i).size());
  };
  const auto size = [&](Index i) { return std::ssize(neighborhoods.of(i)); };
  constexpr Index kBlock = 256;
  parallel_blocks(
      samples.rows(), kBlock, context,
      [&](Index begin, Index end) {
        ColMatrix gram;
        std::vector<double> systems(static_cast<std::size_t>(kSmall * kSmall * kLanes));
        double w[kSmall * kLanes];
        for (Index i = begin; i < end;) {
          const Index k = size(i);
          bool together = k <= kSmall && i + kLanes <= end;
          for (Index s = 1; together && s < kLanes; ++s) together = size(i + s) == k;
          if (!together) {
            reconstruction_weights(samples.row(i).data(), samples, neighborhoods.of(i), reg, weights_of(i));
            ++i;
            continue;
          }
          for (Index s = 0; s < kLanes; ++s) {
            local_gram(samples.row(i + s).data(), samples, neighborhoods.of(i + s), gram);
            for (Index j = 0; j < k; ++j)
              for (Index l = 0; l <= j; ++l) systems[static_cast<std::size_t>((j * k + l) * kLanes + s)] = gram(j, l);
          }
          solve_eight(k, reg, systems.data(), w);
          for (Index s = 0; s < kLanes; ++s)
            if (!normalize(k, w + s, kLanes, weights_of(i + s)))
              reconstruction_weights(samples.row(i + s).data(), samples, neighborhoods.of(i + s), reg,
                                     weights_of(i + s));
          i += kLanes;
        }
      },
      "weights");
  return weights;
}

SparseMatrix reconstruction_residuals(const MatrixRef& samples, const Neighborhoods& neighborhoods, double reg,
                                      const RunContext& context) {
  const Index n = samples.rows();
  const std::vector<double> weights = neighborhood_weights(samples, neighborhoods, reg, context);
  SparseMatrix residuals(n, n);
  residuals.resizeNonZeros(static_cast<Index>(weights.size()) + n);
  int at = 0;
  auto weight = weights.begin();
  const auto write = [&](int column, double value) {
    residuals.innerIndexPtr()[at] = column;
    residuals.valuePtr()[at++] = value;
  };
  for (int i = 0; i < n; ++i) {
    residuals.outerIndexPtr()[i] = at;
    write(i, 1);
    for (const int j : neighborhoods.of(i)) write(j, -*weight++);
  }
  residuals.outerIndexPtr()[n] = at;
  return residuals;
}

}  // namespace foldout
