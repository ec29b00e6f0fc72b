// SPDX-License-Identifier: Apache-2.0
#include "foldout/extend/codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "foldout/core/error.h"
#include "foldout/core/random.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

// Every atom placed by its nearest others, by sorting all distances.
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

CodesOptions slow_choice(const Matrix& atoms, const Matrix& Y, const CodesOptions& asked) {
  std::vector<std::tuple<double, int, double>> tried;
  for (const double locality : asked.locality ? std::vector{*asked.locality} : coding_localities())
    for (const int tau : asked.coding_tau ? std::vector{*asked.coding_tau} : coding_taus(atoms.rows() - 1))
      tried.emplace_back(error_of_left_out(atoms, Y, tau, {locality, usual_ridge(atoms)}), tau, locality);
  const auto& [error, tau, locality] = *std::ranges::min_element(tried);
  return {tau, locality, asked.ridge};
}

TEST(Codes, ChoosesWhatPlacesLeftOutAtomsBest) {
  const Matrix atoms = dataset::roll(120);
  const Matrix smooth = atoms.leftCols(2), rough = smooth + 2 * Rng(4).normal_matrix(120, 2);
  for (const Matrix& Y : {smooth, rough})
    for (const CodesOptions& asked : {CodesOptions{}, CodesOptions{{}, {}}, CodesOptions{4, {}}}) {
      Report report;
      const CodesOptions chosen = chosen_by_leaving_out(atoms, Y, asked, {}, report),
                         slow = slow_choice(atoms, Y, asked);
      EXPECT_EQ(chosen.coding_tau, slow.coding_tau);
      EXPECT_EQ(chosen.locality, slow.locality);
      EXPECT_EQ(report.find_fact("coding_tau_chosen") != nullptr, !asked.coding_tau);
      EXPECT_EQ(report.find_fact("locality_chosen") != nullptr, !asked.locality);
    }
}

// Coordinates with noise want means over atoms, smooth ones interpolation.
TEST(Codes, RoughCoordinatesGetALargerLocality) {
  const Matrix atoms = dataset::roll(300);
  const Matrix smooth = atoms.leftCols(2), rough = smooth + 5 * Rng(4).normal_matrix(300, 2);
  Report report;
  const CodesOptions asked{4, {}};
  EXPECT_LT(*chosen_by_leaving_out(atoms, smooth, asked, {}, report).locality, 0.1);
  EXPECT_GT(*chosen_by_leaving_out(atoms, rough, asked, {}, report).locality, 0.1);
}

TEST(Codes, HardAndBadInput) {
  Report report;
  const Matrix one = Matrix::Ones(1, 3), same = Matrix::Ones(5, 3);
  EXPECT_EQ(chosen_by_leaving_out(one, one, {{}, {}}, {}, report).coding_tau, 1);
  EXPECT_EQ(chosen_by_leaving_out(one, one, {{}, {}}, {}, report).locality, kUsualLocality);
  const CodesOptions chosen = chosen_by_leaving_out(same, same, {{}, {}}, {}, report);
  EXPECT_TRUE(extend_codes(same, same, chosen)->transform(same).allFinite());
  const auto text = [&](const CodesOptions& o) {
    return message_of<InvalidArgument>([&] { (void)extend_codes(same, same, o); });
  };
  EXPECT_TRUE(contains(text({2, {}}), "locality must have a value"));
  EXPECT_TRUE(contains(text({6}), "at most the number of atoms, 5"));
}

}  // namespace
}  // namespace foldout
