// SPDX-License-Identifier: Apache-2.0
// Every fuzz target passes the bytes to a parser, which may refuse them only with these two errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "foldout/core/error.h"
#include "io/array.h"

namespace foldout {

template <class Parse>
int fuzz_once(const std::uint8_t* data, std::size_t size, Parse&& parse) {
  try {
    parse(std::as_bytes(std::span(data, size)));
  } catch (const IoError&) {
  } catch (const InvalidArgument&) {
  }
  return 0;
}

/// Converts an array to labels or to a matrix.
inline void use_array(const Array& array) {
  if (array.type == ElementType::kBytes || array.type == ElementType::kUnicode)
    (void)to_label_texts(array, "fuzz");
  else
    (void)to_matrix(array, "fuzz");
}

}  // namespace foldout
