// SPDX-License-Identifier: Apache-2.0
#include "embed/spectral.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "core/check.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "graph/laplacian.h"
#include "graph/reconstruction_weights.h"
#include "linalg/eigenpairs.h"
#include "neighbors/neighbors.h"

namespace foldout {

void require_components(int n_components, Index n_samples, std::string_view method) {
  if (n_components >= n_samples)
    throw InvalidArgument(
        fmt::format("{}: n_components = {} must be less than the number of embedded samples, {}: ask for fewer", method,
                    n_components, n_samples));
}

void report_eigenpairs(const Eigenpairs& pairs, Report& report) {
  report.fact("solver", pairs.solver);
  report.figure("residual", pairs.residual);
  if (pairs.replaced)
    report.note(
        "solver_replaced",
        fmt::format("the solver that was asked for cannot solve this problem: {} was used instead", pairs.solver));
  if (pairs.iterations > 0) report.figure("operator_applications", static_cast<double>(pairs.iterations));
  if (pairs.fill > 0) report.figure("factor_entries", pairs.fill);
}

Eigenpairs graph_eigenpairs(AffinityGraph& graph, const Vector& degrees, const EigenOptions& options,
                            const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "eigenvectors", context);
  const Vector trivial = degrees.cwiseSqrt().normalized();
  Eigenpairs pairs;
  if (graph.is_dense()) {
    Matrix S = normalized_adjacency(graph.dense, degrees);
    graph.dense.resize(0, 0);
    S.noalias() -= 2 * trivial * trivial.transpose();  // moves the trivial pair from 1 to −1, below all others
    pairs = largest_eigenpairs(S, options, context);
  } else {
    const SparseMatrix L = normalized_laplacian(graph.sparse, degrees);
    SparseMatrix().swap(graph.sparse);
    pairs = smallest_eigenpairs(L, trivial, options, context);
    pairs.values = 1 - pairs.values.array();
  }
  report_eigenpairs(pairs, report);
  return pairs;
}

namespace {

// The members of all neighbourhoods, one after another.
struct Members {
  std::vector<std::size_t> first;
  std::vector<int> samples;

  Members(const Neighborhoods& lists, bool include_self) {
    samples.reserve(lists.neighbors.size() + (include_self ? static_cast<std::size_t>(lists.size()) : 0));
    first.push_back(0);
    for (Index i = 0; i < lists.size(); ++i) {
      if (include_self) samples.push_back(static_cast<int>(i));
      const auto neighbors = lists.of(i);
      samples.insert(samples.end(), neighbors.begin(), neighbors.end());
      first.push_back(samples.size());
    }
  }
  [[nodiscard]] std::size_t count(Index i) const {
    return first[static_cast<std::size_t>(i) + 1] - first[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] std::span<const int> of(Index i) const {
    return {samples.data() + first[static_cast<std::size_t>(i)], count(i)};
  }
};

// For each sample the rows of the local factors that belong to it, in the order of the neighbourhoods.
struct LocalRows {
  struct Row {
    int neighborhood;
    int position;  // of the row among all, one row per member of each neighbourhood in turn
  };
  std::vector<std::size_t> first;
  std::vector<Row> rows;

  LocalRows(const Members& members, Index n) : first(static_cast<std::size_t>(n) + 1, 0), rows(members.samples.size()) {
    for (const int sample : members.samples) ++first[static_cast<std::size_t>(sample) + 1];
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) first[i + 1] += first[i];
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    int position = 0;
    for (Index i = 0; i < n; ++i)
      for (const int sample : members.of(i))
        rows[next[static_cast<std::size_t>(sample)]++] = {static_cast<int>(i), position++};
  }
};

// Sums rows begin … end−1 of M into (column, value) entries; the columns of a row are unordered.
struct RowSums {
  std::vector<int> columns;
  std::vector<double> values;
  std::vector<int> lengths;

  RowSums(const Members& members, const LocalRows& local, const std::vector<LocalCost>& costs, const Matrix& F,
          Index begin, Index end) {
    std::vector<int> place(local.first.size() - 1, -1);  // of a column among the entries of the current row
    std::size_t count = 0;
    // Without branches: whether a column is new to the row cannot be predicted.
    const auto add = [&](int column, double value) {
      int& at = place[static_cast<std::size_t>(column)];
      const bool is_new = at < 0;
      at = is_new ? static_cast<int>(count) : at;
      columns[count] = column;
      values[count] = 0;
      values[static_cast<std::size_t>(at)] += value;
      count += is_new ? 1 : 0;
    };
    for (Index r = begin; r < end; ++r) {
      const std::size_t row_start = count;
      const auto at = static_cast<std::size_t>(r);
      std::size_t most = 1;  // entries, and one that may be written in vain
      for (std::size_t o = local.first[at]; o < local.first[at + 1]; ++o)
        most += members.count(local.rows[o].neighborhood);
      make_room(count + most);
      for (std::size_t o = local.first[at]; o < local.first[at + 1]; ++o) {
        const auto& [neighborhood, position] = local.rows[o];
        const auto list = members.of(neighborhood);
        const bool outer = costs[static_cast<std::size_t>(neighborhood)] == LocalCost::kOuter;
        const double sign = outer ? 1 : -1, diagonal = outer ? 0 : 1;
        const double* own = F.data() + position * F.cols();
        const double* other =
            F.data() + static_cast<Index>(members.first[static_cast<std::size_t>(neighborhood)]) * F.cols();
        for (const int column : list) {
          double product = 0;
          for (Index c = 0; c < F.cols(); ++c) product += own[c] * other[c];
          add(column, sign * product + (column == r ? diagonal : 0));
          other += F.cols();
        }
      }
      for (std::size_t e = row_start; e < count; ++e) place[static_cast<std::size_t>(columns[e])] = -1;
      lengths.push_back(static_cast<int>(count - row_start));
    }
    columns.resize(count);
    values.resize(count);
  }

 private:
  void make_room(std::size_t size) {
    if (size <= columns.size()) return;
    columns.resize(2 * size);
    values.resize(2 * size);
  }
};

// The entries of a sparse matrix that is being computed, which must fit into memory and into the range of its indices.
class EntryRoom {
 public:
  EntryRoom(Index n, const RunContext& context)
      : n_(n), room_(context.memory_limit > 0 ? context.memory_limit : available_memory()) {}
  void take(Index count) {
    constexpr double kBytes = 24;  // of an entry and its copy in row order
    const auto entries = static_cast<double>(n_entries_ += count);
    const double most = std::min(room_, kBytes * std::numeric_limits<int>::max());
    if (kBytes * entries > most)
      require_memory(kBytes * entries, fmt::format("the alignment matrix of {} samples", n_), "lower n_neighbors",
                     most);
  }

 private:
  Index n_;
  double room_;
  std::atomic<Index> n_entries_ = 0;
};

}  // namespace

SparseMatrix align(const Neighborhoods& neighborhoods, bool include_self, Index n_columns, const LocalFactor& factor,
                   std::string_view phase, const RunContext& context) {
  const Index n = neighborhoods.size();
  const Members members(neighborhoods, include_self);
  Matrix F = Matrix::Zero(static_cast<Index>(members.samples.size()), n_columns);
  std::vector<LocalCost> costs(static_cast<std::size_t>(n));
  constexpr Index kLists = 64, kBlock = 1024;
  parallel_blocks(
      n, kLists, context,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
          costs[static_cast<std::size_t>(i)] =
              factor(i, members.of(i),
                     F.middleRows(static_cast<Index>(members.first[static_cast<std::size_t>(i)]),
                                  static_cast<Index>(members.count(i))));
      },
      phase);

  const LocalRows local(members, n);
  std::vector<std::unique_ptr<RowSums>> parts(static_cast<std::size_t>((n + kBlock - 1) / kBlock));
  EntryRoom room(n, context);
  parallel_blocks(
      n, kBlock, context,
      [&](Index begin, Index end) {
        auto& part = parts[static_cast<std::size_t>(begin / kBlock)];
        part = std::make_unique<RowSums>(members, local, costs, F, begin, end);
        room.take(std::ssize(part->columns));
      },
      phase);

  // M is symmetric: writing its rows as columns, in order, leaves every row sorted.
  SparseMatrix M(n, n);
  Index entries = 0;
  std::vector<int> next(static_cast<std::size_t>(n) + 1, 0);
  for (const auto& part : parts) {
    entries += static_cast<Index>(part->columns.size());
    for (const int column : part->columns) ++next[static_cast<std::size_t>(column) + 1];
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) next[i + 1] += next[i];
  M.resizeNonZeros(entries);
  std::ranges::copy(next, M.outerIndexPtr());
  int row = 0;
  for (const auto& part : parts) {
    std::size_t e = 0;
    for (const int length : part->lengths) {
      for (int l = 0; l < length; ++l, ++e) {
        const int at = next[static_cast<std::size_t>(part->columns[e])]++;
        M.innerIndexPtr()[at] = row;
        M.valuePtr()[at] = part->values[e];
      }
      ++row;
    }
  }
  return M;
}

Embedding bottom_embedding(const SparseMatrix& M, const DistinctSamples& samples, const Neighborhoods& neighborhoods,
                           const EigenOptions& options, const RunContext& context, Report report) {
  const Index n = M.rows();
  Eigenpairs pairs;
  {
    const PhaseTimer timer(report, "eigenvectors", context);
    const ColMatrix constant = Vector::Constant(n, 1 / std::sqrt(static_cast<double>(n)));
    pairs = smallest_eigenpairs(M, constant, options, context);
  }
  report_eigenpairs(pairs, report);
  Matrix Y = pairs.vectors * std::sqrt(static_cast<double>(n));
  const int k = static_cast<int>(neighborhoods.of(0).size());
  Y = place_left_out(samples.rows(), neighborhoods.kept, std::move(Y), k, context);
  return {samples.expand(std::move(Y)), pairs.values, std::move(report)};
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
