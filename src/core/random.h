// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every platform: the engine and the distributions are our own,
// because the standard library's distributions differ between implementations.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// xoshiro256** (Blackman and Vigna), seeded by splitmix64.
class Rng {
 public:
  explicit Rng(std::uint64_t seed = 0);

  /// An independent generator for task `i`: results do not depend on which thread runs a task.
  [[nodiscard]] Rng stream(std::uint64_t i) const;

  std::uint64_t bits();
  /// Uniform on [0, 1).
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform on 0 … n−1, without bias.
  std::uint64_t below(std::uint64_t n);
  /// Standard normal (Box-Muller).
  double normal();

  Vector normal_vector(Index n);
  /// Entries drawn row by row.
  Matrix normal_matrix(Index rows, Index columns);
  Matrix uniform_matrix(Index rows, Index columns);
  /// A random order of 0 … n−1 (Fisher-Yates).
  std::vector<Index> permutation(Index n);

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
};

}  // namespace foldout
