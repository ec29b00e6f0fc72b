// SPDX-License-Identifier: Apache-2.0
// The one check of a shape against the bytes that follow it.
#pragma once

#include <string>

#include "io/array.h"
#include "io/byte_reader.h"

namespace foldout {

/// Points `array` at the rest of the reader, which must be exactly as long as the shape says.
inline void take_data(ByteReader& reader, Array& array, const std::string& name) {
  const std::uint64_t needed = byte_count(array.shape, array.item_size, name);
  if (needed != reader.remaining())
    bad_file(name, "its shape {} takes {} bytes of data, but {} follow the header: the file is {}",
             shape_text(array.shape), needed, reader.remaining(),
             needed > reader.remaining() ? "cut off" : "damaged or has something appended");
  array.bytes = reader.take(needed, "the data");
}

}  // namespace foldout
