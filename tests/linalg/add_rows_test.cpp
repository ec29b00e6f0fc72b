// SPDX-License-Identifier: Apache-2.0
#include "linalg/loops.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace foldout {
namespace {

TEST(AddRows, IsTheSumOfWeightedRows) {
  Rng rng(3);
  for (const Index n : {1, 15, 16, 33, 100})
    for (const Index count : {0, 1, 2, 3, 7, 8, 13, 16}) {
      const Matrix rows = rng.normal_matrix(count + 1, n);
      const Vector weights = rng.normal_vector(count);
      std::vector<int> chosen(count);
      for (Index r = 0; r < count; ++r) chosen[r] = static_cast<int>((r * 5) % (count + 1));
      Vector expected = Vector::Ones(n), in_order = Vector::Ones(n), out = Vector::Ones(n), first = Vector::Ones(n);
      for (Index r = 0; r < count; ++r) {
        expected += weights[r] * rows.row(chosen[r]).transpose();
        in_order += weights[r] * rows.row(r).transpose();
      }
      const std::span<const double> w(weights.data(), static_cast<std::size_t>(count));
      add_rows(out.data(), n, rows.data(), n, chosen, w);
      add_rows(first.data(), n, rows.data(), n, w);
      EXPECT_LT((out - expected).norm(), 1e-12);
      EXPECT_LT((first - in_order).norm(), 1e-12);
    }
}

}  // namespace
}  // namespace foldout
