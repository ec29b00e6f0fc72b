// SPDX-License-Identifier: Apache-2.0
#include "graph/geodesic_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/geodesics.h"

namespace foldout {

GeodesicRows::GeodesicRows(const SparseMatrix& lengths, std::shared_ptr<const Matrix> table)
    : lengths_(lengths), table_(std::move(table)) {}

const double* GeodesicRows::row(Index node) {
  if (table_) return table_->row(node).data();
  const Index n = lengths_.rows();
  std::call_once(prepared_, [&] {
    factor_ = eliminated(lengths_, n);
    nodes_per_block_ = factor_ ? PathFactor::kLanes : 1;
    const auto n_blocks = static_cast<std::size_t>((n + nodes_per_block_ - 1) / nodes_per_block_);
    blocks_.resize(n_blocks);
    computed_ = std::make_unique<std::once_flag[]>(n_blocks);
  });
  const Index block = node / nodes_per_block_, first = block * nodes_per_block_;
  Matrix& rows = blocks_[static_cast<std::size_t>(block)];
  std::call_once(computed_[static_cast<std::size_t>(block)], [&] {
    std::vector<Index> nodes(static_cast<std::size_t>(std::min(nodes_per_block_, n - first)));
    std::iota(nodes.begin(), nodes.end(), first);
    if (factor_) {
      Matrix found(static_cast<Index>(nodes.size()), n);
      factor_->distances(nodes.data(), found.rows(), found);
      rows = std::move(found);
    } else {
      rows = geodesic_distances(lengths_, nodes);
    }
  });
  return rows.row(node - first).data();
}

}  // namespace foldout
