// SPDX-License-Identifier: Apache-2.0
// Private: evaluation of extensions on held-out samples over several splits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "components/fitted_method.h"
#include "foldout/core/context.h"
#include "foldout/core/error.h"
#include "foldout/core/types.h"

namespace foldout {

/// A map fitted to the training part of a split, and the coordinates of the training samples.
struct TrialMap {
  std::shared_ptr<const OutOfSampleMap> map;
  Matrix train;
};

/// The measurements of one extension.
class Figures {
 public:
  /// One more split: makes the map, places the held-out samples and calls `judge` with the coordinates of both parts.
  /// If the extension fails (too few samples, too much memory), the message becomes its refusal, and it is not tried
  /// again.
  void measure(const std::function<TrialMap()>& make, const Matrix& held,
               const std::function<void(const Matrix& train, const Matrix& held)>& judge, const RunContext& context);

  std::vector<double> placement, accuracy;  ///< per split
  double fit_seconds = 0;                   ///< to make the map, all splits
  double place_seconds = 0;                 ///< to place a sample, summed over the splits
  std::string refusal;
};

/// A placement error and its standard error over the held-out samples.
struct PlacementError {
  double value = 0, standard_error = 0;
};
/// `deviations`: placed minus true coordinates; the error is their norm relative to `extent`.
[[nodiscard]] PlacementError placement_error(const Matrix& deviations, double extent);
/// The mean of independent errors.
[[nodiscard]] PlacementError mean_of(const std::vector<PlacementError>& errors);

/// Mean and (population) standard deviation.
[[nodiscard]] double mean_of(const std::vector<double>& values);
[[nodiscard]] double spread_of(const std::vector<double>& values);

/// A value, or why there is none.
template <class Value>
struct Attempt {
  std::optional<Value> value;
  std::string reason;

  [[nodiscard]] explicit operator bool() const { return value.has_value(); }
  [[nodiscard]] Value& operator*() { return *value; }
  [[nodiscard]] Value* operator->() { return &*value; }
};

/// The result of `work`, or the message of its InvalidArgument or NumericalError. Other exceptions, such as
/// cancellation and lack of memory, propagate.
template <class Work>
[[nodiscard]] auto attempt(const Work& work) -> Attempt<decltype(work())> {
  try {
    return {work(), {}};
  } catch (const InvalidArgument& error) {
    return {{}, error.what()};
  } catch (const NumericalError& error) {
    return {{}, error.what()};
  }
}

/// Samples for training, and held-out ones.
struct Split {
  std::vector<Index> train, held;
};

/// `train` is the fraction of the samples used for training; with labels (otherwise empty), that fraction of every
/// class.
[[nodiscard]] Split split_samples(Index n_samples, const std::vector<int>& labels, double train, std::uint64_t seed);

/// Labels of some of the samples; empty if there are none.
[[nodiscard]] std::vector<int> labels_of(const std::vector<int>& labels, const std::vector<Index>& rows);

}  // namespace foldout
