// SPDX-License-Identifier: Apache-2.0
// A number of components, given as such or by the part of the variance that they explain.
#pragma once

#include <concepts>

namespace [[gnu::visibility("default")]] foldout {

/// A whole number n ≥ 1, or a fraction f in (0, 1): the fewest components that together explain more than f of the
/// variance. 1 is one component; 1.0 is neither.
class ComponentCount {
 public:
  // Conversions are wanted: {.n_components = 3} and {.n_components = 0.95}.
  constexpr ComponentCount(std::integral auto count) : value_(static_cast<double>(count)) {}  // NOLINT
  constexpr ComponentCount(double fraction) : value_(fraction), is_fraction_(true) {}         // NOLINT

  [[nodiscard]] constexpr bool is_fraction() const { return is_fraction_; }
  /// Whichever is_fraction() says.
  [[nodiscard]] constexpr double value() const { return value_; }
  friend bool operator==(const ComponentCount&, const ComponentCount&) = default;

 private:
  double value_;
  bool is_fraction_ = false;
};

}  // namespace foldout
