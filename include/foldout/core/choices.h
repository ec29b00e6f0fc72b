// SPDX-License-Identifier: Apache-2.0
// The enumerations that several components share, with the names of their values.
#pragma once

#include <array>
#include <string_view>

#include "foldout/core/fields.h"

namespace [[gnu::visibility("default")]] foldout {

/// Distance between samples. cosine: 1 − cos, for samples of any nonzero length; correlation: 1 − Pearson's r, the
/// cosine distance of samples from which their own mean is subtracted; manhattan: Σ|x_i − y_i|; chebyshev: max|x_i −
/// y_i|. precomputed: the samples are given as rows of distances to the training samples.
enum class Metric { kEuclidean, kCosine, kCorrelation, kManhattan, kChebyshev, kPrecomputed };
template <>
inline constexpr auto kNames<Metric> =
    std::array<std::string_view, 6>{"euclidean", "cosine", "correlation", "manhattan", "chebyshev", "precomputed"};

/// How neighbours are found; auto uses a KD-tree for up to 10 features and blocked products above.
enum class NeighborSearch { kAuto, kBruteForce, kKdTree, kApproximate };
template <>
inline constexpr auto kNames<NeighborSearch> =
    std::array<std::string_view, 4>{"auto", "brute_force", "kd_tree", "approximate"};

/// knn: i and j are joined if either is among the k nearest of the other; mutual: if both are; ball: within `radius`;
/// full: all pairs; l1: if either has a nonzero coefficient in the sparse code of the other; the codes are the weights.
enum class GraphKind { kKnn, kMutual, kBall, kFull, kL1 };
template <>
inline constexpr auto kNames<GraphKind> = std::array<std::string_view, 5>{"knn", "mutual", "ball", "full", "l1"};

/// heat: exp(−d²/width); binary: 1; cosine: the cosine of the two samples, with negative values set to 0.
enum class EdgeWeights { kHeat, kBinary, kCosine };
template <>
inline constexpr auto kNames<EdgeWeights> = std::array<std::string_view, 3>{"heat", "binary", "cosine"};

/// The automatic width is the mean squared distance over the edges or over all pairs; auto: pairs for full graphs.
enum class WidthRule { kAuto, kEdges, kPairs };
template <>
inline constexpr auto kNames<WidthRule> = std::array<std::string_view, 3>{"auto", "edges", "pairs"};

/// How a disconnected neighbourhood graph is handled: join the components, embed the largest, or refuse.
enum class Components { kConnect, kLargest, kError };
template <>
inline constexpr auto kNames<Components> = std::array<std::string_view, 3>{"connect", "largest", "error"};

enum class EigenSolver { kAuto, kDense, kShiftInvert, kLanczos, kMultigrid };
template <>
inline constexpr auto kNames<EigenSolver> =
    std::array<std::string_view, 5>{"auto", "dense", "shift_invert", "lanczos", "multigrid"};

/// gaussian exp(−‖x−y‖²/width), polynomial (xᵀy + 1)^degree, linear xᵀy; precomputed: the samples are given as rows of
/// kernel values with the training samples.
enum class KernelKind { kGaussian, kPolynomial, kLinear, kPrecomputed };
template <>
inline constexpr auto kNames<KernelKind> =
    std::array<std::string_view, 4>{"gaussian", "polynomial", "linear", "precomputed"};

/// What an explicit map is linear in: the sample, its kernel row, all monomials up to a degree, or powers of single
/// features.
enum class FeatureKind { kLinear, kKernel, kPolynomial, kHadamard };
template <>
inline constexpr auto kNames<FeatureKind> =
    std::array<std::string_view, 4>{"linear", "kernel", "polynomial", "hadamard"};

/// Where neighbours and weights are computed: among the samples or among their features.
enum class GraphSpace { kInput, kFeatures };
template <>
inline constexpr auto kNames<GraphSpace> = std::array<std::string_view, 2>{"input", "features"};

/// The initial atoms of a dictionary: k-means centres, or samples drawn at random.
enum class DictionaryStart { kKmeans, kSamples };
template <>
inline constexpr auto kNames<DictionaryStart> = std::array<std::string_view, 2>{"kmeans", "samples"};

/// Activation of the hidden nodes of a network: the sigmoid 1/(1+e^(−t)), tanh, sine, or a radial basis function.
enum class Activation { kSigmoid, kTanh, kSine, kRbf };
template <>
inline constexpr auto kNames<Activation> = std::array<std::string_view, 4>{"sigmoid", "tanh", "sine", "rbf"};

}  // namespace foldout
