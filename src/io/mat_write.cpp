// SPDX-License-Identifier: Apache-2.0
// Version 5, not packed: every program reads it.
#include <algorithm>
#include <limits>

#include "foldout/core/error.h"
#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/mat.h"
#include "io/unicode.h"

namespace foldout {
namespace {

enum Type : std::uint32_t { kInt8 = 1, kInt32 = 5, kUInt32 = 6, kDouble = 9, kInt64 = 12, kMatrix = 14, kUtf8 = 16 };
enum Class : std::uint32_t { kCellClass = 1, kCharClass = 4, kDoubleClass = 6, kInt64Class = 14 };

std::string file_header() {
  std::string header = "MATLAB 5.0 MAT-file, written by foldout";
  header.resize(124, ' ');
  append_value<std::uint16_t>(header, 0x0100);
  return header + "IM";
}

void append_tag(std::string& out, std::uint32_t type, std::uint64_t size) {
  append_value(out, type);
  append_value(out, static_cast<std::uint32_t>(size));
}

void append_element(std::string& out, std::uint32_t type, std::string_view data) {
  append_tag(out, type, data.size());
  out += data;
  out.resize((out.size() + 7) / 8 * 8);
}

std::string matrix_header(std::uint32_t array_class, Index rows, Index columns, const std::string& name) {
  if (std::max(rows, columns) > std::numeric_limits<std::int32_t>::max())
    throw InvalidArgument(
        fmt::format("a matrix of {} by {} does not fit into a .mat file: write .npy instead", rows, columns));
  std::string header;
  append_tag(header, kUInt32, 8);
  append_value<std::uint64_t>(header, array_class);
  append_tag(header, kInt32, 8);
  append_value(header, static_cast<std::int32_t>(rows));
  append_value(header, static_cast<std::int32_t>(columns));
  append_element(header, kInt8, name);
  return header;
}

/// The tag of a matrix whose parts are `size` bytes together.
std::string matrix_tag(std::uint64_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw InvalidArgument(
        fmt::format("a variable of {} bytes does not fit into a .mat file: write .npy instead", size));
  std::string tag;
  append_tag(tag, kMatrix, size);
  return tag;
}

std::string text_matrix(const std::string& text) {
  std::string parts = matrix_header(kCharClass, 1, static_cast<Index>(from_utf8(text).size()), "");
  append_element(parts, kUtf8, text);
  return matrix_tag(parts.size()) + parts;
}

}  // namespace

void write_mat(std::ostream& out, const std::string& variable, const MatrixRef& values) {
  std::string parts = matrix_header(kDoubleClass, values.rows(), values.cols(), variable);
  const std::uint64_t size = sizeof(double) * static_cast<std::uint64_t>(values.size());
  const std::string tag = matrix_tag(parts.size() + 8 + size);
  append_tag(parts, kDouble, size);
  out << file_header() << tag << parts;
  for (Index j = 0; j < values.cols(); ++j) {
    const Vector column = values.col(j);
    out.write(reinterpret_cast<const char*>(column.data()),
              static_cast<std::streamsize>(sizeof(double) * static_cast<std::size_t>(column.size())));
  }
}

void write_mat(std::ostream& out, const std::string& variable, const std::vector<std::int64_t>& values) {
  std::string parts = matrix_header(kInt64Class, static_cast<Index>(values.size()), 1, variable);
  append_element(parts, kInt64, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t)});
  out << file_header() << matrix_tag(parts.size()) << parts;
}

void write_mat(std::ostream& out, const std::string& variable, const Labels& labels) {
  std::string parts = matrix_header(kCellClass, labels.size(), 1, variable);
  for (Index i = 0; i < labels.size(); ++i) parts += text_matrix(labels.text(i));
  out << file_header() << matrix_tag(parts.size()) << parts;
}

}  // namespace foldout
