// SPDX-License-Identifier: Apache-2.0
#include "plot/natural_order.h"

#include <algorithm>

namespace foldout {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The digits at the start, without leading zeros; removes them from the text.
std::string_view take_number(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) {
  // Negative whole numbers, the one case in which a sign precedes digits at the start of both.
  if (a.size() > 1 && b.size() > 1 && a[0] == '-' && b[0] == '-' && is_digit(a[1]) && is_digit(b[1]))
    return comes_before(b.substr(1), a.substr(1));
  std::string_view rest_a = a, rest_b = b;
  while (!rest_a.empty() && !rest_b.empty()) {
    if (is_digit(rest_a.front()) && is_digit(rest_b.front())) {
      const std::string_view m = take_number(rest_a), n = take_number(rest_b);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else if (rest_a.front() != rest_b.front()) {
      return static_cast<unsigned char>(rest_a.front()) < static_cast<unsigned char>(rest_b.front());
    } else {
      rest_a.remove_prefix(1);
      rest_b.remove_prefix(1);
    }
  }
  if (rest_a.empty() != rest_b.empty()) return rest_a.empty();
  return a < b;  // equal numbers written differently: 01 and 1
}

}  // namespace foldout
