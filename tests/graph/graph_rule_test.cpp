// SPDX-License-Identifier: Apache-2.0
// Rows of a graph for new samples, compared with all pairs.
#include "graph/graph_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "graph/affinity.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

struct RuleCase {
  GraphKind graph;
  EdgeWeights weights;
  Metric metric;
};

std::string name_of_case(const testing::TestParamInfo<RuleCase>& c) {
  return std::string(name_of(c.param.graph)) + "_" + std::string(name_of(c.param.weights)) + "_" +
         std::string(name_of(c.param.metric));
}

std::vector<RuleCase> every_case() {
  std::vector<RuleCase> cases;
  for (const GraphKind graph : {GraphKind::kKnn, GraphKind::kMutual, GraphKind::kBall, GraphKind::kFull})
    for (const EdgeWeights weights : {EdgeWeights::kHeat, EdgeWeights::kBinary, EdgeWeights::kCosine})
      for (const Metric metric :
           {Metric::kEuclidean, Metric::kCosine, Metric::kCorrelation, Metric::kManhattan, Metric::kChebyshev})
        cases.push_back({graph, weights, metric});
  return cases;
}

double cosine(const Matrix& A, Index i, const Matrix& B, Index j) {
  return A.row(i).dot(B.row(j)) / (A.row(i).norm() * B.row(j).norm());
}

// Every row by definition, divided by its sum: rows are only given up to a factor.
Matrix expected_rows(const Matrix& X, const GraphRule& rule, const Matrix& fresh) {
  const Matrix D = oracle::distances(fresh, X, rule.search.metric);
  const NeighborTable nearest = oracle::nearest(X, fresh, rule.n_neighbors, rule.search.metric);
  Matrix W = Matrix::Zero(fresh.rows(), X.rows());
  for (Index i = 0; i < fresh.rows(); ++i) {
    for (Index j = 0; j < X.rows(); ++j) {
      const auto list = nearest.of(i);
      const bool joined = rule.graph == GraphKind::kFull                               ? true
                          : rule.graph == GraphKind::kBall                             ? D(i, j) <= rule.radius
                          : std::ranges::find(list, static_cast<int>(j)) != list.end() ? true
                                                                                       : false;
      if (!joined) continue;
      W(i, j) = rule.weights == EdgeWeights::kHeat     ? std::exp(-D(i, j) * D(i, j) / rule.width)
                : rule.weights == EdgeWeights::kBinary ? 1
                                                       : std::max(0.0, cosine(fresh, i, X, j));
    }
    W.row(i) /= W.row(i).sum();
  }
  return W;
}

Matrix normalised(const SparseMatrix& rows) {
  Matrix W(rows);
  for (Index i = 0; i < W.rows(); ++i) W.row(i) /= W.row(i).sum();
  return W;
}

class GraphRules : public testing::TestWithParam<RuleCase> {
 protected:
  [[nodiscard]] static GraphOptions options(bool self_loops) {
    const auto& [graph, weights, metric] = GetParam();
    return {.graph = graph, .n_neighbors = 7, .weights = weights, .self_loops = self_loops, .metric = metric};
  }
};

TEST_P(GraphRules, AgreeWithAllPairs) {
  const Matrix X = dataset::lifted_roll(71, 12, 3).array() + 4, fresh = X.topRows(33) + Rng(4).normal_matrix(33, 12);
  Report report;
  const GraphRule rule = build_affinity_graph(X, options(false), {}, report).rule;
  Tally tally;
  const SparseMatrix rows = GraphRows(X, rule).weights(fresh, tally);
  const Matrix expected = expected_rows(X, rule, fresh);
  EXPECT_EQ(rows.nonZeros(), (expected.array() > 0).count());
  EXPECT_LT((normalised(rows) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

// As the rule declares: ball and full graphs, with self-loops and without bridges.
TEST_P(GraphRules, ReproduceRowsOfTheGraphWherePromised) {
  for (const Index d : {3, 12}) {
    const Matrix X = (d == 3 ? dataset::roll(90) : dataset::lifted_roll(90, d)).array() + 20;
    Report report;
    const AffinityGraph graph = build_affinity_graph(X, options(true), {}, report);
    const bool from_one_side = GetParam().graph == GraphKind::kBall || GetParam().graph == GraphKind::kFull;
    EXPECT_EQ(graph.rule.reproduces_rows, from_one_side && !report.has_note("components_joined"));
    if (!graph.rule.reproduces_rows) continue;
    Tally tally;
    const SparseMatrix rows = GraphRows(X, graph.rule).weights(X, tally);
    const Matrix W = graph.is_dense() ? graph.dense : Matrix(graph.sparse);
    EXPECT_EQ(rows.nonZeros(), (W.array() > 0).count());
    EXPECT_LT((normalised(rows) - normalised(W.sparseView())).cwiseAbs().maxCoeff(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GraphRules, testing::ValuesIn(every_case()), name_of_case);

GraphRule rule_of(const Matrix& X, const GraphOptions& options) {
  Report report;
  return build_affinity_graph(X, options, {}, report).rule;
}

// The automatic radius is a distance between two samples: both of them must find each other at it, in any unit.
TEST(GraphRule, AgreesWithTheGraphAboutTheRadius) {
  for (const Metric metric :
       {Metric::kEuclidean, Metric::kCosine, Metric::kCorrelation, Metric::kManhattan, Metric::kChebyshev})
    for (const double unit : {1.0, 1e-5, 1e7})
      for (const double apart : {1.0, 1e-3, 1e-5}) {
        const Matrix X = unit * ((apart * Rng(7).normal_matrix(60, 11)).array() + 2);
        Report report;
        const AffinityGraph graph = build_affinity_graph(X,
                                                         {.graph = GraphKind::kBall,
                                                          .n_neighbors = 5,
                                                          .weights = EdgeWeights::kBinary,
                                                          .self_loops = true,
                                                          .metric = metric},
                                                         {}, report);
        Tally tally;
        const SparseMatrix rows = GraphRows(X, graph.rule).weights(X, tally);
        EXPECT_TRUE(Matrix(rows) == Matrix(graph.sparse)) << name_of(metric) << " " << unit << " " << apart;
      }
}

TEST(GraphRule, JoinsASampleOutsideEveryBallToTheNearest) {
  const Matrix X = dataset::grid(5, 2);
  const GraphRule rule = rule_of(X, {.graph = GraphKind::kBall, .radius = 1.5});
  Matrix fresh(3, 2);
  fresh << 2, 2, 900, 2.2, -1e5, 4;
  Tally tally;
  const Matrix W = GraphRows(X, rule).weights(fresh, tally);
  EXPECT_EQ((W.row(0).array() > 0).count(), 9);
  for (const Index i : {1, 2}) {
    const int nearest = oracle::nearest(X, fresh, 1).of(i)[0];
    EXPECT_EQ((W.row(i).array() > 0).count(), 1);
    EXPECT_EQ(W(i, nearest), 1) << i;
  }
  Report report;
  tally.write(report, 3);
  ASSERT_TRUE(report.has_note("outside_every_ball"));
  EXPECT_TRUE(contains(report.notes[0].text, "rows 1, 2")) << report.notes[0].text;
}

// Heat weights that underflow still determine the nearest.
TEST(GraphRule, KeepsARowIfEveryWeightWouldUnderflow) {
  const Matrix X = dataset::grid(4, 2);
  for (const GraphKind kind : {GraphKind::kKnn, GraphKind::kFull}) {
    const GraphRule rule = rule_of(X, {.graph = kind, .n_neighbors = 4, .width = 0.5});
    const Matrix fresh = Matrix::Constant(1, 2, 1e4);
    Tally tally;
    const Matrix W = GraphRows(X, rule).weights(fresh, tally);
    EXPECT_EQ(W(0, 15), 1);
    EXPECT_EQ(W.sum(), 1);
  }
}

// Without any positive cosine, a sample is joined to the nearest, not to the first.
TEST(GraphRule, JoinsASampleWithoutPositiveCosineToTheNearest) {
  Matrix X = dataset::grid(4, 2).array() + 1;
  const Matrix fresh = Matrix::Constant(1, 2, -3.0);
  X.row(0).swap(X.row(9));  // the nearest is not the first
  for (const GraphKind kind : {GraphKind::kKnn, GraphKind::kMutual, GraphKind::kFull, GraphKind::kBall}) {
    const GraphRule rule =
        rule_of(X, {.graph = kind, .n_neighbors = 5, .radius = 30.0, .weights = EdgeWeights::kCosine});
    Tally tally;
    const Matrix W = GraphRows(X, rule).weights(fresh, tally);
    EXPECT_EQ(W.sum(), 1) << name_of(kind);
    EXPECT_EQ(W(0, 9), 1) << name_of(kind);
    Report report;
    tally.write(report, 1);
    EXPECT_TRUE(report.has_note("no_positive_cosine"));
  }
}

TEST(GraphRule, TreatsSamplesIndependently) {
  const Matrix X = dataset::lifted_roll(57, 11).array() + 20, fresh = dataset::lifted_roll(97, 11, 4).array() + 20;
  for (const RuleCase& c : every_case()) {
    const GraphRule rule = rule_of(X, {.graph = c.graph, .n_neighbors = 6, .weights = c.weights, .metric = c.metric});
    const GraphRows rows(X, rule);
    Tally tally;
    const Matrix all = rows.weights(fresh, tally);
    for (const Index i : {0, 1, 47, 48, 96})
      EXPECT_TRUE(dataset::same_bits(rows.weights(fresh.middleRows(i, 1), tally), all.middleRows(i, 1))) << i;
    EXPECT_TRUE(dataset::same_bits(rows.weights(fresh.bottomRows(64), tally), all.bottomRows(64)));
  }
}

}  // namespace
}  // namespace foldout
