// SPDX-License-Identifier: Apache-2.0
// Connected components, and the shortest bridges between them.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "foldout/core/report.h"
#include "graph/neighborhoods.h"
#include "neighbors/neighbors.h"

namespace foldout {

/// Which component each node belongs to; components are numbered by their first node.
struct ComponentMap {
  std::vector<int> component;
  std::vector<Index> sizes;

  [[nodiscard]] int count() const { return static_cast<int>(sizes.size()); }
  [[nodiscard]] int largest() const;
  [[nodiscard]] std::vector<Index> members(int component) const;
  /// "3 components of 500, 20 and 5 samples"
  [[nodiscard]] std::string describe() const;
};

/// Finds components from edges given one by one (union-find).
class ComponentBuilder {
 public:
  explicit ComponentBuilder(Index n);
  /// Returns whether a and b were in different components.
  bool join(Index a, Index b);
  [[nodiscard]] ComponentMap components();

 private:
  Index root(Index i);
  std::vector<Index> parent_;
};

[[nodiscard]] ComponentMap find_components(const SparseMatrix& graph);

/// The result of the `components` option: bridges to add, or the samples to keep. The report notes every repair. Throws
/// InvalidArgument for Components::kError, with `remedy` ("raise n_neighbors (now 5)", may be empty) beside
/// components=connect.
struct ComponentRepair {
  std::vector<Gap> bridges;
  std::vector<Index> kept;
};
[[nodiscard]] ComponentRepair repair_components(const MatrixRef& samples, ComponentBuilder& builder,
                                                const NeighborListOptions& options, std::string_view remedy,
                                                const RunContext& context, Report& report);

}  // namespace foldout
