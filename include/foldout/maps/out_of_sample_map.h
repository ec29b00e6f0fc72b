// SPDX-License-Identifier: Apache-2.0
// A function from samples to coordinates, with its guarantees.
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

/// What transform() returns for the training samples: their coordinates up to rounding, approximately, or not promised.
enum class TrainingPromise { kExact, kApproximate, kNone };
template <>
inline constexpr auto kNames<TrainingPromise> = std::array<std::string_view, 3>{"exact", "approximate", "not promised"};

struct MapInfo {
  std::string name;  ///< shown to the user: "lle", "geodesic", "pca", …
  Index n_features = 0;
  Index n_components = 0;
  TrainingPromise promise = TrainingPromise::kNone;
};

/// Immutable and thread-safe. transform() treats samples independently: row i of the result does not depend on the
/// other rows, their order or the number of threads, bit for bit, and is the same after saving and loading. It never
/// contains NaN.
class OutOfSampleMap {
 public:
  virtual ~OutOfSampleMap() = default;
  [[nodiscard]] virtual MapInfo info() const = 0;
  /// Writes all that load_map() needs to restore the map, with its kind under "map".
  virtual void save(Archive& archive) const = 0;

  /// The training samples that the map contains, as given: all of them, or representatives. Null: none.
  [[nodiscard]] virtual const Matrix* samples() const { return nullptr; }

  /// The weights of samples() from which each new sample is reconstructed, one row per sample; they sum to one. Throws
  /// InvalidArgument for maps without such weights.
  [[nodiscard]] virtual SparseMatrix codes(const MatrixRef& samples, const RunContext& context = {}) const;
  [[nodiscard]] virtual bool has_codes() const { return false; }

  /// Coordinates of new samples. Throws InvalidArgument for a different number of features or non-finite values.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context = {}) const;
  /// The same; `report` receives counts and the samples that needed a fallback.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context, Report& report) const;

 protected:
  /// transform() for a block of checked samples; must treat them independently.
  [[nodiscard]] virtual Matrix transform_block(const MatrixRef& samples, Tally& tally) const = 0;
  /// A permutation in which many samples are placed faster, by a map that makes no remarks about rows; empty: as given.
  [[nodiscard]] virtual std::vector<Index> visiting_order(const MatrixRef& samples, const RunContext& context) const;

 private:
  friend struct CountedTransform;
};

}  // namespace foldout
