// SPDX-License-Identifier: Apache-2.0
#include "model/references.h"

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "core/rows.h"
#include "extend/confidence_scale.h"

namespace foldout {
namespace {

// The largest number of reference samples: of those that the map contains, which take no extra space in the model, or
// of the training samples.
constexpr Index kMapReferences = 5000, kOwnReferences = 1000;

std::vector<Index> reference_rows(Index n_samples, Index most) {
  if (n_samples <= most) return {};
  std::vector<Index> rows = Rng(0).permutation(n_samples);
  rows.resize(static_cast<std::size_t>(most));
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

std::shared_ptr<const Matrix> reference_of(const std::shared_ptr<const OutOfSampleMap>& map, Index n_samples,
                                           bool atoms) {
  if (!map->samples() || (!atoms && map->samples()->rows() < std::min(n_samples, kOwnReferences))) return nullptr;
  const std::vector<Index> rows = reference_rows(map->samples()->rows(), kMapReferences);
  if (rows.empty()) return {map, map->samples()};
  return std::make_shared<Matrix>(rows_of(*map->samples(), rows));
}

std::shared_ptr<const Confidence> make_confidence(const MatrixRef& samples,
                                                  const std::shared_ptr<const OutOfSampleMap>& map,
                                                  const RunContext& context) {
  if (auto held = reference_of(map, samples.rows(), false)) return fit_confidence(std::move(held), context);
  const std::vector<Index> rows = reference_rows(samples.rows(), kOwnReferences);
  return fit_confidence(std::make_shared<Matrix>(rows.empty() ? Matrix(samples) : rows_of(samples, rows)), context);
}

std::shared_ptr<const Confidence> make_confidence(const MatrixRef& rows, RowMeaning meaning,
                                                  const RunContext& context) {
  if (meaning == RowMeaning::kDistances) return fit_confidence_of_distances(rows, context);
  return std::make_shared<Confidence>(Vector(), ConfidenceScale{});
}

std::shared_ptr<const Confidence> make_confidence(const SampleRows& samples,
                                                  const std::shared_ptr<const OutOfSampleMap>& map, Matrix atoms,
                                                  const RunContext& context) {
  const bool held = map->samples() && map->samples()->rows() == atoms.rows();
  auto reference = held ? reference_of(map, samples.size(), true) : nullptr;
  if (!reference) reference = std::make_shared<const Matrix>(std::move(atoms));
  return fit_confidence_by(std::move(reference), samples.rows(rows_of_the_scale(samples.size())), samples.size(),
                           context);
}

}  // namespace foldout
