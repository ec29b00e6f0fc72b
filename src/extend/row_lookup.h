// SPDX-License-Identifier: Apache-2.0
// Private: the training sample, if any, that equals a new one. A neighbour search may miss it: more samples than
// neighbours may have the same direction, and an approximate search guarantees nothing.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

class RowLookup {
 public:
  /// `rows` must outlive this.
  explicit RowLookup(const MatrixRef& rows) : rows_(rows), order_(static_cast<std::size_t>(rows.rows())) {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(order_, [&](int a, int b) { return less(row(a), row(b)); });
  }

  /// The first row that equals x, or -1.
  [[nodiscard]] int find(const double* x) const {
    const auto at = std::ranges::lower_bound(
        order_, x, [&](const double* a, const double* b) { return less(a, b); }, [&](int i) { return row(i); });
    return at != order_.end() && std::equal(x, x + rows_.cols(), row(*at)) ? *at : -1;
  }

 private:
  [[nodiscard]] const double* row(int i) const { return rows_.row(i).data(); }
  [[nodiscard]] bool less(const double* a, const double* b) const {
    return std::lexicographical_compare(a, a + rows_.cols(), b, b + rows_.cols());
  }

  MatrixRef rows_;
  std::vector<int> order_;
};

}  // namespace foldout
