// SPDX-License-Identifier: Apache-2.0
// Private: a sum whose rounding does not depend on who computed which summands. The summands are numbered parts; they
// are added as a balanced binary tree over these numbers, so the nodes of the tree that lie within a range of parts can
// be computed by its owner alone.
#pragma once

#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// What is summed; either matrix may be empty.
struct Sums {
  Matrix dense = {};
  SparseMatrix sparse = {};

  Sums& operator+=(const Sums& other);
};

class OrderedSum {
 public:
  /// The sum of the parts [first, first + 2^level), where `first` is a multiple of 2^level.
  struct Node {
    Index first = 0;
    int level = 0;
    Sums value;
  };

  /// Adds the node that follows those added so far.
  void add(Node node);
  /// The sum of what was added so far, as few nodes.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// The sum of all parts, beginning with part 0; empty if there are none.
  [[nodiscard]] Sums total() &&;

 private:
  std::vector<Node> nodes_;
};

}  // namespace foldout
