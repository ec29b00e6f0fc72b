// SPDX-License-Identifier: Apache-2.0
#include "core/tally.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace foldout {
namespace {

constexpr std::size_t kRowsNamed = 10;

template <class Value>
Value& entry(std::map<std::string, Value, std::less<>>& values, std::string_view name) {
  const auto it = values.find(name);
  return it != values.end() ? it->second : values.emplace(name, Value{}).first->second;
}

}  // namespace

void Tally::add(std::string_view name, Index amount) { entry(sums_, name) += amount; }

void Tally::raise(std::string_view name, double value) {
  double& peak = entry(peaks_, name);
  peak = std::max(peak, value);
}

void Tally::remark(std::string_view code, std::string_view text, Index row) {
  Remark& remark = remarks_.try_emplace(std::string(code)).first->second;
  remark.text = text;
  ++remark.count;
  if (remark.first_rows.size() < kRowsNamed) remark.first_rows.push_back(row);
}

void Tally::absorb(const Tally& other, Index first_row) {
  for (const auto& [name, amount] : other.sums_) add(name, amount);
  for (const auto& [name, value] : other.peaks_) raise(name, value);
  for (const auto& [code, theirs] : other.remarks_) {
    Remark& ours = remarks_.try_emplace(code).first->second;
    ours.text = theirs.text;
    ours.count += theirs.count;
    for (const Index row : theirs.first_rows)
      if (ours.first_rows.size() < kRowsNamed) ours.first_rows.push_back(first_row + row);
  }
}

// One item a line; the rows of a remark follow its count, and its text is the rest of the line.
std::string Tally::packed() const {
  std::string text;
  for (const auto& [name, amount] : sums_) text += fmt::format("sum {} {}\n", name, amount);
  for (const auto& [name, value] : peaks_) text += fmt::format("peak {} {}\n", name, value);
  for (const auto& [code, remark] : remarks_)
    text += fmt::format("remark {} {} {} {} {}\n", code, remark.count, remark.first_rows.size(),
                        fmt::join(remark.first_rows, " "), remark.text);
  return text;
}

Tally Tally::unpacked(const std::string& text) {
  Tally tally;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, name;
    words >> kind >> name;
    if (kind == "sum") {
      words >> tally.sums_[name];
    } else if (kind == "peak") {
      words >> name;
      tally.peaks_[line.substr(5, line.size() - name.size() - 6)] = std::strtod(name.c_str(), nullptr);
    } else {
      Remark& remark = tally.remarks_[name];
      std::size_t n_rows = 0;
      words >> remark.count >> n_rows;
      remark.first_rows.resize(n_rows);
      for (Index& row : remark.first_rows) words >> row;
      words.get();
      std::getline(words, remark.text);
    }
  }
  return tally;
}

void Tally::write(Report& report, Index n_samples) const {
  const double n = std::max<double>(1, static_cast<double>(n_samples));
  for (const auto& [name, amount] : sums_) report.figure(name + "_per_sample", static_cast<double>(amount) / n);
  for (const auto& [name, value] : peaks_) report.figure(name, value);
  for (const auto& [code, remark] : remarks_)
    report.note(code, fmt::format("{} sample{}: {} (row{} {}{})", remark.count, remark.count == 1 ? "" : "s",
                                  remark.text, remark.count == 1 ? "" : "s", fmt::join(remark.first_rows, ", "),
                                  static_cast<std::size_t>(remark.count) > remark.first_rows.size() ? ", …" : ""));
}

}  // namespace foldout
