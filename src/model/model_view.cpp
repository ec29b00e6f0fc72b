// SPDX-License-Identifier: Apache-2.0
#include "model/model_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "components/rows.h"
#include "core/tally.h"
#include "foldout/core/error.h"
#include "foldout/extend/sparse.h"
#include "linalg/distance.h"
#include "maps/coded_map.h"
#include "model/placing.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

constexpr Index kNearest = 8;

bool are_samples(const Model& model) { return row_meaning(model.spec.method) == RowMeaning::kSamples; }

// The map contains every training sample, in their order.
const Matrix* all_of_them(const Model& model) {
  const Matrix* samples = are_samples(model) ? model.map->samples() : nullptr;
  return samples && samples->rows() == model.coordinates.rows() ? samples : nullptr;
}

void check_training(const Model& model, const Dataset& train) {
  if (train.samples.rows() != model.coordinates.rows())
    throw InvalidArgument(fmt::format(
        "the training data have {} samples, but the model has the coordinates of {}: give the data it was fitted to",
        train.samples.rows(), model.coordinates.rows()));
  require_features(model, train.samples);
}

// Values as they were read; rows of distances have no values to show.
Matrix shown_values(const Model& model, const ViewRequest& request) {
  if (!are_samples(model)) return {};
  const Matrix* train = request.train ? &request.train->samples : nullptr;
  if (!train && model.steps.empty()) train = all_of_them(model);
  if (!request.fresh) return train ? *train : Matrix();
  if (!train) return request.fresh->samples;
  Matrix both(train->rows() + request.fresh->samples.rows(), train->cols());
  both << *train, request.fresh->samples;
  return both;
}

// What the codes leave out of each sample: x − Σ_j c_j x_j; of L1 codes the error e of Xa + e = x, at their scale.
Matrix code_errors(const Model& model, const MatrixRef& prepared, const CodedPlacement& placed, const Matrix& anchors) {
  if (placed.coefficients.rows() == 0) return prepared - placed.codes * anchors;
  const bool unit = model.spec.extension && model.spec.extension.name() == "sparse" &&
                    model.spec.extension.as<SparseOptions>().unit_norm;
  if (!unit) return prepared - placed.coefficients * anchors;
  return unit_rows(prepared) - placed.coefficients * unit_rows(anchors);
}

Reasons nearest_ones(const Matrix& train, const MatrixRef& fresh, Reasons::Kind kind, const RunContext& context) {
  const Index k = std::min(kNearest, train.rows());
  const NeighborTable nearest = make_neighbor_index(train)->query(fresh, k, context);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < nearest.n; ++i)
    for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j)
      entries.emplace_back(static_cast<int>(i), nearest.of(i)[j], nearest.distances_of(i)[j]);
  Reasons reasons{.kind = kind, .weights = SparseMatrix(nearest.n, train.rows()), .atoms = {}, .errors = {}};
  reasons.weights.setFromTriplets(entries.begin(), entries.end());
  return reasons;
}

// Coordinates and reasons of prepared new samples.
Matrix place(const Model& model, const ViewRequest& request, const MatrixRef& prepared, Reasons& reasons,
             const RunContext& context) {
  Tally tally;
  const auto* coded = dynamic_cast<const CodedMap*>(model.map.get());
  if (!coded) {
    Matrix coordinates = model.map->transform(prepared, context);
    const Matrix train = prepared_training(model, request.train, context);
    reasons = train.size() > 0 ? nearest_ones(train, prepared, Reasons::Kind::kNearestSamples, context)
                               : nearest_ones(model.coordinates, coordinates, Reasons::Kind::kNearestOnMap, context);
    return coordinates;
  }
  CodedPlacement placed = coded->place(prepared, context, tally);
  const Matrix& anchors = coded->coder().anchors();
  reasons.kind = Reasons::Kind::kCodes;
  reasons.are_atoms = static_cast<bool>(model.spec.dictionary) || placed.codes.cols() != model.coordinates.rows();
  const bool pixels = model.image.height > 0 && prepared.cols() == model.n_features && anchors.rows() > 0;
  if (pixels) reasons.errors = code_errors(model, prepared, placed, anchors);
  if (pixels && reasons.are_atoms) reasons.atoms = anchors;
  reasons.weights.swap(placed.codes);
  return std::move(placed.coordinates);
}

void add_new(const Model& model, const ViewRequest& request, MapView& view, const RunContext& context) {
  const Dataset& fresh = *request.fresh;
  const Index n = model.coordinates.rows();
  view.n_new = fresh.samples.rows();
  Matrix placed;
  with_prepared(model, fresh.samples, context, [&](const MatrixRef& prepared) {
    placed = place(model, request, prepared, view.reasons, context);
    if (row_meaning(model.spec.method) == RowMeaning::kKernelValues) return;  // no residual is known
    Explanation explanation = model.confidence->explain(prepared, context);
    view.confidence = std::move(explanation.confidence);
    view.residuals = std::move(explanation.residuals);
  });
  view.coordinates.conservativeResize(n + view.n_new, Eigen::NoChange);
  view.coordinates.bottomRows(view.n_new) = placed;
  if (model.labels) view.predicted = model.classify(fresh.samples, {}, context);
  if (!view.labels.empty() || fresh.labels) {
    view.labels.resize(static_cast<std::size_t>(n));
    const std::vector<std::string> labels = fresh.labels ? fresh.labels->texts() : std::vector<std::string>();
    view.labels.insert(view.labels.end(), labels.begin(), labels.end());
    view.labels.resize(static_cast<std::size_t>(n + view.n_new));
  }
}

void add_ids(const ViewRequest& request, MapView& view) {
  const bool train = request.train && !request.train->ids.empty(), fresh = request.fresh && !request.fresh->ids.empty();
  if (!train && !fresh) return;
  for (Index i = 0; i < view.n_train(); ++i)
    view.ids.push_back(train ? request.train->ids[static_cast<std::size_t>(i)] : fmt::format("training {}", i + 1));
  for (Index i = 0; i < view.n_new; ++i)
    view.ids.push_back(fresh ? request.fresh->ids[static_cast<std::size_t>(i)] : fmt::format("new {}", i + 1));
}

}  // namespace

Matrix prepared_training(const Model& model, const Dataset* train, const RunContext& context) {
  if (const Matrix* own = all_of_them(model)) return *own;
  if (!train || !are_samples(model)) return {};
  return model.prepare(train->samples, context);
}

MapView view_model(const Model& model, const ViewRequest& request, const RunContext& context) {
  if (request.train) check_training(model, *request.train);
  MapView view;
  view.title = model.spec.method ? model.spec.method.name() : "given coordinates";
  view.coordinates = model.coordinates;
  if (model.labels) view.labels = model.labels->texts();
  if (request.train && request.train->labels && view.labels.empty()) view.labels = request.train->labels->texts();
  if (request.fresh) add_new(model, request, view, context);
  add_ids(request, view);
  view.values = shown_values(model, request);
  if (view.values.size() > 0) view.image = model.image;
  if (view.values.size() > 0 && view.image.height == 0) view.value_names = model.table.feature_names();
  return view;
}

}  // namespace foldout
