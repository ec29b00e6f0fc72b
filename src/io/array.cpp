// SPDX-License-Identifier: Apache-2.0
#include "io/array.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/unicode.h"

namespace foldout {
namespace {

constexpr std::uint64_t kAlwaysRoom = 100'000'000;  // bytes for which the memory of the machine is not asked

struct Half {
  std::uint16_t bits;
};

double to_double(Half half) {
  const int exponent = (half.bits >> 10) & 31;
  const int fraction = half.bits & 1023;
  double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31)
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return (half.bits & 0x8000) ? -value : value;
}

template <std::integral T>
double to_double(T value) {
  return static_cast<double>(value);
}
double to_double(float value) { return value; }
double to_double(double value) { return value; }

[[noreturn]] void refuse_texts(const std::string& name) { bad_file(name, "holds texts, but numbers are needed here"); }

/// Calls fn with a value of the element's C++ type.
template <class Fn>
void with_type(ElementType type, const std::string& name, Fn&& fn) {
  switch (type) {
    case ElementType::kBool:
    case ElementType::kUInt8:
      return fn(std::uint8_t{});
    case ElementType::kInt8:
      return fn(std::int8_t{});
    case ElementType::kInt16:
      return fn(std::int16_t{});
    case ElementType::kUInt16:
      return fn(std::uint16_t{});
    case ElementType::kInt32:
      return fn(std::int32_t{});
    case ElementType::kUInt32:
      return fn(std::uint32_t{});
    case ElementType::kInt64:
      return fn(std::int64_t{});
    case ElementType::kUInt64:
      return fn(std::uint64_t{});
    case ElementType::kFloat16:
      return fn(Half{});
    case ElementType::kFloat32:
      return fn(float{});
    case ElementType::kFloat64:
      return fn(double{});
    case ElementType::kBytes:
    case ElementType::kUnicode:
      break;
  }
  refuse_texts(name);
}

template <class T>
void copy_elements(const Array& array, const SampleShape& shape, Index sample, Index feature, Eigen::Ref<Matrix> out) {
  const auto at = [&](Index element) { return array.bytes.data() + static_cast<std::size_t>(element) * sizeof(T); };
  const bool swap = array.big_endian;
  if (!array.column_major) {
    for (Index i = 0; i < out.rows(); ++i) {
      const std::byte* source = at((sample + i) * shape.features() + feature);
      double* target = out.row(i).data();
      for (Index j = 0; j < out.cols(); ++j)
        target[j] = to_double(load_value<T>(source + sizeof(T) * static_cast<std::size_t>(j), swap));
    }
    return;
  }
  constexpr Index kRows = 64;  // a block of rows stays in the cache while the columns pass
  for (Index begin = 0; begin < out.rows(); begin += kRows) {
    const Index end = std::min(begin + kRows, out.rows());
    for (Index j = 0; j < out.cols(); ++j) {
      const std::byte* column = array.bytes.data() + column_offset(array, shape, sample, feature + j);
      for (Index i = begin; i < end; ++i)
        out(i, j) = to_double(load_value<T>(column + static_cast<std::size_t>(i) * sizeof(T), swap));
    }
  }
}

template <class T>
std::string label_text(T value, std::size_t i, const std::string& name) {
  if constexpr (std::integral<T>) {
    return fmt::format("{}", value);
  } else {
    const double number = to_double(value);
    if (!(std::abs(number) < 0x1p53) || number != std::floor(number))
      bad_file(name, "row {} (counted from 0) is {}; labels must be integers or texts: is this a file of labels?", i,
               number);
    return fmt::format("{}", static_cast<std::int64_t>(number));
  }
}

std::string fixed_text(const Array& array, std::size_t i) {
  const auto item = array.bytes.subspan(i * array.item_size, array.item_size);
  std::string text;
  if (array.type == ElementType::kBytes) {
    text.assign(reinterpret_cast<const char*>(item.data()), item.size());
  } else {
    for (std::size_t k = 0; k + 4 <= item.size(); k += 4)
      append_utf8(text, load_value<std::uint32_t>(item.data() + k, array.big_endian));
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace

std::size_t size_of(ElementType type) {
  std::size_t size = 0;
  with_type(type, "array", [&]<class T>(T) { size = sizeof(T); });
  return size;
}

std::uint64_t byte_count(const std::vector<std::uint64_t>& shape, std::size_t item_size, const std::string& name) {
  std::uint64_t count = item_size;
  // A zero anywhere makes the product zero; the other factors are checked all the same.
  bool overflow = false;
  for (const std::uint64_t extent : shape) overflow |= extent != 0 && __builtin_mul_overflow(count, extent, &count);
  if (overflow || count > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    bad_file(name, "claims the shape {}, more than any file can hold: it is damaged", shape_text(shape));
  return std::ranges::count(shape, 0U) > 0 ? 0 : count;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

void require_size(const Array& array, std::uint64_t remaining, const std::string& name) {
  const std::uint64_t needed = byte_count(array.shape, array.item_size, name);
  if (needed != remaining)
    bad_file(name, "its shape {} takes {} bytes of data, but {} follow the header: the file is {}",
             shape_text(array.shape), needed, remaining,
             needed > remaining ? "cut off, get a complete copy" : "damaged or has something appended");
}

void set_bytes(Array& array, std::span<const std::byte> rest, const std::string& name) {
  require_size(array, rest.size(), name);
  array.bytes = rest;
}

Array unpack(PackedArray packed, const std::string& name) {
  Array array = std::move(packed.array);
  const std::uint64_t size = byte_count(array.shape, array.item_size, name);
  if (size > kAlwaysRoom) require_memory(static_cast<double>(size), name, "save it row by row (order C), or in parts");
  auto data = std::make_shared<const std::vector<std::byte>>(packed.source->take(size));
  packed.source->finish();
  array.bytes = *data;
  array.owner = std::move(data);
  return array;
}

SampleShape sample_shape(const Array& array, const std::string& name) {
  const auto& shape = array.shape;
  if (array.type == ElementType::kBytes || array.type == ElementType::kUnicode) refuse_texts(name);
  if (shape.empty() || shape.size() > 3)
    bad_file(name, "has shape {}: samples need 2 dimensions (N, D), or 3 for images (N, height, width)",
             shape_text(shape));
  if (shape[0] == 0) bad_file(name, "has shape {}: there are no samples in it", shape_text(shape));
  if (std::ranges::count(shape, 0U) > 0)
    bad_file(name, "has shape {}: its samples have no features", shape_text(shape));
  // From here on the shape is sound: its product is the number of elements that are there.
  return {static_cast<Index>(shape[0]), static_cast<Index>(shape.size() < 3 ? 1 : shape[1]),
          static_cast<Index>(shape.size() < 2 ? 1 : shape.back())};
}

void copy_samples(const Array& array, Index sample, Index feature, Eigen::Ref<Matrix> out, const std::string& name) {
  const SampleShape shape = sample_shape(array, name);
  with_type(array.type, name, [&]<class T>(T) { copy_elements<T>(array, shape, sample, feature, out); });
}

// The last dimension varies slowest.
std::size_t column_offset(const Array& array, const SampleShape& shape, Index sample, Index feature) {
  const Index column = (feature / shape.width) + shape.height * (feature % shape.width);
  return static_cast<std::size_t>(column * shape.samples + sample) * array.item_size;
}

void require_finite_values(const Matrix& samples, Index first_row, const std::string& name) {
  if (samples.allFinite()) return;
  for (Index i = 0; i < samples.rows(); ++i)
    for (Index j = 0; j < samples.cols(); ++j)
      if (!std::isfinite(samples(i, j)))
        bad_file(name,
                 "row {}, column {} (counted from 0) is {}; every value must be finite: remove or fill in such samples",
                 first_row + i, j, samples(i, j));
}

Matrix to_matrix(const Array& array, const std::string& name) {
  const SampleShape shape = sample_shape(array, name);
  const double bytes = 8.0 * static_cast<double>(shape.samples) * static_cast<double>(shape.features());
  if (bytes > 1e8) require_memory(bytes, name, "take fewer samples or features at a time");
  Matrix samples(shape.samples, shape.features());
  copy_samples(array, 0, 0, samples, name);
  require_finite_values(samples, 0, name);
  return samples;
}

std::vector<std::string> to_label_texts(const Array& array, const std::string& name) {
  const auto& shape = array.shape;
  const bool row_or_column = shape.size() == 1 || (shape.size() == 2 && (shape[0] == 1 || shape[1] == 1));
  if (!row_or_column) bad_file(name, "has shape {}, but labels are one for each sample: (N,)", shape_text(shape));
  const std::size_t count = array.item_size == 0 ? 0 : array.bytes.size() / array.item_size;
  if (count == 0) bad_file(name, "has shape {}: there are no labels in it", shape_text(shape));
  std::vector<std::string> labels(count);
  if (array.type == ElementType::kBytes || array.type == ElementType::kUnicode) {
    for (std::size_t i = 0; i < count; ++i) labels[i] = fixed_text(array, i);
    return labels;
  }
  with_type(array.type, name, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i)
      labels[i] = label_text(load_value<T>(array.bytes.data() + i * sizeof(T), array.big_endian), i, name);
  });
  return labels;
}

}  // namespace foldout
