// SPDX-License-Identifier: Apache-2.0
// Approximate nearest neighbours by a hierarchical navigable small-world graph (hnswlib), only on request: exact search
// was faster at every size measured, up to 50 000 samples. The index is built on one thread in the order of the
// samples, with levels drawn from the seed; results are therefore the same for any number of threads and every run.
//
// Without this macro hnswlib prefetches beyond the end of its lists and chooses its distance function by processor.
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

#include <algorithm>

#include "core/parallel.h"
#include "linalg/distance.h"
#include "neighbors/neighbors.h"
#include "neighbors/searches.h"

namespace foldout {
namespace {

constexpr std::size_t kLinks = 16, kBuildBeam = 200, kLeastBeam = 128;

class Approximate final : public SearchStructure {
 public:
  Approximate(const MatrixRef& samples, std::uint64_t seed, const RunContext& context)
      : samples_(samples),
        floats_(samples.cast<float>()),
        space_(static_cast<std::size_t>(samples.cols())),
        graph_(&space_, static_cast<std::size_t>(samples.rows()), kLinks, kBuildBeam, seed) {
    constexpr Index kBetweenTicks = 256;
    for (Index i = 0; i < floats_.rows(); ++i) {
      if (i % kBetweenTicks == 0)
        context.tick("neighbors", static_cast<double>(i) / static_cast<double>(floats_.rows()));
      graph_.addPoint(floats_.row(i).data(), static_cast<std::size_t>(i));
    }
    graph_.setEf(kLeastBeam);  // set only here: queries run on several threads
  }

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    const Index n = queries.rows();
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    parallel_for(
        n, context, [&](Index i) { query_one(queries, i, table); }, "neighbors");
    return table;
  }

  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    return without_self(query(samples_, k + 1, context));
  }

 private:
  void query_one(const MatrixRef& queries, Index i, NeighborTable& table) const {
    const Eigen::RowVectorXf query = queries.row(i).cast<float>();
    // More than k are requested: the beam is at least as wide as the result. The best k are kept.
    const auto wanted = static_cast<std::size_t>(std::min(2 * table.k, samples_.rows()));
    auto found = graph_.searchKnn(query.data(), wanted);
    std::vector<Candidate> candidates;
    for (; !found.empty(); found.pop()) add(queries, i, static_cast<int>(found.top().second), candidates);
    if (static_cast<Index>(candidates.size()) < table.k) {  // part of the graph was not reached: search all
      candidates.clear();
      for (Index j = 0; j < samples_.rows(); ++j) add(queries, i, static_cast<int>(j), candidates);
    }
    write_nearest(candidates, i, table);
  }

  void add(const MatrixRef& queries, Index i, int j, std::vector<Candidate>& candidates) const {
    candidates.push_back({squared_distance(queries.row(i).data(), samples_.row(j).data(), samples_.cols()), j});
  }

  MatrixRef samples_;
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> floats_;
  hnswlib::L2Space space_;
  hnswlib::HierarchicalNSW<float> graph_;
};

}  // namespace

std::unique_ptr<SearchStructure> make_approximate(const MatrixRef& samples, std::uint64_t seed,
                                                  const RunContext& context) {
  return std::make_unique<Approximate>(samples, seed, context);
}

}  // namespace foldout
