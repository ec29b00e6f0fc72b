// SPDX-License-Identifier: Apache-2.0
#include "graph/geodesic_rows.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/parallel.h"
#include "graph/affinity.h"
#include "graph/geodesics.h"
#include "support/datasets.h"

namespace foldout {
namespace {

SparseMatrix knn_graph(const Matrix& X) {
  Report report;
  return build_distance_graph(X, {.n_neighbors = 8}, {}, report).lengths;
}

Matrix table_of(const SparseMatrix& lengths) {
  std::vector<Index> all(static_cast<std::size_t>(lengths.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  return geodesic_distances(lengths, all);
}

Matrix gathered(GeodesicRows& rows, Index n, int n_threads) {
  Matrix D(n, n);
  parallel_for(4 * n, {.n_threads = n_threads}, [&](Index i) {
    const Index node = i % n;
    const double* row = rows.row(node);  // several threads ask for the same row
    if (i < n) D.row(node) = Eigen::Map<const Eigen::RowVectorXd>(row, n);
  });
  return D;
}

TEST(GeodesicRows, AreThoseOfTheWholeTable) {
  // By Dijkstra's algorithm: few samples, or samples of many features; by elimination: a surface.
  for (const Matrix& X : {dataset::roll(30), Matrix(Matrix::Random(150, 40)), dataset::roll(203)}) {
    const SparseMatrix lengths = knn_graph(X);
    const Matrix table = table_of(lengths);
    for (const int n_threads : {1, 4}) {
      GeodesicRows rows(lengths, nullptr);
      EXPECT_TRUE(dataset::same_bits(gathered(rows, X.rows(), n_threads), table)) << X.rows() << " " << n_threads;
    }
  }
}

TEST(GeodesicRows, OfAGivenTableAreNotComputed) {
  const SparseMatrix lengths = knn_graph(dataset::roll(40));
  const auto table = std::make_shared<const Matrix>(Matrix::Ones(40, 40));
  GeodesicRows rows(lengths, table);
  EXPECT_EQ(rows.row(7), table->row(7).data());
}

}  // namespace
}  // namespace foldout
