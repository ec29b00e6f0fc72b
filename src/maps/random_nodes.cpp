// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/archive.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/loops.h"
#include "linalg/products.h"
#include "maps/feature_map.h"
#include "maps/saved_info.h"

namespace foldout {
namespace {

class RandomNodeFeatures final : public FeatureMap {
 public:
  explicit RandomNodeFeatures(RandomNodes nodes) : n_(std::move(nodes)) {}
  [[nodiscard]] Index n_inputs() const override { return n_.center.size(); }
  [[nodiscard]] Index n_outputs() const override { return n_.b.size() + (n_.direct_links ? n_inputs() : 0); }

  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override {
    const Matrix u = (samples.rowwise() - n_.center.transpose()) / n_.scale;
    Matrix h = n_.activation == Activation::kRbf ? rbf(u) : sums(u);
    if (!n_.direct_links) return h;
    Matrix both(h.rows(), n_outputs());
    both << h, u;
    return both;
  }

  void save(Archive& archive) const override {
    archive.put_text("features", "random_nodes");
    archive.put_text("activation", name_of(n_.activation));
    archive.put("nodes", n_.A);
    archive.put("bias", n_.b);
    archive.put("center", n_.center);
    archive.put("scale", n_.scale);
    archive.put("direct_links", n_.direct_links ? 1.0 : 0.0);
  }

 private:
  [[nodiscard]] Matrix sums(const Matrix& u) const {
    Matrix t = multiply_transposed_rowwise(u, n_.A);
    t.rowwise() += n_.b.transpose();
    switch (n_.activation) {
      case Activation::kTanh:
        return t.unaryExpr([](double x) { return std::tanh(x); });
      case Activation::kSine:
        return t.unaryExpr([](double x) { return std::sin(x); });
      default:
        t = -t;
        exp_each(t.data(), t.size());
        return (1 + t.array()).inverse();
    }
  }

  [[nodiscard]] Matrix rbf(const Matrix& u) const {
    Matrix d2 = squared_distances(u, n_.A);
    d2 = -(d2 * n_.b.asDiagonal());
    exp_each(d2.data(), d2.size());
    return d2;
  }

  RandomNodes n_;
};

}  // namespace

Features random_node_features(RandomNodes nodes) { return std::make_shared<RandomNodeFeatures>(std::move(nodes)); }

Features load_random_nodes(const Archive& archive) {
  RandomNodes nodes{parse_name<Activation>(archive.text("activation")),
                    archive.matrix("nodes"),
                    archive.vector("bias"),
                    archive.vector("center"),
                    archive.number("scale"),
                    archive.number("direct_links") != 0};
  if (nodes.b.size() < 1 || nodes.A.rows() != nodes.b.size() || nodes.A.cols() != nodes.center.size() ||
      !(nodes.scale > 0) || (nodes.activation == Activation::kRbf && !(nodes.b.array() > 0).all()))
    throw IoError("the arrays of the random nodes do not fit together");
  return random_node_features(std::move(nodes));
}

}  // namespace foldout
