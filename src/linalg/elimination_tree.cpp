// SPDX-License-Identifier: Apache-2.0
// The tree: J. W. H. Liu: The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990).
// The counts, without the pattern of the factor: J. R. Gilbert, E. G. Ng, B. W. Peyton: An efficient algorithm to
// compute row and column counts for sparse Cholesky factorization, SIAM J. Matrix Anal. Appl. 15 (1994).
#include "linalg/elimination_tree.h"

#include <Eigen/SparseCholesky>
#include <algorithm>

namespace foldout {
namespace {

using Order = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Approximate minimum degree on the pattern of A. By default Eigen uses A + Aᵀ, with copies of the values; here it gets
// only the pattern, with the space that it requires.
std::vector<int> fill_reducing_order(const SparseMatrix& A) {
  const Index n = A.rows(), entries = A.nonZeros();
  Eigen::SparseMatrix<char, Eigen::ColMajor, int> pattern(n, n);
  pattern.resizeNonZeros(entries + entries / 5 + 2 * n);
  std::copy_n(A.outerIndexPtr(), n + 1, pattern.outerIndexPtr());
  std::copy_n(A.innerIndexPtr(), entries, pattern.innerIndexPtr());
  Order order;
  Eigen::internal::minimum_degree_ordering(pattern, order);
  return {order.indices().data(), order.indices().data() + n};
}

// All nodes, children before parents and subtrees contiguous; among siblings the one with the largest count comes last.
std::vector<int> postorder(const std::vector<int>& parent, const std::vector<int>& counts) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> heaviest(at(n), -1), first(at(n + 1), -1), next(at(n), -1);
  for (int j = 0; j < n; ++j)
    if (parent[at(j)] >= 0)
      if (int& child = heaviest[at(parent[at(j)])]; child < 0 || counts[at(j)] >= counts[at(child)]) child = j;
  const auto put_first = [&](int j) {
    int& head = first[at(parent[at(j)] < 0 ? n : parent[at(j)])];
    next[at(j)] = head;
    head = j;
  };
  const auto is_heaviest = [&](int j) { return parent[at(j)] >= 0 && heaviest[at(parent[at(j)])] == j; };
  for (int j = 0; j < n; ++j)
    if (is_heaviest(j)) put_first(j);
  for (int j = n - 1; j >= 0; --j)
    if (!is_heaviest(j)) put_first(j);
  std::vector<int> result, open;
  result.reserve(at(n));
  for (int root = first[at(n)]; root >= 0; root = next[at(root)]) {
    open.push_back(root);
    while (!open.empty()) {
      const int node = open.back(), child = first[at(node)];
      if (child >= 0) {
        first[at(node)] = next[at(child)];
        open.push_back(child);
      } else {
        result.push_back(node);
        open.pop_back();
      }
    }
  }
  return result;
}

}  // namespace

EliminationTree::EliminationTree(const SparseMatrix& A) : order(fill_reducing_order(A)) {
  const int n = static_cast<int>(A.rows());
  const std::vector<int> rows = order;
  struct Column {
    int reached = -1;  // the row that was counted last
    int parent = -1, count = 0;
  };
  std::vector<Column> columns(at(n));
  std::vector<int> place(at(n)), before(at(n));
  for (int j = 0; j < n; ++j) place[at(rows[at(j)])] = j;
  for (int j = 0; j < n; ++j) {
    columns[at(j)].reached = j;
    const int row = rows[at(j)];
    std::size_t count = 0;  // of the columns before j, selected without branches
    for (int e = A.outerIndexPtr()[row]; e < A.outerIndexPtr()[row + 1]; ++e) {
      before[count] = place[at(A.innerIndexPtr()[e])];
      count += before[count] < j ? 1 : 0;
    }
    for (std::size_t e = 0; e < count; ++e)
      for (Column* column = &columns[at(before[e])]; column->reached != j; column = &columns[at(column->parent)]) {
        column->reached = j;
        ++column->count;
        if (column->parent < 0) column->parent = j;
      }
  }
  std::vector<int> above(at(n)), below(at(n));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    above[j] = columns[j].parent;
    below[j] = columns[j].count;
  }
  const std::vector<int> sequence = postorder(above, below);
  for (int j = 0; j < n; ++j) place[at(sequence[at(j)])] = j;
  parent.reserve(at(n));
  counts.reserve(at(n));
  for (int j = 0; j < n; ++j) {
    const int i = sequence[at(j)];
    order[at(j)] = rows[at(i)];
    parent.push_back(above[at(i)] < 0 ? -1 : place[at(above[at(i)])]);
    counts.push_back(below[at(i)]);
  }
}

}  // namespace foldout
