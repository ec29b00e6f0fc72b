// SPDX-License-Identifier: Apache-2.0
// Private: the features of the training samples, and the map of a solution in feature space.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/keys.h"
#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"
#include "project/graph_embedding.h"

namespace foldout {

/// The ridge of a maximum is on the denominator of the quotient, that of a minimum on its numerator, the cost (see
/// graph_embedding.h).
inline constexpr Key kRidgeOnDenominator{
    "ridge", "ridge on the denominator of the quotient, in feature space, relative to trace/rank", "", 0};
inline constexpr Key kRidgeOnCost{"ridge", "ridge on the cost, in feature space, relative to trace/rank", "", 0};

struct FeatureOptions {
  FeatureKind features = FeatureKind::kLinear;
  KernelKind kernel = KernelKind::kGaussian;
  std::optional<double> width = {};
  int degree = 2;
  bool unit_rows = false;  // samples are normalised to length 1 first
  bool center = true;      // of kernels, in feature space
};

template <class Options>
[[nodiscard]] FeatureOptions feature_options(const Options& o) {
  return {o.features, o.kernel, o.width, o.degree};
}

/// The keys of features, for methods without a graph.
template <class Options>
[[nodiscard]] Fields with_features(Fields own, Options& o) {
  static constexpr Key kernel{
      .name = "kernel",
      .meaning = "kernel of kernel features: gaussian exp(−‖x−y‖²/width), polynomial (xᵀy+1)^degree, or linear",
      .elsewhere = key::kKernelElsewhere};
  static constexpr Key width{
      "width", "β of Gaussian kernels and of heat weights; auto: the mean squared distance", "β", 0, 1e300, true};
  static constexpr Key features{
      "features", "features the map is linear in: the sample, its kernel row, monomials, or powers of single features"};
  static constexpr Key degree{"degree", "degree of the polynomial kernel and of polynomial features", "p", 1, 20};
  own.insert(own.end(),
             {{features, o.features}, {kernel, o.kernel, key::kSampleKernels}, {width, o.width}, {degree, o.degree}});
  return own;
}

/// The keys of features and of the space of the graph, for the other explicit maps.
template <class Options>
[[nodiscard]] Fields with_feature_keys(Fields own, Options& o) {
  static constexpr Key graph_space{"graph_space", "space in which neighbours and weights are computed"};
  own = with_features(std::move(own), o);
  own.emplace_back(graph_space, o.graph_space);
  return own;
}

/// Φ and how to compute it for new samples: φ(x) = map(x)·lift (lift empty: map(x) itself). A kernel's features are its
/// explicit empirical map: with the centred K = E Λ Eᵀ, Φ = E Λ^½ and φ(x) = k_c(x)ᵀ E Λ^(−½).
struct TrainingFeatures {
  Matrix Phi;
  Features map;
  Matrix lift;
  Matrix uncut;  // of a kernel: Φ including small eigenvalues, for neighbours and weights

  /// The points whose neighbours and weights are computed.
  [[nodiscard]] MatrixRef points(const MatrixRef& samples, GraphSpace space) const {
    if (space == GraphSpace::kInput) return samples;
    return uncut.size() > 0 ? MatrixRef(uncut) : MatrixRef(Phi);
  }
};

/// Throws InvalidArgument, with the size, if the features do not fit into memory.
[[nodiscard]] TrainingFeatures make_training_features(const MatrixRef& samples, const FeatureOptions& options,
                                                      std::string_view method, const RunContext& context);

/// The features of the samples that a graph keeps (`kept`; empty: all), which are fewer with components=largest.
[[nodiscard]] TrainingFeatures features_of_kept(TrainingFeatures all, const MatrixRef& samples,
                                                const std::vector<Index>& kept, const FeatureOptions& options,
                                                std::string_view method, const RunContext& context);

/// Solves, makes a map of the solution and places the training samples by it, also those that `features` leave out.
/// `scale` multiplies every coordinate.
[[nodiscard]] ProjectionFit project(const MatrixRef& samples, const TrainingFeatures& features,
                                    const GraphEmbeddingProblem& problem, const GraphEmbeddingOptions& options,
                                    double scale, Report report, const RunContext& context);

/// The same for a solution that was found before.
[[nodiscard]] ProjectionFit place_training_samples(const MatrixRef& samples, const TrainingFeatures& features,
                                                   GraphEmbeddingSolution solution,
                                                   const GraphEmbeddingOptions& options, double scale, Report report,
                                                   const RunContext& context);

/// Throws InvalidArgument if a class graph has no edges.
void require_edges(const SparseMatrix& W, std::string_view method);

/// At least two classes, one label per sample.
void require_classes(const std::vector<int>& labels, Index n_samples, std::string_view method);

}  // namespace foldout
