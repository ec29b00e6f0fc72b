// SPDX-License-Identifier: Apache-2.0
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "io/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/unicode.h"

namespace foldout {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 1 << 20;  // numpy itself writes a few hundred bytes
constexpr std::size_t kMaxDimensions = 32;

/// The header is a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  void parse(Array& array) {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted_word();
      expect(':');
      if (key == "descr") {
        parse_type(array);
        seen_ |= 1;
      } else if (key == "fortran_order") {
        array.column_major = boolean();
        seen_ |= 2;
      } else if (key == "shape") {
        array.shape = tuple();
        seen_ |= 4;
      } else {
        fail();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (seen_ != 7) fail();
  }

 private:
  [[noreturn]] void fail() const {
    bad_file(name_, "its .npy header cannot be understood near {}: the file is damaged", quoted(rest_));
  }
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_space();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  std::string_view quoted_word() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail();
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return word;
  }
  bool boolean() {
    skip_space();
    const bool value = rest_.starts_with("True");
    if (!value && !rest_.starts_with("False")) fail();
    rest_.remove_prefix(value ? 4 : 5);
    return value;
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error == std::errc::result_out_of_range)
        bad_file(name_, "claims a dimension of more than 2^64 elements: it is damaged");
      if (error != std::errc() || values.size() == kMaxDimensions) fail();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept('L');  // as Python 2 wrote long integers
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
      skip_space();
    }
    return values;
  }
  void parse_type(Array& array);

  std::string_view rest_;
  const std::string& name_;
  int seen_ = 0;
};

struct NumberType {
  std::string_view code;
  ElementType type;
};
constexpr NumberType kNumberTypes[] = {
    {"b1", ElementType::kBool},    {"i1", ElementType::kInt8},    {"u1", ElementType::kUInt8},
    {"i2", ElementType::kInt16},   {"u2", ElementType::kUInt16},  {"i4", ElementType::kInt32},
    {"u4", ElementType::kUInt32},  {"i8", ElementType::kInt64},   {"u8", ElementType::kUInt64},
    {"f2", ElementType::kFloat16}, {"f4", ElementType::kFloat32}, {"f8", ElementType::kFloat64},
};

void HeaderParser::parse_type(Array& array) {
  skip_space();
  if (rest_.starts_with("["))
    bad_file(name_, "holds records (a structured dtype): save its fields as one array of numbers");
  std::string_view code = quoted_word();
  if (code.find('O') != std::string_view::npos)
    bad_file(name_,
             "holds Python objects (dtype object), which are stored as a pickle, a program that reading would run: "
             "save it as an array of numbers or of texts, such as x.astype(float) or x.astype(str)");
  if (code.empty()) fail();
  array.big_endian = code[0] == '>';
  if (std::string_view("<>|=").find(code[0]) != std::string_view::npos) code.remove_prefix(1);
  for (const NumberType& known : kNumberTypes)
    if (code == known.code) {
      array.type = known.type;
      array.item_size = size_of(known.type);
      return;
    }
  std::uint32_t length = 0;
  const bool text = code.starts_with('U') || code.starts_with('S');
  const char* end = code.data() + code.size();
  if (!text || std::from_chars(code.data() + 1, end, length).ptr != end || code.size() < 2)
    bad_file(name_,
             "has the dtype {}; supported are bool, int8 to int64, uint8 to uint64, float16 to float64, and "
             "texts (U, S) for labels: convert it, such as x.astype(float)",
             quoted(code));
  array.type = code[0] == 'U' ? ElementType::kUnicode : ElementType::kBytes;
  array.item_size = std::size_t{length} * (code[0] == 'U' ? 4 : 1);
}

void write_header(std::ostream& out, std::string_view descr, std::string_view shape) {
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');  // data start at a multiple of 64
  dictionary += '\n';
  std::string start(kMagic);
  start += '\x01';
  start += '\0';
  append_value(start, static_cast<std::uint16_t>(dictionary.size()));
  out << start << dictionary;
}

template <class T>
void write_raw(std::ostream& out, const T* values, std::size_t count) {
  out.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(T)));
}

template <class T>
void write_vector(std::ostream& out, std::string_view descr, std::span<const T> values) {
  write_header(out, descr, fmt::format("({},)", values.size()));
  write_raw(out, values.data(), values.size());
}

Array parse_header(ByteReader& reader, const std::string& name) {
  if (reader.remaining() < kMagic.size() || reader.text(kMagic.size(), "the magic string") != kMagic)
    bad_file(name, "is not a .npy file: its first bytes are not \\x93NUMPY");
  const auto version = reader.integer<std::uint8_t>("the version");
  reader.integer<std::uint8_t>("the version");
  if (version < 1 || version > 3)
    bad_file(name, "has .npy version {}; versions 1, 2 and 3 can be read: save it again with numpy", version);
  const std::size_t length = version == 1 ? reader.integer<std::uint16_t>("the length of the header")
                                          : reader.integer<std::uint32_t>("the length of the header");
  if (length > kMaxHeader) bad_file(name, "claims a header of {} bytes: it is damaged", length);
  Array array;
  HeaderParser(reader.text(length, "the header"), name).parse(array);
  return array;
}

}  // namespace

Array parse_npy(std::span<const std::byte> bytes, const std::string& name) {
  ByteReader reader(bytes, name);
  Array array = parse_header(reader, name);
  set_bytes(array, bytes.subspan(reader.position()), name);
  return array;
}

Array read_npy_header(ByteSource& source, const std::string& name) {
  constexpr std::size_t kLength = 8;  // offset of the length of the header, in 2 bytes (version 1) or 4
  std::vector<std::byte> start = source.take_up_to(kLength + 2);
  const bool is_short = start.size() == kLength + 2 && start[6] == std::byte{1};
  const auto append = [&](std::size_t count) {
    const std::vector<std::byte> more = source.take_up_to(std::min(count, kMaxHeader));
    start.insert(start.end(), more.begin(), more.end());
  };
  if (!is_short) append(2);
  if (start.size() >= kLength + 4 || is_short)
    append(is_short ? load_value<std::uint16_t>(start.data() + kLength, false)
                    : load_value<std::uint32_t>(start.data() + kLength, false));
  ByteReader reader(start, name);
  return parse_header(reader, name);
}

// Padding to a multiple of 64 bytes gives any two numbers of up to 19 digits a header of 128.
void write_npy_header(std::ostream& out, Index rows, Index columns) {
  write_header(out, "<f8", fmt::format("({}, {})", rows, columns));
}

void write_npy_rows(std::ostream& out, const MatrixRef& rows) {
  for (Index i = 0; i < rows.rows(); ++i) write_raw(out, rows.row(i).data(), static_cast<std::size_t>(rows.cols()));
}

void write_npy(std::ostream& out, const MatrixRef& values) {
  write_npy_header(out, values.rows(), values.cols());
  write_npy_rows(out, values);
}

void write_npy(std::ostream& out, std::span<const double> values) { write_vector(out, "<f8", values); }
void write_npy(std::ostream& out, std::span<const std::int64_t> values) { write_vector(out, "<i8", values); }
void write_npy(std::ostream& out, std::span<const int> values) { write_vector(out, "<i4", values); }

void write_npy(std::ostream& out, const Labels& labels) {
  std::vector<std::u32string> names(labels.names.size());
  std::ranges::transform(labels.names, names.begin(), from_utf8);
  const auto name_of_sample = [&](int i) -> std::u32string& { return names[static_cast<std::size_t>(i)]; };
  std::size_t length = 1;  // numpy has no texts of length 0
  for (const int i : labels.index) length = std::max(length, name_of_sample(i).size());
  for (std::u32string& name : names) name.resize(length);
  write_header(out, fmt::format("<U{}", length), fmt::format("({},)", labels.size()));
  for (const int i : labels.index) write_raw(out, name_of_sample(i).data(), length);
}

void write_npy_bytes_scalar(std::ostream& out, const std::string& value) {
  write_header(out, fmt::format("|S{}", value.size()), "()");
  out << value;
}

}  // namespace foldout
