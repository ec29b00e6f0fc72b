// SPDX-License-Identifier: Apache-2.0
// Some coordinates by one map, the others by another.
#pragma once

#include <memory>
#include <vector>

#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

class MixedMap final : public OutOfSampleMap {
 public:
  using Part = std::shared_ptr<const OutOfSampleMap>;
  /// The coordinates `columns`, ascending, are those of `second`, the others those of `first`. Exact on training
  /// samples if both are.
  MixedMap(std::string name, Part first, Part second, std::vector<std::int64_t> columns);
  /// Throws InvalidArgument with the reason: the two maps share no codes.
  [[nodiscard]] SparseMatrix codes(const MatrixRef& samples, const RunContext& context = {}) const override;

  [[nodiscard]] MapInfo info() const override { return info_; }
  void save(Archive& archive) const override;
  [[nodiscard]] const Matrix* samples() const override { return first_->samples(); }

 protected:
  [[nodiscard]] Matrix transform_block(const MatrixRef& samples, Tally& tally) const override;

 private:
  MapInfo info_;
  Part first_, second_;
  std::vector<std::int64_t> columns_;
};

}  // namespace foldout
