// SPDX-License-Identifier: Apache-2.0
#include "linalg/sparse_factor.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "foldout/core/error.h"
#include "linalg/elimination_tree.h"
#include "linalg/front_kernels.h"
#include "linalg/supernodal_factor.h"

namespace foldout {
struct SparseFactor::Impl {
  EliminationTree tree;
  SupernodalFactor factor;
  std::vector<double> rows;  // of B, then of X, a few columns at a time

  explicit Impl(const SparseMatrix& A) : tree(A), factor(A, tree) {}
};

SparseFactor::SparseFactor(const SparseMatrix& A) : impl_(std::make_unique<Impl>(A)) {
  for (const int count : impl_->tree.counts) {
    fill_ += count;
    flops_ += static_cast<double>(count) * count;
  }
}

SparseFactor::~SparseFactor() = default;

double SparseFactor::bytes() const { return impl_->factor.bytes(); }

bool SparseFactor::fills_in() const {
  constexpr double kFlopsPerEntry = 100;
  return flops_ > kFlopsPerEntry * fill_;
}

void SparseFactor::compute(double shift, const RunContext& context) {
  if (!impl_->factor.compute(shift, context))
    throw NumericalError("the matrix is not positive semidefinite: its sparse factorisation failed");
}

void SparseFactor::solve(const Eigen::Ref<const ColMatrix>& B, Eigen::Ref<ColMatrix> X, const RunContext& context) {
  constexpr Index kMost = 32;
  const Index n = B.rows();
  const int* source = impl_->tree.order.data();
  for (Index begin = 0; begin < B.cols(); begin += kMost) {
    const Index columns = std::min(kMost, B.cols() - begin), width = padded(columns);
    std::vector<double>& rows = impl_->rows;
    rows.assign(static_cast<std::size_t>(n * width), 0.0);
    for (Index c = 0; c < columns; ++c)
      for (Index i = 0; i < n; ++i) rows[static_cast<std::size_t>(i * width + c)] = B(source[i], begin + c);
    impl_->factor.solve(rows.data(), width, context);
    for (Index c = 0; c < columns; ++c)
      for (Index i = 0; i < n; ++i) X(source[i], begin + c) = rows[static_cast<std::size_t>(i * width + c)];
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
