// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numbers.h"
#include "io/bad_file.h"

namespace foldout {
namespace {

constexpr std::array<std::string_view, 5> kLabelNames = {"label", "class", "target", "species", "y"};
constexpr std::array<std::string_view, 8> kMissing = {"", "na", "n/a", "null", "none", "?", "-", "missing"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::ranges::find(words, lower(text)) != words.end();
}

bool has_decimal_comma(std::string cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string::npos) return false;
  cell[comma] = '.';
  return is_number(cell);
}

bool is_label_name(std::string_view text) { return is_one_of(kLabelNames, text); }

/// Makes room for one more row, growing by half: what is allocated stays within a few times what was read.
void make_room(Matrix& rows, Index count, Index width) {
  if (rows.cols() != width) rows.resize(0, width);
  if (count < rows.rows()) return;
  rows.conservativeResize(std::max<Index>(count + count / 2, 16), width);
}

}  // namespace

CsvReader::CsvReader(std::istream& in, std::string name, LabelColumn label_column, Blocks blocks)
    : name_(std::move(name)), records_(in, name_), label_column_(label_column), blocks_(blocks) {
  start();
}

void CsvReader::start() {
  const auto no_samples = [this] { bad_file(name_, "has no samples: give a file with at least one row of numbers"); };
  Record record;
  if (!records_.next(record)) no_samples();
  separator_ = find_separator(record.text);
  const std::vector<std::string> first = split_record(record.text, separator_);
  pending_.emplace_back(record.text, record.line);
  cells_ = first.size();
  if (is_header(first)) {
    header_ = first;
    pending_.pop_front();
    if (header_[0].empty() && cells_ > 1) first_ = 1;
    if (pending_.empty()) {
      if (!records_.next(record)) no_samples();
      pending_.emplace_back(record.text, record.line);
    }
  }
  const auto& [text, line] = pending_.front();
  const std::vector<std::string> row = split_record(text, separator_);
  require_cells(row.size(), line);
  assign_columns(row);
}

bool CsvReader::is_header(const std::vector<std::string>& first) {
  std::vector<std::size_t> texts;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (!is_number(first[i])) texts.push_back(i);
  if (texts.empty()) return false;
  if (texts.size() > 1 || first.size() == 1) return true;
  if (is_label_name(first[texts[0]])) return true;
  if (is_one_of(kMissing, first[texts[0]]) || blocks_ == Blocks::kAtHand) return false;
  Record record;
  if (!records_.next(record)) return false;
  pending_.emplace_back(record.text, record.line);
  const std::vector<std::string> second = split_record(record.text, separator_);
  return second.size() == first.size() && is_number(second[texts[0]]);
}

void CsvReader::assign_columns(const std::vector<std::string>& row) {
  if (label_column_ == LabelColumn::kRecognised) {
    label_ = named_label();
    if (label_ < 0) label_ = text_column(row, pending_.front().second);
  }
  width_ = static_cast<Index>(cells_ - first_) - (label_ >= 0 ? 1 : 0);
  if (width_ == 0)
    bad_file(name_, "line {} has no numbers: samples need at least one feature", pending_.front().second);
  for (std::size_t i = first_; i < header_.size(); ++i)
    if (static_cast<int>(i) != label_) columns_.push_back(header_[i]);
}

int CsvReader::named_label() const {
  std::vector<std::string> names(header_.size());
  std::ranges::transform(header_, names.begin(), lower);
  const auto has = [&names](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
  for (const std::string_view wanted : kLabelNames) {
    if (wanted == "y" && (has("x") || has("z"))) continue;
    const auto found = std::ranges::find(names, wanted);
    if (found != names.end()) return static_cast<int>(found - names.begin());
  }
  return -1;
}

int CsvReader::text_column(const std::vector<std::string>& row, Index line) const {
  int found = -1;
  for (std::size_t i = first_; i < row.size(); ++i) {
    if (is_number(row[i]) || is_one_of(kMissing, row[i])) continue;
    if (has_decimal_comma(row[i])) (void)number(row[i], line, i);
    if (found >= 0)
      bad_file(name_,
               "{} and column {} are not numbers ({} and {}), but only one column, the labels, may be text: remove or "
               "encode the others",
               place(line, static_cast<std::size_t>(found)), i + 1, quoted(row[static_cast<std::size_t>(found)]),
               quoted(row[i]));
    found = static_cast<int>(i);
  }
  return found;
}

bool CsvReader::next(Matrix& block, Index max_rows) {
  labels_.clear();
  if (error_) std::rethrow_exception(error_);
  Index rows = 0;
  try {
    while (rows < max_rows && (rows == 0 || blocks_ == Blocks::kFull || !pending_.empty() || records_.at_hand())) {
      make_room(block, rows, width_);
      if (!next_row(block.row(rows).data())) break;
      ++rows;
    }
  } catch (const IoError&) {
    if (rows == 0 || blocks_ == Blocks::kFull) throw;
    error_ = std::current_exception();  // the rows before it are good: they come first
  }
  block.conservativeResize(rows, width_);
  return rows > 0;
}

bool CsvReader::next_row(double* row) {
  if (!pending_.empty()) {
    const auto [text, line] = std::move(pending_.front());
    pending_.pop_front();
    parse_any(text, line, row);
    return true;
  }
  Record record;
  if (!records_.next(record)) return false;
  if (record.has_quotes || !parse_plain(record.text, row)) parse_any(record.text, record.line, row);
  return true;
}

/// The fast path: plain finite numbers in every column. Leaves everything else to parse_any.
bool CsvReader::parse_plain(std::string_view text, double* row) {
  const char* p = text.data();
  const char* end = p + text.size();
  const auto is_blank = [this](char c) { return c == ' ' || c == '\r' || (c == '\t' && separator_ != '\t'); };
  std::string_view label_text;
  for (std::size_t i = 0; i < cells_; ++i) {
    while (p != end && is_blank(*p)) ++p;
    if (static_cast<int>(i) == label_ || i < first_) {
      const char* stop = std::find_if(p, end, [&](char c) { return c == separator_ || (c == '\t' && is_blank(c)); });
      if (static_cast<int>(i) == label_) label_text = {p, static_cast<std::size_t>(stop - p)};
      p = stop;
    } else {
      p = parse_number(p, end, *row);
      if (!p || !std::isfinite(*row++)) return false;
    }
    const char* after = p;
    while (p != end && is_blank(*p)) ++p;
    if (i + 1 == cells_) break;
    if (separator_ == kWhiteSpace ? p == after : (p == end || *p++ != separator_)) return false;
  }
  if (p != end) return false;
  if (label_ < 0) return true;
  label_text = label_text.substr(0, label_text.find_last_not_of(" \r\t") + 1);
  if (is_one_of(kMissing, label_text)) return false;
  labels_.emplace_back(label_text);
  return true;
}

/// The careful path: quotes, and a message for whatever is wrong.
void CsvReader::parse_any(std::string_view text, Index line, double* row) {
  const std::vector<std::string> cells = split_record(text, separator_);
  require_cells(cells.size(), line);
  for (std::size_t i = first_; i < cells.size(); ++i) {
    if (static_cast<int>(i) != label_) {
      *row++ = number(cells[i], line, i);
      continue;
    }
    if (is_one_of(kMissing, cells[i]))
      bad_file(name_, "{} is {}, a missing label: fill it in, or remove such rows", place(line, i), quoted(cells[i]));
    labels_.push_back(cells[i]);
  }
}

void CsvReader::require_cells(std::size_t count, Index line) const {
  if (count != cells_)
    bad_file(name_, "line {} has {} column{}, but the first row has {}: every row needs as many", line, count,
             count == 1 ? "" : "s", cells_);
}

double CsvReader::number(const std::string& cell, Index line, std::size_t column) const {
  double value = 0;
  const char* end = cell.data() + cell.size();
  if (cell.empty()) bad_file(name_, "{} is empty: fill it in, or remove such rows", place(line, column));
  if (parse_number(cell.data(), end, value) != end) {
    bad_file(name_, "{} is {}, which is not a number{}", place(line, column), quoted(cell),
             has_decimal_comma(cell) ? ": write a decimal point, 1.5 instead of 1,5"
                                     : ": every column but the label's must be numbers");
  }
  if (!std::isfinite(value))
    bad_file(name_, "{} is {}; every value must be finite: fill it in, or remove such rows", place(line, column),
             quoted(cell));
  return value;
}

std::string CsvReader::place(Index line, std::size_t column) const {
  if (column < header_.size()) return fmt::format("line {}, column {} ({})", line, column + 1, quoted(header_[column]));
  return fmt::format("line {}, column {}", line, column + 1);
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
  const bool header = !labels.empty() && is_label_name(labels[0]) &&
                      std::find(labels.begin() + 1, labels.end(), labels[0]) == labels.end();
  if (header) labels.erase(labels.begin());
  if (labels.empty()) bad_file(name, "has no labels in it: one label a line is needed");
  return labels;
}

}  // namespace foldout
