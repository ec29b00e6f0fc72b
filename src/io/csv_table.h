// SPDX-License-Identifier: Apache-2.0
// The upper half of the CSV reader: what the columns are, and rows of numbers.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "io/csv.h"
#include "io/csv_records.h"

namespace foldout {

/// Whether the second row may be waited for, to recognise a header that looks like a row with a label.
enum class Lookahead { kNone, kSecondRow };

/// "label", "Class", …: a name that a column of labels may have.
[[nodiscard]] bool is_label_name(std::string_view text);

class CsvReader::Table {
 public:
  Table(std::istream& in, std::string name, LabelColumn label_column, Lookahead lookahead)
      : name_(std::move(name)), records_(in, name_), label_column_(label_column), lookahead_(lookahead) {}

  /// Finds out what the columns are, from the first row or two. To be called first; later calls do nothing.
  void start();
  /// Parses one row into row[0 … width−1], its label into `labels`; false at the end.
  bool next(double* row);
  /// Whether next() can be answered without waiting.
  [[nodiscard]] bool at_hand() { return !pending_.empty() || records_.at_hand(); }

  Index width = 0;
  int label = -1;  ///< column of the labels; −1: none
  std::vector<std::string> columns;
  std::vector<std::string> labels;

 private:
  [[nodiscard]] bool is_header(const std::vector<std::string>& first);
  void assign_columns(const std::vector<std::string>& first);
  [[nodiscard]] int named_label() const;
  [[nodiscard]] int text_column(const std::vector<std::string>& row, Index line) const;
  bool parse_plain(std::string_view text, double* row);
  void parse_any(std::string_view text, Index line, double* row);
  [[nodiscard]] double number(const std::string& cell, Index line, std::size_t column) const;
  [[nodiscard]] std::string place(Index line, std::size_t column) const;

  std::string name_;
  RecordSource records_;
  LabelColumn label_column_;
  Lookahead lookahead_;
  bool started_ = false;
  char separator_ = ',';
  std::size_t cells_ = 0;  ///< per row, the label and a skipped first column included
  std::size_t first_ = 0;  ///< the first column that counts
  std::vector<std::string> header_;
  std::deque<std::pair<std::string, Index>> pending_;  ///< rows looked at, with their lines
};

}  // namespace foldout
