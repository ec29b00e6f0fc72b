// SPDX-License-Identifier: Apache-2.0
// S minimises ‖Y − S − M‖² + 2θ‖S‖₁ for a model M of the samples: S = soft(Y − M, θ). Atoms are learned from Y − S,
// which differs from the model by at most θ. Errors beyond 10θ are removed entirely; otherwise an atom used by a single
// corrupted sample would follow it by θ in every iteration.
// Errors must also be removed before initialisation, and they dominate Euclidean distances: a sample with an error is
// near only to samples with the same error. In the distance Σ_f min(|y_f − z_f|, b), b a typical difference, a
// corrupted feature counts no more than a typical one, and the nearest samples are those that agree in the other
// features. Their median, feature by feature, is free of errors if fewer than half of them share one. Values that
// differ from the medians by more than θ are replaced entirely, because medians are too coarse a model to keep θ of the
// difference.
#include "dictionary/outlier_term.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"
#include "dictionary/starting_atoms.h"
#include "linalg/distance.h"

namespace foldout {
namespace {

constexpr Index kBlock = 64;

double median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The median of the nonzero differences of a feature between two random samples.
double usual_difference(const MatrixRef& Y, std::uint64_t seed) {
  constexpr int kPairs = 10000;
  Rng rng = Rng(seed).stream(2);
  const auto draw = [&](Index n) { return static_cast<Index>(rng.below(static_cast<std::uint64_t>(n))); };
  std::vector<double> differences;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Index f = draw(Y.cols());
    const double difference = std::abs(Y(draw(Y.rows()), f) - Y(draw(Y.rows()), f));
    if (difference > 0) differences.push_back(difference);
  }
  return differences.empty() ? 0 : median(differences);
}

double clipped_distance(const double* y, const double* z, double bound, Index n) {
  return lane_sum(n, [=](Index f) { return std::min(std::abs(y[f] - z[f]), bound); });
}

// The median, feature by feature, of the samples nearest to sample i.
void local_median(const MatrixRef& Y, Index i, double bound, Eigen::Ref<Eigen::RowVectorXd> result) {
  const Index around = std::min<Index>(11, Y.rows());
  std::vector<std::pair<double, Index>> near(static_cast<std::size_t>(Y.rows()));
  for (Index l = 0; l < Y.rows(); ++l)
    near[static_cast<std::size_t>(l)] = {clipped_distance(Y.row(i).data(), Y.row(l).data(), bound, Y.cols()), l};
  std::ranges::nth_element(near, near.begin() + around - 1);
  std::vector<double> values(static_cast<std::size_t>(around));
  for (Index f = 0; f < Y.cols(); ++f) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = Y(near[k].second, f);
    result[f] = median(values);
  }
}

// `deviations` times the standard deviation, estimated from the 90th percentile: a tenth of the errors may be outliers.
double threshold(const Matrix& errors, double deviations) {
  constexpr double kNineInTen = 1.645;  // standard deviations, for normal errors
  std::vector<double> sizes(static_cast<std::size_t>(errors.size()));
  std::ranges::transform(errors.reshaped<Eigen::RowMajor>(), sizes.begin(), [](double e) { return std::abs(e); });
  const auto ninth = sizes.begin() + 9 * std::ssize(sizes) / 10;
  std::ranges::nth_element(sizes, ninth);
  return deviations * *ninth / kNineInTen;
}

}  // namespace

Matrix without_outliers(const MatrixRef& Y, const MatrixRef& model, double deviations) {
  constexpr double kGross = 10;
  const Matrix errors = Y - model;
  const double theta = threshold(errors, deviations);
  return model +
         errors.unaryExpr([=](double e) { return std::abs(e) > kGross * theta ? 0 : std::clamp(e, -theta, theta); });
}

Matrix without_gross_errors(const MatrixRef& Y, Index places, double deviations, std::uint64_t seed,
                            const RunContext& context) {
  const double bound = usual_difference(Y, seed);
  const std::vector<Index> drawn = draw_samples(AllRows(Y), places, seed);
  Matrix medians(std::ssize(drawn), Y.cols());
  parallel_for(
      medians.rows(), context,
      [&](Index p) { local_median(Y, drawn[static_cast<std::size_t>(p)], bound, medians.row(p)); }, "outliers");
  Matrix model(Y.rows(), Y.cols());
  parallel_blocks(
      Y.rows(), kBlock, context,
      [&](Index begin, Index end) {
        Vector distances(medians.rows());
        for (Index i = begin; i < end; ++i) {
          for (Index p = 0; p < medians.rows(); ++p)
            distances[p] = clipped_distance(Y.row(i).data(), medians.row(p).data(), bound, Y.cols());
          Index nearest = 0;
          distances.minCoeff(&nearest);
          model.row(i) = medians.row(nearest);
        }
      },
      "outliers");
  const Matrix errors = Y - model;
  const double theta = threshold(errors, deviations);
  return (errors.array().abs() > theta).select(model, Y);
}

}  // namespace foldout
