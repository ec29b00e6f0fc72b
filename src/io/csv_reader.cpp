// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/numbers.h"
#include "io/bad_file.h"

namespace foldout {
namespace {

// A cell such as "1O" or "2.5.": nearly a number.
bool is_mistyped_number(std::string_view cell) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t sign = cell.starts_with('-') || cell.starts_with('+') ? 1 : 0;
  return cell.size() > sign && is_digit(cell[sign]) && 2 * std::ranges::count_if(cell, is_digit) >= std::ssize(cell);
}

/// Makes room for one more row, growing by half: what is allocated stays within a few times what was read.
void make_room(Matrix& rows, Index count, Index width) {
  if (rows.cols() != width) rows.resize(0, width);
  if (count < rows.rows()) return;
  rows.conservativeResize(std::max<Index>(count + count / 2, 16), width);
}

}  // namespace

CsvReader::CsvReader(std::istream& in, std::string name, const ReadOptions& options, LoneColumn lone)
    : name_(std::move(name)), records_(in, name_), options_(options), lone_(lone) {
  start();
}

void CsvReader::start() {
  const auto no_samples = [this] { bad_file(name_, "has no samples: give a file with at least one row of numbers"); };
  Record record;
  if (!records_.next(record)) no_samples();
  separator_ = find_separator(record.text);
  const std::vector<std::string> first = split_record(record.text, separator_);
  pending_.push_back({std::string(record.text), record.line, records_.consumed()});
  cells_ = first.size();
  if (!options_.as_they_arrive) look_ahead();
  if (is_header(first)) {
    header_ = first;
    consumed_ = pending_.front().consumed;
    pending_.pop_front();
    if (pending_.empty()) {
      if (!records_.next(record)) no_samples();
      pending_.push_back({std::string(record.text), record.line, records_.consumed()});
    }
  }
  assign();
}

void CsvReader::look_ahead() {
  constexpr std::size_t kRows = 101, kBytes = std::size_t{4} << 20;
  std::size_t bytes = 0;
  for (Record record; pending_.size() < kRows && bytes < kBytes && records_.next(record); bytes += record.text.size())
    pending_.push_back({std::string(record.text), record.line, records_.consumed()});
}

bool CsvReader::is_header(const std::vector<std::string>& first) {
  std::vector<std::size_t> texts;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (!is_number(first[i])) texts.push_back(i);
  if (texts.empty()) return false;
  if (first.size() > 1 && 2 * texts.size() <= first.size() && is_mistyped_number(first[texts[0]]))
    warnings_.push_back(
        fmt::format("line {} was taken as the header because of {}: if it is a row of numbers, correct that cell",
                    pending_.front().line, quoted(first[texts[0]])));
  if (texts.size() > 1 || first.size() == 1) return true;
  if (is_label_name(first[texts[0]])) return true;
  const bool above_a_number = [&] {
    if (is_missing(first[texts[0]]) || pending_.size() < 2) return false;
    const std::vector<std::string> second = split_record(pending_[1].text, separator_);
    return second.size() == first.size() && is_number(second[texts[0]]);
  }();
  if (!above_a_number) warnings_.clear();
  return above_a_number;
}

void CsvReader::assign() {
  const Pending& first = pending_.front();
  TableHead head{name_, header_, {split_record(first.text, separator_)}, first.line};
  require_cells(head.rows[0].size(), first.line);
  for (std::size_t i = 1; i < pending_.size(); ++i) head.rows.push_back(split_record(pending_[i].text, separator_));
  AssignedColumns assigned = assign_columns(head, options_.columns, options_.like, lone_);
  layout_ = std::move(assigned.layout);
  feature_ = std::move(assigned.feature);
  width_ = std::ranges::count(layout_.roles, ColumnRole::kFeature);
  std::ranges::move(assigned.warnings, std::back_inserter(warnings_));
}

bool CsvReader::next(Matrix& block, Index max_rows) {
  labels_.clear();
  ids_.clear();
  if (error_) std::rethrow_exception(error_);
  Index rows = 0;
  try {
    while (rows < max_rows && (rows == 0 || !options_.as_they_arrive || !pending_.empty() || records_.at_hand())) {
      make_room(block, rows, width_);
      if (!next_row(block.row(rows).data())) break;
      ++rows;
    }
  } catch (const IoError&) {
    if (rows == 0 || !options_.as_they_arrive) throw;
    error_ = std::current_exception();  // the rows before it are good: they come first
  }
  block.conservativeResize(rows, width_);
  return rows > 0;
}

bool CsvReader::next_row(double* row) {
  while (!pending_.empty()) {
    const Pending ahead = std::move(pending_.front());
    pending_.pop_front();
    consumed_ = ahead.consumed;
    if (read_row(ahead.text, ahead.line, false, row)) return true;
  }
  for (Record record; records_.next(record);) {
    consumed_ = records_.consumed();
    if (read_row(record.text, record.line, !record.has_quotes, row)) return true;
  }
  return false;
}

/// False if the row is left out.
bool CsvReader::read_row(std::string_view text, Index line, bool plain, double* row) {
  if (plain && parse_plain(text, row)) return true;
  const std::size_t n_labels = labels_.size(), n_ids = ids_.size();
  try {
    if (parse_any(text, line, row)) return true;
  } catch (const IoError& error) {
    if (!options_.skip_bad) throw;
    const std::string_view message = error.what();
    skipped_.push_back({fmt::format("line {}", line), std::string(message.substr(name_.size() + 2))});
  }
  labels_.resize(n_labels);
  ids_.resize(n_ids);
  return false;
}

/// The fast path: plain finite numbers in every feature. Leaves everything else to parse_any.
bool CsvReader::parse_plain(std::string_view text, double* row) {
  const char* p = text.data();
  const char* end = p + text.size();
  const auto is_blank = [this](char c) { return c == ' ' || c == '\r' || (c == '\t' && separator_ != '\t'); };
  std::string_view label, id;
  for (std::size_t i = 0; i < cells_; ++i) {
    while (p != end && is_blank(*p)) ++p;
    if (const Index j = feature_[i]; j < 0) {
      const char* stop = std::find_if(p, end, [&](char c) { return c == separator_ || (c == '\t' && is_blank(c)); });
      std::string_view cell(p, static_cast<std::size_t>(stop - p));
      cell = cell.substr(0, cell.find_last_not_of(" \r\t") + 1);
      if (layout_.roles[i] == ColumnRole::kLabel) label = cell;
      if (layout_.roles[i] == ColumnRole::kId) id = cell;
      p = stop;
    } else {
      p = parse_number(p, end, row[j]);
      if (!p || !std::isfinite(row[j])) return false;
    }
    const char* after = p;
    while (p != end && is_blank(*p)) ++p;
    if (i + 1 == cells_) break;
    if (separator_ == kWhiteSpace ? p == after : (p == end || *p++ != separator_)) return false;
  }
  if (p != end) return false;
  const bool labelled = label.data() != nullptr;
  if (labelled && is_missing(label)) return false;
  if (labelled) labels_.emplace_back(label);
  if (id.data()) ids_.emplace_back(id);
  return true;
}

/// The careful path: quotes, missing values, and a message for whatever is wrong. False if the row is left out.
bool CsvReader::parse_any(std::string_view text, Index line, double* row) {
  const std::vector<std::string> cells = split_record(text, separator_);
  require_cells(cells.size(), line);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const ColumnRole role = layout_.roles[i];
    if (role == ColumnRole::kFeature) {
      const bool absent = options_.missing != MissingValues::kError && is_missing(cells[i]);
      if (absent && options_.missing == MissingValues::kDrop) {
        skipped_.push_back({fmt::format("line {}", line), place(line, i) + " is missing"});
        return false;
      }
      row[feature_[i]] = absent ? replacement(feature_[i]) : number(cells[i], line, i);
    } else if (role == ColumnRole::kLabel) {
      if (is_missing(cells[i]))
        bad_file(name_, "{} is {}, a missing label: fill it in, or remove such rows", place(line, i), quoted(cells[i]));
      labels_.push_back(cells[i]);
    } else if (role == ColumnRole::kId) {
      ids_.push_back(cells[i]);
    }
  }
  return true;
}

double CsvReader::replacement(Index feature) {
  ++n_filled_;
  return feature < options_.fill.size() ? options_.fill[feature] : std::numeric_limits<double>::quiet_NaN();
}

void CsvReader::require_cells(std::size_t count, Index line) const {
  if (count != cells_)
    bad_file(name_, "line {} has {} column{}, but the first row has {}: every row needs as many", line, count,
             count == 1 ? "" : "s", cells_);
}

double CsvReader::number(const std::string& cell, Index line, std::size_t column) const {
  double value = 0;
  const char* end = cell.data() + cell.size();
  if (cell.empty())
    bad_file(name_, "{} is empty: fill it in, remove such rows, or give missing=drop or missing=mean",
             place(line, column));
  if (parse_number(cell.data(), end, value) != end) {
    bad_file(name_, "{} is {}, which is not a number{}", place(line, column), quoted(cell),
             has_decimal_comma(cell) ? ": write a decimal point, 1.5 instead of 1,5"
                                     : ": features must be numbers; leave the column out (columns.drop=), or the row");
  }
  if (!std::isfinite(value))
    bad_file(name_,
             "{} is {}; every value must be finite: fill it in, remove such rows, or give missing=drop or missing=mean",
             place(line, column), quoted(cell));
  return value;
}

std::string CsvReader::place(Index line, std::size_t column) const {
  if (column < header_.size()) return fmt::format("line {}, column {} ({})", line, column + 1, quoted(header_[column]));
  return fmt::format("line {}, column {}", line, column + 1);
}

namespace {

/// The label column of a table with a header.
std::vector<std::string> labels_in_table(RecordSource& records, const std::vector<std::string>& header, char separator,
                                         const std::string& name) {
  const auto found = std::ranges::find_if(header, is_label_name);
  if (found == header.end())
    bad_file(name,
             "line 1 has {} columns, and none is called label: a file of labels has one label a line, in quotes if it "
             "contains '{}', or a column called label",
             header.size(), separator);
  const auto at = static_cast<std::size_t>(found - header.begin());
  std::vector<std::string> labels;
  for (Record record; records.next(record);) {
    std::vector<std::string> cells = split_record(record.text, separator);
    if (cells.size() != header.size())
      bad_file(name, "line {} has {} columns, but the header has {}: every row needs as many", record.line,
               cells.size(), header.size());
    labels.push_back(std::move(cells[at]));
  }
  if (labels.empty()) bad_file(name, "has no labels in it: there is only a header");
  return labels;
}

}  // namespace

std::vector<std::string> read_label_lines(std::istream& in, const std::string& name, char separator) {
  RecordSource records(in, name);
  std::vector<std::string> labels;
  for (Record record; records.next(record);) {
    std::vector<std::string> cells = split_record(record.text, separator);
    if (cells.size() != 1 && labels.empty()) return labels_in_table(records, cells, separator, name);
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
