// SPDX-License-Identifier: Apache-2.0
// What placing a new sample costs, extension by extension: foldout_place_time [N [D [d [rows]]]].
// Laplacian Eigenmaps of N samples of D features (a roll with noise) to d coordinates; thread CPU time per sample on
// one thread, the best of several passes over all rows, and wall time on two.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "foldout/core/dataset.h"
#include "foldout/data/synthetic.h"
#include "foldout/model/model.h"

namespace foldout {
namespace {

Matrix lifted_roll(Index n, Index d) {
  const Matrix roll = make_swiss_roll(n, 1).samples;
  Rng rng(7);
  const Matrix directions = rng.normal_matrix(3, d);
  return (roll * directions) / std::sqrt(static_cast<double>(d)) + 0.05 * rng.normal_matrix(n, d) +
         Matrix::Constant(n, d, 20);
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Clock, class Work>
double best_of(int passes, Clock clock, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < passes; ++pass) {
    const double start = clock();
    work();
    best = std::min(best, clock() - start);
  }
  return best;
}

void measure(const Dataset& data, const Matrix& fresh, const std::string& method, const std::string& extension) {
  const Model model = fit_model(data, {.method = method, .extension = extension});
  Matrix one, two;
  constexpr int kPasses = 7;
  const auto n = static_cast<double>(fresh.rows());
  const double alone = best_of(kPasses, cpu_seconds, [&] { one = model.transform(fresh, {.n_threads = 1}); });
  const double wall = best_of(kPasses, wall_seconds, [&] { (void)model.transform(fresh, {.n_threads = 1}); });
  const double shared = best_of(kPasses, wall_seconds, [&] { two = model.transform(fresh, {.n_threads = 2}); });
  const bool same = std::memcmp(one.data(), two.data(), static_cast<std::size_t>(one.size()) * sizeof(double)) == 0;
  fmt::print("{:<22} {:>10.2f} {:>10.2f} {:>8.2f} {:>6}\n", extension, 1e6 * alone / n, 1e6 * shared / n, wall / shared,
             same ? "yes" : "NO");
}

void run(const std::vector<Index>& arguments) {
  const auto number = [&](std::size_t i, Index usual) { return arguments.size() > i ? arguments[i] : usual; };
  const Index n = number(0, 1000), features = number(1, 256), d = number(2, 12), rows = number(3, 2000);
  const Matrix all = lifted_roll(n + rows, features);
  const Dataset data{.samples = all.topRows(n), .labels = {}, .image = {}, .columns = {}};
  for (const std::string graph : {"knn", "full"}) {
    fmt::print("N = {}, D = {}, d = {}, graph={}\n{:<22} {:>10} {:>10} {:>8} {:>6}\n", n, features, d, graph,
               "extension", "µs, CPU", "µs, two", "speedup", "same");
    for (const std::string extension : {"nystrom", "elm:n_nodes=300", "elm", "linear", "lvm", "lle", "rbf"})
      measure(data, all.bottomRows(rows), fmt::format("laplacian_eigenmaps:n_components={},graph={}", d, graph),
              extension);
  }
  const Index few = std::min<Index>(rows, 100);
  fmt::print("sparse, {} rows\n", few);
  measure(data, all.bottomRows(few), fmt::format("laplacian_eigenmaps:n_components={}", d), "sparse");
}

}  // namespace
}  // namespace foldout

int main(int argc, char** argv) {
  std::vector<foldout::Index> arguments;
  for (int i = 1; i < argc; ++i) arguments.push_back(std::atol(argv[i]));
  foldout::run(arguments);
}
