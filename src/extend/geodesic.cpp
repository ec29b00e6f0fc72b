// SPDX-License-Identifier: Apache-2.0
// y = (means − δ²)ᵀ P with δ the geodesic distances to the anchors (embed/isomap.h): δ_l = min_j (‖x − x_j‖ + D_jl)
// over the neighbours j. Landmark Isomap stores D. Isomap stores the training graph instead of an n×n table: D is that
// of the fit or, in a loaded model, computed row by row; graphs of more than kMostTableNodes samples are searched from
// the new sample. V. de Silva, J. Tenenbaum (2003); Y. Bengio et al.: Out-of-Sample Extensions for LLE, Isomap, MDS,
// Eigenmaps, and Spectral Clustering, NIPS 16 (2004).
#include "foldout/extend/geodesic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/archive.h"
#include "core/keys.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "core/tally.h"
#include "extend/load_map.h"
#include "extend/makers.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "graph/geodesic_rows.h"
#include "graph/geodesics.h"
#include "linalg/distance.h"
#include "linalg/loops.h"
#include "linalg/products.h"
#include "maps/saved_info.h"
#include "neighbors/neighbors.h"

namespace foldout {

Fields fields(GeodesicExtensionOptions& o) {
  static constexpr Key n_neighbors{
      "n_neighbors",
      "number of training samples that a new sample is joined to; auto: as in the fit. On a ball graph it is joined to "
      "all within the radius",
      "k", 1};
  return {{n_neighbors, o.n_neighbors}, {key::search, o.search}, {key::seed, o.seed}};
}

namespace {

struct GeodesicModel {
  MapInfo info;
  Matrix samples;
  SparseMatrix lengths;     // Isomap: the training graph
  bool by_rows = false;     // Isomap: place by rows of D; false: by a search, in older model files too
  Matrix anchor_distances;  // Landmark Isomap: sample × landmark
  Triangulation triangulation;
  NeighborOptions search;
  int n_neighbors = 10;
  double radius = 0;        // of a ball graph; 0: the k nearest
  bool whole_ball = false;  // join all samples within the radius; false: of the k nearest only, in older model files
};

// min_j (distances[j] + rows[j][l]) for every l, in blocks that stay in registers.
FOLDOUT_VERSIONS void shortest_over(std::span<const double* const> rows, std::span<const double> distances,
                                    std::span<double> out) {
  constexpr std::size_t kBlock = 32;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::size_t l = 0;
  for (; l + kBlock <= out.size(); l += kBlock) {
    std::array<double, kBlock> least;
    least.fill(kFar);
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (std::size_t s = 0; s < kBlock; ++s) least[s] = std::min(least[s], distances[j] + rows[j][l + s]);
    std::copy_n(least.begin(), kBlock, out.begin() + static_cast<std::ptrdiff_t>(l));
  }
  for (; l < out.size(); ++l) {
    out[l] = kFar;
    for (std::size_t j = 0; j < rows.size(); ++j) out[l] = std::min(out[l], distances[j] + rows[j][l]);
  }
}

class GeodesicMap final : public OutOfSampleMap {
 public:
  explicit GeodesicMap(GeodesicModel model, std::shared_ptr<const Matrix> table = nullptr) : m_(std::move(model)) {
    if (m_.by_rows) {
      rows_ = std::make_unique<GeodesicRows>(m_.lengths, std::move(table));
      coefficients_ = m_.triangulation.P.transpose();
    }
    if (m_.whole_ball)
      ball_.emplace(m_.samples, m_.radius, m_.search.metric);
    else
      index_ = make_neighbor_index(m_.samples, m_.search);
  }

  [[nodiscard]] MapInfo info() const override { return m_.info; }
  [[nodiscard]] const Matrix* samples() const override { return m_.samples.rows() > 0 ? &m_.samples : nullptr; }

  void save(Archive& archive) const override {
    archive.put_text("map", "geodesic");
    save_info(m_.info, archive);
    if (samples()) archive.put("samples", m_.samples);
    archive.put("lengths", m_.lengths);
    archive.put("anchor_distances", m_.anchor_distances);
    archive.put("means", m_.triangulation.means);
    archive.put("P", m_.triangulation.P);
    archive.put("radius", m_.radius);
    if (m_.whole_ball) archive.put("whole_ball", 1.0);
    if (m_.by_rows) archive.put("by_rows", 1.0);
    save_search(m_.search, m_.n_neighbors, archive);
  }

 protected:
  [[nodiscard]] Matrix transform_block(const MatrixRef& samples, Tally& tally) const override {
    const NeighborLists starts = ball_ ? within_ball(samples, tally) : nearest(samples);
    if (rows_) return placed_by_rows(starts);
    ShortestPaths paths(m_.lengths);
    Matrix gaps(samples.rows(), m_.triangulation.means.size());
    for (Index i = 0; i < samples.rows(); ++i) {
      distances_to_anchors(starts[static_cast<std::size_t>(i)], paths,
                           {gaps.row(i).data(), static_cast<std::size_t>(gaps.cols())});
      gaps.row(i) = m_.triangulation.means.transpose() - gaps.row(i).cwiseAbs2();
    }
    return multiply_rowwise(gaps, m_.triangulation.P);
  }

  // Rows of D exceed the caches. Samples with the same nearest of some training samples share most of their neighbours:
  // one after the other, they find the rows of these in the cache.
  [[nodiscard]] std::vector<Index> visiting_order(const MatrixRef& samples, const RunContext& context) const override {
    constexpr Index kCells = 128, kEnough = 32 * kCells, kRows = 4096;
    if (!rows_ || ball_ || m_.search.metric == Metric::kPrecomputed || samples.rows() < kEnough ||
        m_.samples.rows() < kEnough)
      return {};
    std::vector<Index> centres(static_cast<std::size_t>(kCells));
    for (Index c = 0; c < kCells; ++c) centres[static_cast<std::size_t>(c)] = c * m_.samples.rows() / kCells;
    const Matrix cells = rows_of(m_.samples, centres);
    std::vector<Index> cell(static_cast<std::size_t>(samples.rows()));
    parallel_blocks(samples.rows(), kRows, context, [&](Index begin, Index end) {
      const Matrix squared = squared_distances(samples.middleRows(begin, end - begin), cells);
      for (Index i = begin; i < end; ++i) squared.row(i - begin).minCoeff(&cell[static_cast<std::size_t>(i)]);
    });
    std::vector<Index> order(cell.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return cell[static_cast<std::size_t>(i)]; });
    return order;
  }

 private:
  // The training samples that new samples are joined to, as in the graph: those within the radius.
  [[nodiscard]] NeighborLists within_ball(const MatrixRef& samples, Tally& tally) const {
    NeighborLists lists = ball_->query(samples);
    for (std::size_t i = 0; i < lists.size(); ++i)
      if (lists[i].front().second > m_.radius)
        tally.remark("outside_every_ball", "not within the radius of any training sample, joined only to the nearest",
                     static_cast<Index>(i));
    return lists;
  }

  // The k nearest; in a ball graph of an older model file, those of them within the radius, but always the nearest.
  [[nodiscard]] NeighborLists nearest(const MatrixRef& samples) const {
    const NeighborTable table = index_->query(samples, m_.n_neighbors);
    NeighborLists lists(static_cast<std::size_t>(samples.rows()));
    for (Index i = 0; i < samples.rows(); ++i)
      for (Index j = 0; j < table.k; ++j) {
        const double distance = table.distances_of(i)[static_cast<std::size_t>(j)];
        if (m_.radius > 0 && distance > m_.radius && j > 0) break;
        lists[static_cast<std::size_t>(i)].emplace_back(table.of(i)[static_cast<std::size_t>(j)], distance);
      }
    return lists;
  }

  // Sample by sample: products of blocks would write and read a distance to every training sample once more.
  [[nodiscard]] Matrix placed_by_rows(const NeighborLists& starts) const {
    Matrix Y(static_cast<Index>(starts.size()), coefficients_.rows());
    Vector gaps(coefficients_.cols());
    for (Index i = 0; i < Y.rows(); ++i) {
      over_neighbors(starts[static_cast<std::size_t>(i)], {gaps.data(), static_cast<std::size_t>(gaps.size())});
      gaps = m_.triangulation.means - gaps.cwiseAbs2();
      for (Index c = 0; c < Y.cols(); ++c) Y(i, c) = dot(coefficients_.row(c).data(), gaps.data(), gaps.size());
    }
    return Y;
  }

  void distances_to_anchors(const NeighborLists::value_type& starts, ShortestPaths& paths,
                            std::span<double> out) const {
    if (m_.anchor_distances.size() == 0) return paths.from(starts, out);
    over_neighbors(starts, out);
  }

  // Distances to the anchors, whose distances from the neighbours are known.
  void over_neighbors(const NeighborLists::value_type& starts, std::span<double> out) const {
    std::vector<const double*> rows;
    std::vector<double> distances;
    for (const auto& [j, distance] : starts) {
      rows.push_back(rows_ ? rows_->row(j) : m_.anchor_distances.row(j).data());
      distances.push_back(distance);
    }
    shortest_over(rows, distances, out);
  }

  GeodesicModel m_;
  std::unique_ptr<GeodesicRows> rows_;    // null unless by_rows
  Matrix coefficients_;                   // Pᵀ, if by_rows
  std::unique_ptr<NeighborIndex> index_;  // null if ball_ is used
  std::optional<BallIndex> ball_;
};

}  // namespace

Map make_geodesic_map(const MatrixRef& samples, const IsomapFit& fit, const GeodesicExtensionOptions& options,
                      std::string_view name) {
  GeodesicExtensionOptions o = options;
  check_fields(fields(o), name);
  GeodesicModel model;
  model.info = {std::string(name), samples.cols(), fit.coordinates.cols(), TrainingPromise::kExact};
  model.samples = searched_samples(KeptSamples(samples, fit.kept).rows(), fit.metric);
  if (fit.anchors.empty()) {
    model.lengths = fit.lengths;
    model.by_rows = fit.lengths.rows() <= kMostTableNodes;
  } else {
    model.anchor_distances = fit.anchor_distances;
  }
  model.triangulation = fit.triangulation;
  model.search = {fit.metric, o.search, o.seed};
  model.n_neighbors = static_cast<int>(std::min<Index>(o.n_neighbors.value_or(fit.n_neighbors), fit.lengths.rows()));
  model.radius = fit.radius;
  model.whole_ball = fit.radius > 0;
  const bool one_sided = fit.graph != GraphKind::kMutual && fit.graph != GraphKind::kL1;
  const bool same_edges = one_sided && (fit.radius > 0 || model.n_neighbors <= fit.n_neighbors);
  const bool all_kept = fit.kept.empty();  // left-out samples were placed differently
  if (!same_edges || !all_kept) model.info.promise = TrainingPromise::kApproximate;
  return std::make_shared<GeodesicMap>(std::move(model), fit.geodesics);
}

Extension extend_geodesic(const MatrixRef& samples, const IsomapFit& fit, const GeodesicExtensionOptions& options,
                          const RunContext&) {
  return {make_geodesic_map(samples, fit, options, "geodesic"), {}};
}

std::shared_ptr<const OutOfSampleMap> load_geodesic(const Archive& archive) {
  GeodesicModel model;
  model.info = load_info(archive);
  model.samples = load_searched_samples(archive, model.info.n_features);
  model.lengths = archive.sparse("lengths");
  model.anchor_distances = archive.matrix("anchor_distances");
  model.triangulation = {archive.vector("means"), archive.matrix("P")};
  model.radius = archive.number("radius");
  model.whole_ball = archive.has("whole_ball");
  model.by_rows = archive.has("by_rows");
  model.search = load_search(archive, model.samples, model.n_neighbors);
  const bool distances = model.search.metric == Metric::kPrecomputed;
  const Index n = distances ? model.samples.cols() : model.samples.rows();
  const Index anchors = model.triangulation.means.size();
  const bool by_graph = model.anchor_distances.size() == 0;
  const bool fits = model.triangulation.P.rows() == anchors &&
                    model.triangulation.P.cols() == model.info.n_components &&
                    (by_graph ? model.lengths.rows() == n && model.lengths.cols() == n && anchors == n
                              : model.anchor_distances.rows() == n && model.anchor_distances.cols() == anchors);
  const bool lengths_positive =
      std::all_of(model.lengths.valuePtr(), model.lengths.valuePtr() + model.lengths.nonZeros(),
                  [](double length) { return length >= 0; }) &&
      (model.anchor_distances.array() >= 0).all();
  const bool rows_fit = !model.by_rows || (archive.number("by_rows") == 1 && by_graph && n <= kMostTableNodes);
  if (!fits || !rows_fit || !lengths_positive || !(model.radius >= 0) || (model.whole_ball && !(model.radius > 0)))
    throw IoError("the arrays of the map do not fit together");
  return std::make_shared<GeodesicMap>(std::move(model));
}

}  // namespace foldout
