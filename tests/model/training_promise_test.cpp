// SPDX-License-Identifier: Apache-2.0
// "Exact" means exact: where rounding errors prevent it, the model says so, and by how much.
#include "model/training_promise.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "foldout/model/model.h"
#include "support/datasets.h"

namespace foldout {
namespace {

Matrix off_centre(double offset) { return (5 * Rng(3).normal_matrix(120, 4)).array() + offset; }

// The largest deviation of all training samples, relative to the largest coordinate of each component.
double deviation(const Model& model, const Matrix& samples) {
  const Eigen::RowVectorXd most = (model.transform(samples) - model.coordinates).cwiseAbs().colwise().maxCoeff();
  return (most.array() / model.coordinates.cwiseAbs().colwise().maxCoeff().array()).maxCoeff();
}

void expect_honest(const Matrix& samples, const ModelSpec& spec) {
  const Model model = fit_model(dataset::labelled(samples), spec);
  if (model.map->info().promise == TrainingPromise::kExact) {
    EXPECT_LT(deviation(model, samples), kExactTolerance) << spec.method.text();
    EXPECT_FALSE(model.report.find_figure("training_deviation"));
  } else {
    ASSERT_TRUE(model.report.find_figure("training_deviation")) << spec.method.text();
    const double stated = *model.report.find_figure("training_deviation");
    EXPECT_GT(stated, kExactTolerance / 10);
    EXPECT_LT(deviation(model, samples), 10 * stated) << spec.method.text();
    EXPECT_TRUE(model.report.has_note("training_approximate"));
  }
}

TEST(TrainingPromise, IsKeptByALinearKernelFarFromTheOrigin) {
  for (const double offset : {0.0, 1e4, 1e7, 1e8}) {
    const Matrix X = off_centre(offset);
    const Model model = fit_model(dataset::labelled(X), {.method = "kpca:kernel=linear,n_components=3"});
    EXPECT_EQ(model.map->info().promise, TrainingPromise::kExact);
    EXPECT_LT(deviation(model, X), 1e-12) << offset;
  }
}

TEST(TrainingPromise, OfAPolynomialKernelFarFromTheOriginIsWhatWasMeasured) {
  for (const double offset : {0.0, 1e2, 1e4, 1e6, 1e7, 1e8})
    for (const std::string degree : {"2", "3"})
      expect_honest(off_centre(offset), {.method = "kpca:kernel=polynomial,degree=" + degree});
  const Model far = fit_model(dataset::labelled(off_centre(1e7)), {.method = "kpca:kernel=polynomial"});
  EXPECT_EQ(far.map->info().promise, TrainingPromise::kApproximate);
  const Model near = fit_model(dataset::labelled(off_centre(0)), {.method = "kpca:kernel=polynomial"});
  EXPECT_EQ(near.map->info().promise, TrainingPromise::kExact);
}

TEST(TrainingPromise, OfIsomapOnClustersFarApartIsWhatWasMeasured) {
  for (const double distance : {1e1, 1e3, 1e5, 1e7, 1e9})
    for (const std::string method : {"isomap", "landmark_isomap:n_landmarks=40", "mds:n_components=1", "kpca"})
      expect_honest(dataset::blobs(40, 3, 3, distance), {.method = method});
}

TEST(TrainingPromise, IsStoredInTheModelFile) {
  const Matrix X = off_centre(1e7);
  const Model model = fit_model(dataset::labelled(X), {.method = "kpca:kernel=polynomial"});
  const std::string path = testing::TempDir() + "promise.model";
  save_model(path, model);
  const Model loaded = load_model(path);
  EXPECT_EQ(loaded.map->info().promise, TrainingPromise::kApproximate);
  EXPECT_TRUE(loaded.report.has_note("training_approximate"));
  EXPECT_TRUE(dataset::same_bits(loaded.transform(X), model.transform(X)));
}

TEST(TrainingPromise, OfEqualSamplesWithDifferentCoordinatesIsNotExact) {
  Matrix X = Rng(4).normal_matrix(200, 3);
  const Matrix Y = Rng(5).normal_matrix(200, 2);
  const Dataset distinct = dataset::labelled(X);
  X.row(157) = X.row(31);
  const Dataset repeated = dataset::labelled(X);
  for (const std::string extension : {"lle", "sparse", "lvm:n_neighbors=1"}) {
    EXPECT_EQ(extend_model(distinct, Y, {.extension = extension}).map->info().promise, TrainingPromise::kExact);
    const Model model = extend_model(repeated, Y, {.extension = extension});
    EXPECT_EQ(model.map->info().promise, TrainingPromise::kApproximate) << extension;
    EXPECT_TRUE(model.report.has_note("training_approximate"));
  }
}

}  // namespace
}  // namespace foldout
