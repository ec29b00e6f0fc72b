// SPDX-License-Identifier: Apache-2.0
// Format: MathWorks, "MAT-File Format", Level 5: a header of 128 bytes, then tagged elements; a matrix is an element
// whose parts are elements themselves (flags, dimensions, name, data).
#include <algorithm>
#include <memory>
#include <utility>

#include "core/check.h"
#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/byte_source.h"
#include "io/mat_format.h"
#include "io/unicode.h"

namespace foldout {
namespace {

constexpr std::size_t kHeaderSize = 128;
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;
constexpr std::uint64_t kPrefix = 4096;  // flags, dimensions and name of any valid variable
constexpr std::size_t kMaxDimensions = 32;

enum Class : std::uint32_t { kCell = 1, kChar = 4, kSparse = 5, kDouble = 6, kUInt64Class = 15, kOpaque = 17 };

struct Element {
  std::uint32_t type = 0;
  std::span<const std::byte> data;
};

/// The parts of a matrix element, as far as they have been read.
struct MatrixHeader {
  std::uint32_t array_class = 0;
  bool complex = false;
  std::vector<std::uint64_t> shape;
  std::string name;
};

/// A cursor over elements: the tag, the data, and the padding to a multiple of 8.
class ElementReader {
 public:
  ElementReader(std::span<const std::byte> bytes, const std::string& name, bool big_endian)
      : reader_(bytes, name, big_endian), name_(name), big_endian_(big_endian) {}

  [[nodiscard]] std::size_t remaining() const { return reader_.remaining(); }

  Element next() {
    const auto first = reader_.integer<std::uint32_t>("the tag of an element");
    if (const std::uint32_t size = first >> 16; size != 0) {  // up to 4 bytes are stored in the tag itself
      const auto data = reader_.take(4, "a small element");
      if (size > 4) bad_file(name_, "a small element claims {} bytes: the file is damaged", size);
      return {first & 0xFFFF, data.first(size)};
    }
    const auto size = reader_.integer<std::uint32_t>("the size of an element");
    const Element element{first, reader_.take(size, "an element")};
    const std::size_t padding = first == kCompressed ? 0 : (8 - size % 8) % 8;
    reader_.take(std::min(padding, reader_.remaining()), "padding");
    return element;
  }

  MatrixHeader header() {
    MatrixHeader header;
    const Element flags = next();
    if (flags.type != 6 || flags.data.size() != 8) bad_file(name_, "a variable has damaged flags");
    const auto word = load_value<std::uint32_t>(flags.data.data(), big_endian_);
    header.array_class = word & 0xFF;
    header.complex = word & 0x0800;
    if (header.array_class == kOpaque) return header;
    const Element extents = next();
    if (extents.type != 5 || extents.data.size() % 4 != 0 || extents.data.size() < 8 ||
        extents.data.size() > 4 * kMaxDimensions)
      bad_file(name_, "a variable has damaged dimensions");
    for (std::size_t i = 0; i < extents.data.size(); i += 4) {
      const auto extent = load_value<std::int32_t>(extents.data.data() + i, big_endian_);
      if (extent < 0) bad_file(name_, "a variable has a negative dimension: the file is damaged");
      header.shape.push_back(static_cast<std::uint64_t>(extent));
    }
    const Element text = next();
    if (text.type != 1) bad_file(name_, "a variable has a damaged name");
    header.name.assign(reinterpret_cast<const char*>(text.data.data()), text.data.size());
    return header;
  }

 private:
  ByteReader reader_;
  const std::string& name_;
  bool big_endian_;
};

bool is_big_endian(std::span<const std::byte> bytes) { return bytes[126] == std::byte{'M'}; }

ElementReader top_level(std::span<const std::byte> bytes, const std::string& path) {
  return {bytes.subspan(kHeaderSize), path, is_big_endian(bytes)};
}

MatVariable describe(const MatrixHeader& header) {
  using Kind = MatVariable::Kind;
  Kind kind = Kind::kOther;
  if (header.array_class >= kDouble && header.array_class <= kUInt64Class) kind = Kind::kNumbers;
  if (header.array_class == kSparse) kind = Kind::kSparse;
  if (header.array_class == kChar) kind = Kind::kText;
  if (header.array_class == kCell) kind = Kind::kTexts;
  if (header.complex && (kind == Kind::kNumbers || kind == Kind::kSparse)) kind = Kind::kComplex;
  return {header.name, kind, header.shape};
}

/// The bytes of a matrix, and who keeps them if the file does not.
struct Content {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

Content owned(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {*owner, owner};
}

/// The matrix inside a top-level element, or the first `limit` bytes of it; empty if it is something else.
Content matrix_content(const Element& element, std::uint64_t limit, const std::string& path, bool big_endian) {
  if (element.type == kMatrix)
    return {element.data.first(static_cast<std::size_t>(std::min<std::uint64_t>(element.data.size(), limit))), nullptr};
  if (element.type != kCompressed) return {};
  Inflater inflater(element.data, Wrapping::kZlib, path);
  const std::vector<std::byte> tag = inflater.take(8);
  if (load_value<std::uint32_t>(tag.data(), big_endian) != kMatrix) return {};
  const auto size = load_value<std::uint32_t>(tag.data() + 4, big_endian);
  if (size > limit) return owned(inflater.take_up_to(limit));
  if (size > 100'000'000) require_memory(static_cast<double>(size), path, "save fewer samples or features in one file");
  Content content = owned(inflater.take(size));
  inflater.finish();
  return content;
}

/// A variable, ready to read what follows its name.
struct Variable {
  Content content;
  ElementReader parts;
  MatrixHeader header;
};

Variable open_variable(std::span<const std::byte> bytes, const std::string& path, const std::string& key) {
  const bool big_endian = is_big_endian(bytes);
  for (ElementReader elements = top_level(bytes, path); elements.remaining() > 0;) {
    const Element element = elements.next();
    const Content prefix = matrix_content(element, kPrefix, path, big_endian);
    if (prefix.bytes.empty() || ElementReader(prefix.bytes, path, big_endian).header().name != key) continue;
    Content content = matrix_content(element, ~std::uint64_t{0}, path, big_endian);
    ElementReader parts(content.bytes, path, big_endian);
    MatrixHeader header = parts.header();
    return {std::move(content), parts, std::move(header)};
  }
  bad_file(path, "has no variable '{}'", key);
}

ElementType element_type(std::uint32_t code, const std::string& name) {
  using enum ElementType;
  constexpr std::pair<std::uint32_t, ElementType> kTypes[] = {{1, kInt8},   {2, kUInt8},  {3, kInt16},   {4, kUInt16},
                                                              {5, kInt32},  {6, kUInt32}, {7, kFloat32}, {9, kFloat64},
                                                              {12, kInt64}, {13, kUInt64}};
  for (const auto& [known, type] : kTypes)
    if (code == known) return type;
  bad_file(name, "has elements of the unknown type {}: the file is damaged", code);
}

Array numbers(const Element& element, std::vector<std::uint64_t> shape, bool big_endian, const std::string& name) {
  Array array;
  array.type = element_type(element.type, name);
  array.item_size = size_of(array.type);
  array.big_endian = big_endian;
  array.column_major = true;
  array.shape = std::move(shape);
  set_bytes(array, element.data, name);
  return array;
}

/// A part of a sparse matrix, whose length is its own.
Array vector_part(const Element& element, bool big_endian, const std::string& name) {
  const std::size_t item_size = size_of(element_type(element.type, name));
  return numbers(element, {element.data.size() / item_size}, big_endian, name);
}

std::vector<double> doubles(const Array& array, const std::string& name) {
  if (array.bytes.empty()) return {};
  const Matrix values = to_matrix(array, name);
  return {values.data(), values.data() + values.size()};
}

std::vector<std::uint64_t> indices(const Array& array, const std::string& name) {
  std::vector<std::uint64_t> result;
  for (const double value : doubles(array, name)) {
    if (!(value >= 0 && value < 0x1p53)) bad_file(name, "is a sparse matrix with the index {}: it is damaged", value);
    result.push_back(static_cast<std::uint64_t>(value));
  }
  return result;
}

Array sparse(ElementReader& parts, const MatrixHeader& header, bool big_endian, const std::string& name) {
  if (header.shape.size() != 2) bad_file(name, "is a sparse matrix of {} dimensions", header.shape.size());
  SparseColumns columns{
      .rows = header.shape[0], .columns = header.shape[1], .row_indices = {}, .starts = {}, .values = {}};
  columns.row_indices = indices(vector_part(parts.next(), big_endian, name), name);
  columns.starts = indices(vector_part(parts.next(), big_endian, name), name);
  columns.values = doubles(vector_part(parts.next(), big_endian, name), name);
  return make_dense(columns, name);
}

template <class Unit>
void append_units(std::vector<std::uint32_t>& units, std::span<const std::byte> data, bool big_endian) {
  for (std::size_t i = 0; i + sizeof(Unit) <= data.size(); i += sizeof(Unit))
    units.push_back(load_value<Unit>(data.data() + i, big_endian));
}

MatText text(ElementReader& parts, const MatrixHeader& header, bool big_endian, const std::string& name) {
  MatText result;
  const std::uint64_t count = byte_count(header.shape, 1, name);
  if (count == 0) return result;
  result.rows = header.shape[0];
  const Element element = parts.next();
  if (element.type == 16) {
    for (const char32_t c : from_utf8({reinterpret_cast<const char*>(element.data.data()), element.data.size()}))
      result.units.push_back(c);
  } else if (element.type == 3 || element.type == 4 || element.type == 17) {
    append_units<std::uint16_t>(result.units, element.data, big_endian);
  } else if (element.type == 18) {
    append_units<std::uint32_t>(result.units, element.data, big_endian);
  } else {
    append_units<std::uint8_t>(result.units, element.data, big_endian);
  }
  if (result.units.size() != count)
    bad_file(name, "its shape {} takes {} characters, but {} are there: the file is damaged", shape_text(header.shape),
             count, result.units.size());
  return result;
}

std::vector<std::string> cell_texts(ElementReader& parts, const MatrixHeader& header, bool big_endian,
                                    const std::string& name) {
  std::vector<std::string> texts;
  const std::uint64_t count = byte_count(header.shape, 1, name);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Element element = parts.next();
    if (element.type != kMatrix) bad_file(name, "cell {} is damaged", i);
    ElementReader cell(element.data, name, big_endian);
    const MatrixHeader inner = element.data.empty() ? MatrixHeader{} : cell.header();
    if (inner.array_class != kChar)
      bad_file(name, "cell {} (counted from 0) is not text: labels are numbers or texts", i);
    const std::vector<std::string> rows = text_rows(text(cell, inner, big_endian, name));
    if (rows.size() > 1) bad_file(name, "cell {} (counted from 0) has {} lines, but a label has one", i, rows.size());
    texts.push_back(rows.empty() ? std::string() : rows[0]);
  }
  return texts;
}

}  // namespace

std::vector<MatVariable> list_mat5(std::span<const std::byte> bytes, const std::string& path) {
  std::vector<MatVariable> variables;
  const bool big_endian = is_big_endian(bytes);
  for (ElementReader elements = top_level(bytes, path); elements.remaining() > 0;) {
    const Content prefix = matrix_content(elements.next(), kPrefix, path, big_endian);
    if (prefix.bytes.empty()) continue;
    const MatVariable variable = describe(ElementReader(prefix.bytes, path, big_endian).header());
    if (!variable.name.empty()) variables.push_back(variable);  // nameless: MATLAB's own bookkeeping
  }
  return variables;
}

Array read_mat5(std::span<const std::byte> bytes, const std::string& path, const std::string& key) {
  const std::string name = fmt::format("{}:{}", path, key);
  const bool big_endian = is_big_endian(bytes);
  Variable variable = open_variable(bytes, path, key);
  if (variable.header.array_class == kSparse) return sparse(variable.parts, variable.header, big_endian, name);
  Array array = numbers(variable.parts.next(), variable.header.shape, big_endian, name);
  array.owner = std::move(variable.content.owner);
  return array;
}

std::vector<std::string> read_mat5_texts(std::span<const std::byte> bytes, const std::string& path,
                                         const std::string& key) {
  const std::string name = fmt::format("{}:{}", path, key);
  const bool big_endian = is_big_endian(bytes);
  Variable variable = open_variable(bytes, path, key);
  return variable.header.array_class == kCell ? cell_texts(variable.parts, variable.header, big_endian, name)
                                              : text_rows(text(variable.parts, variable.header, big_endian, name));
}

}  // namespace foldout
