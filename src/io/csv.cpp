// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <algorithm>
#include <charconv>

#include "foldout/core/dataset.h"
#include "io/bad_file.h"
#include "io/csv_table.h"

namespace foldout {
namespace {

/// Makes room for one more row, growing by half: what is allocated stays within a few times what was read.
void make_room(Matrix& rows, Index count, Index width) {
  if (rows.cols() != width) rows.resize(0, width);
  if (count < rows.rows()) return;
  rows.conservativeResize(std::max<Index>(count + count / 2, 16), width);
}

}  // namespace

CsvReader::CsvReader(std::istream& in, std::string name, LabelColumn label_column)
    : table_(std::make_unique<Table>(in, std::move(name), label_column, Lookahead::kNone)) {}

CsvReader::~CsvReader() = default;

Index CsvReader::width() const { return table_->width; }
const std::vector<std::string>& CsvReader::columns() const { return table_->columns; }
bool CsvReader::has_labels() const { return table_->label >= 0; }
const std::vector<std::string>& CsvReader::labels() const { return table_->labels; }

bool CsvReader::next(Matrix& block, Index max_rows) {
  table_->labels.clear();
  if (error_) std::rethrow_exception(error_);
  Index rows = 0;
  try {
    table_->start();
    while (rows < max_rows && (rows == 0 || table_->at_hand())) {
      make_room(block, rows, table_->width);
      if (!table_->next(block.row(rows).data())) break;
      ++rows;
    }
  } catch (const IoError&) {
    if (rows == 0) throw;
    error_ = std::current_exception();  // the rows before it are good: they come first
  }
  block.conservativeResize(rows, table_->width);
  return rows > 0;
}

Dataset read_csv(std::istream& in, const std::string& name, LabelColumn label_column) {
  CsvReader::Table table(in, name, label_column, Lookahead::kSecondRow);
  Dataset dataset;
  table.start();
  Index rows = 0;
  make_room(dataset.samples, rows, table.width);
  for (; table.next(dataset.samples.row(rows).data()); ++rows) make_room(dataset.samples, rows + 1, table.width);
  if (rows == 0) bad_file(name, "has no samples: there is no row of numbers in it");
  dataset.samples.conservativeResize(rows, table.width);
  dataset.columns = std::move(table.columns);
  if (table.label >= 0) dataset.labels = make_labels(table.labels);
  return dataset;
}

std::vector<std::string> read_label_lines(std::istream& in, const std::string& name, char separator) {
  RecordSource records(in, name);
  std::vector<std::string> labels;
  for (Record record; records.next(record);) {
    std::vector<std::string> cells = split_record(record.text, separator);
    if (cells.size() != 1)
      bad_file(name,
               "line {} has {} columns, but a file of labels has one label a line: put quotes around a label "
               "that contains '{}'",
               record.line, cells.size(), separator);
    labels.push_back(std::move(cells[0]));
  }
  const auto rest = std::min(labels.begin() + 1, labels.end());
  if (!labels.empty() && is_label_name(labels[0]) && std::find(rest, labels.end(), labels[0]) == labels.end())
    labels.erase(labels.begin());
  if (labels.empty()) bad_file(name, "has no labels in it: one label a line is needed");
  return labels;
}

CsvWriter::CsvWriter(std::ostream& out, std::string name, const std::vector<std::string>& columns, char separator)
    : out_(out), name_(std::move(name)), separator_(separator) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    append_text(columns[i]);
    buffer_ += i + 1 < columns.size() ? separator_ : '\n';
  }
}

void CsvWriter::write(const MatrixRef& rows) {
  constexpr std::size_t kDigits = 32;  // more than any double takes
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) {
      char digits[kDigits];
      buffer_.append(digits, std::to_chars(digits, digits + kDigits, rows(i, j)).ptr);
      buffer_ += j + 1 < rows.cols() ? separator_ : '\n';
    }
    if (buffer_.size() > (1 << 16)) put();
  }
}

void CsvWriter::write_labels(const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    append_text(label);
    buffer_ += '\n';
  }
}

void CsvWriter::flush() {
  put();
  out_.flush();
  if (!out_) bad_file(name_, "could not be written to its end: is the disk full, or the reading program gone?");
}

/// In quotes where it would otherwise be read as something else.
void CsvWriter::append_text(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",;\t\"\r\n") == std::string_view::npos &&
                     text.front() != '#' && text.front() != ' ' && text.back() != ' ';
  if (plain) {
    buffer_ += text;
    return;
  }
  buffer_ += '"';
  for (const char c : text) buffer_.append(c == '"' ? 2 : 1, c);
  buffer_ += '"';
}

void CsvWriter::put() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

}  // namespace foldout
