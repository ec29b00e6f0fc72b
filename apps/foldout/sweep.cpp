// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/numbers.h"
#include "foldout/core/error.h"

namespace foldout::cli {
namespace {

std::vector<double> numbers_in(const std::string& text, char separator, const std::string& whole) {
  std::vector<double> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, separator);) {
    double value = 0;
    const char* end = part.data() + part.size();
    if (part.empty() || parse_number(part.data(), end, value) != end || !std::isfinite(value))
      throw InvalidArgument(
          fmt::format("--sweep {}: '{}' is not a number: write key=first:last:step or key=value,value", whole, part));
    numbers.push_back(value);
  }
  return numbers;
}

std::vector<double> range(const std::vector<double>& ends, const std::string& whole) {
  constexpr double kMost = 1000;
  if (ends.size() != 3) throw InvalidArgument(fmt::format("--sweep {}: a range is written first:last:step", whole));
  const double first = ends[0], last = ends[1], step = ends[2];
  const double count = std::floor((last - first) / step + 1e-9) + 1;
  if (!(step > 0) || !(count >= 1) || count > kMost)
    throw InvalidArgument(
        fmt::format("--sweep {}: the range must have 1 to {} values, and a positive step", whole, kMost));
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<double>(i) * step;
  return values;
}

std::string text_of(double value) { return fmt::format("{:.12g}", value); }

}  // namespace

Sweep parse_sweep(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw InvalidArgument(fmt::format("--sweep {}: write key=first:last:step or key=value,value", text));
  const std::string values = text.substr(at + 1);
  if (values.find(':') != std::string::npos) return {text.substr(0, at), range(numbers_in(values, ':', text), text)};
  Sweep sweep{text.substr(0, at), numbers_in(values, ',', text)};
  std::ranges::sort(sweep.values);
  sweep.values.erase(std::unique(sweep.values.begin(), sweep.values.end()), sweep.values.end());
  return sweep;
}

Compared with_value(Compared compared, const std::string& key, double value) {
  if (compared.spec.method.has_key(key)) {
    compared.spec.method.set(key, text_of(value));
    return compared;
  }
  bool found = false;
  for (auto& extension : compared.extensions)
    if (extension.has_key(key)) {
      extension.set(key, text_of(value));
      found = true;
    }
  if (found) return compared;
  if (!compared.spec.dictionary || !compared.spec.dictionary.has_key(key))
    throw InvalidArgument(fmt::format(
        "--sweep {}: neither the method {} nor an --extension has this key: see foldout methods {}, or give an "
        "extension that has it",
        key, compared.spec.method.name(), compared.spec.method.name()));
  compared.spec.dictionary.set(key, text_of(value));
  return compared;
}

std::string value_in_use(const Compared& compared, const std::string& key) {
  const auto in = [&](const auto& component) -> std::string {
    if (!component || !component.has_key(key)) return {};
    const std::string text = component.text() + ",", wanted = key + "=";
    std::size_t at = text.find(":" + wanted);
    if (at == std::string::npos) at = text.find("," + wanted);
    if (at == std::string::npos) return {};
    const std::size_t from = at + 1 + wanted.size();
    return text.substr(from, text.find(',', from) - from);
  };
  if (std::string value = in(compared.spec.method); !value.empty()) return value;
  for (const auto& extension : compared.extensions)
    if (std::string value = in(extension); !value.empty()) return value;
  return in(compared.spec.dictionary);
}

}  // namespace foldout::cli
