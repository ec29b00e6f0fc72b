// SPDX-License-Identifier: Apache-2.0
#include "core/ordered_sum.h"

#include <utility>

namespace foldout {

Sums& Sums::operator+=(const Sums& other) {
  if (other.dense.size() > 0) dense += other.dense;
  if (other.sparse.size() > 0) sparse = SparseMatrix(sparse + other.sparse);
  return *this;
}

void OrderedSum::add(Node node) {
  nodes_.push_back(std::move(node));
  while (nodes_.size() > 1) {
    Node& left = nodes_[nodes_.size() - 2];
    const Node& right = nodes_.back();
    const bool siblings = left.level == right.level && left.first % (Index{2} << left.level) == 0;
    if (!siblings) return;
    left.value += right.value;
    ++left.level;
    nodes_.pop_back();
  }
}

Sums OrderedSum::total() && {
  if (nodes_.empty()) return {};
  Sums sum = std::move(nodes_.back().value);
  for (nodes_.pop_back(); !nodes_.empty(); nodes_.pop_back()) {
    nodes_.back().value += sum;
    sum = std::move(nodes_.back().value);
  }
  return sum;
}

}  // namespace foldout
