// SPDX-License-Identifier: Apache-2.0
// Two quantities identify a sample off the manifold: its distance to the nearest reference sample, and the residual of
// its LLE reconstruction from the k nearest (to first order, the part normal to the manifold). Their geometric mean,
// relative to the gaps g_j between these neighbours and their own nearest samples, is dimensionless and independent of
// the local density:
//   ρ(x) = √(‖x − x_nearest‖ · ‖x − Σ_j w_j x_j‖) / mean_j g_j.
// Held-out training samples determine the scale: confidence = 2^(−(ρ/rare)^p), with p such that the median of the
// held-out samples gets 0.95. It decreases strictly with ρ and therefore ranks samples as ρ does. Not from a paper;
// measurements are in docs/confidence.md.
#include "foldout/extend/confidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "core/check.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/rows.h"
#include "extend/confidence_scale.h"
#include "foldout/core/error.h"
#include "graph/neighborhoods.h"
#include "graph/reconstruction_weights.h"
#include "linalg/distance.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

constexpr Index kNeighbors = 10;
constexpr Index kHeldOut = 500;
constexpr double kReg = 1e-3;

double residual_of(const double* x, const MatrixRef& reference, std::span<const int> neighbors) {
  const Index d = reference.cols();
  std::vector<double> weights(neighbors.size());
  reconstruction_weights(x, reference, neighbors, kReg, weights);
  Vector left = Eigen::Map<const Vector>(x, d);
  for (std::size_t j = 0; j < neighbors.size(); ++j) {
    const double* anchor = reference.row(neighbors[j]).data();
    for (Index i = 0; i < d; ++i) left[i] -= weights[j] * anchor[i];
  }
  return length(left.data(), d);
}

// ρ: 0 for a sample that is reproduced exactly, however close its neighbours are to each other; ∞ for others if the
// neighbours have no gaps, such as a single reference sample.
double relative(double nearest, double residual, const Vector& gaps, std::span<const int> neighbors) {
  const double size = std::sqrt(nearest) * std::sqrt(residual);
  if (size == 0) return 0;
  double gap = 0;
  for (const int j : neighbors) gap += gaps[j] / static_cast<double>(neighbors.size());
  return gap > 0 ? size / gap : std::numeric_limits<double>::infinity();
}

double quantile(std::vector<double> values, double fraction) {
  const auto at = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

double confidence_of(double rho, const ConfidenceScale& scale) {
  if (rho == 0) return 1;
  if (!(scale.rare > 0) || !std::isfinite(rho)) return 0;
  const double ratio = std::clamp(scale.typical / scale.rare, 0.01, 0.99);
  const double power = std::clamp(std::log(std::log2(1 / 0.95)) / std::log(ratio), 1.0, 16.0);
  return std::exp2(-std::pow(rho / scale.rare, power));
}

ConfidenceScale scale_of(std::vector<double> rho) {
  std::erase_if(rho, [](double r) { return !std::isfinite(r); });
  return rho.empty() ? ConfidenceScale{} : ConfidenceScale{quantile(rho, 0.5), quantile(rho, 0.95)};
}

// Some of the rows, without regard to their order.
std::vector<Index> some_of(Index n, Index most) {
  std::vector<Index> rows = Rng(0).permutation(n);
  if (n > most) rows.resize(static_cast<std::size_t>(most));
  return rows;
}

// Reference samples with their gaps. Duplicates count once: they carry no information about the gaps between distinct
// samples.
struct References {
  References(const Matrix& X, const RunContext& context)
      : distinct(X, unused), gaps(Vector::Zero(rows().rows())), index(make_neighbor_index(rows())) {
    if (rows().rows() > 1) gaps = Eigen::Map<const Vector>(index->all_pairs(1, context).distances.data(), gaps.size());
  }
  [[nodiscard]] const MatrixRef& rows() const { return distinct.rows(); }

  Report unused;
  DistinctSamples distinct;
  Vector gaps;
  std::unique_ptr<NeighborIndex> index;
};

// The reference of a held-out sample is its k nearest others. Their gaps may be distances to the held-out sample
// itself, which makes little difference.
ConfidenceScale learn_scale(const References& all, const RunContext& context) {
  const MatrixRef& X = all.rows();
  if (X.rows() < 2) return {};
  const auto k = static_cast<std::size_t>(std::min(kNeighbors, X.rows() - 1));
  const std::vector<Index> held = some_of(X.rows(), kHeldOut);
  const NeighborTable table = all.index->query(rows_of(X, held), static_cast<Index>(k) + 1, context);
  std::vector<double> rho(held.size());
  parallel_for(std::ssize(held), context, [&](Index i) {
    const Index row = held[static_cast<std::size_t>(i)];
    std::vector<int> others;
    double nearest = 0;
    for (std::size_t j = 0; j <= k && others.size() < k; ++j)
      if (const int other = table.of(i)[j]; other != row) {
        if (others.empty()) nearest = table.distances_of(i)[j];
        others.push_back(other);
      }
    rho[static_cast<std::size_t>(i)] = relative(nearest, residual_of(X.row(row).data(), X, others), all.gaps, others);
  });
  return scale_of(std::move(rho));
}

}  // namespace

// Gaps and search structure are computed on first use.
struct Confidence::Search {
  explicit Search(const Matrix& reference) : reference_(reference) {}
  [[nodiscard]] const References& references(const RunContext& context) const {
    std::call_once(once_, [&] { references_ = std::make_unique<References>(reference_, context); });
    return *references_;
  }

 private:
  const Matrix& reference_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<References> references_;
};

Confidence::Confidence(std::shared_ptr<const Matrix> reference, const ConfidenceScale& scale)
    : reference_(std::move(reference)), scale_(scale), search_(std::make_unique<Search>(*reference_)) {}

Confidence::Confidence(Vector gaps, const ConfidenceScale& scale) : gaps_(std::move(gaps)), scale_(scale) {}

Confidence::~Confidence() = default;

Explanation Confidence::explain_distances(const MatrixRef& rows, const RunContext& context) const {
  if (gaps_.size() == 0)
    throw InvalidArgument(
        "confidence: kernel values do not tell how far a new sample is from the training samples: fit to the samples, "
        "or "
        "to distances (isomap, mds, laplacian_eigenmaps or diffusion_maps with metric=precomputed)");
  require_width(rows, gaps_.size(), "confidence");
  require_finite(rows, "confidence");
  const auto index = make_neighbor_index(rows, {.metric = Metric::kPrecomputed});
  const NeighborTable table = index->query(rows, std::min(kNeighbors, gaps_.size()), context);
  Explanation result{Vector(rows.rows()), Vector(rows.rows())};
  for (Index i = 0; i < rows.rows(); ++i) {
    const double nearest = table.distances_of(i)[0];
    result.residuals[i] = nearest;
    result.confidence[i] = confidence_of(relative(nearest, nearest, gaps_, table.of(i)), scale_);
  }
  return result;
}

Explanation Confidence::explain(const MatrixRef& samples, const RunContext& context) const {
  if (!reference_) return explain_distances(samples, context);
  require_width(samples, reference_->cols(), "confidence");
  require_finite(samples, "confidence");
  const References& all = search_->references(context);
  const NeighborTable table = all.index->query(samples, std::min(kNeighbors, all.rows().rows()), context);
  Explanation result{Vector(samples.rows()), Vector(samples.rows())};
  parallel_for(
      samples.rows(), context,
      [&](Index i) {
        const double residual = residual_of(samples.row(i).data(), all.rows(), table.of(i));
        result.residuals[i] = std::isfinite(residual) ? residual : std::numeric_limits<double>::max();
        result.confidence[i] =
            confidence_of(relative(table.distances_of(i)[0], residual, all.gaps, table.of(i)), scale_);
      },
      "confidence");
  return result;
}

std::shared_ptr<const Confidence> fit_confidence(std::shared_ptr<const Matrix> reference, const RunContext& context) {
  const ConfidenceScale scale = learn_scale(References(*reference, context), context);
  return std::make_shared<Confidence>(std::move(reference), scale);
}

// A sample at the distance 0 from another, but for rounding errors, is its duplicate.
std::shared_ptr<const Confidence> fit_confidence_of_distances(const MatrixRef& D, const RunContext& context) {
  const Index n = D.rows();
  const double zero = 1e-8 * D.maxCoeff();
  std::vector<std::vector<int>> others(static_cast<std::size_t>(n));  // the nearest that are not duplicates
  Vector gaps = Vector::Zero(n);
  parallel_for(n, context, [&](Index i) {
    std::vector<std::pair<double, int>> order;
    for (Index j = 0; j < n; ++j)
      if (j != i && D(i, j) > zero) order.emplace_back(D(i, j), static_cast<int>(j));
    const auto k = std::min(order.size(), static_cast<std::size_t>(kNeighbors));
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(k));
    if (k > 0) gaps[i] = order[0].first;
    for (std::size_t j = 0; j < k; ++j) others[static_cast<std::size_t>(i)].push_back(order[j].second);
  });
  std::vector<double> rho;
  for (Index i = 0; i < n; ++i)
    if (gaps[i] > 0) rho.push_back(relative(gaps[i], gaps[i], gaps, others[static_cast<std::size_t>(i)]));
  return std::make_shared<Confidence>(std::move(gaps), scale_of(std::move(rho)));
}

std::shared_ptr<const Confidence> fit_confidence(std::shared_ptr<const Matrix> atoms, const MatrixRef& samples,
                                                 const RunContext& context) {
  const Matrix some = rows_of(samples, rows_of_the_scale(samples.rows()));
  return fit_confidence_by(std::move(atoms), some, samples.rows(), context);
}

std::vector<Index> rows_of_the_scale(Index n_samples) { return some_of(n_samples, 2 * kHeldOut); }

std::shared_ptr<const Confidence> fit_confidence_by(std::shared_ptr<const Matrix> atoms, const Matrix& some,
                                                    Index n_samples, const RunContext& context) {
  const References all(*atoms, context);
  const MatrixRef& X = all.rows();
  const NeighborTable table = all.index->query(some, std::min(kNeighbors, X.rows()), context);
  std::vector<double> rho(static_cast<std::size_t>(some.rows()));
  parallel_for(some.rows(), context, [&](Index i) {
    rho[static_cast<std::size_t>(i)] =
        relative(table.distances_of(i)[0], residual_of(some.row(i).data(), X, table.of(i)), all.gaps, table.of(i));
  });
  std::erase(rho, 0.0);  // samples that are atoms carry no information
  // Atoms were fitted to these samples, q atoms per sample. New samples have larger residuals, by about the factor of a
  // regression with q parameters per observation.
  const double q = static_cast<double>(X.rows()) / static_cast<double>(n_samples);
  constexpr double kMostFitted = 0.5;
  constexpr std::size_t kEnough = 20;
  ConfidenceScale scale;
  if (q <= kMostFitted && rho.size() >= kEnough) {
    scale = scale_of(std::move(rho));
    const double factor = std::sqrt((1 + q) / (1 - q));
    scale = {factor * scale.typical, factor * scale.rare};
  } else {
    scale = learn_scale(all, context);
  }
  return std::make_shared<Confidence>(std::move(atoms), scale);
}

}  // namespace foldout
