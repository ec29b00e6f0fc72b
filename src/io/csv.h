// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as text. Separated by tab, ';', ',' or white space (the first of these in the first row);
// quotes as in RFC 4180; blank lines and lines that start with '#' are skipped; numbers as "-1.5e3" in every locale.
//
// The first row is a header if it has two or more cells that are no numbers, no number at all, or one label name;
// read as a whole, also if its one cell that is no number stands above a number.
// The label column is the one called label, class, target, species or y (y not beside x or z, which are
// coordinates), in this order, or else the one whose cells are no numbers. A first column without a name, as
// data frames write their row numbers, is skipped.
// Everything else must be a finite number: IoError names the line and the column, both counted from 1.
#pragma once

#include <exception>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"
#include "foldout/io/files.h"

namespace foldout {

enum class LabelColumn { kRecognised, kNone };  ///< kNone: every column is numbers

/// Reads rows in blocks, with memory bounded by a block and the longest line (at most 64 MB).
class CsvReader {
 public:
  /// `name` is for messages; `in` must outlive the reader.
  CsvReader(std::istream& in, std::string name, LabelColumn label_column = LabelColumn::kRecognised);
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// Fills `block` with 1 … max_rows rows; false at the end. It returns as soon as a row is there and no further
  /// one can be had without waiting: a block may be smaller than asked for.
  bool next(Matrix& block, Index max_rows);

  // Known after the first call of next():
  [[nodiscard]] Index width() const;                              ///< number of features
  [[nodiscard]] const std::vector<std::string>& columns() const;  ///< their names, from the header; may be empty
  [[nodiscard]] bool has_labels() const;
  /// The labels of the last block's rows.
  [[nodiscard]] const std::vector<std::string>& labels() const;

 private:
  class Table;
  friend Dataset read_csv(std::istream& in, const std::string& name, LabelColumn label_column);

  std::unique_ptr<Table> table_;
  std::exception_ptr error_;  ///< found behind good rows, thrown by the next call
};

/// Everything at once.
[[nodiscard]] Dataset read_csv(std::istream& in, const std::string& name,
                               LabelColumn label_column = LabelColumn::kRecognised);

/// One label a line, quoted where it must be. `separator` 0: the whole line is the label.
[[nodiscard]] std::vector<std::string> read_label_lines(std::istream& in, const std::string& name, char separator);

/// Writes numbers so that they read back as the same bits, with as few digits as that takes.
class CsvWriter {
 public:
  /// Writes the header, if there are names. `name` is for messages.
  CsvWriter(std::ostream& out, std::string name, const std::vector<std::string>& columns = {}, char separator = ',');
  void write(const MatrixRef& rows);
  void write_labels(const std::vector<std::string>& labels);  ///< one a line
  void flush();                                               ///< throws IoError if anything could not be written

 private:
  void append_text(std::string_view text);
  void put();

  std::ostream& out_;
  std::string name_;
  char separator_;
  std::string buffer_;
};

}  // namespace foldout
