// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <iostream>
#include <sstream>

#include "foldout/io/files.h"
#include "io/bad_file.h"
#include "io/mat.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/row_writer.h"

namespace foldout {
namespace {

template <class Values>
std::string npy_bytes(const Values& values) {
  std::ostringstream out;
  write_npy(out, values);
  return std::move(out).str();
}

/// `values` is a matrix, integers or labels: whatever the array formats have an overload for.
template <class Values>
void write_array(std::ostream& out, Format format, const std::string& key, const Values& values) {
  if (format == Format::kNpy)
    write_npy(out, values);
  else if (format == Format::kNpz)
    write_npz(out, {{key, npy_bytes(values)}});
  else
    write_mat(out, key, values);
}

char separator_written(const std::string& path) { return separator_of(path) == '\t' ? '\t' : ','; }

std::vector<std::int64_t> integers_of(const Labels& labels) {
  std::vector<std::int64_t> values, of_names;
  for (const std::string& name : labels.names) {
    const char* end = name.data() + name.size();
    if (std::from_chars(name.data(), end, of_names.emplace_back()).ptr != end || name.empty())
      throw InvalidArgument(fmt::format("labels: {} is not an integer", quoted(name)));
  }
  for (const int i : labels.index) values.push_back(of_names[static_cast<std::size_t>(i)]);
  return values;
}

}  // namespace

void require_output_format(const std::string& path) { (void)locate_output(path); }

RowWriter::RowWriter(const std::string& path, const std::vector<std::string>& columns)
    : format_(locate_output(path).format) {
  const bool standard = format_ == Format::kStandardStream;
  if (!standard) file_.emplace(path);
  if (standard)
    text_.emplace(std::cout, "standard output", columns);
  else if (format_ == Format::kText)
    text_.emplace(file_->stream(), path, columns, separator_written(path));
}

/// The header of a .npy file has the number of rows in it: where one cannot go back to it, they are counted first.
bool RowWriter::collects() const { return !text_ && !(format_ == Format::kNpy && file_->can_seek()); }

void RowWriter::write(const MatrixRef& rows) {
  if (text_) {
    text_->write(rows);
    text_->flush();
  } else if (collects()) {
    collected_.emplace_back(rows);
  } else {
    if (rows_ == 0) write_npy_header(file_->stream(), 0, rows.cols());
    write_npy_rows(file_->stream(), rows);
  }
  rows_ += rows.rows();
  width_ = rows.cols();
}

void RowWriter::commit() {
  if (collects()) {
    Matrix all(rows_, width_);
    Index at = 0;
    for (const Matrix& block : collected_) {
      all.middleRows(at, block.rows()) = block;
      at += block.rows();
    }
    collected_.clear();
    write_array(file_->stream(), format_, "data", MatrixRef(all));
  } else if (format_ == Format::kNpy) {
    file_->stream().seekp(0);
    write_npy_header(file_->stream(), rows_, width_);
  }
  if (text_) text_->flush();
  if (file_) file_->commit();
}

void save_matrix(const std::string& path, const MatrixRef& values, const std::vector<std::string>& columns) {
  const Format format = locate_output(path).format;
  if (format == Format::kText || format == Format::kStandardStream) {
    RowWriter writer(path, columns);
    writer.write(values);
    return writer.commit();
  }
  AtomicFile file(path);
  write_array(file.stream(), format, "data", values);
  file.commit();
}

void save_labels(const std::string& path, const Labels& labels) {
  const Format format = locate_output(path).format;
  const bool standard = format == Format::kStandardStream;
  std::optional<AtomicFile> file;
  if (!standard) file.emplace(path);
  if (standard || format == Format::kText) {
    CsvWriter writer(standard ? std::cout : file->stream(), standard ? "standard output" : path);
    for (Index i = 0; i < labels.size(); ++i) writer.write_label(labels.text(i));
    writer.flush();
  } else if (labels.integers) {
    write_array(file->stream(), format, "labels", integers_of(labels));
  } else {
    write_array(file->stream(), format, "labels", labels);
  }
  if (file) file->commit();
}

void save_sparse_npz(const std::string& path, const SparseMatrix& values) {
  SparseMatrix compressed = values;
  compressed.makeCompressed();
  const auto count = static_cast<std::size_t>(compressed.nonZeros());
  const auto rows = static_cast<std::size_t>(compressed.rows());
  const std::vector<std::int64_t> shape = {compressed.rows(), compressed.cols()};
  std::ostringstream format;
  write_npy_bytes_scalar(format, "csr");
  AtomicFile file(path);
  write_npz(file.stream(),
            {{"indices", npy_bytes(std::span<const int>(compressed.innerIndexPtr(), count))},
             {"indptr", npy_bytes(std::span<const int>(compressed.outerIndexPtr(), rows + 1))},
             {"format", std::move(format).str()},
             {"shape", npy_bytes(std::span<const std::int64_t>(shape))},
             {"data", npy_bytes(std::span<const double>(compressed.valuePtr(), count))}},
            Packing::kDeflated);
  file.commit();
}

}  // namespace foldout
