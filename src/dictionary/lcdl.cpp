// SPDX-License-Identifier: Apache-2.0
// Y. Zhou, K. Barner: Locality Constrained Dictionary Learning for Nonlinear Dimensionality Reduction, IEEE Signal
// Processing Letters 20 (2013). Samples y_i, codes x_i, atoms d_j (columns in the paper, rows here):
//   min ‖Y − DX‖² + λ Σ_ij x_ji² ‖y_i − d_j‖² + μ‖X‖²,  Σ_j x_ji = 1,  x_ji = 0 unless d_j is one of the τ nearest (5)
// Codes by Eq. (9), atoms one after another by Eq. (12), which depends on the samples only through atom_system.h.
// Departures: the paper's "convergence is guaranteed" holds while the τ nearest atoms stay the same; when they are
// selected again, the objective may increase. monotone=true lets a sample keep its previous atoms if they cost less.
// Unused atoms are reset to the worst-coded sample. Outliers (future work in the paper) are a sparse term S: atoms are
// initialised and learned from Y − S, and S is recomputed from Y − DX in every iteration; see outlier_term.h.
#include "foldout/dictionary/lcdl.h"
#include "dictionary/improve.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"
#include "core/keys.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/rows.h"
#include "dictionary/atom_system.h"
#include "dictionary/keys.h"
#include "dictionary/learning.h"
#include "dictionary/local_codes.h"
#include "dictionary/outlier_term.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"

namespace foldout {

Fields fields(LcdlOptions& o) {
  static constexpr Key max_iterations{
      "max_iterations", "iterations, each of which updates codes and atoms; auto: 50, or 15 passes over batches", "",
      1};
  static constexpr Key monotone{"monotone", "let a sample keep its previous atoms if they cost less than the nearest"};
  static constexpr Key outliers{
      "outliers", "residuals of a feature above this many standard deviations are clipped; 0 disables clipping", "", 0};
  static constexpr Key batch_size{
      "batch_size", "atoms move after this many samples; samples read from a file are in memory one batch at a time",
      "",           1,
      1e9,          false,
      "all"};
  return {{key::n_atoms, o.n_atoms},
          {key::atoms_per_class, o.atoms_per_class},
          {key::tau, o.tau},
          {key::locality, o.locality},
          {key::code_ridge, o.ridge},
          {max_iterations, o.max_iterations},
          {key::tolerance, o.tolerance},
          {key::start, o.start},
          {monotone, o.monotone},
          {outliers, o.outliers},
          {batch_size, o.batch_size},
          {key::seed, o.seed}};
}

namespace {

constexpr Index kBlock = 512;

// Eq. (5) for given codes and atoms.
double objective(const MatrixRef& Y, const SparseMatrix& X, const Matrix& D, const LocalCodeWeights& weights,
                 const RunContext& context) {
  Vector costs(Y.rows());
  parallel_blocks(Y.rows(), kBlock, context, [&](Index begin, Index end) {
    Eigen::RowVectorXd left;
    for (Index i = begin; i < end; ++i) {
      left = Y.row(i);
      double local = 0, size = 0;
      for (SparseMatrix::InnerIterator x(X, i); x; ++x) {
        left -= x.value() * D.row(x.col());
        local += x.value() * x.value() * squared_distance(Y.row(i).data(), D.row(x.col()).data(), D.cols());
        size += x.value() * x.value();
      }
      costs[i] = left.squaredNorm() + weights.locality * local + weights.ridge * size;
    }
  });
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}

// A sample keeps its previous atoms if they cost less than the nearest.
void keep_cheaper(const MatrixRef& Y, const Matrix& D, const LocalCodeWeights& weights, const SparseMatrix& before,
                  LocalCodes& now, const RunContext& context) {
  parallel_blocks(Y.rows(), kBlock, context, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto first = static_cast<std::size_t>(before.outerIndexPtr()[i]);
      const auto count = static_cast<std::size_t>(before.outerIndexPtr()[i + 1]) - first;
      const std::span<const int> atoms(before.innerIndexPtr() + first, count);
      std::vector<double> code(count);
      const double cost = local_code(Y.row(i).data(), D, atoms, weights, code);
      if (!(cost < now.costs[i])) continue;
      now.costs[i] = cost;
      std::ranges::copy(atoms, now.codes.innerIndexPtr() + first);
      std::ranges::copy(code, now.codes.valuePtr() + first);
    }
  });
}

Dictionary learn_from_batches(const MatrixRef& Y, Index count, LcdlOptions o, const RunContext& context) {
  o.n_atoms = static_cast<int>(count);
  o.atoms_per_class = {};
  std::vector<Index> first = Rng(o.seed).permutation(Y.rows());
  first.resize(static_cast<std::size_t>(std::min(Y.rows(), kStartPerAtom * count)));
  return learn_lcdl_in_batches(rows_of(Y, first), *stream_over(Y, "lcdl"), o, context);
}

// The atoms, and what is known of them.
struct Learned {
  Matrix atoms;
  double ridge = 0;
  Index reseeded = 0;
  std::vector<DictionaryObjective> objective = {};  // of each iteration

  [[nodiscard]] LearningState state() const {
    LearningState state{atoms, {ridge, static_cast<double>(reseeded)}};
    for (const DictionaryObjective& J : objective) {
      state.numbers.push_back(J.after_codes);
      state.numbers.push_back(J.after_atoms);
    }
    return state;
  }
  static Learned from(const LearningState& state) {
    Learned learned{state.atoms, state.numbers.at(0), static_cast<Index>(state.numbers.at(1))};
    for (std::size_t at = 2; at + 1 < state.numbers.size(); at += 2)
      learned.objective.push_back({state.numbers[at], state.numbers[at + 1]});
    return learned;
  }
};

Learned start_from(Matrix atoms, const LcdlOptions& o, const RunContext& context) {
  const double ridge = o.ridge ? *o.ridge : usual_ridge(atoms, context);
  return {std::move(atoms), ridge};
}

// `cleaned`: the samples without outliers if o.outliers > 0; otherwise empty.
Dictionary iterate(const SampleRows& samples, Matrix cleaned, Learned learned, const LcdlOptions& o,
                   const RunContext& context) {
  Matrix& atoms = learned.atoms;
  std::vector<DictionaryObjective>& objectives = learned.objective;
  const auto tau = static_cast<int>(std::min<Index>(o.tau, atoms.rows()));
  const LocalCodeWeights weights{o.locality, learned.ridge};
  SparseMatrix before;
  const int iterations = o.max_iterations.value_or(50);
  for (int t = static_cast<int>(objectives.size()); t < iterations; ++t) {
    if (settled(objectives, o.tolerance)) break;
    context.tick("dictionary", static_cast<double>(t) / iterations);
    LocalCodes X = LocalCoding(atoms, tau, weights).code(o.outliers > 0 ? MatrixRef(cleaned) : samples.held(), context);
    if (o.monotone && t > 0) keep_cheaper(samples.held(), atoms, weights, before, X, context);
    DictionaryObjective J{sum_over(samples, X.costs), 0};
    if (o.outliers > 0) {
      cleaned = without_outliers(samples.held(), X.codes * atoms, o.outliers);
      J.after_codes = objective(cleaned, X.codes, atoms, weights, context);
    }
    const AllRows without(cleaned);
    const SampleRows& Y = o.outliers > 0 ? without : samples;
    const AtomSystem system(Y, X.codes, squared, o.locality, context);
    J.after_atoms = J.after_codes + move_atoms(system, atoms, context);
    learned.reseeded += reseed_unused(Y, system.Q.diagonal(), X.costs, atoms);
    if (o.monotone) before.swap(X.codes);
    objectives.push_back(J);
    if (samples.keeps() && !o.monotone) samples.keep(learned.state());  // monotone needs the codes, too
  }
  Dictionary result;
  result.objective = std::move(objectives);
  note_reseeded(learned.reseeded, result.report);
  result.atoms = std::move(atoms);
  note_tau(o.tau, result);
  return result;
}

void check(LcdlOptions o) {
  check_fields(fields(o), "lcdl");
  if (o.monotone && o.outliers > 0)
    throw InvalidArgument("lcdl: monotone=true and outliers exclude each other: outliers change the objective");
}

// Empty without outliers.
Matrix first_cleaned(const MatrixRef& samples, Index n_atoms, const LcdlOptions& o, const RunContext& context) {
  return o.outliers > 0 ? without_gross_errors(samples, n_atoms, o.outliers, o.seed, context) : Matrix();
}

}  // namespace

Dictionary improve_lcdl(const MatrixRef& samples, Matrix atoms, const LcdlOptions& options, const RunContext& context) {
  check(options);
  require_samples(samples, 1, "lcdl");
  require_width(atoms, samples.cols(), "lcdl");
  Matrix cleaned = first_cleaned(samples, atoms.rows(), options, context);
  return iterate(AllRows(samples), std::move(cleaned), start_from(std::move(atoms), options, context), options,
                 context);
}

Dictionary learn_lcdl(const MatrixRef& samples, const std::vector<int>& labels, const LcdlOptions& options,
                      const RunContext& context) {
  return learn_lcdl(AllRows(samples), labels, options, context);
}

Dictionary learn_lcdl(const SampleRows& samples, const std::vector<int>& labels, const LcdlOptions& options,
                      const RunContext& context) {
  check(options);
  const LcdlOptions& o = options;
  if (o.batch_size) require_whole(samples, "lcdl: batch_size");
  if (o.outliers > 0) require_whole(samples, "lcdl: outliers");
  return learn_atoms(samples, labels, o.n_atoms, o.atoms_per_class, "lcdl", context,
                     [&](const SampleRows& Y, Index count, const RunContext& c) {
                       if (o.batch_size) return learn_from_batches(Y.held(), count, o, c);
                       Matrix cleaned = first_cleaned(Y.held(), count, o, c);
                       const AllRows without(cleaned);
                       const SampleRows& sound = o.outliers > 0 ? without : Y;
                       const std::optional<LearningState> kept = Y.kept();
                       Learned learned = kept ? Learned::from(*kept)
                                              : start_from(starting_atoms(sound, count, o.start, o.seed, c), o, c);
                       return iterate(Y, std::move(cleaned), std::move(learned), o, c);
                     });
}

}  // namespace foldout
