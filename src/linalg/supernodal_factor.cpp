// SPDX-License-Identifier: Apache-2.0
// The multifrontal method: I. S. Duff, J. K. Reid: The multifrontal solution of indefinite sparse symmetric linear
// equations, ACM Trans. Math. Softw. 9 (1983). A supernode sums its columns of A and the updates of its children into a
// dense front, factors its own columns, and passes the rest, L₂₁ L₂₁ᵀ subtracted, to its parent as its update.
#include "linalg/supernodal_factor.h"

#include <algorithm>
#include <memory>
#include <span>

#include "core/parallel.h"
#include "linalg/blas.h"

namespace foldout {
namespace {

constexpr Index kPanel = 128;  // columns that are factored or updated by one call of BLAS

// Explicit zeros that two supernodes may store to become one, as a share of the entries, by columns.
double allowed_zeros(double columns) {
  if (columns <= 4) return 1;
  if (columns <= 16) return 0.8;
  return columns <= 48 ? 0.1 : 0.05;
}

double panel_entries(double rows, double columns) { return columns * rows - columns * (columns - 1) / 2; }

// C −= A Bᵀ for blocks of matrices stored by columns.
void subtract_product(double* C, Index ldc, const double* A, const double* B, Index ld, Index rows, Index columns,
                      Index depth) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), static_cast<int>(columns),
              static_cast<int>(depth), -1.0, A, static_cast<int>(ld), B, static_cast<int>(ld), 1.0, C,
              static_cast<int>(ldc));
}

}  // namespace

// The lower triangle of what a supernode passes to its parent, by columns.
struct SupernodalFactor::Update {
  std::unique_ptr<double[]> entries;
  Index size = 0;
};

SupernodalFactor::SupernodalFactor(const ColSparse& upper, const std::vector<int>& parent,
                                   const std::vector<int>& counts)
    : n_(upper.cols()) {
  find_supernodes(parent, counts);
  find_rows(upper);
}

// A column joins the supernode after it, its parent, while the explicit zeros of the union are few.
void SupernodalFactor::find_supernodes(const std::vector<int>& parent, const std::vector<int>& counts) {
  std::vector<double> zeros;
  for (int j = 0; j < n_; ++j) {
    const auto at = static_cast<std::size_t>(j);
    Supernode s{.first = j, .n_columns = 1, .n_rows = counts[at] + 1};
    double own_zeros = 0;
    while (!supernodes_.empty()) {
      const Supernode& before = supernodes_.back();
      if (parent[static_cast<std::size_t>(before.first + before.n_columns - 1)] != s.first) break;
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
void SupernodalFactor::find_rows(const ColSparse& upper) {
  // Entry (i, j) of the upper triangle is row j of column i of the lower one.
  std::vector<int> supernode_of(static_cast<std::size_t>(n_));
  for (std::size_t s = 0; s < supernodes_.size(); ++s)
    std::fill_n(supernode_of.begin() + supernodes_[s].first, supernodes_[s].n_columns, static_cast<int>(s));
  const ColSparse lower = upper.transpose();
  std::vector<std::vector<int>> children(supernodes_.size());
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
    for (int j = node.first; j < end; ++j)
      for (ColSparse::InnerIterator it(lower, j); it; ++it) add(static_cast<int>(it.row()));
    double taken = 0;
    for (const int c : children[s]) {
      const Supernode& child = supernodes_[static_cast<std::size_t>(c)];
      for (int r = child.n_columns; r < child.n_rows; ++r) add(rows_of(child)[r]);
      const double size = child.n_rows - child.n_columns;
      taken += size * size;
    }
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(node.rows) + node.n_columns, rows_.end());
    node.n_rows = static_cast<int>(rows_.size() - node.rows);
    node.panel = n_values;
    n_values += static_cast<std::size_t>(node.n_rows) * static_cast<std::size_t>(node.n_columns);
    const double size = node.n_rows - node.n_columns;
    peak_ = std::max(peak_, live + size * size);
    live += size * size - taken;
    if (size == 0) continue;
    node.parent = supernode_of[static_cast<std::size_t>(rows_of(node)[node.n_columns])];
    children[static_cast<std::size_t>(node.parent)].push_back(static_cast<int>(s));
  }
  entries_ = static_cast<double>(n_values);
}

// Cholesky of the first n_columns rows, and of the rows below them, in panels of columns.
bool SupernodalFactor::factor_panel(double* L, Index n_rows, Index n_columns, const RunContext& context) const {
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
                       to - from, width);
    });
  }
  return true;
}

bool SupernodalFactor::compute(const ColSparse& upper, double shift, const RunContext& context) {
  const BlasGuard guard;
  const ColSparse lower = upper.transpose();
  values_.assign(static_cast<std::size_t>(entries_), 0.0);
  std::vector<Update> updates(supernodes_.size());
  std::vector<std::vector<int>> children(supernodes_.size());
  std::vector<int> place(static_cast<std::size_t>(n_)), at;  // of a row in the present front
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    const Supernode& node = supernodes_[s];
    const std::span rows(rows_of(node), static_cast<std::size_t>(node.n_rows));
    const Index n_rows = node.n_rows, own = node.n_columns, size = n_rows - own;
    for (int r = 0; r < node.n_rows; ++r) place[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])] = r;
    double* L = values_.data() + node.panel;
    for (int j = node.first; j < node.first + node.n_columns; ++j) {
      double* column = L + (j - node.first) * n_rows;
      for (ColSparse::InnerIterator it(lower, j); it; ++it)
        column[place[static_cast<std::size_t>(it.row())]] += it.value();
      column[j - node.first] += shift;
    }
    Update& update = updates[s];
    update.size = size;
    update.entries = std::make_unique<double[]>(static_cast<std::size_t>(size * size));
    for (const int c : children[s]) {
      const Supernode& child = supernodes_[static_cast<std::size_t>(c)];
      Update& taken = updates[static_cast<std::size_t>(c)];
      at.resize(static_cast<std::size_t>(taken.size));
      for (Index r = 0; r < taken.size; ++r)
        at[static_cast<std::size_t>(r)] = place[static_cast<std::size_t>(rows_of(child)[child.n_columns + r])];
      for (Index q = 0; q < taken.size; ++q) {
        const Index to = at[static_cast<std::size_t>(q)];
        const double* from = taken.entries.get() + q * taken.size;
        double* column = to < own ? L + to * n_rows : update.entries.get() + (to - own) * size - own;
        for (Index r = q; r < taken.size; ++r) column[at[static_cast<std::size_t>(r)]] += from[r];
      }
      taken.entries.reset();
    }
    if (!factor_panel(L, n_rows, own, context)) return false;
    parallel_blocks(size, kPanel, context, [&](Index from, Index to) {
      const double* below = L + own + from;
      subtract_product(update.entries.get() + from * size + from, size, below, below, n_rows, size - from, to - from,
                       own);
    });
    if (node.parent >= 0) children[static_cast<std::size_t>(node.parent)].push_back(static_cast<int>(s));
    context.tick("eigenvectors", 0);
  }
  return true;
}

void SupernodalFactor::solve(double* x, Index width, const RunContext& context) const {
  const BlasGuard guard;
  const int w = static_cast<int>(width);
  std::vector<double> below;  // the rows of X that belong to the rows below a supernode
  const auto rows_below = [&](const Supernode& node) {
    return std::span(rows_of(node) + node.n_columns, static_cast<std::size_t>(node.n_rows - node.n_columns));
  };
  // Transposed, row i of X is column i of a width × n matrix.
  for (const Supernode& node : supernodes_) {
    const double* L = values_.data() + node.panel;
    double* own = x + node.first * width;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, w, node.n_columns, 1.0, L, node.n_rows,
                own, w);
    const auto rows = rows_below(node);
    if (rows.empty()) continue;
    below.resize(rows.size() * static_cast<std::size_t>(width));
    parallel_blocks(std::ssize(rows), 4 * kPanel, context, [&](Index from, Index to) {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, w, static_cast<int>(to - from), node.n_columns, 1.0, own, w,
                  L + node.n_columns + from, node.n_rows, 0.0, below.data() + from * width, w);
    });
    const double* change = below.data();
    for (const int row : rows)
      for (Index c = 0; c < width; ++c) x[row * width + c] -= *change++;
  }
  for (std::size_t s = supernodes_.size(); s-- > 0;) {
    const Supernode& node = supernodes_[s];
    const double* L = values_.data() + node.panel;
    double* own = x + node.first * width;
    const auto rows = rows_below(node);
    if (!rows.empty()) {
      below.resize(rows.size() * static_cast<std::size_t>(width));
      double* known = below.data();
      for (const int row : rows) known = std::copy_n(x + row * width, width, known);
      parallel_blocks(node.n_columns, kPanel / 2, context, [&](Index from, Index to) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, w, static_cast<int>(to - from),
                    static_cast<int>(rows.size()), -1.0, below.data(), w, L + from * node.n_rows + node.n_columns,
                    node.n_rows, 1.0, own + from * width, w);
      });
    }
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, w, node.n_columns, 1.0, L,
                node.n_rows, own, w);
  }
}

}  // namespace foldout
