// SPDX-License-Identifier: Apache-2.0
// A mode of the density Σ_i p_i exp(−‖y − y_i‖²/2h²) of the coordinates y_i of the K nearest training samples. The
// weights p_i ∝ exp(−β d_i²) have a given perplexity, as those of t-SNE (L. van der Maaten, G. Hinton, JMLR 9, 2008).
// The search starts at the neighbour where the density is largest and goes uphill by mean shift (D. Comaniciu, P. Meer,
// IEEE TPAMI 24, 2002): y ← Σ_i c_i y_i with c_i ∝ p_i exp(−‖y − y_i‖²/2h²). The last c are the codes. A sample that
// equals a training sample is coded by it alone.
#include "foldout/extend/mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/archive.h"
#include "core/keys.h"
#include "core/rows.h"
#include "extend/load_map.h"
#include "extend/pairs.h"
#include "extend/row_lookup.h"
#include "foldout/core/error.h"
#include "maps/coded_map.h"
#include "maps/saved_info.h"
#include "neighbors/neighbors.h"

namespace foldout {

Fields fields(ModeOptions& o) {
  static constexpr Key n_neighbors{"n_neighbors", "number of nearest training samples", "K", 1};
  static constexpr Key perplexity{
      "perplexity", "effective number of neighbours that the weights count; auto: half their number", "", 1, 1e9};
  static constexpr Key bandwidth{
      "bandwidth", "h of the density, relative to the typical distance of neighbours in the map", "h", 0, 1e6, true};
  return {{n_neighbors, o.n_neighbors}, {perplexity, o.perplexity},
          {bandwidth, o.bandwidth},     {key::metric, o.metric, key::kSampleMetrics},
          {key::search, o.search},      {key::seed, o.seed}};
}

namespace {

// Entropy, in nats, of weights ∝ exp(−β d), which are written to `weights`.
double weigh(std::span<const double> distances, double beta, std::span<double> weights) {
  double sum = 0, mean = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::exp(-beta * distances[i]);
    sum += weights[i];
    mean += weights[i] * distances[i];
  }
  for (double& weight : weights) weight /= sum;
  return std::log(sum) + beta * mean / sum;
}

// Weights of the squared distances with the given perplexity, by bisection of log β; the entropy falls with β.
void calibrate(std::span<double> distances, double perplexity, std::span<double> weights) {
  const auto [least, most] = std::ranges::minmax(distances);
  const double range = most - least;
  for (double& d : distances) d = range > 0 ? (d - least) / range : 0;
  const double wanted = std::log(perplexity);
  double low = -30, high = 30;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (weigh(distances, std::exp(middle), weights) > wanted ? low : high) = middle;
  }
}

struct Neighborhood {
  Matrix coordinates;           // of the neighbours
  std::vector<double> weights;  // p
};

// The weights of mean shift at y. Relative to the nearest neighbour, so that they do not all underflow.
void density_weights(const Neighborhood& near, const Eigen::RowVectorXd& y, double bandwidth,
                     std::vector<double>& codes) {
  const Vector d2 = (near.coordinates.rowwise() - y).rowwise().squaredNorm() / (2 * bandwidth * bandwidth);
  const double least = d2.minCoeff();
  double sum = 0;
  for (std::size_t i = 0; i < codes.size(); ++i)
    sum += codes[i] = near.weights[i] * std::exp(least - d2[static_cast<Index>(i)]);
  for (double& code : codes) code /= sum;
}

// The neighbour where the density is largest; the nearer one of equals.
Index densest(const Neighborhood& near, double bandwidth) {
  Index best = 0;
  double most = -1;
  for (Index j = 0; j < near.coordinates.rows(); ++j) {
    const Vector d2 = (near.coordinates.rowwise() - near.coordinates.row(j)).rowwise().squaredNorm();
    double density = 0;
    for (Index i = 0; i < d2.size(); ++i)
      density += near.weights[static_cast<std::size_t>(i)] * std::exp(-d2[i] / (2 * bandwidth * bandwidth));
    if (density > most) most = density, best = j;
  }
  return best;
}

// Mean shift. Codes below a millionth of the largest are dropped.
void climb(const Neighborhood& near, double bandwidth, std::vector<double>& codes) {
  constexpr int kMostSteps = 200;
  constexpr double kConverged = 1e-6, kNegligible = 1e-6;
  Eigen::RowVectorXd y = near.coordinates.row(densest(near, bandwidth));
  for (int step = 0; step < kMostSteps; ++step) {
    density_weights(near, y, bandwidth, codes);
    Eigen::RowVectorXd next = Eigen::RowVectorXd::Zero(y.size());
    for (std::size_t i = 0; i < codes.size(); ++i) next += codes[i] * near.coordinates.row(static_cast<Index>(i));
    const double moved = (next - y).norm();
    y = std::move(next);
    if (moved <= kConverged * bandwidth) break;
  }
  const double least = kNegligible * *std::ranges::max_element(codes);
  for (double& code : codes)
    if (code < least) code = 0;
  const double sum = std::accumulate(codes.begin(), codes.end(), 0.0);
  for (double& code : codes) code /= sum;
}

class ModeCoder final : public Coder {
 public:
  ModeCoder(Matrix samples, Matrix coordinates, const NeighborOptions& search, int n_neighbors, double perplexity,
            double bandwidth)
      : samples_(std::move(samples)),
        coordinates_(std::move(coordinates)),
        search_(search),
        n_neighbors_(n_neighbors),
        perplexity_(perplexity),
        bandwidth_(bandwidth),
        index_(make_neighbor_index(samples_, search_)),
        lookup_(samples_) {}

  [[nodiscard]] const Matrix& anchors() const override { return samples_; }

  [[nodiscard]] SparseMatrix code(const MatrixRef& samples, Tally&) const override {
    const NeighborTable table = index_->query(samples, n_neighbors_);
    SparseMatrix codes(samples.rows(), samples_.rows());
    codes.reserve(Eigen::VectorXi::Constant(samples.rows(), n_neighbors_));
    for (Index i = 0; i < samples.rows(); ++i)
      if (const int equal = lookup_.find(samples.row(i).data()); equal >= 0)
        codes.insert(i, equal) = 1;
      else
        insert_mode(i, table, codes);
    codes.makeCompressed();
    return codes;
  }

  // From a multiple of the typical distance of neighbours in the map: the median over up to 1000 samples. The index has
  // then searched, and is ready for new samples.
  double scale_bandwidth(const RunContext& context) {
    constexpr Index kMostRows = 1000;
    std::vector<Index> rows;
    const Index n = samples_.rows(), count = std::min(n, kMostRows);
    for (Index i = 0; i < count; ++i) rows.push_back(i * n / count);
    const NeighborTable table = index_->query(rows_of(samples_, rows), std::min<Index>(n_neighbors_ + 1, n), context);
    std::vector<double> distances;
    for (Index i = 0; i < count; ++i)
      for (const int j : table.of(i))
        if (const Index row = rows[static_cast<std::size_t>(i)]; j != row)
          distances.push_back((coordinates_.row(row) - coordinates_.row(j)).norm());
    if (distances.empty()) return bandwidth_;
    const auto middle = distances.begin() + std::ssize(distances) / 2;
    std::ranges::nth_element(distances, middle);
    return bandwidth_ *= *middle > 0 ? *middle : 1;  // all coincide: any bandwidth places there
  }

  void save(Archive& archive) const override {
    archive.put_text("coder", "mode");
    archive.put("samples", samples_);
    archive.put("perplexity", perplexity_);
    archive.put("bandwidth", bandwidth_);
    save_search(search_, n_neighbors_, archive);
  }

 private:
  void insert_mode(Index row, const NeighborTable& table, SparseMatrix& codes) const {
    const auto neighbors = table.of(row);
    Neighborhood near{Matrix(std::ssize(neighbors), coordinates_.cols()), std::vector<double>(neighbors.size())};
    for (std::size_t j = 0; j < neighbors.size(); ++j)
      near.coordinates.row(static_cast<Index>(j)) = coordinates_.row(neighbors[j]);
    std::vector<double> d2, weights(neighbors.size());
    for (const double d : table.distances_of(row)) d2.push_back(d * d);
    calibrate(d2, perplexity_, near.weights);
    climb(near, bandwidth_, weights);
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t j) { return neighbors[j]; });
    for (const std::size_t j : order)
      if (weights[j] > 0) codes.insert(row, neighbors[j]) = weights[j];
  }

  Matrix samples_, coordinates_;
  NeighborOptions search_;
  int n_neighbors_;
  double perplexity_, bandwidth_;
  std::unique_ptr<NeighborIndex> index_;
  RowLookup lookup_;
};

}  // namespace

Extension extend_mode(const MatrixRef& samples, const MatrixRef& coordinates, const ModeOptions& options,
                      const RunContext& context) {
  ModeOptions o = options;
  check_fields(fields(o), "mode");
  require_pairs(samples, coordinates, "mode");
  require_neighbors(o.n_neighbors, samples.rows(), "mode");
  const double perplexity = o.perplexity.value_or((o.n_neighbors + 1) / 2.0);
  if (perplexity > o.n_neighbors)
    throw InvalidArgument(
        fmt::format("mode: perplexity = {:g} must be at most n_neighbors = {}: lower it, or raise "
                    "n_neighbors",
                    perplexity, o.n_neighbors));
  const NeighborOptions search{o.metric, o.search, o.seed};
  auto coder = std::make_shared<ModeCoder>(samples, coordinates, search, o.n_neighbors, perplexity, o.bandwidth);
  const double bandwidth = coder->scale_bandwidth(context);
  Extension made{
      std::make_shared<CodedMap>(MapInfo{"mode", samples.cols(), coordinates.cols(), TrainingPromise::kExact},
                                 std::move(coder), coordinates),
      {}};
  made.report.figure("bandwidth", bandwidth);
  return made;
}

std::shared_ptr<const Coder> load_mode_coder(const Archive& archive, Index n_features) {
  Matrix samples = load_samples(archive, n_features), coordinates = archive.matrix("coordinates");
  int n_neighbors = 0;
  const NeighborOptions search = load_search(archive, samples, n_neighbors);
  const double perplexity = archive.number("perplexity"), bandwidth = archive.number("bandwidth");
  if (!(perplexity >= 1) || !(perplexity <= n_neighbors) || !(bandwidth > 0) || coordinates.rows() != samples.rows())
    throw IoError("the density of the map is not valid");
  return std::make_shared<ModeCoder>(std::move(samples), std::move(coordinates), search, n_neighbors, perplexity,
                                     bandwidth);
}

}  // namespace foldout
