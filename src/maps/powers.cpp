// SPDX-License-Identifier: Apache-2.0
// Polynomial features: all monomials (Kronecker powers without repetitions), or the powers of single features.
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "foldout/core/error.h"
#include "maps/feature_map.h"
#include "maps/saved_info.h"

namespace foldout {
namespace {

// Monomial number m is monomial `rest` (of one degree less, or none: −1) times feature `last`; features of a monomial
// do not decrease, so each monomial appears once.
struct Monomial {
  Index rest;
  Index last;
};

class PolynomialFeatures final : public FeatureMap {
 public:
  PolynomialFeatures(Index n, int degree) : n_(n), degree_(degree) {
    std::vector<Monomial> level, all;
    for (Index i = 0; i < n; ++i) level.push_back({-1, i});
    std::vector<std::size_t> first{0};
    for (int d = 1; d <= degree; ++d) {
      const auto base = static_cast<Index>(all.size());
      all.insert(all.end(), level.begin(), level.end());
      std::vector<Monomial> next;
      if (d < degree)
        for (std::size_t m = 0; m < level.size(); ++m)
          for (Index i = level[m].last; i < n; ++i) next.push_back({base + static_cast<Index>(m), i});
      level = std::move(next);
      first.push_back(all.size());
    }
    monomials_ = std::move(all);
    // The highest degree comes first.
    for (std::size_t d = first.size() - 1; d > 0; --d)
      for (std::size_t m = first[d - 1]; m < first[d]; ++m) order_.push_back(static_cast<Index>(m));
  }
  [[nodiscard]] Index n_inputs() const override { return n_; }
  [[nodiscard]] Index n_outputs() const override { return static_cast<Index>(monomials_.size()); }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override {
    Matrix features(samples.rows(), n_outputs());
    Vector values(n_outputs());
    for (Index i = 0; i < samples.rows(); ++i) {
      for (Index m = 0; m < n_outputs(); ++m) {
        const Monomial& monomial = monomials_[static_cast<std::size_t>(m)];
        values[m] = samples(i, monomial.last) * (monomial.rest < 0 ? 1 : values[monomial.rest]);
      }
      for (Index m = 0; m < n_outputs(); ++m) features(i, m) = values[order_[static_cast<std::size_t>(m)]];
    }
    return features;
  }
  void save(Archive& archive) const override {
    archive.put_text("features", "polynomial");
    archive.put("degree", degree_);
  }

 private:
  Index n_;
  int degree_;
  std::vector<Monomial> monomials_;  // by degree, each after its rest
  std::vector<Index> order_;
};

class HadamardFeatures final : public FeatureMap {
 public:
  HadamardFeatures(Index n, int degree) : n_(n), degree_(degree) {}
  [[nodiscard]] Index n_inputs() const override { return n_; }
  [[nodiscard]] Index n_outputs() const override { return n_ * degree_; }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override {
    Matrix features(samples.rows(), n_outputs());
    features.rightCols(n_) = samples;
    for (int p = 2; p <= degree_; ++p)
      features.middleCols((degree_ - p) * n_, n_) =
          features.middleCols((degree_ - p + 1) * n_, n_).cwiseProduct(samples);
    return features;
  }
  void save(Archive& archive) const override {
    archive.put_text("features", "hadamard");
    archive.put("degree", degree_);
  }

 private:
  Index n_;
  int degree_;
};

}  // namespace

double n_monomials(Index n_inputs, int degree) {
  constexpr double kExact = 1e15;  // beyond it a rounded number serves: nobody can store so many
  std::int64_t count = 1;          // (n+p)! / (n! p!)
  double rounded = 1;
  for (int p = 1; p <= degree; ++p) {
    rounded *= static_cast<double>(n_inputs + p) / p;
    if (rounded * static_cast<double>(n_inputs + p + 1) > kExact) count = -1;
    if (count > 0) count = count * (n_inputs + p) / p;  // whole: a product of p consecutive numbers over p!
  }
  return count > 0 ? static_cast<double>(count - 1) : rounded - 1;
}

Features polynomial_features(Index n_inputs, int degree) {
  return std::make_shared<PolynomialFeatures>(n_inputs, degree);
}

Features hadamard_features(Index n_inputs, int degree) { return std::make_shared<HadamardFeatures>(n_inputs, degree); }

Features load_powers(const Archive& archive, std::string_view kind, Index n_inputs) {
  const double degree = archive.number("degree");
  // A damaged file must not request more monomials than it has coefficients.
  const auto rows = static_cast<double>(archive.matrix("V").rows());
  const bool monomials = kind == "polynomial";
  const bool sound =
      degree >= 1 && degree <= 20 && degree == static_cast<int>(degree) &&
      rows == (monomials ? n_monomials(n_inputs, static_cast<int>(degree)) : degree * static_cast<double>(n_inputs));
  if (!sound) throw IoError("the degree of the features does not fit the map");
  return monomials ? polynomial_features(n_inputs, static_cast<int>(degree))
                   : hadamard_features(n_inputs, static_cast<int>(degree));
}

}  // namespace foldout
