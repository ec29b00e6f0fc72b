// SPDX-License-Identifier: Apache-2.0
// x ↦ φ(x): the features that an explicit map multiplies by a matrix.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "core/archive.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/types.h"
#include "foldout/maps/explicit_map.h"
#include "linalg/kernel.h"

namespace foldout {

/// Row i of apply() must not depend on the other rows.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;
  [[nodiscard]] virtual Index n_inputs() const = 0;
  [[nodiscard]] virtual Index n_outputs() const = 0;
  [[nodiscard]] virtual Matrix apply(const MatrixRef& samples) const = 0;
  virtual void save(Archive& archive) const = 0;
  /// Reports the samples for which these features are meaningless.
  virtual void remark(const MatrixRef& /*samples*/, Tally& /*tally*/) const {}
  /// The samples that define the features, if any; otherwise null.
  [[nodiscard]] virtual const Matrix* samples() const { return nullptr; }
};

/// The sample itself.
[[nodiscard]] Features identity_features(Index n_inputs);

/// The kernel row of x over `samples`, centred in feature space or not.
[[nodiscard]] Features kernel_features(Matrix samples, const Kernel& kernel);
[[nodiscard]] Features kernel_features(Matrix samples, const Kernel& kernel, const KernelCentering& centering);

/// The squared distances of x to `samples`, in a metric. Precomputed: x is its row of distances to the samples, of
/// which only the number of columns counts.
[[nodiscard]] Features squared_distance_features(Matrix samples, Metric metric);

/// x is its row of kernel values with the training samples, centred in feature space.
[[nodiscard]] Features precomputed_kernel_features(const KernelCentering& centering);

/// All monomials of degree 1 … p in the features: the highest degree first, in the order of their exponents.
[[nodiscard]] Features polynomial_features(Index n_inputs, int degree);
/// Their number, C(n + p, p) − 1, as a double: it may be huge.
[[nodiscard]] double n_monomials(Index n_inputs, int degree);

/// x^p, …, x², x feature by feature (Hadamard powers).
[[nodiscard]] Features hadamard_features(Index n_inputs, int degree);

/// The features of x/‖x‖. If samples define the inner features, there at unit length, `samples` are the same samples as
/// given; empty: they are not known.
[[nodiscard]] Features on_unit_rows(Features inner, Matrix samples = {});

/// The hidden layer of a network with random nodes: with u = (x − center) / scale, node l outputs g(a_lᵀu + b_l) with g
/// the sigmoid 1/(1+e^(−t)), tanh or sine; or exp(−b_l ‖u − a_l‖²) for rbf.
struct RandomNodes {
  Activation activation = Activation::kSigmoid;
  Matrix A;  ///< one row per node
  Vector b;
  Vector center;
  double scale = 1;
  bool direct_links = false;  ///< u itself follows the nodes: a random vector functional link network
};
[[nodiscard]] Features random_node_features(RandomNodes nodes);

/// Throws IoError if this version does not know the features or their arrays do not fit together.
[[nodiscard]] Features load_features(const Archive& archive, Index n_inputs);

}  // namespace foldout
