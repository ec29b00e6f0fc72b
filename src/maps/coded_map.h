// SPDX-License-Identifier: Apache-2.0
// y = Σ_j c_j(x) y_j: a coder reconstructs a sample from anchors (training samples or atoms); the same combination of
// the anchors' coordinates places it.
#pragma once

#include <memory>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// x ↦ sparse codes over a fixed set of anchors, independently for each sample. Codes sum to one: a shift of the
/// anchors' coordinates shifts the placed samples equally.
class Coder {
 public:
  virtual ~Coder() = default;
  /// One row per anchor, as given; no rows if only distances to the anchors are given.
  [[nodiscard]] virtual const Matrix& anchors() const = 0;
  [[nodiscard]] virtual Index n_anchors() const { return anchors().rows(); }
  /// One row of codes per sample.
  [[nodiscard]] virtual SparseMatrix code(const MatrixRef& samples, Tally& tally) const = 0;
  virtual void save(Archive& archive) const = 0;

  /// Whether the codes are computed from signed coefficients: W = |a| of an L1 code a.
  [[nodiscard]] virtual bool has_coefficients() const { return false; }
  /// code() together with these coefficients, in the same shape.
  [[nodiscard]] virtual SparseMatrix code_with_coefficients(const MatrixRef& samples, Tally& tally,
                                                            SparseMatrix& coefficients) const;
};

/// The rows of all blocks, one after the other.
[[nodiscard]] SparseMatrix stacked(const std::vector<SparseMatrix>& blocks, Index n_columns);

/// Coordinates, and the codes they were computed from.
struct CodedPlacement {
  Matrix coordinates;
  SparseMatrix codes;
  SparseMatrix coefficients;  ///< signed; empty if the coder has none
};

class CodedMap final : public OutOfSampleMap {
 public:
  CodedMap(MapInfo info, std::shared_ptr<const Coder> coder, Matrix coordinates);

  [[nodiscard]] MapInfo info() const override { return info_; }
  void save(Archive& archive) const override;
  [[nodiscard]] const Matrix* samples() const override {
    return coder_->anchors().rows() > 0 ? &coder_->anchors() : nullptr;
  }
  [[nodiscard]] const Coder& coder() const { return *coder_; }
  /// The anchors that each sample is reconstructed from: one row of codes per sample, checked and computed as in
  /// transform().
  [[nodiscard]] SparseMatrix codes(const MatrixRef& samples, const RunContext& context = {}) const override;
  [[nodiscard]] bool has_codes() const override { return true; }
  /// transform() and codes() at once: each sample is coded once.
  [[nodiscard]] CodedPlacement place(const MatrixRef& samples, const RunContext& context, Tally& tally) const;

 protected:
  [[nodiscard]] Matrix transform_block(const MatrixRef& samples, Tally& tally) const override;

 private:
  [[nodiscard]] Matrix combine(const SparseMatrix& codes) const;

  MapInfo info_;
  std::shared_ptr<const Coder> coder_;
  Matrix coordinates_;
};

}  // namespace foldout
