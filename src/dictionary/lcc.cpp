// SPDX-License-Identifier: Apache-2.0
// K. Yu, T. Zhang, Y. Gong: Nonlinear Learning using Local Coordinate Coding, NIPS 22 (2009). Samples y_i, codes γ_i,
// atoms d_j (x, γ(x) and v in the paper):
//   min Σ_i ½‖y_i − Σ_j γ_ij d_j‖² + λ Σ_ij |γ_ij| ‖d_j − y_i‖²
// With the atoms fixed, every code is a lasso with an individual penalty for each coefficient. With the codes fixed,
// twice the above is the quadratic of atom_system.h with weights |γ| and 2λ, and each atom moves to its minimum in
// turn. Codes are warm-started from the previous iteration.
// The paper's coordinates sum to one by definition. Samples are therefore centred and get a constant feature that is so
// large that other sums leave a large residual (1 − Σγ is of the order of 10⁻⁴ λ times the squared distance between
// atoms over that between all samples). Departures: locality is measured at y, not at Dγ as in the paper's bound.
// Unused atoms are reset to the worst-coded sample.
#include "foldout/dictionary/lcc.h"
#include "dictionary/improve.h"

#include <cmath>

#include "core/check.h"
#include "core/keys.h"
#include "core/parallel.h"
#include "dictionary/atom_system.h"
#include "dictionary/keys.h"
#include "dictionary/learning.h"
#include "dictionary/starting_atoms.h"
#include "dictionary/weighted_lasso.h"
#include "linalg/distance.h"
#include "linalg/products.h"

namespace foldout {

Fields fields(LccOptions& o) {
  static constexpr Key sum_to_one{"sum_to_one", "codes sum to one, and results do not depend on the origin"};
  return {{key::n_atoms, o.n_atoms},
          {key::atoms_per_class, o.atoms_per_class},
          {key::locality, o.locality},
          {sum_to_one, o.sum_to_one},
          {key::max_iterations, o.max_iterations},
          {key::tolerance, o.tolerance},
          {key::start, o.start},
          {key::seed, o.seed}};
}

namespace {

constexpr Index kBlock = 4 * kBlockRows;

// The solver starts from `rows` and replaces them.
void solve_codes(const MatrixRef& Y, const Matrix& D, double locality, std::vector<CodeRow>& rows,
                 const RunContext& context) {
  const Matrix gram = multiply_transposed(D, D);
  parallel_blocks(
      Y.rows(), kBlock, context,
      [&](Index begin, Index end) {
        const auto block = Y.middleRows(begin, end - begin);
        const Matrix products = multiply_transposed_rowwise(block, D);
        const Matrix penalties = locality * squared_distances(block, D);
        WeightedLasso lasso(gram);
        for (Index i = begin; i < end; ++i)
          lasso.solve(products.row(i - begin).data(), penalties.row(i - begin).data(),
                      length(Y.row(i).data(), Y.cols()), rows[static_cast<std::size_t>(i)]);
      },
      "codes");
}

// The contribution of each sample to the objective.
Vector costs_of(const MatrixRef& Y, const SparseMatrix& codes, const Matrix& D, double locality,
                const RunContext& context) {
  Vector costs(Y.rows());
  parallel_blocks(Y.rows(), kBlock, context, [&](Index begin, Index end) {
    Eigen::RowVectorXd left;
    for (Index i = begin; i < end; ++i) {
      left = Y.row(i);
      double local = 0;
      for (SparseMatrix::InnerIterator x(codes, i); x; ++x) {
        left -= x.value() * D.row(x.col());
        local += std::abs(x.value()) * squared_distance(Y.row(i).data(), D.row(x.col()).data(), D.cols());
      }
      costs[i] = left.squaredNorm() / 2 + locality * local;
    }
  });
  return costs;
}

SparseMatrix magnitudes(const SparseMatrix& codes) {
  SparseMatrix sizes = codes;
  sizes.coeffs() = codes.coeffs().abs();
  return sizes;
}

Dictionary iterate(const SampleRows& samples, Matrix atoms, const LccOptions& o, const RunContext& context) {
  Dictionary result;
  std::vector<CodeRow> rows(static_cast<std::size_t>(samples.held().rows()));
  Index reseeded = 0;
  for (int t = 0; t < o.max_iterations; ++t) {
    context.tick("dictionary", static_cast<double>(t) / o.max_iterations);
    solve_codes(samples.held(), atoms, o.locality, rows, context);
    const SparseMatrix codes = sparse_codes(rows, atoms.rows());
    DictionaryObjective J{sum_over(samples, costs_of(samples.held(), codes, atoms, o.locality, context)), 0};
    const AtomSystem system(samples, codes, magnitudes, 2 * o.locality, context);
    move_atoms(system, atoms, context);
    const Vector costs = costs_of(samples.held(), codes, atoms, o.locality, context);
    J.after_atoms = sum_over(samples, costs);
    reseeded += reseed_unused(samples, system.Q.diagonal(), costs, atoms);
    result.objective.push_back(J);
    if (settled(result.objective, o.tolerance)) break;
  }
  note_reseeded(reseeded, result.report);
  result.atoms = std::move(atoms);
  return result;
}

Matrix framed(const MatrixRef& rows, const Eigen::RowVectorXd& mean, double constant) {
  Matrix both(rows.rows(), rows.cols() + 1);
  both << rows.rowwise() - mean, Vector::Constant(rows.rows(), constant);
  return both;
}

// The mean of the samples, and their root mean squared distance from it.
struct Center {
  Eigen::RowVectorXd mean;
  double spread = 0;
};

Center center_of(const SampleRows& samples, const RunContext& context) {
  const auto n = static_cast<double>(samples.size());
  const MatrixRef& Y = samples.held();
  const auto sum_of = [&](const auto& of_row) {
    return sum_over(samples, context, [&](Index begin, Index end) {
      Sums part{of_row(begin)};
      for (Index i = begin + 1; i < end; ++i) part.dense += of_row(i);
      return part;
    });
  };
  Center center{sum_of([&](Index i) { return Matrix(Y.row(i)); }).dense.row(0) / n, 0};
  const auto square = [&](Index i) {
    return Matrix::Constant(1, 1, squared_distance(Y.row(i).data(), center.mean.data(), Y.cols()));
  };
  center.spread = std::sqrt(sum_of(square).dense(0, 0) / n);
  return center;
}

Dictionary iterate_about_mean(const SampleRows& samples, const Matrix& atoms, const LccOptions& o,
                              const RunContext& context) {
  constexpr double kFrame = 100;
  const auto [mean, spread] = center_of(samples, context);
  const double constant = spread > 0 ? kFrame * spread : 1;
  Dictionary result =
      iterate(*samples.with(framed(samples.held(), mean, constant)), framed(atoms, mean, constant), o, context);
  result.atoms = (result.atoms.leftCols(samples.width()).rowwise() + mean).eval();
  return result;
}

}  // namespace

SparseMatrix lcc_codes(const MatrixRef& samples, const Matrix& atoms, double locality, const RunContext& context) {
  std::vector<CodeRow> rows(static_cast<std::size_t>(samples.rows()));
  solve_codes(samples, atoms, locality, rows, context);
  return sparse_codes(rows, atoms.rows());
}

namespace {

Dictionary improve(const SampleRows& samples, Matrix atoms, const LccOptions& o, const RunContext& context) {
  return o.sum_to_one ? iterate_about_mean(samples, atoms, o, context) : iterate(samples, std::move(atoms), o, context);
}

}  // namespace

Dictionary improve_lcc(const MatrixRef& samples, Matrix atoms, const LccOptions& options, const RunContext& context) {
  LccOptions o = options;
  check_fields(fields(o), "lcc");
  require_samples(samples, 1, "lcc");
  require_width(atoms, samples.cols(), "lcc");
  return improve(AllRows(samples), std::move(atoms), o, context);
}

Dictionary learn_lcc(const MatrixRef& samples, const std::vector<int>& labels, const LccOptions& options,
                     const RunContext& context) {
  return learn_lcc(AllRows(samples), labels, options, context);
}

Dictionary learn_lcc(const SampleRows& samples, const std::vector<int>& labels, const LccOptions& options,
                     const RunContext& context) {
  LccOptions o = options;
  check_fields(fields(o), "lcc");
  return learn_atoms(samples, labels, o.n_atoms, o.atoms_per_class, "lcc", context,
                     [&](const SampleRows& Y, Index count, const RunContext& c) {
                       require_room_for_products(count, "lcc", c);
                       return improve(Y, starting_atoms(Y, count, o.start, o.seed, c), o, c);
                     });
}

}  // namespace foldout
