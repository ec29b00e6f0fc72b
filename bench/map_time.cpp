// SPDX-License-Identifier: Apache-2.0
// The cost of a map of feature powers, compared with the product alone: foldout_map_time [rows [D [p [d]]]].
// A map as in snppe, x ↦ Vᵀ([x^p … x² x] − offset), against one BLAS product of the same number of rows with
// precomputed powers; CPU time on one thread, the best of several passes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

#include "core/random.h"
#include "foldout/maps/explicit_map.h"
#include "linalg/products.h"
#include "maps/feature_map.h"

namespace foldout {
namespace {

template <class Work>
double best_of(int passes, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < passes; ++pass) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void run(const std::vector<Index>& arguments) {
  const auto number = [&](std::size_t i, Index usual) { return arguments.size() > i ? arguments[i] : usual; };
  const Index rows = number(0, 10000), D = number(1, 1024), p = number(2, 2), d = number(3, 50);
  Rng rng(1);
  const Features features = hadamard_features(D, static_cast<int>(p));
  const Matrix X = rng.uniform_matrix(rows, D), V = rng.normal_matrix(p * D, d);
  const ExplicitMap map({"snppe", D, d, TrainingPromise::kNone}, features, V, rng.normal_vector(p * D));
  const Matrix powers = features->apply(X);
  Matrix product, placed;
  constexpr int kPasses = 9;
  const double gemm = best_of(kPasses, [&] { product = multiply(powers, V); });
  const double transform = best_of(kPasses, [&] { placed = map.transform(X, {.n_threads = 1}); });
  const double error = ((product.rowwise() - map.offset().transpose() * V) - placed).cwiseAbs().maxCoeff();
  fmt::print(
      "{} rows, D = {}, p = {}, d = {}: product {:.1f} ms, transform {:.1f} ms, {:.2f} of the product's speed; "
      "largest difference {:.1e}\n",
      rows, D, p, d, 1e3 * gemm, 1e3 * transform, gemm / transform, error);
}

}  // namespace
}  // namespace foldout

int main(int argc, char** argv) {
  std::vector<foldout::Index> arguments;
  for (int i = 1; i < argc; ++i) arguments.push_back(std::atol(argv[i]));
  foldout::run(arguments);
}
