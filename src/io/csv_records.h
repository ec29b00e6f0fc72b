// SPDX-License-Identifier: Apache-2.0
// The lower half of the CSV reader: a stream cut into records, and a record cut into cells.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// Stands for "any run of white space" where a separator is meant.
inline constexpr char kWhiteSpace = ' ';
/// No separator: the whole line is one cell.
inline constexpr char kNoSeparator = '\0';

struct Record {
  std::string_view text;    ///< without the line's end; valid until the next record is asked for
  Index line = 0;           ///< where it starts, counted from 1
  bool has_quotes = false;  ///< there is a '"' in it
};

/// Cuts a stream into records: lines, except where a quoted cell spans several. Blank lines, lines that start with
/// '#', a byte order mark and carriage returns before line ends are left out.
class RecordSource {
 public:
  RecordSource(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  /// False at the end. Throws IoError for a line of over 64 MB or a quote that is never closed.
  bool next(Record& record);
  /// Whether the next call of next() can be answered without waiting for the stream.
  [[nodiscard]] bool at_hand();
  /// Bytes of the records that were handed out.
  [[nodiscard]] std::uint64_t consumed() const { return dropped_ + begin_; }

 private:
  bool cut(Record& record);
  [[nodiscard]] bool is_comment(std::string_view begun);
  void forget_record();
  void fill();
  void skip_byte_order_mark();

  std::istream& in_;
  const std::string& name_;
  std::string buffer_;
  std::uint64_t dropped_ = 0;    ///< bytes that are no longer in the buffer
  std::size_t begin_ = 0;        ///< of the part that is not yet handed out
  std::size_t scanned_ = 0;      ///< up to here no record's end was found
  bool quoted_ = false;          ///< an open quote at scanned_
  bool seen_quote_ = false;      ///< any quote between begin_ and scanned_
  std::optional<bool> comment_;  ///< whether the record from begin_ on is one, if it was asked
  Index line_ = 1;               ///< of begin_
  bool at_start_ = true;
  bool at_end_ = false;
};

/// The cells of a record: white space around them removed, quotes undone.
[[nodiscard]] std::vector<std::string> split_record(std::string_view text, char separator);

/// Tab, ';' or ',', the first of this list that occurs outside quotes; otherwise white space.
[[nodiscard]] char find_separator(std::string_view text);

}  // namespace foldout
