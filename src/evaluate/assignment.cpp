// SPDX-License-Identifier: Apache-2.0
// The Hungarian algorithm in its shortest-path form (Jonker and Volgenant 1987): rows are matched one by one, each
// along the cheapest alternating path, with prices that keep every reduced cost ≥ 0.
#include "evaluate/assignment.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace foldout {
namespace {

struct Matching {
  explicit Matching(Index size)
      : n(size),
        row_price(static_cast<std::size_t>(n + 1), 0.0),
        column_price(row_price),
        row_of(row_price.size(), 0) {}
  Index n;
  std::vector<double> row_price, column_price;  // rows and columns count from 1; 0 is "none"
  std::vector<std::size_t> row_of;              // of a column
};

// Finds the cheapest path that matches one more row and applies it.
void match_row(Matching& m, std::size_t row, const Matrix& cost) {
  const auto n = static_cast<std::size_t>(m.n);
  std::vector<double> path(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> previous(n + 1, 0);
  std::vector<bool> reached(n + 1, false);
  std::size_t column = 0;
  m.row_of[0] = row;
  do {
    reached[column] = true;
    const std::size_t from = m.row_of[column];
    std::size_t next = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 1; j <= n; ++j) {
      if (reached[j]) continue;
      const double reduced =
          cost(static_cast<Index>(from - 1), static_cast<Index>(j - 1)) - m.row_price[from] - m.column_price[j];
      if (reduced < path[j]) {
        path[j] = reduced;
        previous[j] = column;
      }
      if (path[j] < least) {
        least = path[j];
        next = j;
      }
    }
    for (std::size_t j = 0; j <= n; ++j)
      if (reached[j]) {
        m.row_price[m.row_of[j]] += least;
        m.column_price[j] -= least;
      } else {
        path[j] -= least;
      }
    column = next;
  } while (m.row_of[column] != 0);
  for (; column != 0; column = previous[column]) m.row_of[column] = m.row_of[previous[column]];
}

}  // namespace

double best_assignment(const Matrix& gain) {
  const Index n = std::max(gain.rows(), gain.cols());
  Matrix cost = Matrix::Zero(n, n);  // missing rows or columns have gain 0
  cost.topLeftCorner(gain.rows(), gain.cols()) = -gain;
  Matching matching(n);
  for (Index row = 1; row <= n; ++row) match_row(matching, static_cast<std::size_t>(row), cost);
  double total = 0;
  for (Index j = 1; j <= n; ++j)
    total -= cost(static_cast<Index>(matching.row_of[static_cast<std::size_t>(j)]) - 1, j - 1);
  return total;
}

}  // namespace foldout
