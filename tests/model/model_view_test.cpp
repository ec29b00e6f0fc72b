// SPDX-License-Identifier: Apache-2.0
#include "model/model_view.h"

#include <gtest/gtest.h>

#include "foldout/core/error.h"
#include "foldout/data/faces.h"
#include "foldout/data/synthetic.h"
#include "linalg/distance.h"
#include "model/model_page.h"

namespace foldout {
namespace {

constexpr Index kTrain = 60, kNew = 12, kSide = 12;

struct Faces {
  Dataset train, fresh;
};

Faces make() {
  const SyntheticData data = make_faces(kTrain + kNew, 0, {.size = kSide, .n_people = 4});
  const std::vector<std::string> labels = data.labels->texts();
  Faces faces;
  faces.train.samples = data.samples.topRows(kTrain);
  faces.fresh.samples = data.samples.bottomRows(kNew);
  faces.train.labels = make_labels({labels.begin(), labels.begin() + kTrain});
  faces.train.image = faces.fresh.image = {kSide, kSide};
  return faces;
}

TEST(ModelView, ReasonsOfNewSamplesAreTheirCodes) {
  const Faces faces = make();
  const Model model = fit_model(faces.train, {.method = "laplacian_eigenmaps:graph=full", .extension = "sparse"});
  const MapView view = view_model(model, {.fresh = &faces.fresh});
  EXPECT_EQ(view.reasons.kind, Reasons::Kind::kCodes);
  EXPECT_FALSE(view.reasons.are_atoms);
  EXPECT_EQ(Matrix(view.reasons.weights), Matrix(model.codes(faces.fresh.samples)));
  EXPECT_EQ(Matrix(view.coordinates.bottomRows(kNew)), model.transform(faces.fresh.samples));
  EXPECT_EQ(Matrix(view.values.topRows(kTrain)), faces.train.samples);  // the model contains them
  EXPECT_EQ(view.predicted, model.classify(faces.fresh.samples));
  EXPECT_EQ(view.labels.size(), static_cast<std::size_t>(kTrain + kNew));
  EXPECT_EQ(view.labels.back(), "");
  EXPECT_NO_THROW(check_view(view));
}

// Noise in a few pixels of a combination of two training faces is what the code leaves out.
TEST(ModelView, ErrorImagesShowTheDamage) {
  Faces faces = make();
  const Model model = fit_model(faces.train, {.method = "laplacian_eigenmaps:graph=full", .extension = "sparse"});
  faces.fresh.samples = faces.train.samples.row(3);
  for (const Index pixel : {5, 77, 120}) faces.fresh.samples(0, pixel) += 900;
  const Matrix errors = view_model(model, {.fresh = &faces.fresh}).reasons.errors;
  ASSERT_EQ(errors.rows(), 1);
  for (Index j = 0; j < errors.cols(); ++j)
    if (j == 5 || j == 77 || j == 120)
      EXPECT_GT(errors(0, j), 0.1);
    else
      EXPECT_NEAR(errors(0, j), 0, 1e-8) << j;
}

TEST(ModelView, MapsWithoutCodesShowTheNearestSamples) {
  const Faces faces = make();
  const Model model = fit_model(faces.train, {.method = "pca:n_components=3"});
  const MapView on_map = view_model(model, {.fresh = &faces.fresh});
  EXPECT_EQ(on_map.reasons.kind, Reasons::Kind::kNearestOnMap);
  EXPECT_EQ(on_map.values.rows(), kNew);  // the training samples are not in the model
  const MapView view = view_model(model, {.train = &faces.train, .fresh = &faces.fresh});
  EXPECT_EQ(view.reasons.kind, Reasons::Kind::kNearestSamples);
  EXPECT_EQ(view.values.rows(), kTrain + kNew);
  const Vector distances = (faces.train.samples.rowwise() - faces.fresh.samples.row(0)).rowwise().norm();
  Index nearest = 0;
  const double least = distances.minCoeff(&nearest);
  EXPECT_NEAR(view.reasons.weights.coeff(0, nearest), least, 1e-9 * least);
}

TEST(ModelView, CodesOverADictionaryNameAtoms) {
  const Faces faces = make();
  const Model model =
      fit_model(faces.train, {.method = "lle:n_neighbors=5,n_components=2", .dictionary = "kmeans:n_atoms=20"});
  const MapView view = view_model(model, {.fresh = &faces.fresh});
  EXPECT_TRUE(view.reasons.are_atoms);
  EXPECT_EQ(view.reasons.atoms.rows(), view.reasons.weights.cols());
}

TEST(ModelView, TrainingDataMustBeThoseOfTheFit) {
  const Faces faces = make();
  const Model model = fit_model(faces.train, {.method = "pca:n_components=3"});
  EXPECT_THROW((void)view_model(model, {.train = &faces.fresh}), InvalidArgument);
}

TEST(ModelPage, DescribesSpectrumQualityAndRepairs) {
  const Faces faces = make();
  const Model model = fit_model(faces.train, {.method = "laplacian_eigenmaps:n_components=4", .extension = "lle"});
  HtmlPage page("t");
  describe_model(page, model, nullptr, {{"graph", 0.5}}, {});
  const std::string text = page.text();
  for (const char* part : {"largest gap", "trustworthiness", "laplacian_eigenmaps:", "Repairs", "phase of the fit"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(map_quality(model, nullptr, {}).size(), 3U);
}

}  // namespace
}  // namespace foldout
