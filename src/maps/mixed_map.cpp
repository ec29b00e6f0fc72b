// SPDX-License-Identifier: Apache-2.0
#include "maps/mixed_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/archive.h"
#include "foldout/core/error.h"
#include "maps/counted_transform.h"
#include "maps/saved_info.h"

namespace foldout {
namespace {

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.bytes.size() == b.bytes.size() &&
         std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
}

}  // namespace

MixedMap::MixedMap(std::string name, Part first, Part second, std::vector<std::int64_t> columns)
    : first_(std::move(first)), second_(std::move(second)), columns_(std::move(columns)) {
  const MapInfo one = first_->info(), two = second_->info();
  info_ = {std::move(name), one.n_features, one.n_components + two.n_components, std::max(one.promise, two.promise)};
  const bool ascending = std::ranges::adjacent_find(columns_, std::ranges::greater_equal{}) == columns_.end();
  if (two.n_features != one.n_features || std::ssize(columns_) != two.n_components || !ascending ||
      columns_.front() < 0 || columns_.back() >= info_.n_components)
    throw InvalidArgument("the parts of the map do not fit together");
}

SparseMatrix MixedMap::codes(const MatrixRef&, const RunContext&) const {
  throw InvalidArgument(fmt::format(
      "{} places {} of {} coordinates by {} because their eigenvalues are small, so no codes describe all of them: fit "
      "the model with nystrom:fallback=none, or with the extension lle or sparse",
      info_.name, columns_.size(), info_.n_components, second_->info().name));
}

// The samples that both maps contain are written once.
void MixedMap::save(Archive& archive) const {
  Archive one, two;
  first_->save(one);
  second_->save(two);
  const auto shared = one.tensors.find("samples"), repeated = two.tensors.find("samples");
  if (shared != one.tensors.end() && repeated != two.tensors.end() && same_bytes(shared->second, repeated->second))
    two.tensors.erase(repeated);
  archive.put_text("map", "mixed");
  archive.put_text("name", info_.name);
  archive.put("columns", columns_);
  archive.put_part("first", one);
  archive.put_part("second", two);
}

Matrix MixedMap::transform_block(const MatrixRef& samples, Tally& tally) const {
  const Matrix one = CountedTransform{*first_}.block(samples, tally);
  const Matrix two = CountedTransform{*second_}.block(samples, tally);
  Matrix y(samples.rows(), info_.n_components);
  for (Index k = 0, i = 0, j = 0; k < y.cols(); ++k) {
    if (j < two.cols() && columns_[static_cast<std::size_t>(j)] == k)
      y.col(k) = two.col(j++);
    else
      y.col(k) = one.col(i++);
  }
  return y;
}

}  // namespace foldout
