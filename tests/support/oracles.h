// SPDX-License-Identifier: Apache-2.0
// Slow, obvious versions of what the library does fast: dense matrices, full sorts, every definition as it is printed.
// Everything heavy is compiled once, in oracles.cpp.
#pragma once

#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/types.h"
#include "neighbors/neighbors.h"

namespace foldout::oracle {

struct Pairs {
  Vector values;  ///< ascending
  ColMatrix vectors;
};
Pairs symmetric_eigenpairs(const ColMatrix& A);
/// A v = λ B v, vᵀBv = 1.
Pairs generalised_eigenpairs(const ColMatrix& A, const ColMatrix& B);
Vector singular_values(const Matrix& A);

/// All distances, each from the differences of two samples (cosine: 1 − cos).
Matrix distances(const Matrix& A, const Matrix& B, Metric metric = Metric::kEuclidean);
/// Full sort by (distance, index).
NeighborTable nearest(const Matrix& samples, const Matrix& queries, Index k, Metric metric = Metric::kEuclidean);
/// The same for samples among themselves: sample i is not in list i.
NeighborTable nearest_others(const Matrix& samples, Index k, Metric metric = Metric::kEuclidean);

/// 0/1: i and j are joined if either (mutual: each) names the other.
Matrix adjacency(const NeighborTable& table, bool mutual);
/// exp(−d²/width) on the edges, 0 elsewhere.
Matrix heat(const Matrix& distances, const Matrix& adjacency, double width);
/// Floyd-Warshall; infinity where there is no path.
Matrix geodesics(const Matrix& distances, const Matrix& adjacency);

struct Fit {
  Matrix coordinates;
  Vector eigenvalues;
};
/// L z = λ D z without the trivial solution, smallest λ first, ZᵀDZ = I.
Fit laplacian_eigenmaps(const Matrix& W, Index d);
/// Eigenvectors of the row-stochastic P, largest eigenvalue first; see embed/diffusion_maps.cpp for the scaling.
Fit diffusion_maps(const Matrix& K, double alpha, int time, Index d);

/// (I−W)ᵀ(I−W) with the regularised weights of each sample over its neighbours.
ColMatrix lle_matrix(const Matrix& samples, const NeighborTable& table, double reg);
/// Σ H Hᵀ, H the last columns of a thin QR of [1, U, products of U]; the sample belongs to its neighbourhood.
ColMatrix hessian_matrix(const Matrix& samples, const NeighborTable& table, Index d);
/// Σ (I − G Gᵀ), G = [1/√k, U] with U from the full SVD of the centred neighbourhood.
ColMatrix ltsa_matrix(const Matrix& samples, const NeighborTable& table, Index d, bool include_self);
/// √n times the eigenvectors of the smallest eigenvalues but the first.
Fit bottom(const ColMatrix& M, Index d);

/// √λ v of −½ J D² J.
Fit classical_scaling(const Matrix& distances, Index d);
/// √λ v of the centred kernel matrix J K J.
Fit kernel_pca(const Matrix& K, Index d);
/// Classical scaling of the landmarks, then −½ L# (δ² − mean δ²) for every sample.
Fit landmark_isomap(const Matrix& geodesics, const std::vector<Index>& landmarks, Index d);

/// Sine of the largest angle between the column spaces.
double subspace_gap(const Matrix& A, const Matrix& B);
/// max |A − B| / max |B|, each column of A turned to the sign that fits better.
double difference_up_to_sign(const Matrix& A, const Matrix& B);
/// What is left of B after the best shift, rotation or reflection, and scale of A, as a part of its variance.
double procrustes(const Matrix& A, const Matrix& B);

}  // namespace foldout::oracle
