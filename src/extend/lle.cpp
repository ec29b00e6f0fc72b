// SPDX-License-Identifier: Apache-2.0
// The weights are those of LLE (graph/reconstruction_weights.h), of the new sample over its k nearest training samples.
// L. Saul, S. Roweis: Think Globally, Fit Locally, JMLR 4 (2003), Section 6.1. Departure: a sample that equals a
// training sample is coded by it alone; regularised weights would not reproduce its coordinates.
#include "foldout/extend/lle.h"

#include <algorithm>
#include <numeric>

#include "core/archive.h"
#include "core/keys.h"
#include "core/tally.h"
#include "extend/load_map.h"
#include "extend/makers.h"
#include "extend/pairs.h"
#include "extend/row_lookup.h"
#include "foldout/core/error.h"
#include "graph/reconstruction_weights.h"
#include "maps/saved_info.h"
#include "neighbors/neighbors.h"

namespace foldout {

Fields fields(LleExtensionOptions& o) {
  return {{key::n_neighbors, o.n_neighbors},
          {key::reg, o.reg},
          {key::metric, o.metric, key::kSampleMetrics},
          {key::search, o.search},
          {key::seed, o.seed}};
}

namespace {

class LleCoder final : public Coder {
 public:
  LleCoder(Matrix samples, const LleExtensionOptions& options)
      : samples_(std::move(samples)),
        options_(options),
        search_{options.metric, options.search, options.seed},
        index_(make_neighbor_index(samples_, search_)),
        lookup_(samples_) {}

  [[nodiscard]] const Matrix& anchors() const override { return samples_; }

  [[nodiscard]] SparseMatrix code(const MatrixRef& samples, Tally&) const override {
    const NeighborTable table = index_->query(samples, options_.n_neighbors);
    SparseMatrix codes(samples.rows(), samples_.rows());
    codes.reserve(Eigen::VectorXi::Constant(samples.rows(), options_.n_neighbors));
    std::vector<double> weights(static_cast<std::size_t>(table.k));
    std::vector<std::size_t> order(weights.size());
    for (Index i = 0; i < samples.rows(); ++i) {
      const auto neighbors = table.of(i);
      if (const int equal = lookup_.find(samples.row(i).data()); equal >= 0) {
        codes.insert(i, equal) = 1;
        continue;
      }
      reconstruction_weights(samples.row(i).data(), samples_, neighbors, options_.reg, weights);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::sort(order, {}, [&](std::size_t j) { return neighbors[j]; });
      for (const std::size_t j : order) codes.insert(i, neighbors[j]) = weights[j];
    }
    codes.makeCompressed();
    return codes;
  }

  void save(Archive& archive) const override {
    archive.put_text("coder", "lle");
    archive.put("samples", samples_);
    archive.put("reg", options_.reg);
    save_search(search_, options_.n_neighbors, archive);
  }

 private:
  Matrix samples_;
  LleExtensionOptions options_;
  NeighborOptions search_;
  std::unique_ptr<NeighborIndex> index_;
  RowLookup lookup_;
};

}  // namespace

Map make_lle_map(const MatrixRef& samples, const MatrixRef& coordinates, const LleExtensionOptions& options,
                 std::string_view name) {
  LleExtensionOptions o = options;
  check_fields(fields(o), name);
  require_pairs(samples, coordinates, name);
  require_neighbors(o.n_neighbors, samples.rows(), name);
  const MapInfo info{std::string(name), samples.cols(), coordinates.cols(), TrainingPromise::kExact};
  return std::make_shared<CodedMap>(info, std::make_shared<LleCoder>(samples, o), coordinates);
}

Extension extend_lle(const MatrixRef& samples, const MatrixRef& coordinates, const LleExtensionOptions& options,
                     const RunContext&) {
  return {make_lle_map(samples, coordinates, options, "lle"), {}};
}

std::shared_ptr<const Coder> load_lle_coder(const Archive& archive, Index n_features) {
  Matrix samples = load_samples(archive, n_features);
  LleExtensionOptions options;
  const NeighborOptions search = load_search(archive, samples, options.n_neighbors);
  options.metric = search.metric;
  options.search = search.search;
  options.seed = search.seed;
  options.reg = archive.number("reg");
  if (!(options.reg >= 0)) throw IoError("the regularisation of the map is negative");
  return std::make_shared<LleCoder>(std::move(samples), options);
}

}  // namespace foldout
