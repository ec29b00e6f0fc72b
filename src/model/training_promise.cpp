// SPDX-License-Identifier: Apache-2.0
#include "model/training_promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/archive.h"
#include "extend/load_map.h"

namespace foldout {
namespace {

constexpr Index kMeasured = 16;

// Relative to the largest coordinate of each component.
double largest_deviation(const OutOfSampleMap& map, const MatrixRef& samples, const Matrix& coordinates,
                         const RunContext& context) {
  const Index n = std::min(kMeasured, samples.rows());
  Matrix rows(n, samples.cols()), expected(n, coordinates.cols());
  for (Index i = 0; i < n; ++i) {
    const Index row = i * samples.rows() / n;
    rows.row(i) = samples.row(row);
    expected.row(i) = coordinates.row(row);
  }
  const Eigen::RowVectorXd deviation = (map.transform(rows, context) - expected).cwiseAbs().colwise().maxCoeff();
  const Eigen::RowVectorXd size = coordinates.cwiseAbs().colwise().maxCoeff();
  double largest = 0;
  for (Index k = 0; k < size.size(); ++k)
    if (deviation[k] > 0) largest = std::max(largest, deviation[k] / std::max(size[k], deviation[k]));
  return largest;
}

// The promise is part of a map's archive. A mixed map has those of its two parts.
std::shared_ptr<const OutOfSampleMap> declared_approximate(const OutOfSampleMap& map) {
  Archive archive;
  map.save(archive);
  for (auto& [name, text] : archive.texts)
    if (name == "promise" || name.ends_with(".promise")) text = name_of(TrainingPromise::kApproximate);
  return load_map(archive);
}

}  // namespace

std::shared_ptr<const OutOfSampleMap> with_measured_promise(std::shared_ptr<const OutOfSampleMap> map,
                                                            const MatrixRef& samples, const Matrix& coordinates,
                                                            const RunContext& context, Report& report) {
  if (map->info().promise != TrainingPromise::kExact) return map;
  const double deviation = largest_deviation(*map, samples, coordinates, {context.n_threads, {}, context.memory_limit});
  if (deviation <= kExactTolerance / 10) return map;
  report.figure("training_deviation", deviation);
  report.note(
      "training_approximate",
      fmt::format("training samples are placed approximately, because rounding errors are large: up to {:.1e} of "
                  "the largest coordinate; center the samples, or scale them",
                  deviation));
  return declared_approximate(*map);
}

}  // namespace foldout
