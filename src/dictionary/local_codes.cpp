// SPDX-License-Identifier: Apache-2.0
// Codes over many atoms compute distances and G from inner products, G_jl = d_jᵀd_l − yᵀd_j − yᵀd_l + yᵀy, which one
// matrix product gives for a whole block. Codes over few atoms compute G from the differences. So do codes of samples
// that are so near to an atom, relative to the extent of the data, that digits would cancel, or so distant that squares
// overflow; their distances, too, come from differences.
#include "dictionary/local_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.h"
#include "dictionary/code_solver.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "linalg/products.h"

namespace foldout {
namespace {

void gram_of_differences(const double* sample, const MatrixRef& atoms, std::span<const int> neighbors, Matrix& gram) {
  const auto k = static_cast<Index>(neighbors.size());
  const Index d = atoms.cols();
  thread_local Matrix differences;
  differences.resize(k, d);
  const Eigen::Map<const Eigen::RowVectorXd> y(sample, d);
  for (Index j = 0; j < k; ++j) differences.row(j) = atoms.row(neighbors[static_cast<std::size_t>(j)]) - y;
  gram.resize(k, k);
  for (Index j = 0; j < k; ++j)
    for (Index l = 0; l <= j; ++l) gram(j, l) = dot(differences.row(j).data(), differences.row(l).data(), d);
}

// With this few atoms in a code, or this many in total, differences are faster.
constexpr int kFewAtoms = 8;
constexpr Index kManyAtoms = 4000;
// Squared distances below this fraction of ‖y‖² have lost digits to cancellation.
constexpr double kCancels = 1e-5;

// The k nearest atoms by squared distance, nearest first, ties by index.
void nearest_of(const Eigen::RowVectorXd& squares, int k, std::vector<int>& order) {
  order.resize(static_cast<std::size_t>(squares.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto nearer = [&](int a, int b) { return squares[a] < squares[b] || (squares[a] == squares[b] && a < b); };
  std::ranges::nth_element(order, order.begin() + (k - 1), nearer);
  order.resize(static_cast<std::size_t>(k));
  std::ranges::sort(order, nearer);
}

}  // namespace

double usual_ridge(const Matrix& atoms, const RunContext& context) {
  constexpr double kPart = 1e-2;  // the paper's 0.001 on its faces
  if (atoms.rows() < 2) return 0;
  double sum = 0;
  for (const double gap : nearest_neighbors(atoms, 1, {}, context).distances) sum += gap * gap;
  return kPart * sum / static_cast<double>(atoms.rows());
}

double local_code(const double* sample, const MatrixRef& atoms, std::span<const int> neighbors,
                  const LocalCodeWeights& weights, std::span<double> code) {
  thread_local CodeSolver solver;
  gram_of_differences(sample, atoms, neighbors, solver.gram());
  solver.factor(weights);
  return solver.solve(code);
}

LocalCoding::LocalCoding(const Matrix& atoms, int tau, const LocalCodeWeights& weights)
    : atoms_(atoms), tau_(tau), weights_(weights) {
  if (tau <= kFewAtoms || atoms.rows() > kManyAtoms) {
    index_ = make_neighbor_index(atoms);
    return;
  }
  mean_ = atoms.colwise().mean();
  centered_ = atoms.rowwise() - mean_;
  products_ = multiply_transposed(centered_, centered_);
}

void LocalCoding::visit_by_search(const MatrixRef& samples, const Visit& visit) const {
  const NeighborTable table = index_->query(samples, tau_);
  thread_local CodeSolver solver;
  for (Index i = 0; i < samples.rows(); ++i) {
    gram_of_differences(samples.row(i).data(), atoms_, table.of(i), solver.gram());
    visit(i, table.of(i), solver);
  }
}

void LocalCoding::visit_by_products(const MatrixRef& samples, const Visit& visit) const {
  const Matrix y = samples.rowwise() - mean_;
  const Matrix products = multiply_transposed_rowwise(y, centered_);
  thread_local CodeSolver solver;
  std::vector<int> neighbors;
  for (Index i = 0; i < samples.rows(); ++i) {
    const double yy = dot(y.row(i).data(), y.row(i).data(), y.cols());
    Eigen::RowVectorXd squares =
        products_.diagonal().transpose() - 2 * products.row(i) + Eigen::RowVectorXd::Constant(atoms_.rows(), yy);
    const bool fits = squares.allFinite();
    if (fits) nearest_of(squares, tau_, neighbors);
    Matrix& gram = solver.gram();
    if (fits && squares[neighbors.front()] > kCancels * yy) {
      gram.resize(tau_, tau_);
      for (Index j = 0; j < tau_; ++j) {
        const int a = neighbors[static_cast<std::size_t>(j)];
        for (Index l = 0; l <= j; ++l) {
          const int b = neighbors[static_cast<std::size_t>(l)];
          gram(j, l) = products_(a, b) - products(i, a) - products(i, b) + yy;
        }
      }
    } else {
      const double* sample = samples.row(i).data();
      for (Index j = 0; j < atoms_.rows(); ++j) squares[j] = squared_distance(sample, atoms_.row(j).data(), y.cols());
      nearest_of(squares, tau_, neighbors);
      gram_of_differences(sample, atoms_, neighbors, gram);
    }
    visit(i, neighbors, solver);
  }
}

void LocalCoding::visit_all(const MatrixRef& samples, const RunContext& context, const Visit& visit) const {
  constexpr Index kBlock = 10 * kBlockRows;
  parallel_blocks(
      samples.rows(), kBlock, context,
      [&](Index begin, Index end) {
        const auto shifted = [&](Index i, std::span<const int> neighbors, CodeSolver& solver) {
          visit(begin + i, neighbors, solver);
        };
        const MatrixRef block = samples.middleRows(begin, end - begin);
        if (products_.size() > 0)
          visit_by_products(block, shifted);
        else
          visit_by_search(block, shifted);
      },
      "codes");
}

namespace {

// For codes with `tau` entries per row, to be filled in any order.
void make_room(Index n_samples, Index n_atoms, int tau, LocalCodes& result) {
  if (n_samples > std::numeric_limits<int>::max() / tau)
    throw InvalidArgument(fmt::format(
        "codes of {} samples over {} atoms are too many for one sparse matrix: use batch_size", n_samples, tau));
  result.costs.resize(n_samples);
  result.codes.resize(n_samples, n_atoms);
  result.codes.resizeNonZeros(n_samples * tau);
  for (Index i = 0; i <= n_samples; ++i) result.codes.outerIndexPtr()[i] = static_cast<int>(i * tau);
}

void put(Index i, std::span<const int> neighbors, const CodeSolver& solver, int tau, LocalCodes& result) {
  thread_local std::vector<double> code;
  thread_local std::vector<int> order;
  code.resize(static_cast<std::size_t>(tau));
  order.resize(code.size());
  result.costs[i] = solver.solve(code);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int j) { return neighbors[static_cast<std::size_t>(j)]; });
  Index at = i * tau;
  for (const int j : order) {
    result.codes.innerIndexPtr()[at] = neighbors[static_cast<std::size_t>(j)];
    result.codes.valuePtr()[at++] = code[static_cast<std::size_t>(j)];
  }
}

}  // namespace

LocalCodes LocalCoding::code(const MatrixRef& samples, const RunContext& context) const {
  LocalCodes result;
  make_room(samples.rows(), atoms_.rows(), tau_, result);
  visit_all(samples, context, [&](Index i, std::span<const int> neighbors, CodeSolver& solver) {
    solver.factor(weights_);
    put(i, neighbors, solver, tau_, result);
  });
  return result;
}

std::vector<LocalCodes> LocalCoding::code_for(const MatrixRef& samples, const std::vector<int>& taus,
                                              const std::vector<double>& localities, const RunContext& context) const {
  std::vector<LocalCodes> results(localities.size() * taus.size());
  for (std::size_t r = 0; r < results.size(); ++r)
    make_room(samples.rows(), atoms_.rows(), taus[r % taus.size()], results[r]);
  visit_all(samples, context, [&](Index i, std::span<const int> neighbors, CodeSolver& solver) {
    std::size_t at = 0;
    for (const double locality : localities) {
      solver.factor({locality, weights_.ridge});
      for (const int tau : taus) put(i, neighbors, solver, tau, results[at++]);
    }
  });
  return results;
}

}  // namespace foldout
