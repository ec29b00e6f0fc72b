// SPDX-License-Identifier: Apache-2.0
// τ is selected with the default λ, then λ with this τ, then τ again among similar ones. All λ are tried with the same
// atoms: dictionaries learned with different λ also differ by chance, and so would their errors, by more than the
// effect of λ.
#include "extend/code_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/parallel.h"
#include "core/random.h"
#include "core/rows.h"
#include "dictionary/local_codes.h"
#include "dictionary/starting_atoms.h"
#include "neighbors/neighbors.h"

namespace foldout {

std::vector<int> coding_taus(Index most) {
  std::vector<int> taus;
  for (const int tau : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128})
    if (tau <= most) taus.push_back(tau);
  return taus;
}

std::vector<double> coding_localities() { return {0.01, 0.03, kUsualLocality, 0.3, 1, 3, 10}; }

namespace {

// The values whose error exceeds the smallest by at most this fraction.
template <class Value>
std::vector<Value> best_of(const std::vector<Value>& values, const std::vector<double>& errors, double part) {
  const double most = (1 + part) * std::ranges::min(errors);
  std::vector<Value> best;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (errors[i] <= most) best.push_back(values[i]);
  return best;
}

// Of equally good values the middle one is the safest: the ends are next to worse ones.
template <class Value>
Value middle(const std::vector<Value>& values) {
  return values[values.size() / 2];
}

class Choice {
 public:
  Choice(const CodesOptions& asked, const CodeTrial& trial, Report& report)
      : trial_(trial), report_(report), taus_(coding_taus(trial.most_atoms)), best_(asked) {}

  CodesOptions make() {
    const bool tau = !best_.coding_tau, locality = !best_.locality;
    if (locality) best_.locality = kUsualLocality;
    if (tau) choose_tau(taus_);
    if (locality && choose_locality() && tau) choose_tau(similar(*best_.coding_tau));
    if (tau) report_choice("coding_tau", *best_.coding_tau);
    if (locality) report_choice("locality", *best_.locality);
    return best_;
  }

 private:
  std::vector<double> errors(const std::vector<int>& taus, const std::vector<double>& localities) const {
    std::vector<double> found = trial_.errors(taus, localities);
    for (double& error : found)
      if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    return found;
  }

  void choose_tau(const std::vector<int>& taus) {
    const std::vector<double> found = errors(taus, {*best_.locality});
    best_.coding_tau = middle(best_of(taus, found, 0));
    for (std::size_t t = 0; t < taus.size(); ++t) report_error(fmt::format("tau_{:03}", taus[t]), found[t]);
  }

  // Those between a third and three times τ.
  [[nodiscard]] std::vector<int> similar(int tau) const {
    std::vector<int> found;
    for (const int other : taus_)
      if (3 * other >= tau && other <= 3 * tau) found.push_back(other);
    return found;
  }

  // Returns whether λ differs from the default.
  bool choose_locality() {
    constexpr double kAsGood = 0.01;
    const std::vector<double> localities = coding_localities();
    const auto tau = static_cast<int>(std::min<Index>(*best_.coding_tau, trial_.most_atoms));
    const std::vector<double> found = errors({tau}, localities);
    for (std::size_t l = 0; l < localities.size(); ++l)
      report_error(fmt::format("locality_{:g}", localities[l]), found[l]);
    if (std::isinf(std::ranges::min(found))) return false;
    best_.locality =
        trial_.by_labels ? middle(best_of(localities, found, 0)) : best_of(localities, found, kAsGood).back();
    return *best_.locality != kUsualLocality;
  }

  void report_error(const std::string& of, double error) {
    if (std::isinf(error)) return;
    report_.figure(fmt::format("{}_{}", trial_.by_labels ? "accuracy" : "placement_error", of),
                   trial_.by_labels ? 1 - error : error);
  }

  void report_choice(std::string_view key, double value) {
    report_.figure(key, value);
    report_.fact(fmt::format("{}_chosen", key), trial_.how);
  }

  const CodeTrial& trial_;
  Report& report_;
  std::vector<int> taus_;
  CodesOptions best_;
};

// An atom that is left out, and its nearest others.
struct LeftOut {
  Index atom;
  std::vector<int> others;
};

std::vector<LeftOut> leave_out(const Matrix& atoms, Index most, int n_others, const RunContext& context) {
  std::vector<Index> out = Rng(0).permutation(atoms.rows());
  out.resize(static_cast<std::size_t>(std::min(most, atoms.rows())));
  const NeighborTable table = make_neighbor_index(atoms)->query(rows_of(atoms, out), n_others + 1, context);
  std::vector<LeftOut> result;
  for (Index i = 0; i < std::ssize(out); ++i) {
    LeftOut& left = result.emplace_back(LeftOut{.atom = out[static_cast<std::size_t>(i)], .others = {}});
    left.others.assign(table.of(i).begin(), table.of(i).end());
    if (std::erase(left.others, static_cast<int>(left.atom)) == 0)
      left.others.pop_back();  // the list contains only its duplicates
  }
  return result;
}

// The root mean square error of left-out atoms, for each number of atoms.
std::vector<double> errors_of(const std::vector<LeftOut>& out, const Matrix& atoms, const MatrixRef& coordinates,
                              const std::vector<int>& taus, const LocalCodeWeights& weights,
                              const RunContext& context) {
  Matrix errors(std::ssize(out), std::ssize(taus));
  parallel_for(errors.rows(), context, [&](Index i) {
    const auto& [atom, others] = out[static_cast<std::size_t>(i)];
    for (Index t = 0; t < errors.cols(); ++t) {
      const auto tau = static_cast<std::size_t>(taus[static_cast<std::size_t>(t)]);
      std::vector<double> code(tau);
      local_code(atoms.row(atom).data(), atoms, std::span(others).first(tau), weights, code);
      Eigen::RowVectorXd left = coordinates.row(atom);
      for (std::size_t j = 0; j < tau; ++j) left -= code[j] * coordinates.row(others[j]);
      errors(i, t) = left.squaredNorm();
    }
  });
  const Vector mean = errors.colwise().mean().array().sqrt();
  return {mean.begin(), mean.end()};
}

}  // namespace

CodesOptions chosen_codes(const CodesOptions& asked, const CodeTrial& trial, Report& report) {
  return Choice(asked, trial, report).make();
}

CodesOptions chosen_by_leaving_out(const Matrix& atoms, const MatrixRef& coordinates, const CodesOptions& asked,
                                   const RunContext& context, Report& report) {
  constexpr Index kLeftOut = 500;
  const Index others = atoms.rows() - 1;
  if (others == 0) return {asked.coding_tau.value_or(1), asked.locality.value_or(kUsualLocality), asked.ridge};
  const Index most = asked.coding_tau ? std::min<Index>(*asked.coding_tau, others) : others;
  const double ridge = asked.ridge ? *asked.ridge : usual_ridge(atoms, context);
  const std::vector<LeftOut> out =
      leave_out(atoms, kLeftOut, asked.coding_tau ? static_cast<int>(most) : coding_taus(most).back(), context);
  const auto errors = [&](const std::vector<int>& taus, const std::vector<double>& localities) {
    std::vector<double> found;
    for (const double locality : localities)
      std::ranges::copy(errors_of(out, atoms, coordinates, taus, {locality, ridge}, context),
                        std::back_inserter(found));
    return found;
  };
  return chosen_codes(asked, {most, false, "by placing left-out atoms", errors}, report);
}

}  // namespace foldout
