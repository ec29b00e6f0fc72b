// SPDX-License-Identifier: Apache-2.0
#include "core/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace foldout {

const char* parse_number(const char* begin, const char* end, double& value) {
  if (begin != end && *begin == '+' && begin + 1 != end && begin[1] != '-') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::invalid_argument) return nullptr;
  if (error == std::errc::result_out_of_range) {  // too large or too small: the sign of the exponent decides
    const char* exponent = std::find_if(begin, stop, [](char c) { return c == 'e' || c == 'E'; });
    const bool small = exponent == stop ? *begin == '0' || begin[*begin == '-'] == '0' : exponent[1] == '-';
    value = small ? 0.0 : HUGE_VAL;
  }
  return stop;
}

bool is_number(std::string_view cell) {
  double value = 0;
  const char* end = cell.data() + cell.size();
  return parse_number(cell.data(), end, value) == end && !cell.empty();
}

}  // namespace foldout
