// SPDX-License-Identifier: Apache-2.0
#include "extend/graph_coder.h"

#include "core/archive.h"
#include "core/tally.h"
#include "extend/load_map.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "maps/saved_info.h"

namespace foldout {
namespace {

class GraphCoder final : public Coder {
 public:
  GraphCoder(Matrix samples, const GraphRule& rule, Vector scale)
      : samples_(std::move(samples)), rule_(rule), scale_(std::move(scale)), rows_(samples_, rule_) {}

  [[nodiscard]] const Matrix& anchors() const override { return samples_; }
  [[nodiscard]] Index n_anchors() const override {
    return rule_.search.metric == Metric::kPrecomputed ? samples_.cols() : samples_.rows();
  }

  [[nodiscard]] SparseMatrix code(const MatrixRef& samples, Tally& tally) const override {
    SparseMatrix W = rows_.weights(samples, tally);
    for (Index i = 0; i < W.rows(); ++i) {
      double sum = 0;
      for (SparseMatrix::InnerIterator it(W, i); it; ++it) {
        if (scale_.size() > 0) it.valueRef() *= scale_[it.col()];
        sum += it.value();
      }
      for (SparseMatrix::InnerIterator it(W, i); it; ++it) it.valueRef() /= sum;
    }
    return W;
  }

  void save(Archive& archive) const override {
    archive.put_text("coder", "graph");
    if (samples_.rows() > 0) archive.put("samples", samples_);
    archive.put("scale", scale_);
    archive.put("kinds", std::vector<std::int64_t>{static_cast<std::int64_t>(rule_.graph),
                                                   static_cast<std::int64_t>(rule_.weights)});
    archive.put("radius", rule_.radius);
    archive.put("width", rule_.width);
    save_search(rule_.search, rule_.n_neighbors, archive);
  }

 private:
  Matrix samples_;
  GraphRule rule_;
  Vector scale_;
  GraphRows rows_;
};

}  // namespace

std::shared_ptr<const Coder> make_graph_coder(Matrix samples, const GraphRule& rule, Vector scale) {
  return std::make_shared<GraphCoder>(std::move(samples), rule, std::move(scale));
}

std::shared_ptr<const Coder> load_graph_coder(const Archive& archive, Index n_features) {
  Matrix samples = load_searched_samples(archive, n_features);
  Vector scale = archive.vector("scale");
  const auto kinds = archive.integers("kinds");
  if (kinds.size() != 2 || kinds[0] < 0 || kinds[0] >= std::ssize(kNames<GraphKind>) ||
      static_cast<GraphKind>(kinds[0]) == GraphKind::kL1 || kinds[1] < 0 || kinds[1] >= std::ssize(kNames<EdgeWeights>))
    throw IoError("the graph of the map is not known to this version");
  GraphRule rule{.graph = static_cast<GraphKind>(kinds[0]),
                 .radius = archive.number("radius"),
                 .weights = static_cast<EdgeWeights>(kinds[1]),
                 .width = archive.number("width")};
  rule.search = load_search(archive, samples, rule.n_neighbors);
  const bool distances = rule.search.metric == Metric::kPrecomputed;
  const Index n = distances ? samples.cols() : samples.rows();
  const bool sound = (scale.size() == 0 || (scale.size() == n && (scale.array() > 0).all())) &&
                     !(distances && rule.weights == EdgeWeights::kCosine) && rule.radius >= 0 &&
                     (rule.weights != EdgeWeights::kHeat || rule.width > 0);
  if (!sound) throw IoError("the arrays of the map do not fit together");
  return make_graph_coder(std::move(samples), rule, std::move(scale));
}

}  // namespace foldout
