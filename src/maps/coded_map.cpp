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
#include "maps/counted_transform.h"
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

SparseMatrix Coder::code_with_coefficients(const MatrixRef& samples, Tally& tally, SparseMatrix& coefficients) const {
  coefficients.resize(0, 0);
  return code(samples, tally);
}

SparseMatrix stacked(const std::vector<SparseMatrix>& blocks, Index n_columns) {
  Index n_rows = 0, n_entries = 0;
  for (const SparseMatrix& block : blocks) {
    n_rows += block.rows();
    n_entries += block.nonZeros();
  }
  SparseMatrix all(n_rows, n_columns);
  all.reserve(n_entries);
  Index row = 0;
  for (const SparseMatrix& block : blocks)
    for (Index i = 0; i < block.rows(); ++i, ++row) {
      all.startVec(row);
      for (SparseMatrix::InnerIterator it(block, i); it; ++it) all.insertBack(row, it.col()) = it.value();
    }
  all.finalize();
  return all;
}

SparseMatrix CodedMap::codes(const MatrixRef& samples, const RunContext& context) const {
  Tally unused;
  return place(samples, context, unused).codes;
}

CodedPlacement CodedMap::place(const MatrixRef& samples, const RunContext& context, Tally& tally) const {
  require_width(samples, info_.n_features, info_.name);
  require_finite(samples, info_.name);
  const auto n = static_cast<std::size_t>(samples.rows());
  std::vector<SparseMatrix> codes(n), coefficients(n);
  std::vector<Tally> tallies(n);
  parallel_blocks(
      samples.rows(), 1, context,
      [&](Index row, Index) {
        const auto i = static_cast<std::size_t>(row);
        try {
          codes[i] = coder_->code_with_coefficients(samples.middleRows(row, 1), tallies[i], coefficients[i]);
        } catch (const InvalidRow& error) {
          throw error.after(row);
        }
      },
      "placing");
  for (std::size_t i = 0; i < n; ++i) tally.absorb(tallies[i], static_cast<Index>(i));
  CodedPlacement placed;
  placed.codes = stacked(codes, coordinates_.rows());
  if (coder_->has_coefficients()) placed.coefficients = stacked(coefficients, coordinates_.rows());
  placed.coordinates = combine(placed.codes);
  require_finite_coordinates(placed.coordinates, info_.name);
  return placed;
}

Matrix CodedMap::transform_block(const MatrixRef& samples, Tally& tally) const {
  return combine(coder_->code(samples, tally));
}

Matrix CodedMap::combine(const SparseMatrix& codes) const {
  Matrix y = Matrix::Zero(codes.rows(), coordinates_.cols());
  for (Index i = 0; i < codes.rows(); ++i)
    for (SparseMatrix::InnerIterator it(codes, i); it; ++it) y.row(i) += it.value() * coordinates_.row(it.col());
  return y;
}

}  // namespace foldout
