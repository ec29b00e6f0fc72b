// SPDX-License-Identifier: Apache-2.0
// Version 7.3 through matio, for files that the caller trusts: neither matio nor HDF5 is safe with damaged ones.
#include <matio.h>

#include <memory>
#include <utility>

#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/mat_format.h"

namespace foldout {
namespace {

constexpr std::uint64_t kMaxRatio = 1032;  // of deflate, which is what MATLAB packs with

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using FilePointer = std::unique_ptr<mat_t, CloseFile>;
using VariablePointer = std::unique_ptr<matvar_t, FreeVariable>;

FilePointer open_mat(const std::string& path) {
  Mat_LogInitFunc("", [](int, char*) {});
  FilePointer file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) bad_file(path, "cannot be opened as HDF5: it is damaged or cut off");
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

VariablePointer read_variable(const std::string& path, const std::string& key, const std::string& name) {
  const FilePointer file = open_mat(path);
  VariablePointer variable(Mat_VarRead(file.get(), key.c_str()));
  if (!variable || !variable->data) bad_file(name, "its data cannot be read: the file is damaged");
  return variable;
}

ElementType element_type(matio_types type, const std::string& name) {
  using enum ElementType;
  constexpr std::pair<matio_types, ElementType> kTypes[] = {
      {MAT_T_INT8, kInt8},      {MAT_T_UINT8, kUInt8},   {MAT_T_INT16, kInt16}, {MAT_T_UINT16, kUInt16},
      {MAT_T_INT32, kInt32},    {MAT_T_UINT32, kUInt32}, {MAT_T_INT64, kInt64}, {MAT_T_UINT64, kUInt64},
      {MAT_T_SINGLE, kFloat32}, {MAT_T_DOUBLE, kFloat64}};
  for (const auto& [known, ours] : kTypes)
    if (type == known) return ours;
  bad_file(name, "has elements of an unknown type: the file is damaged");
}

Array dense(const matvar_t& variable, const std::string& name) {
  const auto& data = *static_cast<const mat_sparse_t*>(variable.data);
  if (variable.rank != 2 || variable.data_type != MAT_T_DOUBLE)
    bad_file(name, "is a sparse matrix of an unknown kind: the file is damaged");
  const auto* values = static_cast<const double*>(data.data);
  const SparseColumns sparse{.rows = variable.dims[0],
                             .columns = variable.dims[1],
                             .row_indices = {data.ir, data.ir + data.nir},
                             .starts = {data.jc, data.jc + data.njc},
                             .values = {values, values + data.ndata}};
  return make_dense(sparse, name);
}

std::vector<std::string> texts_of(const matvar_t& variable, const std::string& name) {
  MatText text;
  if (variable.class_type != MAT_C_CHAR) bad_file(name, "holds a cell that is not text: labels are numbers or texts");
  if (!variable.data || variable.nbytes == 0 || variable.rank < 1) return {};
  const std::size_t unit = Mat_SizeOf(variable.data_type);
  const auto* bytes = static_cast<const std::byte*>(variable.data);
  for (std::size_t i = 0; i + unit <= variable.nbytes; i += unit)
    text.units.push_back(unit == 1 ? static_cast<std::uint32_t>(bytes[i])
                                   : load_value<std::uint16_t>(bytes + i, false));
  text.rows = variable.dims[0];
  if (text.rows > text.units.size()) bad_file(name, "has fewer characters than its shape says: the file is damaged");
  return text_rows(text);
}

}  // namespace

std::vector<MatVariable> list_mat73(const std::string& path) {
  const FilePointer file = open_mat(path);
  std::vector<MatVariable> variables;
  while (const VariablePointer variable{Mat_VarReadNextInfo(file.get())})
    variables.push_back({variable->name ? variable->name : "",
                         kind_of(*variable),
                         {variable->dims, variable->dims + std::max(variable->rank, 0)}});
  return variables;
}

Array read_mat73(const MatVariable& variable, std::size_t file_size, const std::string& path) {
  const std::string name = fmt::format("{}:{}", path, variable.name);
  const std::uint64_t size = byte_count(variable.shape, sizeof(double), name);
  const bool is_sparse = variable.kind == MatVariable::Kind::kSparse;
  if (!is_sparse && size / sizeof(double) / kMaxRatio > file_size)
    bad_file(name, "claims the shape {}, more than a file of {} bytes can hold: it is damaged",
             shape_text(variable.shape), file_size);
  std::shared_ptr<matvar_t> data = read_variable(path, variable.name, name);
  if (is_sparse) return dense(*data, name);
  Array array;
  array.type = element_type(data->data_type, name);
  array.item_size = size_of(array.type);
  array.column_major = true;
  array.shape = variable.shape;
  set_bytes(array, {static_cast<const std::byte*>(data->data), data->nbytes}, name);
  array.owner = std::move(data);
  return array;
}

std::vector<std::string> read_mat73_texts(const MatVariable& variable, const std::string& path) {
  const std::string name = fmt::format("{}:{}", path, variable.name);
  const VariablePointer data = read_variable(path, variable.name, name);
  if (data->class_type != MAT_C_CELL) return texts_of(*data, name);
  std::vector<std::string> texts;
  const auto* cells = static_cast<matvar_t* const*>(data->data);
  for (std::size_t i = 0; i < data->nbytes / sizeof(matvar_t*); ++i) {
    if (!cells[i]) bad_file(name, "cell {} (counted from 0) is empty: labels are numbers or texts", i);
    const std::vector<std::string> rows = texts_of(*cells[i], name);
    if (rows.size() > 1) bad_file(name, "cell {} (counted from 0) has {} lines, but a label has one", i, rows.size());
    texts.push_back(rows.empty() ? std::string() : rows[0]);
  }
  return texts;
}

}  // namespace foldout
