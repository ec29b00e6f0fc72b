// SPDX-License-Identifier: Apache-2.0
#include "core/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {
namespace {

TEST(RequireFinite, NamesTheFirstBadValue) {
  Matrix X = Matrix::Ones(5, 4);
  EXPECT_NO_THROW(require_finite(X, "lle"));
  X(3, 1) = std::nan("");
  X(4, 0) = std::nan("");
  EXPECT_EQ(message_of<InvalidArgument>([&] { require_finite(X, "lle"); }),
            "lle: row 3, column 1 is nan; every value must be finite: remove or fill in such rows");
  X(0, 2) = -std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { require_finite(X, "lle"); }), "row 0, column 2 is -inf"));
  EXPECT_NO_THROW(require_finite(Matrix(0, 3), "lle"));
}

TEST(RequireSamples, NeedsSamplesAndFeatures) {
  EXPECT_EQ(message_of<InvalidArgument>([] { require_samples(Matrix::Ones(1, 3), 2, "isomap"); }),
            "isomap: n_samples = 1 must be at least 2");
  EXPECT_EQ(message_of<InvalidArgument>([] { require_samples(Matrix(4, 0), 2, "isomap"); }),
            "isomap: samples have no features");
  EXPECT_NO_THROW(require_samples(Matrix::Ones(2, 1), 2, "isomap"));
}

TEST(RequireSamples, NeedsValuesThatCanBeSquared) {
  Matrix X = Matrix::Zero(3, 2);
  EXPECT_NO_THROW(require_samples(X, 2, "pca"));
  for (const double good : {1e-150, -1e-150, 1e150, -1e150}) {
    X(2, 1) = good;
    EXPECT_NO_THROW(require_samples(X, 2, "pca")) << good;
  }
  X(2, 1) = -2e150;
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { require_samples(X, 2, "pca"); }),
      "pca: row 2, column 1 is -2e+150; magnitudes must be at most 1e+150, or squares overflow in double precision: "
      "divide the samples by a constant");
  X(2, 1) = -5e-151;
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { require_samples(X, 2, "pca"); }),
      "pca: the largest magnitude is 5e-151; it must be at least 1e-150, or squares underflow in double precision: "
      "multiply the samples by a constant");
}

TEST(RequireRank, StatesHowManyCoordinatesThereAre) {
  EXPECT_NO_THROW(require_rank(3, 3, "features", "npe"));
  EXPECT_EQ(message_of<InvalidArgument>([] { require_rank(3, 4, "features", "npe"); }),
            "npe: n_components = 4, but the features span only 3 dimensions: ask for at most 3");
  EXPECT_EQ(message_of<InvalidArgument>([] { require_rank(1, 2, "samples", "pca"); }),
            "pca: n_components = 2, but the samples span only 1 dimension: ask for at most 1");
  const std::string none = message_of<InvalidArgument>([] { require_rank(0, 1, "samples", "pca"); });
  EXPECT_TRUE(contains(none, "pca: all samples are equal")) << none;
}

TEST(RequireWidth, NamesBothWidths) {
  const auto text = message_of<InvalidArgument>([] { require_width(Matrix::Ones(1, 3), 4, "pca"); });
  EXPECT_TRUE(contains(text, "pca: samples have 3 features, but the model was fitted on 4")) << text;
}

TEST(RequireMemory, StatesTheAmountAndARemedy) {
  EXPECT_NO_THROW(require_memory(1000, "it", "less", 1000));
  EXPECT_EQ(message_of<InvalidArgument>([] { require_memory(3.2e9, "the table", "use fewer samples", 2e9); }),
            "the table would take 3.2 GB, but only 2.0 GB are available: use fewer samples");
  EXPECT_THROW(require_memory(1e18, "it", "less"), InvalidArgument);
  EXPECT_THROW(require_memory(std::numeric_limits<double>::infinity(), "it", "less"), InvalidArgument);
  EXPECT_NO_THROW(require_memory(1, "it", "less"));
}

TEST(AvailableMemory, IsPositiveAndPlausible) {
  EXPECT_GT(available_memory(), 1e6);
  EXPECT_LT(available_memory(), 1e15);
}

TEST(FormatBytes, ChoosesTheUnit) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(999), "999 bytes");
  EXPECT_EQ(format_bytes(1000), "1.0 kB");
  EXPECT_EQ(format_bytes(1.25e6), "1.2 MB");
  EXPECT_EQ(format_bytes(12.34e9), "12.3 GB");
  EXPECT_EQ(format_bytes(5e18), "5000.0 PB");
}

TEST(Reject, IsNameValueRule) {
  EXPECT_EQ(message_of<InvalidArgument>([] { reject("k", 12, "must be < 10"); }), "k = 12 must be < 10");
}

}  // namespace
}  // namespace foldout
