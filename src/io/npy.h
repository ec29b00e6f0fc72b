// SPDX-License-Identifier: Apache-2.0
// numpy's .npy format, versions 1 to 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"
#include "io/array.h"

namespace foldout {

/// Reads the header and checks the shape against the number of bytes; copies nothing: the result points into
/// `bytes`. Every boolean, integer, real and text dtype, either byte order, C and Fortran order. `name` is for
/// messages. Throws IoError; object arrays are refused, because their bytes are a pickled program.
[[nodiscard]] Array parse_npy(std::span<const std::byte> bytes, const std::string& name);

/// Type, order and shape, from the start of a source, which is then positioned at the data.
[[nodiscard]] Array read_npy_header(ByteSource& source, const std::string& name);

void write_npy_header(std::ostream& out, Index rows, Index columns);  ///< '<f8', 2-D; as long for any number of rows
void write_npy_rows(std::ostream& out, const MatrixRef& rows);        ///< what follows it

void write_npy(std::ostream& out, const MatrixRef& values);                ///< '<f8', 2-D
void write_npy(std::ostream& out, std::span<const double> values);         ///< '<f8', 1-D
void write_npy(std::ostream& out, std::span<const std::int64_t> values);   ///< '<i8', 1-D
void write_npy(std::ostream& out, std::span<const int> values);            ///< '<i4', 1-D
void write_npy(std::ostream& out, const Labels& labels);                   ///< '<U', 1-D, from UTF-8
void write_npy_bytes_scalar(std::ostream& out, const std::string& value);  ///< '|S', 0-D

}  // namespace foldout
