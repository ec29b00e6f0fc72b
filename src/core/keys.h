// SPDX-License-Identifier: Apache-2.0
// The keys that several components share.
#pragma once

#include "foldout/core/choices.h"
#include "foldout/core/fields.h"

namespace foldout::key {

inline constexpr Key n_components{"n_components", "coordinates per sample", "d", 1};
inline constexpr Key n_neighbors{"n_neighbors", "neighbours per sample", "k", 1};
inline constexpr Key fraction_or_components{
    "n_components", "coordinates per sample, or as many as explain more than a fraction of the variance, such as 0.95",
    "d", 1};
inline constexpr Key metric{
    .name = "metric",
    .meaning = "distance between samples: cosine is 1 − cos, correlation 1 − r, manhattan Σ|x−y|, chebyshev max|x−y|",
    .elsewhere = "distances are accepted by isomap, mds, laplacian_eigenmaps and diffusion_maps"};
inline constexpr Key metric_or_distances{
    "metric",
    "distance between samples: cosine is 1 − cos, correlation 1 − r, manhattan Σ|x−y|, chebyshev max|x−y|; "
    "precomputed: the samples are rows of distances to the training samples"};
/// The metrics that apply to samples themselves.
inline constexpr std::size_t kSampleMetrics = static_cast<std::size_t>(Metric::kPrecomputed);
inline constexpr Key search{"search",
                            "how neighbours are found: auto uses a KD-tree for up to 10 features and blocked products "
                            "above; approximate is a small-world graph"};
inline constexpr Key components{
    "components",
    "how a disconnected neighbourhood graph is handled: join its components by the shortest bridges, "
    "embed the largest and place the rest, or refuse"};
inline constexpr Key solver{"solver",
                            "eigensolver: auto chooses by size and by the fill of the sparse factor; the report states "
                            "which was used"};
inline constexpr Key seed{"seed", "seed of all random choices", "", 0};
inline constexpr Key graph{"graph",
                           "which samples are joined: k nearest neighbours of either or of each other, those within a "
                           "ball, all pairs, or by sparse codes, which are then the weights"};
inline constexpr Key radius{
    "radius", "radius of the ball graph; auto: the longest distance to a k-th neighbour", "ε", 0, 1e300, true};
inline constexpr Key weights{"weights", "edge weights: heat is exp(−‖x−y‖²/width)", "W"};
inline constexpr Key width{"width", "β of the heat kernel; auto: the mean squared distance", "β", 0, 1e300, true};
inline constexpr Key width_rule{"width_rule",
                                "what width=auto averages over: edges, all pairs, or auto (pairs for full graphs)"};
inline constexpr Key self_loops{"self_loops", "whether W_ii is 1 instead of 0"};
inline constexpr Key reg{"reg", "regularisation of the local Gram matrix, relative to its trace", "", 0};
inline constexpr char kKernelElsewhere[] = "a kernel matrix is accepted by kpca";
inline constexpr Key kernel{.name = "kernel",
                            .meaning = "gaussian exp(−‖x−y‖²/width), polynomial (xᵀy+1)^degree, or linear; centred",
                            .elsewhere = kKernelElsewhere};
/// The kernels of samples themselves.
inline constexpr std::size_t kSampleKernels = static_cast<std::size_t>(KernelKind::kPrecomputed);
inline constexpr Key kernel_width{
    "width", "β of the Gaussian; auto: the mean squared distance of all pairs", "β", 0, 1e300, true};
inline constexpr Key intercept{"intercept", "whether to add a constant, the mean of the coordinates"};
inline constexpr Key ridge{
    "ridge", "ridge of the regression, relative to trace/rank; auto (where allowed): by leave-one-out", "", 0};
inline constexpr Key degree{"degree", "degree of the polynomial kernel", "p", 1, 20};

}  // namespace foldout::key
