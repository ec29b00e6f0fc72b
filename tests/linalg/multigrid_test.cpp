// SPDX-License-Identifier: Apache-2.0
#include "linalg/multigrid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "foldout/core/error.h"
#include "linalg/aggregation.h"
#include "linalg/eigenpairs.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

struct Edge {
  Index from, to;
  double weight = 1;
};

SparseMatrix laplacian(Index n, const std::vector<Edge>& edges) {
  std::vector<Eigen::Triplet<double, int>> entries;
  const auto add = [&](Index i, Index j, double value) {
    entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  };
  for (const auto& [i, j, w] : edges) {
    add(i, i, w);
    add(j, j, w);
    add(i, j, -w);
    add(j, i, -w);
  }
  SparseMatrix L(n, n);
  L.setFromTriplets(entries.begin(), entries.end());
  return L;
}

// Of a grid of a × b nodes; opposite sides are joined where `ring` says so.
SparseMatrix grid(Index a, Index b, std::pair<bool, bool> ring = {}, double across = 1) {
  std::vector<Edge> edges;
  for (Index i = 0; i < a; ++i)
    for (Index j = 0; j < b; ++j) {
      if (i + 1 < a || (ring.first && a > 2)) edges.push_back({i * b + j, (i + 1) % a * b + j, across});
      if (j + 1 < b || (ring.second && b > 2)) edges.push_back({i * b + j, i * b + (j + 1) % b});
    }
  return laplacian(a * b, edges);
}

// Grids of 12 × 12 nodes in a row, joined by single edges.
SparseMatrix clusters(Index count, double bridge) {
  constexpr Index kSide = 12, kSize = kSide * kSide;
  std::vector<Edge> edges;
  for (Index c = 0; c < count; ++c) {
    for (Index i = 0; i < kSide; ++i)
      for (Index j = 0; j < kSide; ++j) {
        const Index node = c * kSize + i * kSide + j;
        if (i + 1 < kSide) edges.push_back({node, node + kSide});
        if (j + 1 < kSide) edges.push_back({node, node + 1});
      }
    if (c > 0) edges.push_back({c * kSize - 1, c * kSize, bridge});
  }
  return laplacian(count * kSize, edges);
}

// Random points of a square, joined to those nearby, with weights over three orders of magnitude.
SparseMatrix random_surface(Index n) {
  Rng rng(4);
  Matrix X = rng.uniform_matrix(n, 2);
  std::vector<Edge> edges;
  const double reach = 3 / std::sqrt(static_cast<double>(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      if (const double d = (X.row(i) - X.row(j)).norm(); d < reach) edges.push_back({i, j, std::exp(-7 * d / reach)});
  for (Index i = 1; i < n; ++i) edges.push_back({i - 1, i, 1e-3});  // connects it
  return laplacian(n, edges);
}

// D^(−½) L D^(−½) with D the degrees, and its null vector.
std::pair<SparseMatrix, ColMatrix> normalized(const SparseMatrix& L) {
  const Vector scale = Vector(L.diagonal()).cwiseSqrt().cwiseInverse();
  return {scale.asDiagonal() * L * scale.asDiagonal(), scale.cwiseInverse().normalized()};
}

ColMatrix constant(Index n) { return Vector::Constant(n, 1 / std::sqrt(static_cast<double>(n))); }

TEST(Aggregates, CoverAllNodesInConnectedGroups) {
  for (const SparseMatrix& A : {grid(20, 31), random_surface(500), clusters(3, 1e-9), SparseMatrix(grid(1, 9))}) {
    const Aggregates found = aggregate(A);
    std::set<int> used(found.of.begin(), found.of.end());
    EXPECT_EQ(*used.begin(), 0);
    EXPECT_EQ(*used.rbegin(), found.count - 1);
    EXPECT_EQ(std::ssize(used), found.count);
    EXPECT_LT(found.count, A.rows() / 2);
  }
}

TEST(Aggregates, DoNotJoinNodesAcrossWeakEdges) {
  const Aggregates found = aggregate(clusters(4, 1e-6));
  for (Index c = 1; c < 4; ++c)
    EXPECT_NE(found.of[static_cast<std::size_t>(c * 144 - 1)], found.of[static_cast<std::size_t>(c * 144)]);
}

TEST(BreadthFirstOrder, IsAPermutationWithNeighborsNearby) {
  const SparseMatrix A = grid(30, 30);
  Rng rng(1);
  const auto shuffle = rng.permutation(900);
  const SparseMatrix shuffled = in_order(A, {shuffle.begin(), shuffle.end()}, {});
  EXPECT_LT((ColMatrix(shuffled) - ColMatrix(A)(shuffle, shuffle)).norm(), 1e-15);
  const auto order = breadth_first_order(shuffled);
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 900U);
  const ColMatrix near = in_order(shuffled, order, {});
  for (Index i = 0; i < 900; ++i)
    for (Index j = 0; j < i; ++j) ASSERT_TRUE(near(i, j) == 0 || i - j < 130) << i << " " << j;
}

TEST(Multigrid, SolvesInAFewCycles) {
  for (const SparseMatrix& A : {grid(40, 40), grid(2000, 1), random_surface(2000)}) {
    const Index n = A.rows();
    const auto multigrid = Multigrid::make(A, constant(n).col(0), {});
    ASSERT_TRUE(multigrid);
    EXPECT_LT(multigrid->complexity(), 1.7);
    constexpr Index kWidth = 4;
    auto work = multigrid->workspace(kWidth);
    Matrix F = Rng(2).normal_matrix(n, kWidth), X = Matrix::Zero(n, kWidth);
    F.rowwise() -= F.colwise().mean().eval();
    for (int cycle = 0; cycle < 12; ++cycle) {
      const Matrix R = F - A * X;
      for (Index e = 0; e < R.size(); ++e) work[0].F[static_cast<std::size_t>(e)] = static_cast<float>(R.data()[e]);
      multigrid->apply(work, kWidth, {});
      for (Index e = 0; e < R.size(); ++e) X.data()[e] += work[0].X[static_cast<std::size_t>(e)];
    }
    EXPECT_LT((F - A * X).norm(), 1e-3 * F.norm()) << n;
  }
}

TEST(Multigrid, RefusesMatricesWithoutCoarseLevels) {
  std::vector<Edge> pairs;
  for (Index i = 0; i < 800; i += 2) pairs.push_back({i, i + 1});
  EXPECT_FALSE(Multigrid::make(laplacian(800, pairs), constant(800).col(0), {}));
  const SparseMatrix diagonal = Matrix(Matrix::Identity(600, 600)).sparseView();
  EXPECT_FALSE(Multigrid::make(diagonal, constant(600).col(0), {}));
  EXPECT_FALSE(Multigrid::make(grid(5, 5), constant(25).col(0), {}));  // small enough already
}

struct Problem {
  const char* name;
  SparseMatrix A;
  ColMatrix trivial;
};

std::vector<Problem> structured_problems() {
  std::vector<Problem> problems;
  const auto add = [&](const char* name, SparseMatrix L) {
    problems.push_back({name, L, constant(L.rows())});
    auto [A, trivial] = normalized(L);
    problems.push_back({name, std::move(A), std::move(trivial)});
  };
  add("line", grid(900, 1));
  add("ring", grid(900, 1, {true, false}));
  add("square", grid(30, 30));  // every eigenvalue of (i, j), i ≠ j, is double
  add("torus", grid(30, 30, {true, true}));
  add("long torus", grid(20, 44, {true, true}));
  add("stretched grid", grid(25, 40, {}, 1e-3));
  add("clusters", clusters(7, 1e-4));
  add("surface", random_surface(1000));
  return problems;
}

TEST(SmallestEigenpairs, OfStructuredLaplaciansByMultigridAgreeWithTheDenseSolution) {
  for (const auto& [name, A, trivial] : structured_problems()) {
    const oracle::Pairs expected = oracle::symmetric_eigenpairs(ColMatrix(A));
    for (const Index k : {1, 2, 3, 4, 6, 9}) {
      const Eigenpairs pairs = smallest_eigenpairs(A, trivial, {.n_pairs = k, .solver = EigenSolver::kMultigrid});
      // Across the weak edges there are no coarse levels; 14 eigenvalues of the clusters nearly coincide behind the
      // sixth.
      if (std::string_view(name) != "stretched grid" && (std::string_view(name) != "clusters" || k <= 6)) {
        EXPECT_EQ(pairs.solver, "multigrid") << name << " " << k;
      }
      EXPECT_EQ(pairs.replaced, pairs.solver != "multigrid");
      const Vector values = expected.values.segment(1, k);
      EXPECT_LT(((pairs.values - values).array() / values.array()).abs().maxCoeff(), 1e-8) << name << " " << k;
      EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - ColMatrix::Identity(k, k)).cwiseAbs().maxCoeff(), 1e-8);
      EXPECT_LT((trivial.transpose() * pairs.vectors).cwiseAbs().maxCoeff(), 1e-8);
      if (expected.values[k + 1] > 1.01 * expected.values[k]) {
        EXPECT_LT(oracle::subspace_gap(pairs.vectors, expected.vectors.middleCols(1, k)), 1e-6) << name << " " << k;
      }
    }
  }
}

TEST(SmallestEigenpairs, ByMultigridAreTheSameOnEveryRunAndOnTwoThreads) {
  const SparseMatrix A = grid(120, 90);
  const EigenOptions options{.n_pairs = 3, .solver = EigenSolver::kMultigrid};
  const Eigenpairs one = smallest_eigenpairs(A, constant(A.rows()), options);
  ASSERT_EQ(one.solver, "multigrid");
  EXPECT_EQ(one.vectors, smallest_eigenpairs(A, constant(A.rows()), options).vectors);
  for (const int threads : {2, 3})
    EXPECT_EQ(one.vectors, smallest_eigenpairs(A, constant(A.rows()), options, {.n_threads = threads}).vectors);
}

TEST(SmallestEigenpairs, OfOtherMatricesThanLaplaciansReplaceMultigrid) {
  // The square of a Laplacian, as LLE's matrix; no deflated vector; a star, which has no coarse levels.
  const SparseMatrix L = grid(20, 20), square = L * L;
  std::vector<Edge> spokes;
  for (Index i = 1; i < 400; ++i) spokes.push_back({0, i});
  const std::vector<std::pair<SparseMatrix, ColMatrix>> cases{
      {square, constant(400)}, {L, ColMatrix(400, 0)}, {laplacian(400, spokes), constant(400)}};
  for (const auto& [A, deflate] : cases) {
    const Eigenpairs pairs = smallest_eigenpairs(A, deflate, {.n_pairs = 3, .solver = EigenSolver::kMultigrid});
    EXPECT_EQ(pairs.replaced, pairs.solver != "multigrid");
    const Vector expected = oracle::symmetric_eigenpairs(ColMatrix(A)).values.segment(deflate.cols(), 3);
    EXPECT_LT((pairs.values - expected).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE(pairs.residual, 1e-9);
  }
}

TEST(SmallestEigenpairs, OfALargeLaplacianAreByMultigrid) {
  const Index a = 500, b = 401;
  const SparseMatrix A = grid(a, b);
  const Eigenpairs pairs = smallest_eigenpairs(A, constant(A.rows()), {.n_pairs = 2}, {.n_threads = 2});
  EXPECT_EQ(pairs.solver, "multigrid");
  const auto value = [](Index nodes) { return 2 - 2 * std::cos(std::numbers::pi / static_cast<double>(nodes)); };
  EXPECT_NEAR(pairs.values[0] / value(a), 1, 1e-9);
  EXPECT_NEAR(pairs.values[1] / value(b), 1, 1e-9);
  // Chains do not fill in.
  EXPECT_EQ(smallest_eigenpairs(grid(a * b, 1), constant(a * b), {.n_pairs = 2}).solver, "shift_invert");
  const auto text = message_of<InvalidArgument>([&] {
    (void)smallest_eigenpairs(A, constant(A.rows()), {.n_pairs = 2, .solver = EigenSolver::kMultigrid},
                              {.memory_limit = 1e7});
  });
  EXPECT_TRUE(contains(text, "set solver=shift_invert")) << text;
}

TEST(SmallestEigenpairs, ByMultigridCanBeCancelled) {
  const SparseMatrix A = grid(60, 60);
  EXPECT_THROW((void)smallest_eigenpairs(A, constant(3600), {.n_pairs = 2, .solver = EigenSolver::kMultigrid},
                                         {.progress = [](const Progress&) { return false; }}),
               Cancelled);
}

}  // namespace
}  // namespace foldout
