// SPDX-License-Identifier: Apache-2.0
#include "support/datasets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/random.h"
#include "core/rows.h"
#include "foldout/core/dataset.h"
#include "foldout/data/synthetic.h"

namespace foldout::dataset {

Matrix roll(Index n, std::uint64_t seed) { return make_swiss_roll(n, seed).samples; }

Matrix lifted_roll(Index n, Index d, std::uint64_t seed) {
  Rng rng(seed + 1000);
  const Matrix samples = roll(n, seed), directions = rng.normal_matrix(3, d), noise = rng.normal_matrix(n, d);
  Matrix lifted = 0.05 * noise;
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < 3; ++c)
      lifted.row(i) += samples(i, c) / std::sqrt(static_cast<double>(d)) * directions.row(c);
  return lifted;
}

Matrix sheet(Index n, std::uint64_t seed) {
  // Multiples of powers of the plastic number's inverse, without their whole parts, leave no gaps and no heaps.
  constexpr double kPlastic = 1.32471795724474602596;
  const auto fraction = [](double x) { return x - std::floor(x); };
  Rng rng(seed);
  const double first = rng.uniform(), second = rng.uniform();
  Matrix points(n, 3);
  for (Index i = 0; i < n; ++i) {
    const double u = fraction(first + static_cast<double>(i) / kPlastic);
    const double v = fraction(second + static_cast<double>(i) / (kPlastic * kPlastic));
    const double angle = u * std::numbers::pi / 2;
    points.row(i) << 10 * std::sin(angle), 10 * v, 10 * std::cos(angle);
  }
  return points;
}

Matrix grid(Index side, Index d) {
  Index n = 1;
  for (Index c = 0; c < d; ++c) n *= side;
  Matrix points(n, d);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0, rest = i; c < d; ++c, rest /= side) points(i, c) = static_cast<double>(rest % side);
  return points;
}

Matrix blobs(Index n, Index parts, Index d, double distance, std::uint64_t seed) {
  Matrix samples = Rng(seed).normal_matrix(n * parts, d);
  for (Index i = 0; i < samples.rows(); ++i) samples(i, 0) += distance * static_cast<double>(i / n);
  return samples;
}

Matrix repeated(const Matrix& samples, Index times) {
  Matrix all(samples.rows() * times, samples.cols());
  for (Index i = 0; i < all.rows(); ++i) all.row(i) = samples.row(i / times);
  return all;
}

Matrix rows_of(const Matrix& samples, const std::vector<Index>& rows) {
  Matrix chosen(static_cast<Index>(rows.size()), samples.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) chosen.row(static_cast<Index>(i)) = samples.row(rows[i]);
  return chosen;
}

std::vector<Index> random_order(Index n, std::uint64_t seed) { return Rng(seed).permutation(n); }

std::vector<int> classes(const Matrix& samples) {
  std::vector<int> labels(static_cast<std::size_t>(samples.rows()), 0);
  if (samples.size() == 0) return labels;
  std::vector<std::pair<double, Index>> spreads;  // the two widest features
  for (Index c = 0; c < samples.cols(); ++c)
    spreads.emplace_back(samples.col(c).minCoeff() - samples.col(c).maxCoeff(), c);
  std::ranges::sort(spreads);
  spreads.resize(std::min<std::size_t>(2, spreads.size()));
  for (const auto& [spread, column] : spreads) {
    std::vector<double> sorted(samples.col(column).begin(), samples.col(column).end());
    std::ranges::sort(sorted);
    const double median = sorted[sorted.size() / 2];
    for (Index i = 0; i < samples.rows(); ++i) {
      int& label = labels[static_cast<std::size_t>(i)];
      label = 2 * label + (samples(i, column) < median ? 1 : 0);
    }
  }
  return labels;
}

Dataset labelled(const Matrix& samples) {
  std::vector<std::string> names;
  for (const int label : classes(samples)) names.push_back(std::to_string(label));
  Dataset data;
  data.samples = samples;
  if (!names.empty()) data.labels = make_labels(names);
  return data;
}

bool same_bits(const Matrix& A, const Matrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() &&
         (A.size() == 0 || std::memcmp(A.data(), B.data(), static_cast<std::size_t>(A.size()) * sizeof(double)) == 0);
}

}  // namespace foldout::dataset
