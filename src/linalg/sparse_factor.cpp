// SPDX-License-Identifier: Apache-2.0
// An order found once, and one of two factors: Eigen's simplicial LDLᵀ, with triangular solves of our own for several
// columns at a time, or the supernodal one where the fill is worth dense kernels.
#include "linalg/sparse_factor.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "foldout/core/error.h"
#include "linalg/supernodal_factor.h"

namespace foldout {
namespace {

// Exposes what Eigen keeps protected: the column counts of the symbolic phase, and L without its unit diagonal.
class Ldlt : public Eigen::SimplicialLDLT<ColSparse, Eigen::Upper, Eigen::NaturalOrdering<int>> {
 public:
  [[nodiscard]] Vector counts() const { return m_nonZerosPerCol.cast<double>(); }
  [[nodiscard]] std::vector<int> column_counts() const { return entries_of(m_nonZerosPerCol); }
  [[nodiscard]] std::vector<int> parents() const { return entries_of(m_parent); }
  [[nodiscard]] const ColSparse& below_diagonal() const { return m_matrix; }
  [[nodiscard]] const Vector& diagonal() const { return m_diag; }

 private:
  static std::vector<int> entries_of(const Eigen::VectorXi& v) { return {v.data(), v.data() + v.size()}; }
};

using Order = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

// Approximate minimum degree on the pattern of A. By default Eigen uses A + Aᵀ, with copies of the values; here it gets
// only the pattern, with the space that it requires.
void fill_reducing_order(const SparseMatrix& A, Order& order) {
  const Index n = A.rows(), entries = A.nonZeros();
  Eigen::SparseMatrix<char, Eigen::ColMajor, int> pattern(n, n);
  pattern.resizeNonZeros(entries + entries / 5 + 2 * n);
  std::copy_n(A.outerIndexPtr(), n + 1, pattern.outerIndexPtr());
  std::copy_n(A.innerIndexPtr(), entries, pattern.innerIndexPtr());
  Eigen::internal::minimum_degree_ordering(pattern, order);
}

// Whether column j + 1 of L has the pattern of column j without its first entry, which is in row j + 1. Such columns
// are processed in pairs: every row of X is read half as often.
bool is_pair(const int* first, const int* below, Index j) {
  return first[j + 2] - first[j + 1] == first[j + 1] - first[j] - 1 && below[first[j]] == j + 1;
}

// L D Lᵀ X = B in place; row i of the kWidth columns of X is at x + i·kWidth.
template <int kWidth>
class Solver {
 public:
  Solver(const ColSparse& L, const Vector& D, double* x)
      : n_(L.cols()), first_(L.outerIndexPtr()), below_(L.innerIndexPtr()), values_(L.valuePtr()), D_(D), x_(x) {}

  void solve() {
    for (Index j = 0; j < n_;) j = forward(j);
    for (Index j = n_ - 1; j >= 0;) j = backward(j);
  }

 private:
  using Row = Eigen::Array<double, kWidth, 1>;
  [[nodiscard]] Eigen::Map<Row> row(Index i) { return Eigen::Map<Row>(x_ + i * kWidth); }
  [[nodiscard]] bool pair_at(Index j) const { return j >= 0 && j + 1 < n_ && is_pair(first_, below_, j); }

  Index forward(Index j) {
    const Row own = row(j);
    int e = first_[j];
    const int end = first_[j + 1];
    if (!pair_at(j)) {
      for (; e < end; ++e) row(below_[e]) -= values_[e] * own;
      return j + 1;
    }
    const Row next = row(j + 1) - values_[e] * own;
    row(j + 1) = next;
    for (int f = end; ++e < end; ++f) row(below_[e]) -= values_[e] * own + values_[f] * next;
    return j + 2;
  }

  Index backward(Index j) {
    Row own = row(j) / D_[j], odd = Row::Zero();  // two sums: a product need not wait for the previous one
    int e = first_[j];
    const int end = first_[j + 1];
    if (!pair_at(j - 1)) {
      for (; e + 1 < end; e += 2) {
        own -= values_[e] * row(below_[e]);
        odd -= values_[e + 1] * row(below_[e + 1]);
      }
      if (e < end) own -= values_[e] * row(below_[e]);
      row(j) = own + odd;
      return j - 1;
    }
    odd = row(j - 1) / D_[j - 1];
    const int other = first_[j - 1];
    for (int f = other + 1; e < end; ++e, ++f) {
      const Row known = row(below_[e]);
      own -= values_[e] * known;
      odd -= values_[f] * known;
    }
    row(j) = own;
    row(j - 1) = odd - values_[other] * own;
    return j - 2;
  }

  Index n_;
  const int *first_, *below_;
  const double* values_;
  const Vector& D_;
  double* x_;
};

}  // namespace

struct SparseFactor::Impl {
  ColSparse permuted;
  Order order;  // place in the factor to row of A
  Ldlt ldlt;
  std::optional<SupernodalFactor> supernodal;
  std::vector<double> rows;  // of B, then of X, a few columns at a time

  // `solve_rows` solves in place for `width` columns, row i at rows + i·width.
  template <class SolveRows>
  void solve(const Eigen::Ref<const ColMatrix>& B, Eigen::Ref<ColMatrix> X, Index width, const SolveRows& solve_rows) {
    const Index n = B.rows(), columns = B.cols();
    const int* source = order.indices().data();
    rows.assign(static_cast<std::size_t>(n * width), 0.0);
    for (Index c = 0; c < columns; ++c)
      for (Index i = 0; i < n; ++i) rows[static_cast<std::size_t>(i * width + c)] = B(source[i], c);
    solve_rows(rows.data());
    for (Index c = 0; c < columns; ++c)
      for (Index i = 0; i < n; ++i) X(source[i], c) = rows[static_cast<std::size_t>(i * width + c)];
  }

  template <int kWidth>
  void solve(const Eigen::Ref<const ColMatrix>& B, Eigen::Ref<ColMatrix> X) {
    solve(B, X, kWidth, [&](double* x) { Solver<kWidth>(ldlt.below_diagonal(), ldlt.diagonal(), x).solve(); });
  }
};

SparseFactor::SparseFactor(const SparseMatrix& A) : impl_(std::make_unique<Impl>()) {
  // A symmetric matrix is the same stored by rows or by columns.
  const Eigen::Map<const ColSparse> columns(A.rows(), A.cols(), A.nonZeros(), A.outerIndexPtr(), A.innerIndexPtr(),
                                            A.valuePtr());
  fill_reducing_order(A, impl_->order);
  impl_->permuted.resize(A.rows(), A.cols());
  impl_->permuted.selfadjointView<Eigen::Upper>() =
      columns.selfadjointView<Eigen::Lower>().twistedBy(impl_->order.inverse());
  impl_->ldlt.analyzePattern(impl_->permuted);
  constexpr double kFlopsPerEntry = 100;  // below, panels are too narrow for dense kernels
  if (flops() > kFlopsPerEntry * fill())
    impl_->supernodal.emplace(impl_->permuted, impl_->ldlt.parents(), impl_->ldlt.column_counts());
}

SparseFactor::~SparseFactor() = default;

double SparseFactor::fill() const { return impl_->ldlt.counts().sum(); }

double SparseFactor::flops() const { return impl_->ldlt.counts().squaredNorm(); }

double SparseFactor::bytes() const {
  constexpr double kBytesPerEntry = 16;
  return impl_->supernodal ? impl_->supernodal->bytes() : kBytesPerEntry * fill();
}

bool SparseFactor::is_supernodal() const { return impl_->supernodal.has_value(); }

void SparseFactor::compute(double shift, const RunContext& context) {
  bool definite = false;
  if (impl_->supernodal) {
    definite = impl_->supernodal->compute(impl_->permuted, shift, context);
  } else {
    impl_->ldlt.setShift(shift);
    impl_->ldlt.factorize(impl_->permuted);
    definite = impl_->ldlt.info() == Eigen::Success && impl_->ldlt.diagonal().minCoeff() > 0;
  }
  if (!definite) throw NumericalError("the matrix is not positive semidefinite: its sparse factorisation failed");
}

void SparseFactor::solve(const Eigen::Ref<const ColMatrix>& B, Eigen::Ref<ColMatrix> X, const RunContext& context) {
  const Index most = impl_->supernodal ? 32 : 8;
  for (Index c = 0; c < B.cols(); c += most) {
    const Index width = std::min(most, B.cols() - c);
    const auto from = B.middleCols(c, width);
    auto to = X.middleCols(c, width);
    if (impl_->supernodal)
      impl_->solve(from, to, width, [&](double* x) { impl_->supernodal->solve(x, width, context); });
    else if (width == 1)
      impl_->solve<1>(from, to);
    else if (width == 2)
      impl_->solve<2>(from, to);
    else if (width <= 4)
      impl_->solve<4>(from, to);
    else
      impl_->solve<8>(from, to);
  }
}

namespace {

// The first `size` nodes of a breadth-first search from the middle row, and how many edges the last is away.
struct Ball {
  std::vector<int> nodes;
  int radius = 0;

  Ball(const SparseMatrix& A, Index size) {
    std::vector<char> seen(static_cast<std::size_t>(A.rows()), 0);
    const auto reach = [&](Index node) {
      if (std::ssize(nodes) >= size || seen[static_cast<std::size_t>(node)] != 0) return;
      seen[static_cast<std::size_t>(node)] = 1;
      nodes.push_back(static_cast<int>(node));
    };
    reach(A.rows() / 2);
    std::size_t end_of_level = nodes.size();
    for (std::size_t next = 0; next < nodes.size(); ++next) {
      if (next == end_of_level) {
        ++radius;
        end_of_level = nodes.size();
      }
      for (SparseMatrix::InnerIterator it(A, nodes[next]); it; ++it) reach(it.col());
    }
  }
};

SparseMatrix part(const SparseMatrix& A, std::span<const int> nodes) {
  std::vector<int> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) place[static_cast<std::size_t>(nodes[i])] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double, int>> entries;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (SparseMatrix::InnerIterator it(A, nodes[i]); it; ++it)
      if (const int j = place[static_cast<std::size_t>(it.col())]; j >= 0)
        entries.emplace_back(static_cast<int>(i), j, it.value());
  SparseMatrix result(std::ssize(nodes), std::ssize(nodes));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

std::optional<double> estimated_flops(const SparseMatrix& A) {
  constexpr Index kSmall = 3000, kLarge = 6000;
  constexpr int kWide = 10;  // edges; the nodes of a surface are some twenty and more apart
  if (A.rows() <= kLarge) return {};
  const Ball ball(A, kLarge);
  if (ball.radius > kWide || std::ssize(ball.nodes) < kLarge) return {};
  const auto flops = [&](Index size) {
    return std::max(SparseFactor(part(A, std::span(ball.nodes).first(static_cast<std::size_t>(size)))).flops(), 1.0);
  };
  const double few = flops(kSmall), many = flops(kLarge);
  const double growth = std::log(many / few) / std::log(static_cast<double>(kLarge) / static_cast<double>(kSmall));
  return many * std::pow(static_cast<double>(A.rows()) / static_cast<double>(kLarge), std::clamp(growth, 1.0, 3.0));
}

}  // namespace foldout
