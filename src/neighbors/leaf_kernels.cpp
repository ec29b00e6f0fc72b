// SPDX-License-Identifier: Apache-2.0
#include "neighbors/leaf_kernels.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "linalg/loops.h"

namespace foldout {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kLanes = 8;
using Reals = double __attribute__((vector_size(8 * kLanes)));
using Integers = std::int64_t __attribute__((vector_size(8 * kLanes)));

template <class V, class T>
[[gnu::always_inline]] inline void load(V& v, const T* from) {
  std::memcpy(&v, from, sizeof(V));
}
// Inserts into a sorted list whose last entry drops out; an entry that precedes all others is before its begin.
[[gnu::always_inline]] inline void insert(double* measures, std::int64_t* names, Index last, double measure,
                                          std::int64_t name) {
  if (measure == measures[last] && name > names[last]) return;
  Index at = last;
  for (; measures[at - 1] > measure || (measures[at - 1] == measure && names[at - 1] > name); --at) {
    measures[at] = measures[at - 1];
    names[at] = names[at - 1];
  }
  measures[at] = measure;
  names[at] = name;
}

// One byte per lane: not zero if the value is below the bound.
[[gnu::always_inline]] inline std::uint64_t below(const Reals& values, double bound) {
  using Bytes = std::int8_t __attribute__((vector_size(kLanes)));
  const Integers less = values < bound;
  const Bytes bytes = __builtin_convertvector(less, Bytes);
  std::uint64_t result;
  std::memcpy(&result, &bytes, sizeof(result));
  return result;
}

// The squared distances from a sample to kLanes samples from `begin` on.
template <bool kSpace>
[[gnu::always_inline]] inline void squares_to(const LeafColumns& columns, Index place, Index begin, Reals& squares) {
  Reals x, y, z;
  load(x, columns.x + begin);
  load(y, columns.y + begin);
  x = columns.x[place] - x;
  y = columns.y[place] - y;
  squares = x * x + y * y;
  if (kSpace) {
    load(z, columns.z + begin);
    z = columns.z[place] - z;
    squares += z * z;
  }
}

template <bool kSpace>
[[gnu::always_inline]] inline void compare_inline(const LeafColumns& columns, Index own, std::span<const int> queries,
                                                  Index other, LeafSets& sets, double* worst) {
  const Index last = sets.last();
  for (const int query : queries) {
    const Index place = own + query;
    double* measures = sets.measures(query);
    std::int64_t* names = sets.names(query);
    double bound = worst[query];
    for (Index c = 0; c < kLeaf; c += kLanes) {
      Reals squares;
      squares_to<kSpace>(columns, place, other + c, squares);
      for (std::uint64_t near = below(squares, bound); near != 0;) {
        const int lane = std::countr_zero(near) / 8;
        near &= ~(std::uint64_t{0xff} << (8 * lane));
        const Index found = other + c + lane;
        if (squares[lane] >= bound || found == place) continue;
        insert(measures, names, last, squares[lane], columns.names[found]);
        bound = sets.worst(query);
      }
    }
    worst[query] = bound;
  }
}

}  // namespace

LeafSets::LeafSets(Index k)
    : k_(k), stride_(k + 1), measures_(static_cast<std::size_t>(kLeaf * stride_)), names_(measures_.size()) {}

void LeafSets::clear() {
  std::ranges::fill(measures_, kInfinity);
  std::ranges::fill(names_, std::numeric_limits<std::int64_t>::max());
  for (Index i = 0; i < kLeaf; ++i) {
    measures(i)[-1] = -kInfinity;
  }
}

FOLDOUT_VERSIONS void compare_leaves(const LeafColumns& columns, Index own, std::span<const int> queries, Index other,
                                     LeafSets& sets, double* worst) {
  if (columns.z == nullptr)
    compare_inline<false>(columns, own, queries, other, sets, worst);
  else
    compare_inline<true>(columns, own, queries, other, sets, worst);
}

}  // namespace foldout
