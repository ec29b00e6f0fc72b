// SPDX-License-Identifier: Apache-2.0
// J. Wang, J. Yang, K. Yu, F. Lv, T. Huang, Y. Gong: Locality-constrained Linear Coding for Image Classification, CVPR
// 2010. Samples y, codes c, atoms b_j (columns of B in the paper):
//   min Σ ‖y − Bc‖² + λ‖e ⊙ c‖²  subject to  1ᵀc = 1,  e_j = exp(‖y − b_j‖/σ), scaled such that the largest is 1   (3)
// Algorithm 4.1: for the i-th sample, code it; keep the atoms with |c_j| > 0.01; refit the sample with these atoms,
// without the second term; and make a step against the gradient of ‖y − Bc‖², −2c_j(y − Bc): b_j += 2μ c_j (y −
// Bc)/‖c‖, μ = √(1/i). Atoms move only while a fit has no more atoms than features; otherwise there is no residual. σ
// must therefore be well below the distances between atoms.
// Departures: λ is in units of σ², so that samples can be rescaled. A step ends where the residual of the sample
// vanishes (2μ‖c‖ ≤ 1); the paper's first steps can overshoot by any factor. Atoms are not projected onto the unit
// ball, which has no meaning for samples of other lengths. Samples are processed in random order, because files are
// often sorted. A sample with no coefficient above 0.01 moves no atom. Atoms that did not move in a pass and are
// nearest to no sample are reset to the worst-coded samples.
#include "foldout/dictionary/llc.h"
#include "dictionary/improve.h"

#include <cmath>

#include "core/check.h"
#include "core/keys.h"
#include "core/parallel.h"
#include "core/random.h"
#include "dictionary/keys.h"
#include "dictionary/learning.h"
#include "dictionary/llc_coding.h"
#include "dictionary/starting_atoms.h"
#include "neighbors/neighbors.h"

namespace foldout {

Fields fields(LlcOptions& o) {
  static constexpr Key locality{"locality", "penalty on distant atoms in a code, in units of σ²", "λ", 0};
  static constexpr Key sigma{"sigma",
                             "scale of distances; auto: a tenth of the distance of a sample to its nearest initial "
                             "atom (root mean square)",
                             "σ",
                             0,
                             1e300,
                             true};
  static constexpr Key max_iterations{"max_iterations", "passes over all samples", "", 1};
  return {{key::n_atoms, o.n_atoms}, {key::atoms_per_class, o.atoms_per_class}, {locality, o.locality},
          {sigma, o.sigma},          {max_iterations, o.max_iterations},        {key::start, o.start},
          {key::seed, o.seed}};
}

namespace {

constexpr Index kBlock = 64;

Vector costs_of(const MatrixRef& Y, const Matrix& B, const LlcWeights& weights, const RunContext& context) {
  Vector costs(Y.rows());
  parallel_blocks(
      Y.rows(), kBlock, context,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) (void)llc_code(Y.row(i).data(), B, weights, costs[i]);
      },
      "codes");
  return costs;
}

double usual_sigma(const MatrixRef& Y, const Matrix& B, const RunContext& context) {
  constexpr double kPart = 0.1, kLeast = 1e-300;  // kLeast if every sample is an atom
  double sum = 0;
  for (const double d : make_neighbor_index(B)->query(Y, 1, context).distances) sum += d * d;
  return std::max(kPart * std::sqrt(sum / static_cast<double>(Y.rows())), kLeast);
}

// Algorithm 4.1 for the i-th sample; counts the atoms that it moves.
void follow(const double* sample, double i, const LlcWeights& weights, Matrix& B, Vector& usage) {
  constexpr double kKept = 0.01;
  double cost = 0;
  const Vector code = llc_code(sample, B, weights, cost);
  std::vector<int> kept;
  for (Index j = 0; j < code.size(); ++j)
    if (std::abs(code[j]) > kKept) kept.push_back(static_cast<int>(j));
  if (kept.empty()) return;
  const Vector c = affine_fit(sample, B, kept);
  Eigen::RowVectorXd left = Eigen::Map<const Eigen::RowVectorXd>(sample, B.cols());
  for (std::size_t k = 0; k < kept.size(); ++k) left -= c[static_cast<Index>(k)] * B.row(kept[k]);
  const double step = std::min(2 / std::sqrt(i), 1 / c.norm()) / c.norm();
  for (std::size_t k = 0; k < kept.size(); ++k) {
    B.row(kept[k]) += step * c[static_cast<Index>(k)] * left;
    usage[kept[k]] += 1;
  }
}

}  // namespace

Matrix llc_codes(const MatrixRef& samples, const Matrix& atoms, const LlcWeights& weights, const RunContext& context) {
  Matrix codes(samples.rows(), atoms.rows());
  parallel_blocks(
      samples.rows(), kBlock, context,
      [&](Index begin, Index end) {
        double cost = 0;
        for (Index i = begin; i < end; ++i)
          codes.row(i) = llc_code(samples.row(i).data(), atoms, weights, cost).transpose();
      },
      "codes");
  return codes;
}

Dictionary improve_llc(const MatrixRef& samples, Matrix atoms, const LlcOptions& options, const RunContext& context) {
  LlcOptions o = options;
  check_fields(fields(o), "llc");
  require_samples(samples, 1, "llc");
  require_width(atoms, samples.cols(), "llc");
  const LlcWeights weights{o.locality, o.sigma ? *o.sigma : usual_sigma(samples, atoms, context)};
  Dictionary result;
  Rng rng = Rng(o.seed).stream(1);
  Index seen = 0, reseeded = 0;
  double reached = costs_of(samples, atoms, weights, context).sum();
  for (int pass = 0; pass < o.max_iterations; ++pass) {
    Vector usage = Vector::Zero(atoms.rows());
    for (const Index i : rng.permutation(samples.rows())) {
      follow(samples.row(i).data(), static_cast<double>(++seen), weights, atoms, usage);
      context.tick("dictionary", static_cast<double>(seen) / static_cast<double>(o.max_iterations * samples.rows()));
    }
    const Vector costs = costs_of(samples, atoms, weights, context);
    result.objective.push_back({reached, costs.sum()});
    reached = costs.sum();
    for (const int j : make_neighbor_index(atoms)->query(samples, 1, context).indices) usage[j] += 1;
    if (const Index moved = reseed_unused(AllRows(samples), usage, costs, atoms); moved > 0) {
      reseeded += moved;
      reached = costs_of(samples, atoms, weights, context).sum();
    }
  }
  note_reseeded(reseeded, result.report);
  result.atoms = std::move(atoms);
  return result;
}

Dictionary learn_llc(const SampleRows& samples, const std::vector<int>& labels, const LlcOptions& options,
                     const RunContext& context) {
  require_whole(samples, "llc");
  return learn_llc(samples.held(), labels, options, context);
}

Dictionary learn_llc(const MatrixRef& samples, const std::vector<int>& labels, const LlcOptions& options,
                     const RunContext& context) {
  LlcOptions o = options;
  check_fields(fields(o), "llc");
  return learn_atoms(AllRows(samples), labels, o.n_atoms, o.atoms_per_class, "llc", context,
                     [&](const SampleRows& Y, Index count, const RunContext& c) {
                       return improve_llc(Y.held(), starting_atoms(Y, count, o.start, o.seed, c), o, c);
                     });
}

}  // namespace foldout
