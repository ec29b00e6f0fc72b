// SPDX-License-Identifier: Apache-2.0
// M. Aharon, M. Elad, A. Bruckstein: K-SVD: An Algorithm for Designing Overcomplete Dictionaries for Sparse
// Representation, IEEE Transactions on Signal Processing 54 (2006). Samples y_i, codes x_i, atoms d_j (columns in the
// paper, rows here):
//   min ‖Y − DX‖²  subject to  ‖x_i‖₀ ≤ T₀,  ‖d_j‖ = 1
// Codes are computed by orthogonal matching pursuit. Then each atom is updated in turn, together with its coefficients,
// by the leading singular pair of E, the residual of the samples that use it without the atom's contribution.
// Departures: two atoms with a cosine above 1 − 10⁻⁶ count as equal, and the second is replaced (the authors' code uses
// 0.99, a cosine that neighbours among a few hundred directions of three features also have); atoms used by few samples
// are kept. The initial atoms are directions of samples; samples that are multiples of each other give one atom.
#include "foldout/dictionary/ksvd.h"
#include "dictionary/improve.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "core/keys.h"
#include "dictionary/keys.h"
#include "dictionary/learning.h"
#include "dictionary/omp.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "linalg/eigenpairs.h"
#include "linalg/products.h"

namespace foldout {

Fields fields(KsvdOptions& o) {
  static constexpr Key sparsity{
      "sparsity", "number of atoms in a code; auto: a tenth of the number of features, from 2 to 10", "T₀", 1};
  return {{key::n_atoms, o.n_atoms},
          {key::atoms_per_class, o.atoms_per_class},
          {sparsity, o.sparsity},
          {key::max_iterations, o.max_iterations},
          {key::tolerance, o.tolerance},
          {key::start, o.start},
          {key::seed, o.seed}};
}

namespace {

// The unit vector v that maximises ‖E v‖, from the smaller of EEᵀ and EᵀE.
Eigen::RowVectorXd leading_direction(const Matrix& E) {
  constexpr Index kSmall = 32;
  const bool wide = E.cols() > E.rows();
  ColMatrix gram = wide ? multiply_transposed(E, E) : transposed_multiply(E, E);
  const Index n = gram.rows();
  Vector top, values;
  if (n > kSmall) {
    top = some_eigenpairs(std::move(gram), n - 1, n - 1).vectors.col(0);
  } else {
    small_eigen(gram, values);
    top = gram.col(n - 1);
  }
  Eigen::RowVectorXd v = wide ? Eigen::RowVectorXd(top.transpose() * E) : Eigen::RowVectorXd(top.transpose());
  return v / length(v.data(), v.size());
}

// Fits atom j and its coefficients to the residual of the other atoms, and updates R = Y − XD.
void move_atom(Index j, const SparseMatrix& by_atom, Vector& values, Matrix& D, Matrix& R) {
  const Index first = by_atom.outerIndexPtr()[j], count = by_atom.outerIndexPtr()[j + 1] - first;
  if (count == 0) return;
  Matrix E(count, D.cols());
  for (Index i = 0; i < count; ++i) E.row(i) = R.row(by_atom.innerIndexPtr()[first + i]) + values[first + i] * D.row(j);
  if (!(E.cwiseAbs().maxCoeff() > 0)) return;
  Eigen::RowVectorXd v = leading_direction(E);
  if (!v.allFinite()) return;       // squares underflow to 0
  if (v.dot(D.row(j)) < 0) v = -v;  // an atom keeps its orientation
  D.row(j) = v;
  for (Index i = 0; i < count; ++i) {
    values[first + i] = dot(E.row(i).data(), v.data(), v.size());
    R.row(by_atom.innerIndexPtr()[first + i]) = E.row(i) - values[first + i] * v;
  }
}

// Unused atoms, and those equal to an earlier one, are reset to the directions of the worst-coded samples.
Index replace_atoms(const MatrixRef& Y, const SparseMatrix& by_atom, Vector costs, Matrix& D) {
  constexpr double kSame = 1 - 1e-6, kMet = 1e-20;
  const Matrix cosines = multiply_transposed(D, D);
  const double least = kMet * Y.squaredNorm() / static_cast<double>(Y.rows());
  Index count = 0;
  for (Index j = 0; j < D.rows(); ++j) {
    const bool unused = by_atom.outerIndexPtr()[j] == by_atom.outerIndexPtr()[j + 1];
    if (!unused && !(j > 0 && cosines.row(j).head(j).cwiseAbs().maxCoeff() > kSame)) continue;
    Index worst = 0;
    if (!(costs.maxCoeff(&worst) > least)) break;
    D.row(j) = unit_rows(Y.row(worst));
    costs[worst] = 0;
    ++count;
  }
  return count;
}

Index sparsity_of(const KsvdOptions& o, Index n_features) {
  constexpr Index kPart = 10, kLeast = 2, kMost = 10;
  return o.sparsity ? *o.sparsity : std::clamp(n_features / kPart, kLeast, kMost);
}

// Directions of samples, without samples of length 0.
Matrix directions(const MatrixRef& samples) {
  Matrix unit = unit_rows(samples);
  Index kept = 0;
  for (Index i = 0; i < unit.rows(); ++i)
    if (!unit.row(i).isZero(0)) unit.row(kept++) = unit.row(i);
  if (kept == 0)
    throw InvalidArgument(
        "ksvd: all samples, or all of a class, have length 0, and therefore no direction to learn: remove them");
  return unit.topRows(kept);
}

Matrix start_of(const MatrixRef& samples, Index count, const KsvdOptions& o, const RunContext& context) {
  const Matrix unit = directions(samples);
  Matrix atoms = starting_atoms(AllRows(unit), std::min(count, unit.rows()), o.start, o.seed, context);
  for (Index j = 0; j < atoms.rows(); ++j)
    if (atoms.row(j).isZero(1e-12)) atoms.row(j) = unit.row(j);  // the centre of opposite directions
  return atoms;
}

}  // namespace

Dictionary improve_ksvd(const MatrixRef& samples, const Matrix& atoms, const KsvdOptions& options,
                        const RunContext& context) {
  KsvdOptions o = options;
  check_fields(fields(o), "ksvd");
  require_samples(samples, 1, "ksvd");
  require_width(atoms, samples.cols(), "ksvd");
  const Index sparsity = std::min(sparsity_of(o, samples.cols()), atoms.rows());
  Dictionary result;
  Matrix D = unit_rows(atoms);
  Index replaced = 0;
  for (int t = 0; t < o.max_iterations; ++t) {
    context.tick("dictionary", static_cast<double>(t) / o.max_iterations);
    const SparseMatrix X = omp_codes(samples, D, static_cast<int>(sparsity), context), by_atom = X.transpose();
    Matrix R = samples - X * D;
    DictionaryObjective J{R.squaredNorm(), 0};
    Vector values = Eigen::Map<const Vector>(by_atom.valuePtr(), by_atom.nonZeros());
    for (Index j = 0; j < D.rows(); ++j) move_atom(j, by_atom, values, D, R);
    const Vector costs = R.rowwise().squaredNorm();
    J.after_atoms = costs.sum();
    replaced += replace_atoms(samples, by_atom, costs, D);
    result.objective.push_back(J);
    if (settled(result.objective, o.tolerance)) break;
  }
  if (o.sparsity && *o.sparsity > sparsity)
    result.report.note(
        "sparsity_reduced",
        fmt::format("sparsity = {} exceeds the number of atoms, {}, and was reduced to it", *o.sparsity, sparsity));
  if (replaced > 0)
    result.report.note(
        "atoms_reseeded",
        fmt::format("unused atoms, or atoms equal to another, were reset to directions of samples, {} times",
                    replaced));
  result.atoms = std::move(D);
  return result;
}

Dictionary learn_ksvd(const SampleRows& samples, const std::vector<int>& labels, const KsvdOptions& options,
                      const RunContext& context) {
  require_whole(samples, "ksvd");
  return learn_ksvd(samples.held(), labels, options, context);
}

Dictionary learn_ksvd(const MatrixRef& samples, const std::vector<int>& labels, const KsvdOptions& options,
                      const RunContext& context) {
  KsvdOptions o = options;
  check_fields(fields(o), "ksvd");
  return learn_atoms(
      AllRows(samples), labels, o.n_atoms, o.atoms_per_class, "ksvd", context,
      [&](const SampleRows& all, Index count, const RunContext& c) {
        const MatrixRef& Y = all.held();
        require_room_for_products(count, "ksvd", c);
        Dictionary learned = improve_ksvd(Y, start_of(Y, count, o, c), o, c);
        if (learned.atoms.rows() < count)
          learned.report.note(
              "atoms_reduced",
              fmt::format("samples have only {} distinct directions: each became an atom", learned.atoms.rows()));
        return learned;
      });
}

}  // namespace foldout
