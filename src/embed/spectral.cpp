// SPDX-License-Identifier: Apache-2.0
#include "embed/spectral.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "foldout/core/parallel.h"
#include "foldout/graph/laplacian.h"
#include "foldout/graph/reconstruction_weights.h"
#include "foldout/linalg/small_eigen.h"

namespace foldout {

void require_components(int n_components, Index n_samples, std::string_view method) {
  if (n_components >= n_samples)
    throw InvalidArgument(fmt::format("{}: n_components = {} must be less than the {} samples that are embedded",
                                      method, n_components, n_samples));
}

void report_eigenpairs(const Eigenpairs& pairs, Report& report) {
  report.fact("solver", pairs.solver);
  report.figure("residual", pairs.residual);
  if (pairs.iterations > 0) report.figure("operator_applications", static_cast<double>(pairs.iterations));
  if (pairs.fill > 0) report.figure("factor_entries", pairs.fill);
}

Eigenpairs graph_eigenpairs(const AffinityGraph& graph, const Vector& degrees, const EigenOptions& options,
                            const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "eigenvectors");
  const Vector trivial = degrees.cwiseSqrt().normalized();
  Eigenpairs pairs;
  if (graph.is_dense()) {
    Matrix S = normalized_adjacency(graph.dense, degrees);
    S.noalias() -= 2 * trivial * trivial.transpose();  // moves the trivial pair from 1 to −1, below all others
    pairs = largest_eigenpairs(S, options, context);
  } else {
    pairs = smallest_eigenpairs(normalized_laplacian(graph.sparse, degrees), trivial, options, context);
    pairs.values = 1 - pairs.values.array();
  }
  report_eigenpairs(pairs, report);
  return pairs;
}

namespace {

// Where each sample occurs: (neighbourhood, position among its members).
struct Occurrence {
  int neighborhood;
  int position;
};

struct Members {
  std::vector<Index> first;
  std::vector<int> samples;

  Members(const Neighborhoods& lists, bool include_self) {
    first.push_back(0);
    for (Index i = 0; i < lists.size(); ++i) {
      if (include_self) samples.push_back(static_cast<int>(i));
      const auto neighbors = lists.of(i);
      samples.insert(samples.end(), neighbors.begin(), neighbors.end());
      first.push_back(static_cast<Index>(samples.size()));
    }
  }
  [[nodiscard]] std::span<const int> of(Index i) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(i)]);
    return {samples.data() + begin, static_cast<std::size_t>(first[static_cast<std::size_t>(i) + 1]) - begin};
  }
};

}  // namespace

SparseMatrix align(const Neighborhoods& neighborhoods, bool include_self, const LocalCost& cost,
                   const RunContext& context) {
  const Index n = neighborhoods.size();
  const Members members(neighborhoods, include_self);
  std::vector<std::size_t> block_first(static_cast<std::size_t>(n) + 1, 0);
  std::vector<std::vector<Occurrence>> occurrences(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const auto list = members.of(i);
    block_first[static_cast<std::size_t>(i) + 1] = block_first[static_cast<std::size_t>(i)] + list.size() * list.size();
    for (std::size_t a = 0; a < list.size(); ++a)
      occurrences[static_cast<std::size_t>(list[a])].push_back({static_cast<int>(i), static_cast<int>(a)});
  }
  std::vector<double> blocks(block_first.back());
  const auto block = [&](Index i) {
    const auto size = static_cast<Index>(members.of(i).size());
    return Eigen::Map<ColMatrix>(blocks.data() + block_first[static_cast<std::size_t>(i)], size, size);
  };
  constexpr Index kBlock = 256;
  parallel_blocks(
      n, kBlock, context,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) cost(i, members.of(i), block(i));
      },
      "local systems");

  // Row r of M gathers the rows of all blocks that r occurs in, in their order: no two rows meet.
  std::vector<std::vector<std::pair<int, double>>> rows(static_cast<std::size_t>(n));
  parallel_blocks(n, kBlock, context, [&](Index begin, Index end) {
    std::vector<double> sums(static_cast<std::size_t>(n), 0.0);
    std::vector<char> seen(static_cast<std::size_t>(n), 0);
    std::vector<int> columns;
    for (Index r = begin; r < end; ++r) {
      columns.clear();
      for (const auto& [i, a] : occurrences[static_cast<std::size_t>(r)]) {
        const auto list = members.of(i);
        const auto B = block(i);
        for (std::size_t b = 0; b < list.size(); ++b) {
          const auto column = static_cast<std::size_t>(list[b]);
          if (!seen[column]) {
            seen[column] = 1;
            columns.push_back(list[b]);
          }
          sums[column] += B(a, static_cast<Index>(b));
        }
      }
      std::ranges::sort(columns);
      auto& row = rows[static_cast<std::size_t>(r)];
      row.reserve(columns.size());
      for (const int column : columns) {
        row.emplace_back(column, sums[static_cast<std::size_t>(column)]);
        sums[static_cast<std::size_t>(column)] = 0;
        seen[static_cast<std::size_t>(column)] = 0;
      }
    }
  });
  SparseMatrix M(n, n);
  Index entries = 0;
  for (const auto& row : rows) entries += static_cast<Index>(row.size());
  M.resizeNonZeros(entries);
  Index at = 0;
  for (Index r = 0; r < n; ++r) {
    M.outerIndexPtr()[r] = static_cast<int>(at);
    for (const auto& [column, value] : rows[static_cast<std::size_t>(r)]) {
      M.innerIndexPtr()[at] = column;
      M.valuePtr()[at++] = value;
    }
  }
  M.outerIndexPtr()[n] = static_cast<int>(at);
  return M;
}

Embedding bottom_embedding(const SparseMatrix& M, const MatrixRef& samples, const Neighborhoods& neighborhoods,
                           const EigenOptions& options, const RunContext& context, Report report) {
  const Index n = M.rows();
  Eigenpairs pairs;
  {
    const PhaseTimer timer(report, "eigenvectors");
    const ColMatrix constant = Vector::Constant(n, 1 / std::sqrt(static_cast<double>(n)));
    pairs = smallest_eigenpairs(M, constant, options, context);
  }
  report_eigenpairs(pairs, report);
  Matrix Y = pairs.vectors * std::sqrt(static_cast<double>(n));
  const int k = static_cast<int>(neighborhoods.of(0).size());
  return {place_left_out(samples, neighborhoods.kept, std::move(Y), k, context), pairs.values, std::move(report)};
}

Matrix place_left_out(const MatrixRef& samples, const std::vector<Index>& kept, Matrix coordinates, int n_neighbors,
                      const RunContext& context) {
  if (kept.empty()) return coordinates;
  Matrix all(samples.rows(), coordinates.cols());
  std::vector<char> is_kept(static_cast<std::size_t>(samples.rows()), 0);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    all.row(kept[i]) = coordinates.row(static_cast<Index>(i));
    is_kept[static_cast<std::size_t>(kept[i])] = 1;
  }
  std::vector<Index> left_out;
  for (Index i = 0; i < samples.rows(); ++i)
    if (!is_kept[static_cast<std::size_t>(i)]) left_out.push_back(i);
  const Matrix anchors = KeptSamples(samples, kept).rows();
  const Matrix others = KeptSamples(samples, left_out).rows();
  const Index k = std::min<Index>(n_neighbors, anchors.rows());
  const NeighborTable table = make_neighbor_index(anchors)->query(others, k, context);
  constexpr double kReg = 1e-3;
  std::vector<double> weights(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    const auto neighbors = table.of(static_cast<Index>(i));
    reconstruction_weights(others.row(static_cast<Index>(i)).data(), anchors, neighbors, kReg, weights);
    all.row(left_out[i]).setZero();
    for (std::size_t j = 0; j < neighbors.size(); ++j)
      all.row(left_out[i]) += weights[j] * coordinates.row(neighbors[j]);
  }
  return all;
}

ColMatrix tangent_coordinates(const MatrixRef& samples, std::span<const int> members, Index d) {
  constexpr double kRank = 1e-12;  // of squared singular values, relative to the largest
  const auto k = static_cast<Index>(members.size());
  Matrix centered(k, samples.cols());
  for (Index j = 0; j < k; ++j) centered.row(j) = samples.row(members[static_cast<std::size_t>(j)]);
  centered.rowwise() -= centered.colwise().mean().eval();
  const bool by_features = samples.cols() < k;
  ColMatrix gram =
      by_features ? ColMatrix(centered.transpose() * centered) : ColMatrix(centered * centered.transpose());
  Vector values;
  small_eigen(gram, values);  // ascending
  const Index size = gram.rows();
  const double largest = size > 0 ? values[size - 1] : 0;
  Index rank = 0;
  while (rank < std::min(d, size) && largest > 0 && values[size - 1 - rank] > kRank * largest) ++rank;
  ColMatrix U(k, rank);
  for (Index c = 0; c < rank; ++c) {
    if (by_features)
      U.col(c) = centered * gram.col(size - 1 - c) / std::sqrt(values[size - 1 - c]);
    else
      U.col(c) = gram.col(size - 1 - c);
  }
  return U;
}

}  // namespace foldout
