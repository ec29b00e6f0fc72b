// SPDX-License-Identifier: Apache-2.0
#include "core/random.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

namespace foldout {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) : seed_(seed), state_() {
  for (auto& word : state_) word = splitmix64(seed);
}

Rng Rng::stream(std::uint64_t i) const {
  std::uint64_t mixed = seed_ ^ 0x6a09e667f3bcc909ULL;
  const std::uint64_t base = splitmix64(mixed);
  std::uint64_t index = i + 1;
  return Rng(base ^ splitmix64(index));
}

std::uint64_t Rng::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

std::uint64_t Rng::below(std::uint64_t n) {
  const std::uint64_t threshold = (0 - n) % n;  // rejects the incomplete last round of 2^64 / n
  for (;;) {
    const std::uint64_t value = bits();
    if (value >= threshold) return value % n;
  }
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Vector Rng::normal_vector(Index n) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = normal();
  return v;
}

Matrix Rng::normal_matrix(Index rows, Index columns) {
  Matrix m(rows, columns);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = normal();
  return m;
}

Matrix Rng::uniform_matrix(Index rows, Index columns) {
  Matrix m(rows, columns);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = uniform();
  return m;
}

std::vector<Index> Rng::permutation(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

}  // namespace foldout
