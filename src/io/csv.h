// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as text. Separated by tab, ';', ',' or white space (the first of these in the first row);
// quotes as in RFC 4180; blank lines and lines that start with '#' are skipped; numbers as "-1.5e3" in every locale.
//
// The first row is a header if two or more of its cells are not numbers, if none is a number, if one is a label name,
// or if its one cell that is not a number is above a number (not checked where rows are read as they arrive).
//
// The label column is the one called label, class, target, species or y (not if x or z is also a column: these are
// coordinates), in this order, or else the one whose cells are not numbers. A first column without a name, as data
// frames write their row numbers, is skipped. Everything else must be a finite number: IoError names the line and the
// column, counted from 1.
#pragma once

#include <deque>
#include <exception>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"
#include "io/csv_records.h"

namespace foldout {

enum class LabelColumn { kRecognised, kNone };  ///< kNone: every column is numbers

/// Whether next() waits for rows that have not arrived yet.
enum class Blocks { kFull, kAtHand };

/// Reads rows in blocks, with memory bounded by a block and the longest line (at most 64 MB).
class CsvReader {
 public:
  /// Reads the first row or two, to know the columns. `name` is for messages; `in` must outlive the reader. Throws
  /// IoError, also if there is no row of numbers.
  CsvReader(std::istream& in, std::string name, LabelColumn label_column = LabelColumn::kRecognised,
            Blocks blocks = Blocks::kFull);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// Fills `block` with up to max_rows rows; false at the end. Full blocks are smaller at the end only. Otherwise it
  /// returns as soon as a row has arrived and the next one would have to be waited for, and delivers the rows before a
  /// bad one before its error.
  bool next(Matrix& block, Index max_rows);

  [[nodiscard]] Index width() const { return width_; }                                ///< number of features
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }  ///< their names; may be empty
  /// The labels of the last block's rows; empty where there are none.
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  /// Bytes of the stream that have been passed.
  [[nodiscard]] std::uint64_t consumed() const { return records_.consumed(); }

 private:
  void start();
  [[nodiscard]] bool is_header(const std::vector<std::string>& first);
  void assign_columns(const std::vector<std::string>& row);
  [[nodiscard]] int named_label() const;
  [[nodiscard]] int text_column(const std::vector<std::string>& row, Index line) const;
  bool next_row(double* row);
  bool parse_plain(std::string_view text, double* row);
  void parse_any(std::string_view text, Index line, double* row);
  void require_cells(std::size_t count, Index line) const;
  [[nodiscard]] double number(const std::string& cell, Index line, std::size_t column) const;
  [[nodiscard]] std::string place(Index line, std::size_t column) const;

  std::string name_;
  RecordSource records_;
  LabelColumn label_column_;
  Blocks blocks_;
  Index width_ = 0;
  int label_ = -1;  ///< column of the labels; −1: none
  std::vector<std::string> columns_, labels_;
  char separator_ = ',';
  std::size_t cells_ = 0;  ///< per row, the label and a skipped first column included
  std::size_t first_ = 0;  ///< the first column that counts
  std::vector<std::string> header_;
  std::deque<std::pair<std::string, Index>> pending_;  ///< rows that were read ahead, with their line numbers
  std::exception_ptr error_;                           ///< found behind good rows, thrown by the next call
};

/// One label a line, quoted where it must be. `separator` 0: the whole line is the label.
[[nodiscard]] std::vector<std::string> read_label_lines(std::istream& in, const std::string& name, char separator);

/// Writes numbers with the fewest digits that read back as the same bits.
class CsvWriter {
 public:
  /// Writes the header, if there are names. `name` is for messages.
  CsvWriter(std::ostream& out, std::string name, const std::vector<std::string>& columns = {}, char separator = ',');
  void write(const MatrixRef& rows);
  void write_label(std::string_view label);  ///< on a line of its own
  void flush();                              ///< throws IoError if anything could not be written

 private:
  void append_text(std::string_view text);
  void put();

  std::ostream& out_;
  std::string name_;
  char separator_;
  std::string buffer_;
};

}  // namespace foldout
