// SPDX-License-Identifier: Apache-2.0
// Version 7.3 through matio, in a child process: neither matio nor HDF5 is safe with damaged files.
#include <matio.h>

#include <memory>
#include <stdexcept>

#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/isolated.h"
#include "io/mat_format.h"

namespace foldout {
namespace {

constexpr std::uint64_t kMaxRatio = 1032;  // of deflate, which is what MATLAB packs with
constexpr std::size_t kMaxListing = std::size_t{1} << 24;

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using FilePointer = std::unique_ptr<mat_t, CloseFile>;
using VariablePointer = std::unique_ptr<matvar_t, FreeVariable>;

IsolatedLimits limits_for(std::size_t file_size, std::size_t answer_size) {
  return {20 + static_cast<double>(file_size) / 5e6, answer_size};
}

FilePointer open_mat(const std::string& path) {
  Mat_LogInitFunc("", [](int, char*) {});
  FilePointer file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) throw std::runtime_error("cannot be opened as HDF5: it is damaged or cut off");
  return file;
}

MatVariable::Kind kind_of(const matvar_t& variable) {
  using Kind = MatVariable::Kind;
  if (variable.class_type == MAT_C_CELL) return Kind::kTexts;
  if (variable.class_type == MAT_C_CHAR) return Kind::kText;
  const bool sparse = variable.class_type == MAT_C_SPARSE;
  if (!sparse && (variable.class_type < MAT_C_DOUBLE || variable.class_type > MAT_C_UINT64)) return Kind::kOther;
  if (variable.isComplex) return Kind::kComplex;
  return sparse ? Kind::kSparse : Kind::kNumbers;
}

// A listing is: per variable, the kind, the number of dimensions, the dimensions and the length of the name as
// 64-bit numbers, then the name.
std::string listing(const std::string& path) {
  const FilePointer file = open_mat(path);
  std::string out;
  while (const VariablePointer variable{Mat_VarReadNextInfo(file.get())}) {
    const std::string name = variable->name ? variable->name : "";
    append_value<std::uint64_t>(out, static_cast<std::uint64_t>(kind_of(*variable)));
    append_value<std::uint64_t>(out, static_cast<std::uint64_t>(variable->rank));
    for (int i = 0; i < variable->rank; ++i) append_value<std::uint64_t>(out, variable->dims[i]);
    append_value<std::uint64_t>(out, name.size());
    out += name;
  }
  return out;
}

VariablePointer read_variable(const FilePointer& file, const std::string& key) {
  VariablePointer variable(Mat_VarRead(file.get(), key.c_str()));
  if (!variable || !variable->data) throw std::runtime_error("its data cannot be read: the file is damaged");
  return variable;
}

ElementType element_type(matio_types type) {
  switch (type) {
    case MAT_T_INT8:
      return ElementType::kInt8;
    case MAT_T_UINT8:
      return ElementType::kUInt8;
    case MAT_T_INT16:
      return ElementType::kInt16;
    case MAT_T_UINT16:
      return ElementType::kUInt16;
    case MAT_T_INT32:
      return ElementType::kInt32;
    case MAT_T_UINT32:
      return ElementType::kUInt32;
    case MAT_T_INT64:
      return ElementType::kInt64;
    case MAT_T_UINT64:
      return ElementType::kUInt64;
    case MAT_T_SINGLE:
      return ElementType::kFloat32;
    case MAT_T_DOUBLE:
      return ElementType::kFloat64;
    default:
      throw std::runtime_error("has elements of an unknown type: the file is damaged");
  }
}

Array dense(const matvar_t& variable, const std::string& name) {
  const auto& data = *static_cast<const mat_sparse_t*>(variable.data);
  if (variable.rank != 2 || variable.data_type != MAT_T_DOUBLE)
    throw std::runtime_error("is a sparse matrix of an unknown kind: the file is damaged");
  const auto* values = static_cast<const double*>(data.data);
  const SparseColumns sparse{.rows = variable.dims[0],
                             .columns = variable.dims[1],
                             .row_indices = {data.ir, data.ir + data.nir},
                             .starts = {data.jc, data.jc + data.njc},
                             .values = {values, values + data.ndata}};
  return make_dense(sparse, name);
}

/// Sends the element type, whether columns come first, and the data.
void send_numbers(const std::string& path, const std::string& key, const SendPiece& send) {
  const FilePointer file = open_mat(path);
  const VariablePointer variable = read_variable(file, key);
  const bool is_sparse = variable->class_type == MAT_C_SPARSE;
  Array array;
  if (is_sparse) {
    array = dense(*variable, key);
  } else {
    array.type = element_type(variable->data_type);
    array.bytes = {static_cast<const std::byte*>(variable->data), variable->nbytes};
  }
  const std::uint64_t facts[] = {static_cast<std::uint64_t>(array.type), is_sparse ? 0U : 1U};
  send(facts, sizeof(facts));
  send(array.bytes.data(), array.bytes.size());
}

std::vector<std::string> texts_of(const matvar_t& variable) {
  MatText text;
  if (variable.class_type != MAT_C_CHAR) throw std::runtime_error("holds a cell that is no text");
  if (!variable.data || variable.nbytes == 0 || variable.rank < 1) return {};
  const std::size_t unit = Mat_SizeOf(variable.data_type);
  const auto* bytes = static_cast<const std::byte*>(variable.data);
  for (std::size_t i = 0; i + unit <= variable.nbytes; i += unit)
    text.units.push_back(unit == 1 ? static_cast<std::uint32_t>(bytes[i])
                                   : load_value<std::uint16_t>(bytes + i, false));
  text.rows = variable.dims[0];
  if (text.rows > text.units.size()) throw std::runtime_error("has fewer characters than its shape says");
  return text_rows(text);
}

/// Sends the length and the characters of each text.
void send_texts(const std::string& path, const std::string& key, const SendPiece& send) {
  const FilePointer file = open_mat(path);
  const VariablePointer variable = read_variable(file, key);
  std::vector<std::string> texts;
  if (variable->class_type == MAT_C_CELL) {
    const auto* cells = static_cast<matvar_t* const*>(variable->data);
    for (std::size_t i = 0; i < variable->nbytes / sizeof(matvar_t*); ++i) {
      if (!cells[i]) throw std::runtime_error("has an empty cell");
      const std::vector<std::string> rows = texts_of(*cells[i]);
      if (rows.size() > 1) throw std::runtime_error("has a cell of several lines, but a label has one");
      texts.push_back(rows.empty() ? std::string() : rows[0]);
    }
  } else {
    texts = texts_of(*variable);
  }
  for (const std::string& text : texts) {
    const std::uint64_t size = text.size();
    send(&size, sizeof(size));
    send(text.data(), text.size());
  }
}

}  // namespace

std::vector<MatVariable> list_mat73(std::size_t file_size, const std::string& path) {
  const std::string answer = run_isolated(
      [&path](const SendPiece& send) {
        const std::string text = listing(path);
        send(text.data(), text.size());
      },
      limits_for(file_size, kMaxListing), path);
  std::vector<MatVariable> variables;
  for (ByteReader reader(std::as_bytes(std::span(answer)), path); reader.remaining() > 0;) {
    MatVariable variable;
    variable.kind = static_cast<MatVariable::Kind>(reader.integer<std::uint64_t>("a variable"));
    const auto rank = reader.integer<std::uint64_t>("a variable");
    for (std::uint64_t i = 0; i < rank; ++i) variable.shape.push_back(reader.integer<std::uint64_t>("a dimension"));
    variable.name = reader.text(reader.integer<std::uint64_t>("a name"), "a name");
    variables.push_back(std::move(variable));
  }
  return variables;
}

Array read_mat73(const MatVariable& variable, std::size_t file_size, const std::string& path) {
  const std::string name = fmt::format("{}:{}", path, variable.name);
  const std::uint64_t size = byte_count(variable.shape, sizeof(double), name);
  const bool is_sparse = variable.kind == MatVariable::Kind::kSparse;
  if (!is_sparse && size / sizeof(double) / kMaxRatio > file_size)
    bad_file(name, "claims the shape {}, more than a file of {} bytes can hold: it is damaged",
             shape_text(variable.shape), file_size);
  auto answer = std::make_shared<const std::string>(run_isolated(
      [&](const SendPiece& send) { send_numbers(path, variable.name, send); }, limits_for(file_size, size + 64), name));
  ByteReader reader(std::as_bytes(std::span(*answer)), name);
  Array array;
  array.type = static_cast<ElementType>(reader.integer<std::uint64_t>("the element type"));
  array.item_size = size_of(array.type);
  array.column_major = reader.integer<std::uint64_t>("the order") != 0;
  array.shape = variable.shape;
  set_bytes(array, reader.take(reader.remaining(), "the data"), name);
  array.owner = std::move(answer);
  return array;
}

std::vector<std::string> read_mat73_texts(const MatVariable& variable, std::size_t file_size, const std::string& path) {
  const std::string name = fmt::format("{}:{}", path, variable.name);
  const std::string answer = run_isolated([&](const SendPiece& send) { send_texts(path, variable.name, send); },
                                          limits_for(file_size, kMaxListing + kMaxRatio * file_size), name);
  std::vector<std::string> texts;
  for (ByteReader reader(std::as_bytes(std::span(answer)), name); reader.remaining() > 0;)
    texts.push_back(reader.text(reader.integer<std::uint64_t>("the length of a text"), "a text"));
  if (texts.empty()) bad_file(name, "has no labels in it");
  return texts;
}

}  // namespace foldout
