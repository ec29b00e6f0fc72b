// SPDX-License-Identifier: Apache-2.0
#include "linalg/skinny_products.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace foldout {
namespace {

// Rows that are no multiple of the lanes, columns that are no multiple of those taken together, part of a larger
// matrix.
TEST(SkinnyProducts, EqualThoseOfMatrices) {
  for (const Index rows : {1, 7, 8, 37, 1024})
    for (const Index m : {1, 3, 4, 11}) {
      const Index stride = rows + 5;
      const ColMatrix Q = Rng(1).normal_matrix(stride, m);
      ColMatrix W = Rng(2).normal_matrix(stride, kSkinny), C(m, kSkinny);
      const ColMatrix before = W;
      skinny_coefficients(Q.data(), m, W.data(), stride, rows, C.data());
      EXPECT_LE((C - Q.topRows(rows).transpose() * W.topRows(rows)).cwiseAbs().maxCoeff(), 1e-11) << rows << ", " << m;
      subtract_skinny_product(Q.data(), m, C.data(), stride, rows, W.data());
      EXPECT_LE((W.topRows(rows) - (before.topRows(rows) - Q.topRows(rows) * C)).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_TRUE(W.bottomRows(5) == before.bottomRows(5)) << "beyond the rows";
    }
}

}  // namespace
}  // namespace foldout
