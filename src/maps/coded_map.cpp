// SPDX-License-Identifier: Apache-2.0
#include "maps/coded_map.h"

#include <algorithm>
#include <vector>

#include "core/archive.h"
#include "core/check.h"
#include "core/parallel.h"
#include "core/tally.h"
#include "foldout/core/error.h"
#include "linalg/products.h"
#include "maps/saved_info.h"

namespace foldout {

CodedMap::CodedMap(MapInfo info, std::shared_ptr<const Coder> coder, Matrix coordinates)
    : info_(std::move(info)), coder_(std::move(coder)), coordinates_(std::move(coordinates)) {
  if (coordinates_.rows() != coder_->n_anchors() || coordinates_.cols() != info_.n_components)
    throw InvalidArgument("codes and coordinates do not fit together: one row of coordinates per anchor is needed");
}

void CodedMap::save(Archive& archive) const {
  archive.put_text("map", "coded");
  save_info(info_, archive);
  archive.put("coordinates", coordinates_);
  coder_->save(archive);
}

SparseMatrix CodedMap::codes(const MatrixRef& samples, const RunContext& context) const {
  require_width(samples, info_.n_features, info_.name);
  require_finite(samples, info_.name);
  std::vector<SparseMatrix> rows(static_cast<std::size_t>(samples.rows()));
  parallel_blocks(
      samples.rows(), 1, context,
      [&](Index i, Index) {
        Tally unused;
        try {
          rows[static_cast<std::size_t>(i)] = coder_->code(samples.middleRows(i, 1), unused);
        } catch (const InvalidRow& error) {
          throw error.after(i);
        }
      },
      "coding");
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < samples.rows(); ++i)
    for (SparseMatrix::InnerIterator it(rows[static_cast<std::size_t>(i)], 0); it; ++it)
      entries.emplace_back(static_cast<int>(i), static_cast<int>(it.col()), it.value());
  SparseMatrix all(samples.rows(), coordinates_.rows());
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

Matrix CodedMap::transform_block(const MatrixRef& samples, Tally& tally) const {
  const SparseMatrix codes = coder_->code(samples, tally);
  Matrix y = Matrix::Zero(samples.rows(), coordinates_.cols());
  for (Index i = 0; i < codes.rows(); ++i)
    for (SparseMatrix::InnerIterator it(codes, i); it; ++it) y.row(i) += it.value() * coordinates_.row(it.col());
  return y;
}

}  // namespace foldout
