// SPDX-License-Identifier: Apache-2.0
#include "support/oracles.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "foldout/core/choices.h"
#include "neighbors/neighbors.h"

namespace foldout::oracle {
namespace {

ColMatrix centering(Index n) { return ColMatrix::Identity(n, n) - ColMatrix::Constant(n, n, 1.0 / double(n)); }

// The k first of the samples by (distance, index), `without` left out.
void sort_into(const Eigen::RowVectorXd& distances, Index without, Index i, NeighborTable& table) {
  std::vector<std::pair<double, int>> order;
  for (Index j = 0; j < distances.size(); ++j)
    if (j != without) order.emplace_back(distances[j], static_cast<int>(j));
  std::ranges::sort(order);
  for (Index j = 0; j < table.k; ++j) {
    table.distances[static_cast<std::size_t>(i * table.k + j)] = order[static_cast<std::size_t>(j)].first;
    table.indices[static_cast<std::size_t>(i * table.k + j)] = order[static_cast<std::size_t>(j)].second;
  }
}

NeighborTable empty_table(Index n, Index k) {
  const auto size = static_cast<std::size_t>(n * k);
  return {n, k, std::vector<int>(size), std::vector<double>(size)};
}

std::vector<Index> members(const NeighborTable& table, Index i, bool include_self) {
  std::vector<Index> list;
  if (include_self) list.push_back(i);
  for (const int j : table.of(i)) list.push_back(j);
  return list;
}

// The first d left singular vectors of the centred neighbourhood.
ColMatrix tangent(const Matrix& samples, const std::vector<Index>& list, Index d) {
  const ColMatrix centered = centering(static_cast<Index>(list.size())) * ColMatrix(samples(list, Eigen::all));
  return Eigen::JacobiSVD<ColMatrix>(centered, Eigen::ComputeFullU).matrixU().leftCols(d);
}

Fit largest_scaled(const ColMatrix& B, Index d) {
  const Pairs pairs = symmetric_eigenpairs(B);
  Fit fit{Matrix(B.rows(), d), Vector(d)};
  for (Index c = 0; c < d; ++c) {
    fit.eigenvalues[c] = pairs.values[B.rows() - 1 - c];
    fit.coordinates.col(c) = pairs.vectors.col(B.rows() - 1 - c) * std::sqrt(fit.eigenvalues[c]);
  }
  return fit;
}

}  // namespace

Pairs symmetric_eigenpairs(const ColMatrix& A) {
  const Eigen::SelfAdjointEigenSolver<ColMatrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Pairs generalised_eigenpairs(const ColMatrix& A, const ColMatrix& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<ColMatrix> solver(A, B);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector singular_values(const Matrix& A) { return Eigen::JacobiSVD<ColMatrix>(ColMatrix(A)).singularValues(); }

double distance(const Eigen::RowVectorXd& a, const Eigen::RowVectorXd& b, Metric metric) {
  switch (metric) {
    case Metric::kCosine:
      return (a.normalized() - b.normalized()).squaredNorm() / 2;
    case Metric::kCorrelation:
      return distance(a.array() - a.mean(), b.array() - b.mean(), Metric::kCosine);
    case Metric::kManhattan:
      return (a - b).lpNorm<1>();
    case Metric::kChebyshev:
      return (a - b).lpNorm<Eigen::Infinity>();
    case Metric::kEuclidean:
    case Metric::kPrecomputed:
      break;
  }
  return (a - b).norm();
}

Matrix distances(const Matrix& A, const Matrix& B, Metric metric) {
  Matrix D(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) D(i, j) = distance(A.row(i), B.row(j), metric);
  return D;
}

NeighborTable nearest(const Matrix& samples, const Matrix& queries, Index k, Metric metric) {
  const Matrix D = distances(queries, samples, metric);
  NeighborTable table = empty_table(queries.rows(), k);
  for (Index i = 0; i < queries.rows(); ++i) sort_into(D.row(i), -1, i, table);
  return table;
}

NeighborTable nearest_others(const Matrix& samples, Index k, Metric metric) {
  const Matrix D = distances(samples, samples, metric);
  NeighborTable table = empty_table(samples.rows(), k);
  for (Index i = 0; i < samples.rows(); ++i) sort_into(D.row(i), i, i, table);
  return table;
}

Matrix adjacency(const NeighborTable& table, bool mutual) {
  Matrix named = Matrix::Zero(table.n, table.n);
  for (Index i = 0; i < table.n; ++i)
    for (const int j : table.of(i)) named(i, j) = 1;
  const Matrix other = named.transpose();
  return mutual ? Matrix(named.cwiseMin(other)) : Matrix(named.cwiseMax(other));
}

Matrix heat(const Matrix& D, const Matrix& adjacency, double width) {
  return adjacency.array() * (-D.array().square() / width).exp();
}

Matrix geodesics(const Matrix& D, const Matrix& adjacency) {
  const Index n = D.rows();
  Matrix G = Matrix::Constant(n, n, std::numeric_limits<double>::infinity());
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i == j || adjacency(i, j) > 0) G(i, j) = i == j ? 0 : D(i, j);
  for (Index through = 0; through < n; ++through)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) G(i, j) = std::min(G(i, j), G(i, through) + G(through, j));
  return G;
}

Fit laplacian_eigenmaps(const Matrix& W, Index d) {
  const ColMatrix D = Vector(W.rowwise().sum()).asDiagonal();
  const Pairs pairs = generalised_eigenpairs(D - ColMatrix(W), D);
  return {pairs.vectors.middleCols(1, d), pairs.values.segment(1, d)};
}

Fit diffusion_maps(const Matrix& K, double alpha, int time, Index d) {
  const Vector q = Vector(K.rowwise().sum()).array().pow(-alpha);
  const ColMatrix Ka = q.asDiagonal() * ColMatrix(K) * q.asDiagonal();
  const Vector degrees = Ka.rowwise().sum();
  const ColMatrix P = degrees.cwiseInverse().asDiagonal() * Ka;
  const Eigen::EigenSolver<ColMatrix> solver(P);  // not symmetric: taken as it is defined
  std::vector<Index> order(static_cast<std::size_t>(K.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::ranges::sort(order, std::greater{}, [&](Index i) { return solver.eigenvalues()[i].real(); });
  Fit fit{Matrix(K.rows(), d), Vector(d)};
  const Vector stationary = degrees / degrees.sum();
  for (Index c = 0; c < d; ++c) {
    const Index at = order[static_cast<std::size_t>(c) + 1];
    Vector psi = solver.eigenvectors().col(at).real();
    psi /= std::sqrt(stationary.dot(psi.cwiseAbs2()));
    fit.eigenvalues[c] = solver.eigenvalues()[at].real();
    fit.coordinates.col(c) = std::pow(fit.eigenvalues[c], time) * psi;
  }
  return fit;
}

ColMatrix lle_matrix(const Matrix& samples, const NeighborTable& table, double reg) {
  ColMatrix IW = ColMatrix::Identity(table.n, table.n);
  for (Index i = 0; i < table.n; ++i) {
    const std::vector<Index> list = members(table, i, false);
    const ColMatrix Z = ColMatrix(samples(list, Eigen::all)).rowwise() - samples.row(i);
    ColMatrix G = Z * Z.transpose();
    G.diagonal().array() += reg * G.trace();
    Vector w = G.colPivHouseholderQr().solve(Vector::Ones(table.k));
    w /= w.sum();
    for (Index j = 0; j < table.k; ++j) IW(i, list[static_cast<std::size_t>(j)]) -= w[j];
  }
  return IW.transpose() * IW;
}

ColMatrix hessian_matrix(const Matrix& samples, const NeighborTable& table, Index d) {
  ColMatrix M = ColMatrix::Zero(table.n, table.n);
  const Index products = d * (d + 1) / 2;
  for (Index i = 0; i < table.n; ++i) {
    const std::vector<Index> list = members(table, i, true);
    const auto k = static_cast<Index>(list.size());
    const ColMatrix U = tangent(samples, list, d);
    ColMatrix F(k, 1 + d + products);
    F.col(0).setOnes();
    F.middleCols(1, d) = U;
    Index column = 1 + d;
    for (Index a = 0; a < d; ++a)
      for (Index b = a; b < d; ++b) F.col(column++) = U.col(a).cwiseProduct(U.col(b));
    const ColMatrix Q = Eigen::HouseholderQR<ColMatrix>(F).householderQ() * ColMatrix::Identity(k, F.cols());
    const ColMatrix H = Q.rightCols(products);
    M(list, list) += H * H.transpose();
  }
  return M;
}

ColMatrix ltsa_matrix(const Matrix& samples, const NeighborTable& table, Index d, bool include_self) {
  ColMatrix M = ColMatrix::Zero(table.n, table.n);
  for (Index i = 0; i < table.n; ++i) {
    const std::vector<Index> list = members(table, i, include_self);
    const ColMatrix U = tangent(samples, list, d);
    M(list, list) += centering(static_cast<Index>(list.size())) - U * U.transpose();
  }
  return M;
}

Fit bottom(const ColMatrix& M, Index d) {
  const Pairs pairs = symmetric_eigenpairs(M);
  return {pairs.vectors.middleCols(1, d) * std::sqrt(static_cast<double>(M.rows())), pairs.values.segment(1, d)};
}

Fit classical_scaling(const Matrix& D, Index d) {
  const ColMatrix J = centering(D.rows());
  return largest_scaled(-0.5 * J * ColMatrix(D.cwiseAbs2()) * J, d);
}

Fit kernel_pca(const Matrix& K, Index d) {
  const ColMatrix J = centering(K.rows());
  return largest_scaled(J * ColMatrix(K) * J, d);
}

Fit landmark_isomap(const Matrix& G, const std::vector<Index>& landmarks, Index d) {
  const Matrix among = G(landmarks, landmarks);
  const Fit scaled = classical_scaling(among, d);
  const ColMatrix pseudo_inverse = scaled.eigenvalues.cwiseInverse().asDiagonal() * scaled.coordinates.transpose();
  const Vector means = among.cwiseAbs2().colwise().mean();
  Fit fit{Matrix(G.rows(), d), scaled.eigenvalues};
  for (Index i = 0; i < G.rows(); ++i) {
    const Vector squares = Vector(G.row(i)(landmarks)).cwiseAbs2();
    fit.coordinates.row(i) = (-0.5 * pseudo_inverse * (squares - means)).transpose();
  }
  return fit;
}

double subspace_gap(const Matrix& A, const Matrix& B) {
  const ColMatrix QA = Eigen::HouseholderQR<ColMatrix>(A).householderQ() * ColMatrix::Identity(A.rows(), A.cols());
  const ColMatrix QB = Eigen::HouseholderQR<ColMatrix>(B).householderQ() * ColMatrix::Identity(B.rows(), B.cols());
  return singular_values(QA - QB * (QB.transpose() * QA))[0];
}

double difference_up_to_sign(const Matrix& A, const Matrix& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (Index c = 0; c < A.cols(); ++c)
    worst = std::max(
        worst, std::min((A.col(c) - B.col(c)).cwiseAbs().maxCoeff(), (A.col(c) + B.col(c)).cwiseAbs().maxCoeff()));
  return worst / B.cwiseAbs().maxCoeff();
}

double procrustes(const Matrix& A, const Matrix& B) {
  ColMatrix a = centering(A.rows()) * ColMatrix(A), b = centering(B.rows()) * ColMatrix(B);
  a /= a.norm();
  b /= b.norm();
  const double shared = singular_values(a.transpose() * b).sum();
  return 1 - shared * shared;
}

}  // namespace foldout::oracle
