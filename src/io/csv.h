// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as text. Separated by tab, ';', ',' or white space (the first of these in the first row);
// quotes as in RFC 4180; blank lines and lines that start with '#' are skipped; numbers as "-1.5e3" in every locale.
//
// The first row is a header if two or more of its cells are not numbers, if none is a number, if one is a label name,
// or if its one cell that is not a number is above a number (not checked where rows are read as they arrive).
//
// What the columns contain is decided by csv_columns.h. Features must be finite numbers: IoError names the line and the
// column, counted from 1.
#pragma once

#include <deque>
#include <exception>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/sample_stream.h"
#include "foldout/core/types.h"
#include "foldout/io/row_writer.h"
#include "io/csv_columns.h"
#include "io/csv_records.h"

namespace foldout {

/// Reads rows in blocks, with memory bounded by a block and the longest line (at most 64 MB).
class CsvReader {
 public:
  /// Reads up to 100 rows (as_they_arrive: one), to know the columns. `name` is for messages; `in` must outlive the
  /// reader. Throws IoError, also if there is no row of numbers.
  CsvReader(std::istream& in, std::string name, const ReadOptions& options = {}, LoneColumn lone = LoneColumn::kLabel);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// Fills `block` with up to max_rows rows; false at the end. Full blocks are smaller at the end only. Otherwise it
  /// returns as soon as a row has arrived and the next one would have to be waited for, and delivers the rows before a
  /// bad one before its error.
  bool next(Matrix& block, Index max_rows);

  [[nodiscard]] Index width() const { return width_; }  ///< number of features
  [[nodiscard]] const TableLayout& layout() const { return layout_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  /// The labels and the ids of the last block's rows; empty where there are none.
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  [[nodiscard]] const std::vector<std::string>& ids() const { return ids_; }
  /// Rows that were left out, as the options allow.
  [[nodiscard]] const std::vector<SkippedRow>& skipped() const { return skipped_; }
  /// Missing values that were replaced (by NaN if the options have no means).
  [[nodiscard]] Index n_filled() const { return n_filled_; }
  /// Bytes of the stream that have been passed.
  [[nodiscard]] std::uint64_t consumed() const { return consumed_; }

 private:
  void start();
  void look_ahead();
  [[nodiscard]] bool is_header(const std::vector<std::string>& first);
  void assign();
  bool next_row(double* row);
  bool read_row(std::string_view text, Index line, bool plain, double* row);
  bool parse_plain(std::string_view text, double* row);
  bool parse_any(std::string_view text, Index line, double* row);
  double replacement(Index feature);
  void require_cells(std::size_t count, Index line) const;
  [[nodiscard]] double number(const std::string& cell, Index line, std::size_t column) const;
  [[nodiscard]] std::string place(Index line, std::size_t column) const;

  std::string name_;
  RecordSource records_;
  ReadOptions options_;
  LoneColumn lone_;
  Index width_ = 0;
  TableLayout layout_;
  std::vector<Index> feature_;  ///< per column: which feature it is; −1: none
  std::vector<std::string> warnings_, labels_, ids_;
  std::vector<SkippedRow> skipped_;
  Index n_filled_ = 0;
  char separator_ = ',';
  std::size_t cells_ = 0;  ///< per row
  std::vector<std::string> header_;
  struct Pending {
    std::string text;
    Index line;
    std::uint64_t consumed;
  };
  std::deque<Pending> pending_;  ///< rows that were read ahead
  std::uint64_t consumed_ = 0;
  std::exception_ptr error_;  ///< found behind good rows, thrown by the next call
};

/// One label a line, quoted where it must be, or the label column of a table with a header. `separator` 0: the whole
/// line is the label.
[[nodiscard]] std::vector<std::string> read_label_lines(std::istream& in, const std::string& name, char separator);

/// Writes numbers with the fewest digits that read back as the same bits.
class CsvWriter {
 public:
  /// Writes the header, if there are names. `name` is for messages.
  CsvWriter(std::ostream& out, std::string name, const std::vector<std::string>& columns = {}, char separator = ',');
  void write(const MatrixRef& rows, const RowTexts& texts = {});
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
