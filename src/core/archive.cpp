// SPDX-License-Identifier: Apache-2.0
#include "core/archive.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "foldout/core/error.h"

static_assert(std::endian::native == std::endian::little,
              "model files are little-endian: big-endian machines are not supported");

namespace foldout {
namespace {

template <class T>
std::span<const std::uint8_t> bytes_of(const T* data, std::size_t count) {
  return {reinterpret_cast<const std::uint8_t*>(data), count * sizeof(T)};
}

std::vector<std::uint64_t> shape_of(const Matrix& value) {
  return {static_cast<std::uint64_t>(value.rows()), static_cast<std::uint64_t>(value.cols())};
}
std::vector<std::uint64_t> shape_of(const Vector& value) { return {static_cast<std::uint64_t>(value.size())}; }

template <class Dense>
Tensor view_of(const Dense& value, std::shared_ptr<const void> owner = {}) {
  const auto bytes = bytes_of(value.data(), static_cast<std::size_t>(value.size()));
  return {"F64", shape_of(value), ByteBlock(bytes, std::move(owner))};
}

template <class Dense>
Tensor kept(Dense value) {
  auto owner = std::make_shared<const Dense>(std::move(value));
  return view_of(*owner, owner);
}

std::uint64_t shape_product(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && count > std::numeric_limits<std::uint64_t>::max() / extent) return ~std::uint64_t{0};
    count *= extent;
  }
  return count;
}

void require_all_finite(const double* data, Index size, const std::string& name) {
  for (Index i = 0; i < size; ++i)
    if (!std::isfinite(data[i])) throw IoError(fmt::format("array '{}' contains a value that is not finite", name));
}

}  // namespace

ByteBlock::ByteBlock(std::vector<std::uint8_t> owned) {
  auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(owned));
  view_ = *owner;
  owner_ = std::move(owner);
}

void Archive::put(const std::string& name, const Matrix& value) { tensors[name] = view_of(value); }
void Archive::put(const std::string& name, Matrix&& value) { tensors[name] = kept(std::move(value)); }
void Archive::put(const std::string& name, const Vector& value) { tensors[name] = view_of(value); }
void Archive::put(const std::string& name, Vector&& value) { tensors[name] = kept(std::move(value)); }

void Archive::put(const std::string& name, const SparseMatrix& value) {
  SparseMatrix packed = value;
  packed.makeCompressed();
  const auto nnz = packed.nonZeros();
  put(name + ".rows", std::vector<std::int64_t>(packed.outerIndexPtr(), packed.outerIndexPtr() + packed.rows() + 1));
  put(name + ".columns", std::vector<std::int64_t>(packed.innerIndexPtr(), packed.innerIndexPtr() + nnz));
  put(name + ".values", Vector(Eigen::Map<const Vector>(packed.valuePtr(), nnz)));
  put(name + ".shape", std::vector<std::int64_t>{packed.rows(), packed.cols()});
}

void Archive::put(const std::string& name, const std::vector<std::int64_t>& value) {
  const auto bytes = bytes_of(value.data(), value.size());
  tensors[name] = {"I64", {value.size()}, ByteBlock(std::vector(bytes.begin(), bytes.end()))};
}

void Archive::put(const std::string& name, double value) {
  const auto bytes = bytes_of(&value, 1);
  tensors[name] = {"F64", {}, ByteBlock(std::vector(bytes.begin(), bytes.end()))};
}

void Archive::put_text(const std::string& name, std::string_view value) { texts[name] = value; }

const Tensor& Archive::tensor(const std::string& name, std::string_view dtype, std::size_t rank) const {
  const auto it = tensors.find(name);
  if (it == tensors.end()) throw IoError(fmt::format("array '{}' is missing", name));
  const Tensor& tensor = it->second;
  const std::uint64_t count = shape_product(tensor.shape);
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
  for (const std::uint64_t extent : tensor.shape)
    if (extent > kLargest) throw IoError(fmt::format("array '{}' has an implausible shape", name));
  if (tensor.dtype != dtype || tensor.shape.size() != rank || tensor.bytes.size() / 8 != count ||
      tensor.bytes.size() % 8 != 0)
    throw IoError(fmt::format("array '{}' is not a {}-dimensional array of {}", name, rank, dtype));
  return tensor;
}

Matrix Archive::matrix(const std::string& name) const {
  const Tensor& t = tensor(name, "F64", 2);
  Matrix value(static_cast<Index>(t.shape[0]), static_cast<Index>(t.shape[1]));
  if (value.size() > 0) std::memcpy(value.data(), t.bytes.data(), t.bytes.size());
  require_all_finite(value.data(), value.size(), name);
  return value;
}

Vector Archive::vector(const std::string& name) const {
  const Tensor& t = tensor(name, "F64", 1);
  Vector value(static_cast<Index>(t.shape[0]));
  if (value.size() > 0) std::memcpy(value.data(), t.bytes.data(), t.bytes.size());
  require_all_finite(value.data(), value.size(), name);
  return value;
}

SparseMatrix Archive::sparse(const std::string& name) const {
  const auto shape = integers(name + ".shape");
  const auto rows = integers(name + ".rows");
  const auto columns = integers(name + ".columns");
  const Vector values = vector(name + ".values");
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  const auto nnz = static_cast<std::int64_t>(columns.size());
  bool sound = shape.size() == 2 && shape[0] >= 0 && shape[1] >= 0 && shape[0] < kMost && shape[1] < kMost &&
               nnz < kMost && values.size() == nnz && static_cast<std::int64_t>(rows.size()) == shape[0] + 1 &&
               rows.front() == 0 && rows.back() == nnz;
  for (std::size_t i = 0; sound && i + 1 < rows.size(); ++i) {
    sound = rows[i] <= rows[i + 1] && rows[i + 1] <= nnz;
    for (std::int64_t p = rows[i]; sound && p < rows[i + 1]; ++p) {
      const auto at = static_cast<std::size_t>(p);
      sound = columns[at] >= 0 && columns[at] < shape[1] && (p == rows[i] || columns[at - 1] < columns[at]);
    }
  }
  if (!sound) throw IoError(fmt::format("array '{}' is not a sparse matrix", name));
  SparseMatrix value(static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
  value.resizeNonZeros(static_cast<Index>(nnz));
  std::copy(rows.begin(), rows.end(), value.outerIndexPtr());
  std::copy(columns.begin(), columns.end(), value.innerIndexPtr());
  std::copy(values.begin(), values.end(), value.valuePtr());
  return value;
}

std::vector<std::int64_t> Archive::integers(const std::string& name) const {
  const Tensor& t = tensor(name, "I64", 1);
  std::vector<std::int64_t> value(t.shape[0]);
  if (!value.empty()) std::memcpy(value.data(), t.bytes.data(), t.bytes.size());
  return value;
}

double Archive::number(const std::string& name) const {
  double value = 0;
  std::memcpy(&value, tensor(name, "F64", 0).bytes.data(), sizeof value);
  require_all_finite(&value, 1, name);
  return value;
}

const std::string& Archive::text(const std::string& name) const {
  const auto it = texts.find(name);
  if (it == texts.end()) throw IoError(fmt::format("entry '{}' is missing", name));
  return it->second;
}

bool Archive::has(const std::string& name) const { return tensors.contains(name) || texts.contains(name); }

void Archive::put_part(const std::string& prefix, const Archive& part) {
  for (const auto& [name, tensor] : part.tensors) tensors[fmt::format("{}.{}", prefix, name)] = tensor;
  for (const auto& [name, text] : part.texts) texts[fmt::format("{}.{}", prefix, name)] = text;
}

Archive Archive::part(const std::string& prefix) const {
  Archive part;
  const std::string start = prefix + ".";
  const auto take = [&start](const auto& from, auto& to) {  // names with the same start stand side by side
    for (auto it = from.lower_bound(start); it != from.end() && it->first.starts_with(start); ++it)
      to[it->first.substr(start.size())] = it->second;
  };
  take(tensors, part.tensors);
  take(texts, part.texts);
  return part;
}

}  // namespace foldout
