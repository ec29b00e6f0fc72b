// SPDX-License-Identifier: Apache-2.0
#include "foldout/data/faces.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "core/random.h"
#include "data/face_render.h"
#include "foldout/core/error.h"
#include "support/golden.h"

namespace foldout {
namespace {

// One head under a view, 24 × 24.
Vector portrait(const faces::View& view, std::uint64_t person = 0) {
  const faces::Head head = faces::build_head(faces::draw_identity(Rng(3).stream(person)), 0.8);
  Vector pixels(24 * 24);
  faces::render_face(head, view, 24, pixels.data());
  return pixels;
}

// Mean grey of the left and of the right half of the middle of the image.
std::pair<double, double> halves(const Vector& pixels) {
  const Eigen::Map<const Matrix> image(pixels.data(), 24, 24);
  return {image.block(6, 7, 12, 5).mean(), image.block(6, 12, 12, 5).mean()};
}

TEST(Faces, ShapesNamesAndRanges) {
  const SyntheticData data = make_faces(25, 1, {.size = 16, .n_people = 10});
  EXPECT_EQ(data.samples.rows(), 25);
  EXPECT_EQ(data.samples.cols(), 256);
  EXPECT_EQ(data.image.height, 16);
  EXPECT_EQ(data.image.width, 16);
  EXPECT_EQ(data.truth_columns,
            (std::vector<std::string>{"identity", "pan", "tilt", "light_azimuth", "light_elevation", "expression"}));
  EXPECT_EQ(data.labels->text(0), "person_00");
  EXPECT_EQ(data.labels->text(13), "person_03");
  EXPECT_GE(data.samples.minCoeff(), 0);
  EXPECT_LE(data.samples.maxCoeff(), 255);
  EXPECT_GT(data.samples.maxCoeff() - data.samples.minCoeff(), 100);
  for (Index i = 0; i < 25; ++i) EXPECT_EQ(data.truth(i, 0), static_cast<double>(i % 10));
}

TEST(Faces, EveryPersonAppearsEquallyOften) {
  std::map<std::string, int> count;
  for (const std::string& label : make_faces(100, 0, {.size = 8, .n_people = 7}).labels->texts()) ++count[label];
  EXPECT_EQ(count.size(), 7U);
  for (const auto& [label, times] : count) EXPECT_TRUE(times == 14 || times == 15) << label;
}

TEST(Faces, PoseAndLightStayWithinTheirOptions) {
  const SyntheticData data =
      make_faces(300, 2, {.size = 8, .n_people = 5, .pan = 20, .tilt = 10, .light = 50, .expression = 0.5});
  const double limits[] = {20, 10, 50, 25, 0.5};
  for (int j = 0; j < 5; ++j) {
    const double reached = data.truth.col(j + 1).cwiseAbs().maxCoeff();
    EXPECT_LE(reached, limits[j]);
    EXPECT_GT(reached, 0.95 * limits[j]);
  }
}

TEST(Faces, SameSeedSameBitsForAnyNumberOfThreads) {
  const FacesOptions options{.size = 16, .n_people = 3, .noise = 2};
  const SyntheticData one = make_faces(210, 7, options), two = make_faces(210, 7, options, {.n_threads = 2});
  EXPECT_EQ(one.samples, two.samples);
  EXPECT_EQ(one.truth, two.truth);
  EXPECT_NE(one.samples, make_faces(210, 8, options).samples);
}

TEST(Faces, SampleDoesNotDependOnTheirNumber) {
  const FacesOptions options{.size = 16, .n_people = 4};
  EXPECT_EQ(make_faces(3, 7, options).samples, make_faces(12, 7, options).samples.topRows(3));
}

// The figures of the documentation were measured on these faces, so a change of the renderer must be deliberate.
TEST(Faces, AreUnchanged) {
  const Matrix faces = make_faces(10, 5, {.size = 24, .n_people = 10}).samples, then = golden("faces");
  ASSERT_EQ(faces.rows(), then.rows());
  ASSERT_EQ(faces.cols(), then.cols());
  EXPECT_LT((faces - then).cwiseAbs().maxCoeff(), 1e-3);  // grey levels, of float32
}

TEST(Faces, ImageFollowsPoseLightAndExpressionSmoothly) {
  const faces::View view{.pan = 8, .tilt = 4, .light_azimuth = 20, .light_elevation = 15, .expression = 0.3};
  const Vector here = portrait(view);
  for (double faces::View::*parameter : {&faces::View::pan, &faces::View::tilt, &faces::View::light_azimuth,
                                         &faces::View::light_elevation, &faces::View::expression}) {
    const double unit = parameter == &faces::View::expression ? 0.04 : 1.0;
    const auto moved_by = [&](double amount) {
      faces::View moved = view;
      moved.*parameter += amount * unit;
      return (portrait(moved) - here).norm();
    };
    const double small = moved_by(0.5), large = moved_by(4);
    EXPECT_GT(large, 3 * small);
    EXPECT_LT(small, 0.03 * here.norm());
  }
}

TEST(Faces, LightComesFromTheTrueDirection) {
  const auto [left_lit, right_shade] = halves(portrait({.light_azimuth = -50}));
  EXPECT_GT(left_lit, right_shade + 10);
  const auto [left_shade, right_lit] = halves(portrait({.light_azimuth = 50}));
  EXPECT_GT(right_lit, left_shade + 10);
}

TEST(Faces, PeopleAreRecognisedByTheirPixelsButNotPerfectly) {
  const SyntheticData data = make_faces(400, 0, {}, {.n_threads = 2});
  int right = 0;
  for (Index i = 200; i < 400; ++i) {
    Index nearest = 0;
    (data.samples.topRows(200).rowwise() - data.samples.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    right += data.labels->text(i) == data.labels->text(nearest);
  }
  EXPECT_GT(right, 120);  // chance is 5
  EXPECT_LT(right, 185);
}

TEST(Faces, WrongRequestsAreNamed) {
  EXPECT_THROW((void)make_faces(0), InvalidArgument);
  EXPECT_THROW((void)make_faces(5, 0, {.size = 4}), InvalidArgument);
  EXPECT_THROW((void)make_faces(5, 0, {.pan = 90}), InvalidArgument);
  EXPECT_THROW((void)make_faces(Index{1} << 40), InvalidArgument);  // more than the memory of the machine
}

}  // namespace
}  // namespace foldout
