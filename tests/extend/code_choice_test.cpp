// SPDX-License-Identifier: Apache-2.0
#include "extend/code_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.h"
#include "dictionary/local_codes.h"
#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

// Every atom is placed by its nearest others, found by sorting all distances.
double error_of_left_out(const Matrix& atoms, const Matrix& Y, int tau, const LocalCodeWeights& weights) {
  double sum = 0;
  for (Index i = 0; i < atoms.rows(); ++i) {
    std::vector<int> others(static_cast<std::size_t>(atoms.rows()));
    std::iota(others.begin(), others.end(), 0);
    std::erase(others, static_cast<int>(i));
    std::ranges::sort(others, {}, [&](int j) { return (atoms.row(j) - atoms.row(i)).squaredNorm(); });
    others.resize(static_cast<std::size_t>(tau));
    std::vector<double> code(others.size());
    local_code(atoms.row(i).data(), atoms, others, weights, code);
    Eigen::RowVectorXd left = Y.row(i);
    for (std::size_t j = 0; j < code.size(); ++j) left -= code[j] * Y.row(others[j]);
    sum += left.squaredNorm();
  }
  return sum;
}

int slow_tau(const Matrix& atoms, const Matrix& Y, double locality) {
  return std::ranges::min(coding_taus(atoms.rows() - 1), {}, [&](int tau) {
    return error_of_left_out(atoms, Y, tau, {locality, usual_ridge(atoms)});
  });
}

double slow_locality(const Matrix& atoms, const Matrix& Y, int tau) {
  const auto error = [&](double l) { return std::sqrt(error_of_left_out(atoms, Y, tau, {l, usual_ridge(atoms)})); };
  const std::vector<double> all = coding_localities();
  const double best = std::ranges::min(all, {}, error);
  return *std::ranges::find_if(all.rbegin(), all.rend(), [&](double l) { return error(l) <= 1.01 * error(best); });
}

TEST(CodeChoice, SelectsWhatPlacesLeftOutAtomsBest) {
  const Matrix atoms = dataset::roll(120);
  const Matrix smooth = atoms.leftCols(2), rough = smooth + 2 * Rng(4).normal_matrix(120, 2);
  for (const Matrix& Y : {smooth, rough}) {
    const auto chosen = [&](const CodesOptions& asked) {
      Report report;
      const CodesOptions found = chosen_by_leaving_out(atoms, Y, asked, {}, report);
      EXPECT_EQ(report.find_fact("coding_tau_chosen") != nullptr, !asked.coding_tau);
      EXPECT_EQ(report.find_fact("locality_chosen") != nullptr, !asked.locality);
      EXPECT_EQ(report.find_figure("placement_error_tau_004") != nullptr, !asked.coding_tau);
      EXPECT_EQ(report.find_figure("placement_error_locality_0.3") != nullptr, !asked.locality);
      return found;
    };
    EXPECT_EQ(chosen({{}, 0.3}).coding_tau, slow_tau(atoms, Y, 0.3));
    EXPECT_EQ(chosen({4, {}}).locality, slow_locality(atoms, Y, 4));
    const double locality = slow_locality(atoms, Y, slow_tau(atoms, Y, kUsualLocality));
    EXPECT_EQ(chosen({}).locality, locality);
    EXPECT_EQ(chosen({}).coding_tau, slow_tau(atoms, Y, locality));
  }
}

// A trial whose errors are those of a function of τ and λ.
CodeTrial made_up(bool by_labels, std::function<double(int, double)> error) {
  return {20, by_labels, "by a formula",
          [error = std::move(error)](const std::vector<int>& taus, const std::vector<double>& localities) {
            std::vector<double> errors;
            for (const double locality : localities)
              for (const int tau : taus) errors.push_back(error(tau, locality));
            return errors;
          }};
}

TEST(CodeChoice, NearlyEqualPlacementErrorsSelectTheLargestLocality) {
  Report report;
  const auto locality = [&](bool by_labels, double slope) {
    const auto error = [&](int, double l) { return std::abs(std::log10(l / 0.03)) * slope + 0.5; };
    return *chosen_codes({4, {}}, made_up(by_labels, error), report).locality;
  };
  EXPECT_EQ(locality(false, 1), 0.03);
  EXPECT_EQ(locality(false, 0.004), 0.3);  // 0.8 % worse; 1 is 1.2 % worse
  EXPECT_EQ(locality(true, 0.004), 0.03) << "accuracies must be equal";
  EXPECT_EQ(locality(true, 0), 0.3) << "the middle of equal ones";
}

// With a larger λ, more atoms reduce the error.
TEST(CodeChoice, ChoosesTheNumberOfAtomsForTheLocality) {
  Report report;
  const auto error = [](int tau, double l) { return std::abs(tau - (l < 1 ? 4 : 12)) / 100.0 + 1 / l; };
  const CodesOptions both = chosen_codes({}, made_up(false, error), report);
  EXPECT_EQ(both.locality, 10);
  EXPECT_EQ(both.coding_tau, 12);
  EXPECT_EQ(*report.find_figure("placement_error_tau_012"), 0.1);
  EXPECT_EQ(*report.find_figure("placement_error_locality_3"), 0.08 + 1 / 3.0) << "with 4 atoms";
  EXPECT_EQ(chosen_codes({100, {}}, made_up(false, error), report).coding_tau, 100) << "as asked";
}

TEST(CodeChoice, ErrorsThatAreNanAreIgnored) {
  Report report;
  const auto never = [](int, double) { return std::numeric_limits<double>::quiet_NaN(); };
  const CodesOptions chosen = chosen_codes({}, made_up(false, never), report);
  EXPECT_EQ(chosen.locality, kUsualLocality);
  EXPECT_GE(chosen.coding_tau, 1);
  EXPECT_FALSE(report.find_figure("placement_error_tau_001"));
  const auto some = [](int tau, double) { return tau == 3 ? 1 : std::numeric_limits<double>::infinity(); };
  EXPECT_EQ(chosen_codes({}, made_up(false, some), report).coding_tau, 3);
}

// Noisy coordinates need means over atoms, smooth ones interpolation.
TEST(CodeChoice, RoughCoordinatesGetALargerLocality) {
  const Matrix atoms = dataset::roll(300);
  const Matrix smooth = atoms.leftCols(2), rough = smooth + 5 * Rng(4).normal_matrix(300, 2);
  Report report;
  const CodesOptions asked{4, {}};
  EXPECT_LT(*chosen_by_leaving_out(atoms, smooth, asked, {}, report).locality, 0.1);
  EXPECT_GT(*chosen_by_leaving_out(atoms, rough, asked, {}, report).locality, 0.1);
}

TEST(CodeChoice, HardAndBadInput) {
  Report report;
  const Matrix one = Matrix::Ones(1, 3), same = Matrix::Ones(5, 3);
  EXPECT_EQ(chosen_by_leaving_out(one, one, {}, {}, report).coding_tau, 1);
  EXPECT_EQ(chosen_by_leaving_out(one, one, {}, {}, report).locality, kUsualLocality);
  const CodesOptions chosen = chosen_by_leaving_out(same, same, {}, {}, report);
  EXPECT_TRUE(extend_codes(same, same, chosen)->transform(same).allFinite());
  const auto text = [&](const CodesOptions& o) {
    return message_of<InvalidArgument>([&] { (void)extend_codes(same, same, o); });
  };
  EXPECT_TRUE(contains(text({6, 0.1}), "at most the number of atoms, 5"));
}

}  // namespace
}  // namespace foldout
