// SPDX-License-Identifier: Apache-2.0
#include "foldout/maps/coded_map.h"

#include "foldout/core/error.h"
#include "foldout/maps/explicit_map.h"

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

Matrix CodedMap::transform_block(const MatrixRef& samples) const {
  const SparseMatrix codes = coder_->code(samples);
  Matrix y = Matrix::Zero(samples.rows(), coordinates_.cols());
  for (Index i = 0; i < codes.rows(); ++i)
    for (SparseMatrix::InnerIterator it(codes, i); it; ++it) y.row(i) += it.value() * coordinates_.row(it.col());
  return y;
}

}  // namespace foldout
