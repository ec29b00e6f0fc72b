// SPDX-License-Identifier: Apache-2.0
// An array as it is stored in a file: what the readers of .npy, .npz, .mat and IDX share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/types.h"
#include "io/byte_source.h"

namespace foldout {

enum class ElementType {
  kBool,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kBytes,    ///< texts of fixed length, 8 bits a character
  kUnicode,  ///< texts of fixed length, 32 bits a character
};

struct Array {
  ElementType type = ElementType::kFloat64;
  std::size_t item_size = 8;  ///< bytes per element
  bool big_endian = false;
  bool column_major = false;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> bytes;   ///< exactly the product of `shape` times `item_size`
  std::shared_ptr<const void> owner;  ///< what keeps `bytes` alive; null if the caller does
};

/// A compressed array, which can only be read sequentially.
struct PackedArray {
  Array array;                         ///< without its bytes
  std::unique_ptr<ByteSource> source;  ///< positioned at the first of them
};

/// Bytes per element of a numeric type.
[[nodiscard]] std::size_t size_of(ElementType type);

/// Product of `shape` times `item_size`. Throws IoError, naming the file, where it overflows.
[[nodiscard]] std::uint64_t byte_count(const std::vector<std::uint64_t>& shape, std::size_t item_size,
                                       const std::string& name);

/// "(60000, 28, 28)"
[[nodiscard]] std::string shape_text(const std::vector<std::uint64_t>& shape);

/// Throws IoError unless the shape takes exactly as many bytes as follow the header.
void require_size(const Array& array, std::uint64_t remaining, const std::string& name);

/// Points `array` at `rest`, the bytes that follow its header, after require_size().
void set_bytes(Array& array, std::span<const std::byte> rest, const std::string& name);

/// Reads everything into memory that the array owns.
[[nodiscard]] Array unpack(PackedArray packed, const std::string& name);

// What follows throws IoError, with `name` in front: no samples, no features, a value that is not finite, elements or a
// number of dimensions that do not fit.

/// The samples of an array: N×D, N×H×W, whose samples are images, or 1-D, one column.
struct SampleShape {
  Index samples = 0;
  Index height = 1;
  Index width = 1;
  [[nodiscard]] Index features() const { return height * width; }
};
[[nodiscard]] SampleShape sample_shape(const Array& array, const std::string& name);

/// Converts the features [feature, feature + out.cols()) of the samples [sample, sample + out.rows()).
void copy_samples(const Array& array, Index sample, Index feature, Eigen::Ref<Matrix> out, const std::string& name);

/// Where the values of one feature start, from this sample on, in the bytes of a column-major array.
[[nodiscard]] std::size_t column_offset(const Array& array, const SampleShape& shape, Index sample, Index feature);

/// Messages call row 0 of `samples` row `first_row`.
void require_finite_values(const Matrix& samples, Index first_row, const std::string& name);

/// All samples, checked.
[[nodiscard]] Matrix to_matrix(const Array& array, const std::string& name);

/// 1-D (or N×1, 1×N) of integers, whole numbers or texts: one text per sample.
[[nodiscard]] std::vector<std::string> to_label_texts(const Array& array, const std::string& name);

}  // namespace foldout
