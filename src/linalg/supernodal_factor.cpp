// SPDX-License-Identifier: Apache-2.0
// The multifrontal method: I. S. Duff, J. K. Reid: The multifrontal solution of indefinite sparse symmetric linear
// equations, ACM Trans. Math. Softw. 9 (1983). A supernode sums its columns of A and the updates of its children into a
// dense front, factors its own columns, and passes the rest, L₂₁ L₂₁ᵀ subtracted, to its parent as its update.
#include "linalg/supernodal_factor.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "core/large_pages.h"
#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/front_kernels.h"

namespace foldout {
namespace {

constexpr double kWorkPerTick = 1e6;
constexpr Index kPanel = 128;  // columns that are factored or updated by one call of BLAS

// Explicit zeros that two supernodes may store to become one, as a share of the entries, by columns.
double allowed_zeros(double columns) {
  if (columns <= 4) return 1;
  if (columns <= 16) return 0.4;
  return columns <= 48 ? 0.1 : 0.05;
}

double panel_entries(double rows, double columns) { return columns * rows - columns * (columns - 1) / 2; }

// C = βC − A Bᵀ for blocks of matrices stored by columns.
void subtract_product(double* C, Index ldc, const double* A, const double* B, Index ld, Index rows, Index columns,
                      Index depth, double beta) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), static_cast<int>(columns),
              static_cast<int>(depth), -1.0, A, static_cast<int>(ld), B, static_cast<int>(ld), beta, C,
              static_cast<int>(ldc));
}

// Adds the columns of an update whose places are in [begin, end) to the lower triangle of a target that starts at row
// and column `begin` of the front.
void add_columns(const double* update, Index size, std::span<const int> at, Index begin, Index end, double* target,
                 Index ld) {
  const Index count = std::ssize(at);
  const auto first = static_cast<Index>(std::ranges::lower_bound(at, begin) - at.begin());
  for (Index q = first; q < count && at[static_cast<std::size_t>(q)] < end; ++q) {
    const double* from = update + q * size;
    double* column = target + (at[static_cast<std::size_t>(q)] - begin) * ld - begin;
    for (Index r = q; r < count; ++r) column[at[static_cast<std::size_t>(r)]] += from[r];
  }
}

}  // namespace

bool SupernodalFactor::Supernode::is_large() const {
  constexpr Index kColumns = 32, kRows = 96;
  return n_columns >= kColumns && ld >= kRows;
}

SupernodalFactor::SupernodalFactor(const SparseMatrix& A, const EliminationTree& tree) : n_(A.rows()) {
  take_lower(A, tree.order);
  find_supernodes(tree);
  find_rows();
}

void SupernodalFactor::take_lower(const SparseMatrix& A, const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t j = 0; j < order.size(); ++j) place[static_cast<std::size_t>(order[j])] = static_cast<int>(j);
  // Every entry is written, and stays if it is in the lower triangle: half of all branches would be mispredicted.
  const auto n_entries = static_cast<std::size_t>(A.nonZeros());
  lower_.rows.resize(n_entries + 1);
  lower_.values.resize(n_entries + 1);
  lower_.first.reserve(order.size() + 1);
  lower_.first.push_back(0);
  std::size_t count = 0;
  for (int j = 0; j < n_; ++j) {
    const int row = order[static_cast<std::size_t>(j)];
    for (int e = A.outerIndexPtr()[row]; e < A.outerIndexPtr()[row + 1]; ++e) {
      lower_.rows[count] = place[static_cast<std::size_t>(A.innerIndexPtr()[e])];
      lower_.values[count] = A.valuePtr()[e];
      count += lower_.rows[count] >= j ? 1 : 0;
    }
    lower_.first.push_back(static_cast<int>(count));
  }
  lower_.rows.resize(count);
  lower_.values.resize(count);
}

// A column joins the supernode after it, its parent, while the explicit zeros of the union are few.
void SupernodalFactor::find_supernodes(const EliminationTree& tree) {
  std::vector<double> zeros;
  for (int j = 0; j < n_; ++j) {
    Supernode s{.first = j, .n_columns = 1, .n_rows = tree.counts[static_cast<std::size_t>(j)] + 1};
    double own_zeros = 0;
    while (!supernodes_.empty()) {
      const Supernode& before = supernodes_.back();
      if (tree.parent[static_cast<std::size_t>(before.first + before.n_columns - 1)] != s.first) break;
      const double columns = before.n_columns + s.n_columns, rows = before.n_columns + s.n_rows;
      const double added = before.n_columns * (rows - before.n_rows);
      const double sum = zeros.back() + own_zeros + added;
      if (sum > allowed_zeros(columns) * panel_entries(rows, columns)) break;
      s = {.first = before.first, .n_columns = static_cast<int>(columns), .n_rows = static_cast<int>(rows)};
      own_zeros = sum;
      supernodes_.pop_back();
      zeros.pop_back();
    }
    supernodes_.push_back(s);
    zeros.push_back(own_zeros);
  }
}

// The rows of a supernode: its columns, the rows of A in them, and those of the updates that it takes.
void SupernodalFactor::find_rows() {
  std::vector<int> supernode_of(static_cast<std::size_t>(n_));
  for (std::size_t s = 0; s < supernodes_.size(); ++s)
    std::fill_n(supernode_of.begin() + supernodes_[s].first, supernodes_[s].n_columns, static_cast<int>(s));
  // Children as linked lists.
  std::vector<int> last_child(supernodes_.size(), -1), child_before(supernodes_.size(), -1);
  std::vector<int> seen(static_cast<std::size_t>(n_), -1);
  std::size_t n_values = 0;
  double live = 0;
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    Supernode& node = supernodes_[s];
    node.rows = rows_.size();
    const int end = node.first + node.n_columns;
    for (int j = node.first; j < end; ++j) rows_.push_back(j);
    const auto add = [&](int row) {
      if (row < end || seen[static_cast<std::size_t>(row)] == static_cast<int>(s)) return;
      seen[static_cast<std::size_t>(row)] = static_cast<int>(s);
      rows_.push_back(row);
    };
    for (int e = lower_.first[static_cast<std::size_t>(node.first)]; e < lower_.first[static_cast<std::size_t>(end)];
         ++e)
      add(lower_.rows[static_cast<std::size_t>(e)]);
    double taken = 0;
    for (int c = last_child[s]; c >= 0; c = child_before[static_cast<std::size_t>(c)]) {
      const Supernode& child = supernodes_[static_cast<std::size_t>(c)];
      for (int r = child.n_columns; r < child.n_rows; ++r) add(rows_of(child)[r]);
      const auto size = static_cast<double>(child.update_size());
      taken += size * size;
    }
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(node.rows) + node.n_columns, rows_.end());
    node.n_rows = static_cast<int>(rows_.size() - node.rows);
    node.ld = node.n_columns + padded(node.n_rows - node.n_columns);
    node.panel = n_values;
    n_values += static_cast<std::size_t>(node.ld) * static_cast<std::size_t>(node.n_columns);
    const auto size = static_cast<double>(node.update_size());
    peak_ = std::max(peak_, live + size * size);
    live += size * size - taken;
    if (size == 0) continue;
    node.parent = supernode_of[static_cast<std::size_t>(rows_of(node)[node.n_columns])];
    child_before[s] = last_child[static_cast<std::size_t>(node.parent)];
    last_child[static_cast<std::size_t>(node.parent)] = static_cast<int>(s);
  }
  entries_ = static_cast<double>(n_values);
}

// Cholesky of the first n_columns rows, and of the rows below them, in panels of columns.
bool SupernodalFactor::factor_panel(double* L, const Supernode& node, const RunContext& context) const {
  if (!node.is_large()) return factor_front(L, node.ld, node.n_columns);
  const Index n_columns = node.n_columns, n_rows = node.ld;
  for (Index begin = 0; begin < n_columns; begin += kPanel) {
    const Index end = std::min(begin + kPanel, n_columns);
    const int width = static_cast<int>(end - begin), ld = static_cast<int>(n_rows);
    double* diagonal = L + begin * n_rows + begin;
    int info = 0;
    dpotrf_("L", &width, diagonal, &ld, &info);
    if (info != 0) return false;
    parallel_blocks(n_rows - end, 2 * kPanel, context, [&](Index from, Index to) {
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, static_cast<int>(to - from), width,
                  1.0, diagonal, ld, L + begin * n_rows + end + from, ld);
    });
    parallel_blocks(n_columns - end, kPanel, context, [&](Index from, Index to) {
      const double* below = L + begin * n_rows + end + from;
      subtract_product(L + (end + from) * n_rows + end + from, n_rows, below, below, n_rows, n_rows - end - from,
                       to - from, width, 1);
    });
  }
  return true;
}

void SupernodalFactor::subtract_outer_product(const double* L, const Supernode& node, double* update,
                                              const RunContext& context) const {
  if (!node.is_large()) return update_of_front(L, node.ld, node.n_columns, update);
  const Index size = node.update_size();
  parallel_blocks(size, kPanel, context, [&](Index from, Index to) {
    const double* below = L + node.n_columns + from;
    subtract_product(update + from * size + from, size, below, below, node.ld, size - from, to - from, node.n_columns,
                     0);
  });
}

bool SupernodalFactor::compute(double shift, const RunContext& context) {
  const BlasGuard guard;
  if (!values_) {
    const auto count = static_cast<std::size_t>(entries_);
    values_ = std::make_unique_for_overwrite<double[]>(count);
    prefer_large_pages(values_.get(), sizeof(double) * count);
  }
  std::vector<std::unique_ptr<double[]>> updates(supernodes_.size());
  std::vector<std::size_t> waiting;  // supernodes whose updates have not been taken: those of a front are the last
  std::vector<int> place(static_cast<std::size_t>(n_)), at;  // of a row in the present front
  double work = kWorkPerTick;
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    const Supernode& node = supernodes_[s];
    const int* rows = rows_of(node);
    const Index own = node.n_columns, ld = node.ld, size = node.update_size();
    for (int r = 0; r < node.n_rows; ++r) place[static_cast<std::size_t>(rows[r])] = r;
    double* L = values_.get() + node.panel;
    std::fill_n(L, ld * own, 0.0);
    for (Index j = 0; j < own; ++j) {
      const auto column = static_cast<std::size_t>(node.first + j);
      for (auto e = static_cast<std::size_t>(lower_.first[column]); std::cmp_less(e, lower_.first[column + 1]); ++e)
        L[j * ld + place[static_cast<std::size_t>(lower_.rows[e])]] += lower_.values[e];
      L[j * ld + j] += shift;
    }
    auto first_child = waiting.end();
    while (first_child != waiting.begin() && supernodes_[*(first_child - 1)].parent == static_cast<int>(s))
      --first_child;
    const std::span children(first_child, waiting.end());
    // The columns of an update that belong to the panel are added to it now, the others to the update once it exists.
    at.clear();
    for (const std::size_t c : children) {
      const Supernode& child = supernodes_[c];
      const std::span child_rows(rows_of(child) + child.n_columns,
                                 static_cast<std::size_t>(child.n_rows - child.n_columns));
      for (const int row : child_rows) at.push_back(place[static_cast<std::size_t>(row)]);
      add_columns(updates[c].get(), child.update_size(), std::span(at).last(child_rows.size()), 0, own, L, ld);
    }
    if (!factor_panel(L, node, context)) return false;
    if (size > 0) {
      updates[s] = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(size * size));
      subtract_outer_product(L, node, updates[s].get(), context);
    }
    std::size_t done = 0;
    for (const std::size_t c : children) {
      const Supernode& child = supernodes_[c];
      const auto count = static_cast<std::size_t>(child.n_rows - child.n_columns);
      add_columns(updates[c].get(), child.update_size(), std::span(at).subspan(done, count), own, ld, updates[s].get(),
                  size);
      done += count;
      updates[c].reset();
    }
    waiting.erase(first_child, waiting.end());
    if (size > 0) waiting.push_back(s);
    work += static_cast<double>(own) * static_cast<double>(ld) * static_cast<double>(ld);
    if (work >= kWorkPerTick) {
      context.tick("eigenvectors", 0);
      work = 0;
    }
  }
  return true;
}

void SupernodalFactor::solve(double* x, Index width, const RunContext& context) const {
  const BlasGuard guard;
  const int w = static_cast<int>(width);
  std::vector<double> below;  // the rows of X that belong to the rows below a large supernode
  const auto rows_below = [&](const Supernode& node) {
    return std::span(rows_of(node) + node.n_columns, static_cast<std::size_t>(node.n_rows - node.n_columns));
  };
  // Transposed, row i of X is column i of a width × n matrix.
  for (const Supernode& node : supernodes_) {
    const double* L = values_.get() + node.panel;
    const auto rows = rows_below(node);
    if (!node.is_large()) {
      solve_front(L, node.ld, node.n_columns, node.first, rows.data(), std::ssize(rows), width, x);
      continue;
    }
    const int ld = static_cast<int>(node.ld);
    double* own = x + node.first * width;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, w, node.n_columns, 1.0, L, ld, own, w);
    if (rows.empty()) continue;
    below.resize(rows.size() * static_cast<std::size_t>(width));
    parallel_blocks(std::ssize(rows), 4 * kPanel, context, [&](Index from, Index to) {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, w, static_cast<int>(to - from), node.n_columns, 1.0, own, w,
                  L + node.n_columns + from, ld, 0.0, below.data() + from * width, w);
    });
    const double* change = below.data();
    for (const int row : rows)
      for (Index c = 0; c < width; ++c) x[row * width + c] -= *change++;
  }
  for (std::size_t s = supernodes_.size(); s-- > 0;) {
    const Supernode& node = supernodes_[s];
    const double* L = values_.get() + node.panel;
    const auto rows = rows_below(node);
    if (!node.is_large()) {
      solve_front_transposed(L, node.ld, node.n_columns, node.first, rows.data(), std::ssize(rows), width, x);
      continue;
    }
    const int ld = static_cast<int>(node.ld);
    double* own = x + node.first * width;
    if (!rows.empty()) {
      below.resize(rows.size() * static_cast<std::size_t>(width));
      double* known = below.data();
      for (const int row : rows) known = std::copy_n(x + row * width, width, known);
      parallel_blocks(node.n_columns, kPanel / 2, context, [&](Index from, Index to) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, w, static_cast<int>(to - from),
                    static_cast<int>(rows.size()), -1.0, below.data(), w, L + from * node.ld + node.n_columns, ld, 1.0,
                    own + from * width, w);
      });
    }
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, w, node.n_columns, 1.0, L, ld, own,
                w);
  }
}

}  // namespace foldout
