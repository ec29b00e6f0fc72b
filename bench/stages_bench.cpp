// SPDX-License-Identifier: Apache-2.0
// The stages of a fit at several sizes; each checks its own result, so a fast wrong result does not count.
#include <benchmark/benchmark.h>

#include <string>

#include "core/random.h"
#include "data/data_table.h"
#include "foldout/core/dataset.h"
#include "foldout/foldout.h"
#include "graph/affinity.h"
#include "graph/geodesics.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

void require(benchmark::State& state, bool right, const char* what) {
  if (!right) state.SkipWithError(what);
}

void neighbors_low_dimension(benchmark::State& state) {
  const Matrix X = make_swiss_roll(state.range(0)).samples;
  NeighborTable table;
  for (auto _ : state) table = nearest_neighbors(X, 10);
  require(state, table.distances_of(0).front() > 0 && table.distances_of(0).front() <= table.distances_of(0).back(),
          "neighbours are not in order");
  state.SetItemsProcessed(state.iterations() * X.rows());
}
BENCHMARK(neighbors_low_dimension)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

void neighbors_high_dimension(benchmark::State& state) {
  const Matrix X = Rng(0).normal_matrix(state.range(0), state.range(1));
  NeighborTable table;
  for (auto _ : state) table = nearest_neighbors(X, 10);
  require(state, table.distances_of(0).front() <= table.distances_of(0).back(), "neighbours are not in order");
  state.SetItemsProcessed(state.iterations() * X.rows());
}
BENCHMARK(neighbors_high_dimension)->Args({5000, 50})->Args({5000, 1024})->Unit(benchmark::kMillisecond);

void geodesics(benchmark::State& state) {
  const Matrix X = make_swiss_roll(state.range(0)).samples;
  Report report;
  const DistanceGraph graph = build_distance_graph(X, {}, {}, report);
  std::vector<Index> sources;
  for (Index i = 0; i < 512; ++i) sources.push_back(i);
  Matrix distances;
  for (auto _ : state) distances = geodesic_distances(graph.lengths, sources);
  require(state, distances(3, 3) == 0 && distances.allFinite(), "distances are wrong");
  state.SetItemsProcessed(state.iterations() * 512);
}
BENCHMARK(geodesics)->Arg(5000)->Arg(20000)->Unit(benchmark::kMillisecond);

// The whole fit by name, with the residual of its eigenvectors as the measure of quality.
void fit(benchmark::State& state, const std::string& method, const std::string& data, Index n) {
  const Dataset dataset{make_data(ComponentSpec::parse(data), n).samples, {}, {}, {}};
  Model model;
  for (auto _ : state) model = fit_model(dataset, {.method = method});
  const double* residual = model.report.find_figure("residual");
  if (residual) state.counters["residual"] = *residual;
  require(state, model.coordinates.allFinite() && (!residual || *residual < 1e-9), "the fit is wrong");
  state.SetItemsProcessed(state.iterations() * n);
}
BENCHMARK_CAPTURE(fit, laplacian_eigenmaps, "laplacian_eigenmaps", "swiss_roll", 10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, lle, "lle", "swiss_roll", 10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, ltsa, "ltsa", "swiss_roll", 10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, hessian_lle, "hessian_lle", "swiss_roll", 10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, isomap, "isomap", "swiss_roll", 2000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, landmark_isomap, "landmark_isomap", "swiss_roll", 10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, diffusion_maps, "diffusion_maps", "swiss_roll", 10000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, kpca, "kpca", "swiss_roll", 1000)->Unit(benchmark::kMillisecond);

void transform(benchmark::State& state, const std::string& method, const std::string& extension) {
  const Dataset train{make_swiss_roll(5000).samples, {}, {}, {}};
  const Model model = fit_model(train, {.method = method, .extension = extension});
  const Matrix fresh = make_swiss_roll(1000, 1).samples;
  Matrix placed;
  for (auto _ : state) placed = model.transform(fresh);
  require(state, placed.allFinite(), "placed samples are not finite");
  state.SetItemsProcessed(state.iterations() * fresh.rows());
}
BENCHMARK_CAPTURE(transform, lle, "ltsa", "lle")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transform, geodesic, "landmark_isomap", "geodesic")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transform, pca, "pca", "")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace foldout
