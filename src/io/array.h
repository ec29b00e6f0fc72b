// SPDX-License-Identifier: Apache-2.0
// An array as files hold it, before it is a matrix: what the readers of .npy, .npz, .mat and IDX have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"
#include "foldout/io/files.h"

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

/// Bytes per element of a numeric type.
[[nodiscard]] std::size_t size_of(ElementType type);

/// Product of `shape` times `item_size`. Throws IoError, naming the file, where it overflows.
[[nodiscard]] std::uint64_t byte_count(const std::vector<std::uint64_t>& shape, std::size_t item_size,
                                       const std::string& name);

/// "(60000, 28, 28)"
[[nodiscard]] std::string shape_text(const std::vector<std::uint64_t>& shape);

// The conversions throw IoError, with `name` in front: no samples, no features, a value that is not finite,
// elements or a number of dimensions that do not fit.

/// N×D or N×H×W: one sample per row; 1-D: one column.
[[nodiscard]] Matrix to_matrix(const Array& array, const std::string& name);

/// N×D, or N×H×W, whose samples are images.
[[nodiscard]] Dataset to_dataset(const Array& array, const std::string& name);

/// 1-D (or N×1, 1×N) of integers, whole numbers or texts: one text per sample.
[[nodiscard]] std::vector<std::string> to_label_texts(const Array& array, const std::string& name);

}  // namespace foldout
