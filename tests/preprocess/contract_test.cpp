// SPDX-License-Identifier: Apache-2.0
// The guarantees of every preprocessing step.
#include <gtest/gtest.h>

#include <cmath>

#include "components/rows.h"
#include "core/archive.h"
#include "core/random.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "preprocess/load_preprocessor.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

class Step : public testing::TestWithParam<std::string> {
 protected:
  Step() : train_(dataset::lifted_roll(90, 12)), fresh_(dataset::lifted_roll(130, 12, 2)) {
    const Component<PreprocessRow> spec(GetParam());
    Report report;
    step_ = spec.row().fit(train_, spec.options(), {}, report);
  }

  Matrix train_, fresh_;
  std::shared_ptr<const Preprocessor> step_;
};

TEST_P(Step, TreatsSamplesIndependently) {
  const Matrix all = step_->apply(fresh_);
  EXPECT_EQ(all.cols(), step_->n_outputs());
  EXPECT_EQ(step_->n_inputs(), 12);
  EXPECT_TRUE(all.allFinite());
  for (const Index count : {1, 2, 47, 48, 49, 65})
    EXPECT_TRUE(dataset::same_bits(step_->apply(fresh_.topRows(count)), all.topRows(count))) << count;
  EXPECT_TRUE(dataset::same_bits(step_->apply(fresh_.middleRows(99, 1)), all.middleRows(99, 1)));
  const auto order = dataset::random_order(130, 3);
  EXPECT_TRUE(dataset::same_bits(step_->apply(dataset::rows_of(fresh_, order)), dataset::rows_of(all, order)));
  EXPECT_TRUE(dataset::same_bits(step_->apply(fresh_, {.n_threads = 2}), all));
}

TEST_P(Step, GivesTheSameBitsAfterSaveAndLoad) {
  Archive archive;
  step_->save(archive);
  const auto loaded = load_preprocessor(archive);
  EXPECT_EQ(loaded->n_inputs(), step_->n_inputs());
  EXPECT_EQ(loaded->n_outputs(), step_->n_outputs());
  EXPECT_TRUE(dataset::same_bits(loaded->apply(fresh_), step_->apply(fresh_)));
}

TEST_P(Step, RefusesDamagedArchives) {
  Archive good;
  step_->save(good);
  for (const auto& [name, tensor] : good.tensors) {
    Archive missing = good;
    missing.tensors.erase(name);
    EXPECT_THROW((void)load_preprocessor(missing), IoError) << name;
    Archive other = good;
    other.put(name, Matrix(Matrix::Ones(1, 1)));
    EXPECT_THROW((void)load_preprocessor(other), IoError) << name;
  }
  Archive unknown = good;
  unknown.put_text("step", "polish");
  EXPECT_TRUE(contains(message_of<IoError>([&] { (void)load_preprocessor(unknown); }), "'polish'"));
}

TEST_P(Step, RefusesSamplesThatDoNotFit) {
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)step_->apply(Matrix::Ones(2, 11)); }),
                       "11 features, but the model was fitted on 12"));
  Matrix bad = fresh_;
  bad(50, 3) = std::nan("");
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)step_->apply(bad); }), "row 50, column 3"));
  const Component<PreprocessRow> spec(GetParam());
  Report report;
  EXPECT_THROW((void)spec.row().fit(bad, spec.options(), {}, report), InvalidArgument);
}

TEST_P(Step, NeverReturnsNaN) {
  for (const double scale : {1e10, 1e100, 1e200}) {
    try {
      EXPECT_TRUE(step_->apply(fresh_ * scale).allFinite()) << scale;
    } catch (const InvalidArgument& error) {
      EXPECT_GT(scale, 1e50) << error.what();
    } catch (const NumericalError& error) {
      EXPECT_GT(scale, 1e50) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Preprocess, Step,
                         testing::Values("center", "standardize", "minmax", "minmax:low=-1,high=3", "unit_norm",
                                         "histogram_equalization", "random_projection:n_components=7", "pca",
                                         "pca:n_components=3,whiten=true", "pca:n_components=0.9", "kernel_whitening",
                                         "kernel_whitening:kernel=polynomial,n_components=5",
                                         "kernel_whitening:kernel=linear,n_components=5"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace foldout
