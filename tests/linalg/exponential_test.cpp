// SPDX-License-Identifier: Apache-2.0
#include "linalg/loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"

namespace foldout {
namespace {

double exp_alone(double x) {
  exp_each(&x, 1);
  return x;
}

TEST(Exponential, AgreesWithTheStandardLibrary) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon();
  Rng rng(1);
  for (int i = 0; i < 200000; ++i) {
    const double x = i % 2 == 0 ? rng.uniform(-708, 709) : rng.uniform(-3, 3);
    EXPECT_NEAR(exp_alone(x) / std::exp(x), 1, 2 * kUnit) << x;
  }
  EXPECT_EQ(exp_alone(0), 1);
  EXPECT_EQ(exp_alone(-0.0), 1);
  EXPECT_NEAR(exp_alone(1e-17), 1, kUnit);
}

TEST(Exponential, ClampsItsArgument) {
  for (const double far : {1e3, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(exp_alone(far), exp_alone(709));
    EXPECT_EQ(exp_alone(-far), exp_alone(-708));
  }
  EXPECT_TRUE(std::isfinite(exp_alone(709)));
  EXPECT_GT(exp_alone(-708), 0);
  EXPECT_TRUE(std::isnan(exp_alone(std::nan(""))));
}

TEST(Exponential, HasTheSameBitsAtEveryPosition) {
  Rng rng(2);
  std::vector<double> values(67);
  for (double& value : values) value = rng.uniform(-40, 40);
  for (std::size_t first = 0; first < 9; ++first)
    for (std::size_t count = 0; first + count <= values.size(); ++count) {
      std::vector<double> part(values);
      exp_each(part.data() + first, static_cast<Index>(count));
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(part[i], i >= first && i < first + count ? exp_alone(values[i]) : values[i]) << first << " " << count;
    }
}

}  // namespace
}  // namespace foldout
