// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/random.h"
#include "dictionary/improve.h"
#include "dictionary/local_codes.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/dictionary/lcdl.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

// Samples that can be read only once, as from a pipe.
class Once final : public SampleStream {
 public:
  explicit Once(Matrix samples) : samples_(std::move(samples)) {
    info_ = {.name = "once", .n_features = samples_.cols(), .can_restart = false};
  }
  bool next(Matrix& block, Index max_rows) override {
    const Index rows = std::min(max_rows, samples_.rows() - at_);
    block = samples_.middleRows(at_, rows);
    at_ += rows;
    return rows > 0;
  }
  void restart() override { throw InvalidArgument("once"); }
  [[nodiscard]] double fraction() const override { return 0; }

 private:
  Matrix samples_;
  Index at_ = 0;
};

double cost_of(const Matrix& samples, const Matrix& atoms) {
  return LocalCoding(atoms, 2, {}).code(samples).costs.sum();
}

TEST(LcdlBatches, AreNearlyAsGoodAsAllSamplesAtOnce) {
  const Matrix Y = dataset::roll(3000);
  const double whole = cost_of(Y, learn_lcdl(Y, {}, {.n_atoms = 200}).atoms);
  const double start = cost_of(Y, starting_atoms(AllRows(Y), 200, DictionaryStart::kKmeans, 0));
  for (const int batch : {50, 400, 3000}) {
    const Dictionary learnt = learn_lcdl(Y, {}, {.n_atoms = 200, .batch_size = batch});
    const double cost = cost_of(Y, learnt.atoms);
    EXPECT_LE(cost, 1.2 * whole) << batch;
    EXPECT_LT(cost, 0.9 * start) << batch;
    EXPECT_EQ(*learnt.report.find_figure("n_atoms"), 200);
  }
}

// Samples that can be read only once: the first are one batch, the others follow; the objective includes all codes.
TEST(LcdlBatches, ReadOnceStartWithTheFirst) {
  const Matrix Y = dataset::roll(300);
  const LcdlOptions o{.n_atoms = 30, .ridge = 1e-3, .max_iterations = 1, .batch_size = 300};
  const Matrix start = starting_atoms(AllRows(Y), 30, o.start, o.seed);
  const Matrix moved = improve_lcdl(Y, start, {.ridge = 1e-3, .max_iterations = 1}).atoms;
  Once once(Y);
  const Dictionary learnt = learn_lcdl_in_batches(Y, once, o);
  ASSERT_EQ(learnt.objective.size(), 1u);
  EXPECT_NEAR(learnt.objective[0].after_codes, cost_of(Y, start) + cost_of(Y, moved), 1e-9);
  EXPECT_LT(cost_of(Y, learnt.atoms), cost_of(Y, start));
}

TEST(LcdlBatches, ReadOnceAllowOnePass) {
  const Matrix Y = dataset::roll(300);
  Once once(Matrix(0, 3));
  EXPECT_TRUE(contains(
      message_of<InvalidArgument>([&] { (void)learn_lcdl_in_batches(Y, once, {.n_atoms = 10, .batch_size = 5}); }),
      "can be read only once"));
  const Dictionary learnt = learn_lcdl_in_batches(Y, once, {.n_atoms = 10, .max_iterations = 1, .batch_size = 5});
  EXPECT_EQ(learnt.atoms.rows(), 10);
}

TEST(LcdlBatches, UnusedAtomsAreReset) {
  // The stream drifts: later samples do not use the atoms of the first ones.
  Matrix Y = dataset::blobs(1500, 2, 3, 100);
  const auto later = stream_over(Y.bottomRows(1500), "later");
  const Dictionary learnt = learn_lcdl_in_batches(Y.topRows(400), *later, {.n_atoms = 20, .batch_size = 100});
  EXPECT_TRUE(learnt.report.has_note("atoms_reseeded"));
  const double middle = (Y.topRows(1500).colwise().mean() - Y.bottomRows(1500).colwise().mean()).norm() / 2;
  Index moved = 0;
  for (Index j = 0; j < 20; ++j)
    moved += (learnt.atoms.row(j) - Y.bottomRows(1500).colwise().mean()).norm() < middle ? 1 : 0;
  EXPECT_GE(moved, 15);
}

TEST(LcdlBatches, RepeatedSamplesGiveFewerAtoms) {
  const Matrix Y = dataset::repeated(dataset::roll(5), 20);
  const LcdlOptions o{.n_atoms = 10, .tau = 7, .max_iterations = 1, .batch_size = 30};
  Once none(Matrix(0, 3));
  for (const Dictionary& learnt : {learn_lcdl(Y, {}, o), learn_lcdl_in_batches(Y, none, o)}) {
    EXPECT_EQ(learnt.atoms.rows(), 5);
    EXPECT_TRUE(learnt.report.has_note("atoms_reduced"));
    EXPECT_TRUE(learnt.report.has_note("tau_reduced"));
  }
}

TEST(LcdlBatches, BadRequestsAreNamed) {
  const Matrix Y = dataset::roll(100);
  const auto text = [&](const LcdlOptions& o) {
    return message_of<InvalidArgument>([&] { (void)learn_lcdl(Y, {}, o); });
  };
  EXPECT_TRUE(contains(text({.n_atoms = 10, .monotone = true, .batch_size = 5}), "cannot be combined with"));
  EXPECT_TRUE(contains(text({.n_atoms = 10, .outliers = 3, .batch_size = 5}), "cannot be combined with"));
  EXPECT_TRUE(contains(text({.n_atoms = 101, .batch_size = 5}), "n_atoms = 101"));
}

TEST(LocalCodes, ForSeveralNumbersOfAtomsAndLocalitiesEqualThoseForEach) {
  const Matrix D = Rng(1).normal_matrix(60, 9), Y = Rng(2).normal_matrix(40, 9);
  const std::vector<int> taus{1, 2, 5, 20, 60};
  const std::vector<double> localities{0.1, 3};
  const std::vector<LocalCodes> all = LocalCoding(D, 60, {}).code_for(Y, taus, localities);
  ASSERT_EQ(all.size(), taus.size() * localities.size());
  for (std::size_t l = 0; l < localities.size(); ++l)
    for (std::size_t t = 0; t < taus.size(); ++t) {
      const LocalCodes &found = all[l * taus.size() + t], alone = LocalCoding(D, taus[t], {localities[l]}).code(Y);
      EXPECT_LE(Matrix(found.codes - alone.codes).cwiseAbs().maxCoeff(), 1e-10) << taus[t] << ", " << localities[l];
      EXPECT_LE((found.costs - alone.costs).cwiseAbs().maxCoeff(), 1e-10);
    }
}

}  // namespace
}  // namespace foldout
