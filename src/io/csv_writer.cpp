// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "io/bad_file.h"
#include "io/csv.h"

namespace foldout {

CsvWriter::CsvWriter(std::ostream& out, std::string name, const std::vector<std::string>& columns, char separator)
    : out_(out), name_(std::move(name)), separator_(separator) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    append_text(columns[i]);
    buffer_ += i + 1 < columns.size() ? separator_ : '\n';
  }
}

void CsvWriter::write(const MatrixRef& rows, const RowTexts& texts) {
  constexpr std::size_t kDigits = 32;  // more than any double takes
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (!texts.ids.empty()) {
      append_text(texts.ids[row]);
      buffer_ += separator_;
    }
    for (Index j = 0; j < rows.cols(); ++j) {
      char digits[kDigits];
      buffer_.append(digits, std::to_chars(digits, digits + kDigits, rows(i, j)).ptr);
      buffer_ += separator_;
    }
    for (const TextColumn& column : texts.last) {
      append_text(column.cells[row]);
      buffer_ += separator_;
    }
    buffer_.back() = '\n';
    if (buffer_.size() > (1 << 16)) put();
  }
}

void CsvWriter::write_label(std::string_view label) {
  append_text(label);
  buffer_ += '\n';
  if (buffer_.size() > (1 << 16)) put();
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
