// SPDX-License-Identifier: Apache-2.0
// P. Vaněk, J. Mandel, M. Brezina: Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
// problems, Computing 56 (1996), Algorithm 5.1.
#include "linalg/aggregation.h"

#include <algorithm>

#include "core/parallel.h"
#include "linalg/sparse_rows.h"

namespace foldout {
namespace {

// Calls visit(column) for the neighbours of a node that are strongly coupled to it, until it returns false.
template <class Visit>
void for_each_neighbor(const SparseMatrix& A, const Vector& diagonal, Index i, const Visit& visit) {
  constexpr double kWeak = 0.02;
  const double bound = kWeak * kWeak * std::abs(diagonal[i]);
  for (SparseMatrix::InnerIterator it(A, i); it; ++it) {
    const auto j = static_cast<int>(it.col());
    if (j == i || it.value() * it.value() <= bound * std::abs(diagonal[j])) continue;
    if (!visit(j)) return;
  }
}

}  // namespace

std::vector<int> breadth_first_order(const SparseMatrix& A) {
  const auto n = static_cast<std::size_t>(A.rows());
  std::vector<int> order;
  order.reserve(n);
  std::vector<char> seen(n, 0);
  const auto reach = [&](int node) {
    if (seen[static_cast<std::size_t>(node)] != 0) return;
    seen[static_cast<std::size_t>(node)] = 1;
    order.push_back(node);
  };
  std::size_t next = 0;
  for (int start = 0; start < static_cast<int>(n); ++start) {
    reach(start);
    for (; next < order.size(); ++next)
      for (SparseMatrix::InnerIterator it(A, order[next]); it; ++it) reach(static_cast<int>(it.col()));
  }
  return order;
}

SparseMatrix in_order(const SparseMatrix& A, const std::vector<int>& order, const RunContext& context) {
  const Index n = A.rows();
  std::vector<int> place(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) place[static_cast<std::size_t>(order[p])] = static_cast<int>(p);
  SparseMatrix result(n, n);
  result.resizeNonZeros(A.nonZeros());
  int* first = result.outerIndexPtr();
  const int* given = A.outerIndexPtr();
  first[0] = 0;
  for (Index p = 0; p < n; ++p) {
    const int row = order[static_cast<std::size_t>(p)];
    first[p + 1] = first[p] + given[row + 1] - given[row];
  }
  constexpr Index kRows = 4096;
  parallel_blocks(n, kRows, context, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      int to = first[p];
      const int row = order[static_cast<std::size_t>(p)];
      for (int e = given[row]; e < given[row + 1]; ++e, ++to) {
        result.innerIndexPtr()[to] = place[static_cast<std::size_t>(A.innerIndexPtr()[e])];
        result.valuePtr()[to] = A.valuePtr()[e];
      }
    }
  });
  return result;
}

Aggregates aggregate(const SparseMatrix& A) {
  const Index n = A.rows();
  const Vector diagonal = diagonal_of(A);
  Aggregates result{.of = std::vector<int>(static_cast<std::size_t>(n), -1)};
  const auto at = [&](Index i) -> int& { return result.of[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < n; ++i) {
    bool free = at(i) < 0;
    if (free) for_each_neighbor(A, diagonal, i, [&](int j) { return free = at(j) < 0; });
    if (!free) continue;
    at(i) = result.count;
    for_each_neighbor(A, diagonal, i, [&](int j) {
      at(j) = result.count;
      return true;
    });
    ++result.count;
  }
  // The nodes left over join aggregates of the first pass only, or chains of them would grow long.
  for (Index i = 0; i < n; ++i)
    if (at(i) == -1)
      for_each_neighbor(A, diagonal, i, [&](int j) {
        if (at(j) < 0) return true;
        at(i) = -2 - at(j);
        return false;
      });
  for (Index i = 0; i < n; ++i)
    if (at(i) < 0) at(i) = at(i) == -1 ? result.count++ : -2 - at(i);
  return result;
}

}  // namespace foldout
