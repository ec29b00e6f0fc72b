// SPDX-License-Identifier: Apache-2.0
#include "crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>

#include "foldout/core/error.h"
#include "linalg/eigenpairs.h"
#include "linalg/metric_distances.h"
#include "neighbor_search.h"

namespace foldout::mpi {
namespace {

enum class Task { kDone, kNeighbors, kEigenpairs };

// What rank 0 asks for: the task and its numbers.
using Request = std::array<double, 6>;

constexpr Index kWorthSharing = 2000;  // samples

// Rows begin … end − 1 of rank r.
std::pair<Index, Index> share_of(int rank, Index n, const Ranks& ranks) {
  return {n * rank / ranks.size(), n * (rank + 1) / ranks.size()};
}

// ---- Neighbours

NeighborOptions options_in(const Request& request) {
  return {static_cast<Metric>(request[4]), static_cast<NeighborSearch>(request[5]), 0};
}

LocalSamples local_rows(const double* rows, Index begin, Index end, Index d) {
  LocalSamples samples{Eigen::Map<const Matrix>(rows, end - begin, d), std::vector<std::int64_t>()};
  samples.indices.resize(static_cast<std::size_t>(end - begin));
  std::iota(samples.indices.begin(), samples.indices.end(), begin);
  return samples;
}

// For each sample its index, and the indices and distances of its neighbours.
std::vector<double> packed(const LocalTable& table, Index k) {
  std::vector<double> out;
  out.reserve(table.samples.indices.size() * static_cast<std::size_t>(1 + 2 * k));
  auto neighbor = table.found.begin();
  for (const std::int64_t index : table.samples.indices) {
    out.push_back(static_cast<double>(index));
    for (Index j = 0; j < k; ++j, ++neighbor) {
      out.push_back(static_cast<double>(neighbor->index));
      out.push_back(neighbor->distance);
    }
  }
  return out;
}

void write(const std::vector<double>& part, NeighborTable& table) {
  const auto k = static_cast<std::size_t>(table.k);
  for (std::size_t at = 0; at < part.size();) {
    std::size_t to = static_cast<std::size_t>(part[at++]) * k;
    for (std::size_t j = 0; j < k; ++j, ++to) {
      table.indices[to] = static_cast<int>(part[at++]);
      table.distances[to] = part[at++];
    }
  }
}

// ---- Eigenpairs

// An order of the rows in which neighbours are near each other (Cuthill and McKee): ranks then share few entries of a
// vector. A level are the rows at one distance from the first.
struct Order {
  std::vector<int> rows;
  Index widest_level = 0;
};

// The rows in the order of their distance from `start`, and of their degrees; other components follow.
Order breadth_first(const SparseMatrix& A, int start) {
  const auto n = static_cast<std::size_t>(A.rows());
  const auto degree = [&](int i) { return A.outerIndexPtr()[i + 1] - A.outerIndexPtr()[i]; };
  Order order;
  std::vector<char> seen(n, 0);
  std::vector<int> next;
  for (std::size_t component = 0; order.rows.size() < n; ++component) {
    if (component > 0) start = static_cast<int>(std::ranges::find(seen, 0) - seen.begin());
    seen[static_cast<std::size_t>(start)] = 1;
    std::size_t level = order.rows.size();
    order.rows.push_back(start);
    while (level < order.rows.size()) {
      const std::size_t end = order.rows.size();
      order.widest_level = std::max(order.widest_level, static_cast<Index>(end - level));
      for (; level < end; ++level) {
        next.clear();
        for (SparseMatrix::InnerIterator it(A, order.rows[level]); it; ++it)
          if (char& is_seen = seen[static_cast<std::size_t>(it.col())]; !is_seen) {
            is_seen = 1;
            next.push_back(static_cast<int>(it.col()));
          }
        std::ranges::sort(next, {}, [&](int i) { return std::pair{degree(i), i}; });
        order.rows.insert(order.rows.end(), next.begin(), next.end());
      }
    }
  }
  return order;
}

Order nearby_order(const SparseMatrix& A) {
  const int far = breadth_first(A, 0).rows.back();  // an end of the graph, if it is connected
  return breadth_first(A, far);
}

bool is_laplacian(const SparseMatrix& A) {
  for (Index i = 0; i < A.rows(); ++i)
    for (SparseMatrix::InnerIterator it(A, i); it; ++it)
      if (it.col() != i && it.value() > 0) return false;
  return true;
}

// In graphs of high-dimensional data a few steps lead nearly everywhere: multigrid has nothing to coarsen, and the
// spectrum has gaps.
DistributedSolver solver_for(const SparseMatrix& A, const Order& order, EigenSolver asked) {
  constexpr Index kWide = 16;  // levels of a surface or volume are far smaller than this part of all
  if (asked == EigenSolver::kLanczos) return DistributedSolver::kKrylovSchur;
  if (!is_laplacian(A)) return DistributedSolver::kShiftInvert;
  if (asked == EigenSolver::kAuto && order.widest_level * kWide > A.rows()) return DistributedSolver::kKrylovSchur;
  return DistributedSolver::kJacobiDavidson;
}

// Rows of A in the order, for one rank; `place` is the inverse of the order.
std::vector<double> packed(const SparseMatrix& A, const Vector& null_vector, const Order& order,
                           const std::vector<int>& place, std::pair<Index, Index> share) {
  std::vector<double> out{0};
  std::vector<std::pair<int, double>> entries;
  for (Index i = share.first; i < share.second; ++i) {
    const int row = order.rows[static_cast<std::size_t>(i)];
    entries.clear();
    for (SparseMatrix::InnerIterator it(A, row); it; ++it)
      entries.emplace_back(place[static_cast<std::size_t>(it.col())], it.value());
    std::ranges::sort(entries);
    out.push_back(null_vector[row]);
    out.push_back(static_cast<double>(entries.size()));
    for (const auto& [column, value] : entries) {
      out.push_back(column);
      out.push_back(value);
    }
  }
  return out;
}

MatrixRows unpacked(const std::vector<double>& in, std::int64_t n) {
  MatrixRows rows;
  rows.n = n;
  rows.row_starts.push_back(0);
  for (std::size_t at = 1; at < in.size();) {
    rows.null_vector.push_back(in[at++]);
    const auto end = at + 1 + 2 * static_cast<std::size_t>(in[at]);
    for (++at; at < end; at += 2) {
      rows.columns.push_back(static_cast<int>(in[at]));
      rows.values.push_back(in[at + 1]);
    }
    rows.row_starts.push_back(static_cast<int>(rows.columns.size()));
  }
  return rows;
}

double infinity_norm(const SparseMatrix& A) {
  double norm = 0;
  for (Index i = 0; i < A.rows(); ++i) norm = std::max(norm, A.row(i).cwiseAbs().sum());
  return norm;
}

// ---- What every rank does

LocalTable share_neighbors(const Request& request, LocalSamples samples, const Ranks& ranks,
                           const RunContext& context) {
  RunContext own = context;
  own.shared = nullptr;
  return search_neighbors(std::move(samples), static_cast<Index>(request[3]), options_in(request), ranks, own);
}

SolvedRows share_eigenpairs(const Request& request, const std::vector<double>& rows, const Ranks& ranks,
                            const RunContext& context) {
  return smallest_pairs(unpacked(rows, static_cast<std::int64_t>(request[1])), static_cast<Index>(request[2]),
                        static_cast<DistributedSolver>(request[3]), ranks, context);
}

}  // namespace

std::optional<NeighborTable> Crew::nearest(const MatrixRef& samples, Index k, const NeighborOptions& options,
                                           const RunContext& context) {
  const bool keeps = checkpoint_.keeps();
  if ((ranks_.size() == 1 && !keeps) || samples.rows() < kWorthSharing ||
      options.search == NeighborSearch::kApproximate || options.metric == Metric::kPrecomputed)
    return std::nullopt;
  const std::string name = keeps ? Checkpoint::name_of(samples, k, options) : std::string();
  if (keeps)
    if (auto table = checkpoint_.kept(name, samples.rows(), k)) return table;
  NeighborTable table = search(samples, k, options, context);
  if (keeps) checkpoint_.keep(name, table);
  return table;
}

NeighborTable Crew::search(const MatrixRef& samples, Index k, const NeighborOptions& options,
                           const RunContext& context) const {
  if (by_angle(options.metric)) (void)require_directions(samples, options.metric);  // names the row among all
  const Index n = samples.rows(), d = samples.cols();
  Request request{static_cast<double>(Task::kNeighbors),
                  static_cast<double>(n),
                  static_cast<double>(d),
                  static_cast<double>(k),
                  static_cast<double>(options.metric),
                  static_cast<double>(options.search)};
  ranks_.copy_from_root(request.data(), std::ssize(request));
  ranks_.meet();
  for (int r = 1; r < ranks_.size(); ++r) {
    const auto [begin, end] = share_of(r, n, ranks_);
    std::vector<double> rows;
    rows.reserve(static_cast<std::size_t>((end - begin) * d));
    for (Index i = begin; i < end; ++i) rows.insert(rows.end(), samples.row(i).data(), samples.row(i).data() + d);
    ranks_.send(rows, r);
  }
  const auto [begin, end] = share_of(0, n, ranks_);
  const Matrix own = samples.middleRows(begin, end - begin);
  const LocalTable found = share_neighbors(request, local_rows(own.data(), begin, end, d), ranks_, context);
  NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                      std::vector<double>(static_cast<std::size_t>(n * k))};
  write(packed(found, k), table);
  ranks_.meet();
  for (int r = 1; r < ranks_.size(); ++r) write(ranks_.receive(r), table);
  return table;
}

std::optional<Eigenpairs> Crew::smallest(const SparseMatrix& A, const ColMatrix& deflate, const EigenOptions& options,
                                         const RunContext& context) {
  const Index n = A.rows(), k = options.n_pairs;
  constexpr Index kManyPairs = 20;  // a large part of all: a dense problem
  if (solve_ == Solve::kRoot || options.solver == EigenSolver::kDense || n < kWorthSharing || kManyPairs * k > n ||
      deflate.cols() != 1)
    return std::nullopt;
  const Order order = nearby_order(A);
  std::vector<int> place(order.rows.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[static_cast<std::size_t>(order.rows[i])] = static_cast<int>(i);
  const DistributedSolver solver = solver_for(A, order, options.solver);
  Request request{static_cast<double>(Task::kEigenpairs), static_cast<double>(n), static_cast<double>(k),
                  static_cast<double>(solver)};
  ranks_.copy_from_root(request.data(), std::ssize(request));
  ranks_.meet();
  for (int r = 1; r < ranks_.size(); ++r)
    ranks_.send(packed(A, deflate.col(0), order, place, share_of(r, n, ranks_)), r);
  const SolvedRows solved =
      share_eigenpairs(request, packed(A, deflate.col(0), order, place, share_of(0, n, ranks_)), ranks_, context);
  const Matrix vectors = ranks_.rows_at_root(solved.vectors);

  Eigenpairs pairs;
  pairs.vectors.resize(n, k);
  for (Index i = 0; i < n; ++i) pairs.vectors.row(order.rows[static_cast<std::size_t>(i)]) = vectors.row(i);
  fix_signs(pairs.vectors);
  const ColMatrix AV = A * pairs.vectors;
  pairs.values = pairs.vectors.cwiseProduct(AV).colwise().sum();
  for (Index j = 0; j < k; ++j)
    solution_.residual = std::max(solution_.residual, (AV.col(j) - pairs.values[j] * pairs.vectors.col(j)).norm());
  solution_.n_pairs = k;
  solution_.gap = solved.gap;
  pairs.residual = solution_.residual / std::max(infinity_norm(A), 1e-300);
  pairs.solver = name_of(solver);
  pairs.iterations = solved.iterations;
  return pairs;
}

void Crew::dismiss() const {
  Request request{static_cast<double>(Task::kDone)};
  ranks_.copy_from_root(request.data(), std::ssize(request));
}

void serve(const Ranks& ranks, const RunContext& context) {
  for (Request request{};;) {
    ranks.copy_from_root(request.data(), std::ssize(request));
    const auto task = static_cast<Task>(request[0]);
    if (task == Task::kDone) return;
    ranks.meet();
    const std::vector<double> in = ranks.receive(0);
    if (task == Task::kEigenpairs) {
      (void)ranks.rows_at_root(share_eigenpairs(request, in, ranks, context).vectors);
      continue;
    }
    const auto [begin, end] = share_of(ranks.rank(), static_cast<Index>(request[1]), ranks);
    const LocalTable found =
        share_neighbors(request, local_rows(in.data(), begin, end, static_cast<Index>(request[2])), ranks, context);
    const std::vector<double> table = packed(found, static_cast<Index>(request[3]));
    ranks.meet();
    ranks.send(table, 0);
  }
}

}  // namespace foldout::mpi
