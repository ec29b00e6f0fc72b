// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>

#include "foldout/io/files.h"
#include "foldout/io/row_writer.h"
#include "io/atomic_file.h"
#include "io/bad_file.h"
#include "io/csv.h"
#include "io/location.h"
#include "io/mat.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/written.h"

namespace foldout {
namespace {

template <class Values>
std::string npy_bytes(const Values& values) {
  return written([&](std::ostream& out) { write_npy(out, values); });
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

/// .txt files contain numbers or labels only.
bool is_table(const std::string& path) { return separator_of(path) != kNoSeparator; }

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

struct RowWriter::Output {
  std::string path;
  Format format;
  std::optional<AtomicFile> file = {};    ///< none: standard output
  std::vector<std::string> columns = {};  ///< of the numbers; empty: no header
  std::optional<CsvWriter> text = {};
  std::vector<Matrix> collected = {};
  Index rows = 0, width = -1;
  bool has_header = false;
  bool committed = false;

  [[nodiscard]] bool is_text() const { return format == Format::kText || format == Format::kStandardStream; }
  void start_text(const RowTexts& texts);

  /// The header of a .npy file holds the number of rows: if the output cannot be rewound, rows are collected first.
  [[nodiscard]] bool collects() const { return !is_text() && !(format == Format::kNpy && file->can_seek()); }
};

RowWriter::RowWriter(const std::string& path, const std::vector<std::string>& columns)
    : output_(new Output{path, locate_output(path).format}) {
  Output& o = *output_;
  if (o.format != Format::kStandardStream) o.file.emplace(path);
  if (is_table(path)) o.columns = columns;
}

/// The header, when it is known which text columns there are.
void RowWriter::Output::start_text(const RowTexts& texts) {
  std::vector<std::string> header = columns;
  for (const TextColumn& column : texts.last)
    if (is_table(path)) header.push_back(column.name);
  if (!header.empty() && !texts.ids.empty()) header.insert(header.begin(), "id");
  has_header = !header.empty();
  if (file)
    text.emplace(file->stream(), path, header, separator_written(path));
  else
    text.emplace(std::cout, "standard output", header);
}

RowWriter::~RowWriter() = default;
RowWriter::RowWriter(RowWriter&&) noexcept = default;
RowWriter& RowWriter::operator=(RowWriter&&) noexcept = default;

void RowWriter::write(const MatrixRef& rows, const RowTexts& texts) {
  Output& o = *output_;
  if (o.committed) throw InvalidArgument(fmt::format("{}: write() must come before commit()", o.path));
  if (o.width >= 0 && o.width != rows.cols())
    throw InvalidArgument(fmt::format("{}: rows of {} values after rows of {}: all rows must have the same number",
                                      o.path, rows.cols(), o.width));
  if (o.is_text()) {
    if (!o.text) o.start_text(texts);
    o.text->write(rows, o.has_header ? texts : RowTexts{});
    o.text->flush();
  } else if (o.collects()) {
    o.collected.emplace_back(rows);
  } else {
    if (o.width < 0) write_npy_header(o.file->stream(), 0, rows.cols());
    write_npy_rows(o.file->stream(), rows);
  }
  o.rows += rows.rows();
  o.width = rows.cols();
}

void RowWriter::commit() {
  Output& o = *output_;
  if (o.committed) return;
  const Index width = std::max<Index>(o.width, 0);
  if (o.collects()) {
    Matrix all(o.rows, width);
    Index at = 0;
    for (const Matrix& block : o.collected) {
      all.middleRows(at, block.rows()) = block;
      at += block.rows();
    }
    o.collected.clear();
    write_array(o.file->stream(), o.format, "data", MatrixRef(all));
  } else if (o.format == Format::kNpy) {
    o.file->stream().seekp(0);
    write_npy_header(o.file->stream(), o.rows, width);
  }
  if (o.text) o.text->flush();
  if (o.file) o.file->commit();
  o.committed = true;
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

namespace {

void write_with_ids(CsvWriter& writer, const Labels& labels, const std::vector<std::string>& ids) {
  const std::vector<std::string> texts = labels.texts();
  writer.write(Matrix(labels.size(), 0), {.ids = ids, .last = {{"label", texts}}});
}

}  // namespace

void save_labels(const std::string& path, const Labels& labels, const std::vector<std::string>& ids) {
  const Format format = locate_output(path).format;
  const bool standard = format == Format::kStandardStream;
  std::optional<AtomicFile> file;
  if (!standard) file.emplace(path);
  if (standard || format == Format::kText) {
    std::vector<std::string> header;
    if (is_table(path))
      header = ids.empty() ? std::vector<std::string>{"label"} : std::vector<std::string>{"id", "label"};
    CsvWriter writer(standard ? std::cout : file->stream(), standard ? "standard output" : path, header,
                     separator_written(path));
    if (header.size() < 2)
      for (Index i = 0; i < labels.size(); ++i) writer.write_label(labels.text(i));
    else
      write_with_ids(writer, labels, ids);
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
  AtomicFile file(path);
  write_npz(file.stream(),
            {{"indices", npy_bytes(std::span<const int>(compressed.innerIndexPtr(), count))},
             {"indptr", npy_bytes(std::span<const int>(compressed.outerIndexPtr(), rows + 1))},
             {"format", written([](std::ostream& out) { write_npy_bytes_scalar(out, "csr"); })},
             {"shape", npy_bytes(std::span<const std::int64_t>(shape))},
             {"data", npy_bytes(std::span<const double>(compressed.valuePtr(), count))}},
            Packing::kDeflated);
  file.commit();
}

}  // namespace foldout
