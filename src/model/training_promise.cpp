// SPDX-License-Identifier: Apache-2.0
#include "model/training_promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/archive.h"
#include "core/rows.h"
#include "extend/load_map.h"
#include "extend/row_lookup.h"

namespace foldout {
namespace {

constexpr Index kMeasured = 16;

// Evenly spaced rows, and rows of a coded map that repeat an earlier sample with other coordinates: a map has one
// answer for both.
std::vector<Index> rows_to_measure(const OutOfSampleMap& map, const MatrixRef& samples, const Matrix& coordinates) {
  const Index n = samples.rows(), spaced = std::min(kMeasured, n);
  std::vector<Index> rows;
  for (Index i = 0; i < spaced; ++i) rows.push_back(i * n / spaced);
  if (!map.has_codes()) return rows;
  const RowLookup lookup(samples);
  for (Index i = 0; i < n && std::ssize(rows) < 2 * kMeasured; ++i)
    if (const int first = lookup.find(samples.row(i).data());
        first != i && coordinates.row(i) != coordinates.row(first))
      rows.push_back(i);
  return rows;
}

// Relative to the largest coordinate of each component; 1 if they are all zero.
double largest_deviation(const OutOfSampleMap& map, const MatrixRef& samples, const Matrix& coordinates,
                         const RunContext& context) {
  const std::vector<Index> measured = rows_to_measure(map, samples, coordinates);
  const Matrix rows = rows_of(samples, measured), expected = rows_of(coordinates, measured);
  const Eigen::RowVectorXd deviation = (map.transform(rows, context) - expected).cwiseAbs().colwise().maxCoeff();
  const Eigen::RowVectorXd size = coordinates.cwiseAbs().colwise().maxCoeff();
  double largest = 0;
  for (Index k = 0; k < size.size(); ++k)
    if (deviation[k] > 0) largest = std::max(largest, size[k] > 0 ? deviation[k] / size[k] : 1.0);
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
      fmt::format("training samples are placed with a deviation of {:.1e} of the largest coordinate or more, by "
                  "rounding errors (center or scale the samples), or because equal samples have different "
                  "coordinates",
                  deviation));
  return declared_approximate(*map);
}

}  // namespace foldout
