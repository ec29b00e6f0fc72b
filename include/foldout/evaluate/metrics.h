// SPDX-License-Identifier: Apache-2.0
// Metrics of samples, coordinates and labels, independent of methods.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

// Do neighbours in the data X stay neighbours in the coordinates Y? Distances are Euclidean, ties are broken by index.

struct NeighborhoodOptions {
  int n_neighbors = 5;  ///< k, 1 … ; below half of the samples for trustworthiness and continuity
};

/// Are the neighbours in Y neighbours in X? (Venna and Kaski 2001)
/// 1 − 2/(nk(2n − 3k − 1)) Σ_i Σ_j (r(i, j) − k) over the j among the k nearest of i in Y whose rank r(i, j) in X
/// exceeds k. Memory is that of a few rows of the distance matrix.
[[nodiscard]] double trustworthiness(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options = {},
                                     const RunContext& context = {});

/// Are the neighbours in X neighbours in Y? trustworthiness with X and Y exchanged.
[[nodiscard]] double continuity(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options = {},
                                const RunContext& context = {});

/// The mean fraction of the k nearest in X that are among the k nearest in Y.
[[nodiscard]] double neighbor_overlap(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options = {},
                                      const RunContext& context = {});

// The dimension of the manifold that the samples lie on, estimated from distances to nearest neighbours; equal samples
// count once.

/// By maximum likelihood over k neighbours (Levina and Bickel 2004; inverses averaged as by MacKay and Ghahramani
/// 2005): the inverse of the mean of log(T_k(i)/T_j(i)) over samples i and j = 1 … k − 1, T_j the distance to the j-th
/// nearest.
[[nodiscard]] double intrinsic_dimension(const MatrixRef& X, const NeighborhoodOptions& options = {},
                                         const RunContext& context = {});

/// By the ratio μ of the distances to the two nearest (Facco et al. 2017): the slope of −log(1 − i/n) against the i-th
/// smallest log μ, through the origin, without the largest tenth.
[[nodiscard]] double two_neighbor_dimension(const MatrixRef& X, const RunContext& context = {});

// How well two sets of coordinates match after shift, rotation or reflection, and scale are removed. Row i of A and row
// i of B are the same sample; if the widths differ, the narrower is padded with zeros.

/// x ↦ scale · (x − from_mean) rotation + to_mean, with an orthogonal `rotation`, which may reflect.
struct Similarity {
  Eigen::RowVectorXd from_mean, to_mean;
  Matrix rotation;
  double scale = 1;

  /// Transforms the rows of `samples`; narrower samples are padded with zeros.
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const;
};

/// The similarity that minimises ‖to − transformed from‖_F (Schönemann 1966; Gower 1975). The scale is 0 if all rows of
/// `from` are equal.
[[nodiscard]] Similarity fit_similarity(const MatrixRef& from, const MatrixRef& to);

/// min over shift t, rotation or reflection R and scale s of ‖B − sAR − t‖²_F / ‖B − mean‖²_F, in [0, 1].
/// The same for (A, B) and (B, A); scipy.spatial.procrustes calls it disparity.
[[nodiscard]] double procrustes(const MatrixRef& A, const MatrixRef& B);

/// min over rotation or reflection Q of ‖AQ − B‖_F / ‖B‖_F.
[[nodiscard]] double alignment(const MatrixRef& A, const MatrixRef& B);

/// The deviation of new samples from their coordinates in a batch run (an embedding of all samples). The similarity is
/// fitted only on the training rows, train → batch_train, and applied to the new ones:
/// ‖transformed fresh − batch_fresh‖_F / ‖batch_fresh − mean of batch_train‖_F.
[[nodiscard]] double placement(const MatrixRef& train, const MatrixRef& fresh, const MatrixRef& batch_train,
                               const MatrixRef& batch_fresh);

/// ‖A − B‖_F / √N
[[nodiscard]] double rmse(const MatrixRef& A, const MatrixRef& B);

/// The mean over the samples i of the residual 1 − ‖X_iᵀY_i‖²_* / (‖X_i‖²_F ‖Y_i‖²_F) of the best shift, rotation and
/// scale between the neighbourhood of i in the data X (i and its k nearest, centred) and the same samples' coordinates
/// Y (Goldberg and Ritov 2009, local Procrustes analysis, conformal form). A neighbourhood that is a single point in
/// one of the two counts as 1, in both as 0.
[[nodiscard]] double local_procrustes(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options = {},
                                      const RunContext& context = {});

// How well labels match the true ones.

/// The fraction of samples whose predicted label is the true one.
[[nodiscard]] double accuracy(const std::vector<std::string>& predicted, const std::vector<std::string>& truth);

/// The fraction of samples in the wrong cluster under the best one-to-one assignment of clusters to classes (the
/// assignment problem, solved exactly; Kuhn 1955). Their numbers may differ: samples of unmatched ones count as wrong.
[[nodiscard]] double clustering_error(const std::vector<std::string>& clusters, const std::vector<std::string>& truth);

struct NeighborAccuracyOptions {
  int n_neighbors = 1;  ///< nearest training samples that vote, 1 … n; ties go to the nearest sample
};

/// The recognition rate of the nearest-neighbour rule: the fraction of new samples whose nearest training samples vote
/// for their true label.
[[nodiscard]] double neighbor_accuracy(const MatrixRef& train, const std::vector<std::string>& train_labels,
                                       const MatrixRef& fresh, const std::vector<std::string>& fresh_labels,
                                       const NeighborAccuracyOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
