// SPDX-License-Identifier: Apache-2.0
// A function from a sample to coordinates, and what it promises.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

class Archive;
class Tally;

/// What transform() returns for the training samples: their coordinates up to rounding, something near, or no promise.
enum class TrainingPromise { kExact, kApproximate, kNone };
template <>
inline constexpr auto kNames<TrainingPromise> = std::array<std::string_view, 3>{"exact", "approximate", "not promised"};

struct MapInfo {
  std::string name;  ///< as the user knows it: "lle", "geodesic", "pca", …
  Index n_features = 0;
  Index n_components = 0;
  TrainingPromise promise = TrainingPromise::kNone;
};

/// Immutable and thread-safe. transform() works sample by sample: row i of the answer has the same bits whatever the
/// other rows are, in whatever order, on however many threads, and after saving and loading; it is finite for finite
/// input.
class OutOfSampleMap {
 public:
  virtual ~OutOfSampleMap() = default;
  [[nodiscard]] virtual MapInfo info() const = 0;
  /// Everything that is needed to make the map again, with its kind under "map": see load_map().
  virtual void save(Archive& archive) const = 0;

  /// The training samples that the map holds, as they were given: all, or some that stand for them. Null: none.
  [[nodiscard]] virtual const Matrix* samples() const { return nullptr; }

  /// The weights of samples() from which each new sample is reconstructed, one row per sample; they sum to one. Throws
  /// InvalidArgument for maps that do not work by such weights.
  [[nodiscard]] virtual SparseMatrix codes(const MatrixRef& samples, const RunContext& context = {}) const;
  [[nodiscard]] virtual bool has_codes() const { return false; }

  /// Coordinates of new samples. Throws InvalidArgument for another number of features or values that are not finite.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context = {}) const;
  /// The same; `report` takes what was counted on the way and which samples needed a fallback.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context, Report& report) const;

 protected:
  /// The work, for a block of checked samples; must keep the promise of transform() for any block.
  [[nodiscard]] virtual Matrix transform_block(const MatrixRef& samples, Tally& tally) const = 0;

 private:
  friend struct CountedTransform;
};

}  // namespace foldout
