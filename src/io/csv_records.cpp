// SPDX-License-Identifier: Apache-2.0
#include "io/csv_records.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "io/bad_file.h"

namespace foldout {
namespace {

constexpr std::size_t kMaxRecord = std::size_t{64} << 20;
constexpr std::size_t kChunk = std::size_t{1} << 18;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Appends the text between quotes, where a doubled quote means one; returns the position after the closing one.
std::size_t append_quoted(std::string_view text, std::size_t i, std::string& cell) {
  for (; i < text.size(); ++i) {
    if (text[i] == '"' && (i + 1 == text.size() || text[i + 1] != '"')) return i + 1;
    if (text[i] == '"') ++i;
    cell += text[i];
  }
  return i;
}

}  // namespace

bool RecordSource::next(Record& record) {
  while (true) {
    if (cut(record)) {
      const std::string_view text = trimmed(record.text);
      if (text.empty() || text.front() == '#') continue;
      return true;
    }
    if (at_end_) return false;
    fill();
  }
}

/// Hands out what ends in the buffer already, or, at the end of the stream, what is left of it.
bool RecordSource::cut(Record& record) {
  const char* data = buffer_.data();
  while (scanned_ < buffer_.size()) {
    const void* found = std::memchr(data + scanned_, '\n', buffer_.size() - scanned_);
    const std::size_t end = found ? static_cast<std::size_t>(static_cast<const char*>(found) - data) : buffer_.size();
    if (std::string_view(data + scanned_, end - scanned_).find('"') != std::string_view::npos) {
      seen_quote_ = true;
      if (std::count(data + scanned_, data + end, '"') % 2 != 0) quoted_ = !quoted_;
    }
    scanned_ = end;
    if (!found) break;
    ++scanned_;
    if (quoted_ && !is_comment({data + begin_, end - begin_})) continue;
    record = {{data + begin_, end - begin_}, line_, seen_quote_};
    line_ += seen_quote_ ? std::count(data + begin_, data + scanned_, '\n') : 1;
    begin_ = scanned_;
    forget_record();
    return true;
  }
  if (!at_end_ || begin_ == buffer_.size()) return false;
  record = {{data + begin_, buffer_.size() - begin_}, line_, seen_quote_};
  if (quoted_ && !is_comment(record.text))
    bad_file(name_, "line {}: a quote (\") is opened but never closed: close it, or remove it", line_);
  begin_ = buffer_.size();
  forget_record();
  return true;
}

/// Of a record with a quote in it. The answer is kept: a quoted cell may have many lines.
bool RecordSource::is_comment(std::string_view begun) {
  if (!comment_) comment_ = trimmed(begun).front() == '#';
  return *comment_;
}

void RecordSource::forget_record() {
  quoted_ = seen_quote_ = false;
  comment_.reset();
}

/// Appends what has arrived; waits only if nothing has.
void RecordSource::fill() {
  if (buffer_.size() - begin_ > kMaxRecord)
    bad_file(name_, "line {} is longer than {} MB: is this a table of numbers, and are all quotes closed?", line_,
             kMaxRecord >> 20);
  buffer_.erase(0, begin_);
  dropped_ += begin_;
  scanned_ -= begin_;
  begin_ = 0;
  using Traits = std::istream::traits_type;
  std::streambuf& source = *in_.rdbuf();
  if (in_.fail() || Traits::eq_int_type(source.sgetc(), Traits::eof())) {
    at_end_ = true;
    if (in_.bad()) bad_file(name_, "could not be read beyond line {}", line_);
  } else if (const std::streamsize ready = source.in_avail(); ready > 0) {
    const std::size_t old = buffer_.size();
    const auto wanted = std::min(static_cast<std::size_t>(ready), kChunk);
    buffer_.resize(old + wanted);
    const std::streamsize count = source.sgetn(buffer_.data() + old, static_cast<std::streamsize>(wanted));
    buffer_.resize(old + static_cast<std::size_t>(count));
  } else {  // an unbuffered stream cannot say what it has: take a line, which is what we wait for
    for (auto c = source.sbumpc(); !Traits::eq_int_type(c, Traits::eof()); c = source.sbumpc()) {
      buffer_.push_back(Traits::to_char_type(c));
      if (buffer_.back() == '\n' || buffer_.size() > kMaxRecord) break;
    }
  }
  if (at_start_ && (buffer_.size() >= 3 || at_end_ || buffer_.ends_with('\n'))) skip_byte_order_mark();
}

void RecordSource::skip_byte_order_mark() {
  at_start_ = false;
  if (buffer_.starts_with("\xEF\xBB\xBF")) begin_ = scanned_ = 3;
  if (buffer_.starts_with("\xFF\xFE") || buffer_.starts_with("\xFE\xFF"))
    bad_file(name_, "is UTF-16 text: save it as UTF-8");
}

bool RecordSource::at_hand() {
  while (!std::memchr(buffer_.data() + scanned_, '\n', buffer_.size() - scanned_)) {
    if (at_end_ || in_.rdbuf()->in_avail() <= 0) return false;
    fill();
  }
  return true;
}

std::vector<std::string> split_record(std::string_view text, char separator) {
  const auto ends_cell = [separator](char c) {
    return separator == kWhiteSpace ? is_space(c) : separator != kNoSeparator && c == separator;
  };
  const auto is_margin = [separator](char c) { return is_space(c) && c != separator; };
  if (separator == kWhiteSpace || separator == kNoSeparator) text = trimmed(text);
  std::vector<std::string> cells;
  for (std::size_t i = 0;; ++i) {
    while (i < text.size() && (is_margin(text[i]) || (separator == kWhiteSpace && is_space(text[i])))) ++i;
    std::string cell;
    if (i < text.size() && text[i] == '"') i = append_quoted(text, i + 1, cell);
    const std::size_t begin = i;
    while (i < text.size() && !ends_cell(text[i])) ++i;
    cell += trimmed(text.substr(begin, i - begin));
    cells.push_back(std::move(cell));
    if (i >= text.size()) return cells;
  }
}

char find_separator(std::string_view text) {
  bool tab = false;
  bool semicolon = false;
  bool comma = false;
  bool in_quotes = false;
  for (const char c : trimmed(text)) {
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    tab |= c == '\t';
    semicolon |= c == ';';
    comma |= c == ',';
  }
  return tab ? '\t' : semicolon ? ';' : comma ? ',' : kWhiteSpace;
}

}  // namespace foldout
