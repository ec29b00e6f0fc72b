// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/numbers.h"
#include "foldout/core/error.h"

namespace foldout::cli {
namespace {

constexpr std::size_t kMost = 1000;

// Not finite: not a number.
double number_in(const std::string& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  const char* end = text.data() + text.size();
  return !text.empty() && parse_number(text.data(), end, value) == end ? value
                                                                       : std::numeric_limits<double>::infinity();
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text + separator);  // an empty part at the end is one, too
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<SweepValue> range(const std::vector<std::string>& ends, const std::string& whole) {
  for (const std::string& end : ends)
    if (!std::isfinite(number_in(end)))
      throw InvalidArgument(
          fmt::format("--sweep {}: '{}' is not a number: write key=first:last:step or key=value,value", whole, end));
  if (ends.size() != 3) throw InvalidArgument(fmt::format("--sweep {}: a range is written first:last:step", whole));
  const double first = number_in(ends[0]), last = number_in(ends[1]), step = number_in(ends[2]);
  const double count = std::floor((last - first) / step + 1e-9) + 1;
  if (!(step > 0) || !(count >= 1) || count > static_cast<double>(kMost))
    throw InvalidArgument(
        fmt::format("--sweep {}: the range must have 1 to {} values, and a positive step", whole, kMost));
  std::vector<SweepValue> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i].at = first + static_cast<double>(i) * step;
    values[i].text = fmt::format("{:.12g}", values[i].at);
  }
  return values;
}

Sweep listed(const std::string& key, const std::vector<std::string>& texts, const std::string& whole) {
  if (texts.size() > kMost)
    throw InvalidArgument(fmt::format("--sweep {}...: give at most {} values", whole.substr(0, 40), kMost));
  Sweep sweep{.key = key};
  for (const std::string& text : texts) {
    if (text.empty()) throw InvalidArgument(fmt::format("--sweep {}: a value is empty: write key=value,value", whole));
    if (std::ranges::find(sweep.values, text, &SweepValue::text) != sweep.values.end()) continue;
    sweep.values.push_back({text, number_in(text)});
    sweep.numeric = sweep.numeric && std::isfinite(sweep.values.back().at);
  }
  if (sweep.numeric) {
    std::ranges::stable_sort(sweep.values, {}, &SweepValue::at);
    const auto equal = [](const SweepValue& a, const SweepValue& b) { return a.at == b.at; };
    sweep.values.erase(std::unique(sweep.values.begin(), sweep.values.end(), equal), sweep.values.end());
  } else {
    for (std::size_t i = 0; i < sweep.values.size(); ++i) sweep.values[i].at = static_cast<double>(i);
  }
  return sweep;
}

}  // namespace

Sweep parse_sweep(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw InvalidArgument(fmt::format("--sweep {}: write key=first:last:step or key=value,value", text));
  const std::string key = text.substr(0, at), values = text.substr(at + 1);
  if (values.find(':') != std::string::npos) return {.key = key, .values = range(parts_of(values, ':'), text)};
  return listed(key, parts_of(values, ','), text);
}

Compared with_value(Compared compared, const std::string& key, const std::string& value) {
  if (compared.spec.method.has_key(key)) {
    compared.spec.method.set(key, value);
    return compared;
  }
  bool found = false;
  for (auto& extension : compared.extensions)
    if (extension.has_key(key)) {
      extension.set(key, value);
      found = true;
    }
  if (found) return compared;
  if (!compared.spec.dictionary || !compared.spec.dictionary.has_key(key))
    throw InvalidArgument(fmt::format(
        "--sweep {}: neither the method {} nor an --extension has this key: see foldout methods {}, or give an "
        "extension that has it",
        key, compared.spec.method.name(), compared.spec.method.name()));
  compared.spec.dictionary.set(key, value);
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
