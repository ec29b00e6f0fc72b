// SPDX-License-Identifier: Apache-2.0
#include "io/json_lines.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/bad_file.h"
#include "io/text_source.h"

namespace foldout {
namespace {

std::string text_of(const nlohmann::json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

JsonLines::JsonLines(const Location& location, const ReadOptions& options) : location_(location), options_(options) {
  const bool standard = location.format == Format::kStandardStream;
  std::error_code error;
  info_.name = standard ? "standard input" : location.file;
  info_.can_restart = !standard && std::filesystem::is_regular_file(location.file, error);
  if (!options.columns.empty())
    bad_file(name(), "is JSON, which has no columns to choose from: give the features as x, and id and label by name");
  open();
  info_.n_features = std::ssize(first_->x);
}

void JsonLines::open() {
  in_ = open_text(location_);
  line_ = 0;
  first_ = read_row();
  if (!first_) bad_file(name(), "has no samples: there is no line with an array of numbers in it");
}

void JsonLines::restart() {
  if (!can_restart())
    throw InvalidArgument(
        fmt::format("{} can be read only once: give max_iterations=1, or the samples in a file", name()));
  skipped_.clear();
  n_filled_ = 0;
  open();
}

bool JsonLines::at_hand() const { return !options_.as_they_arrive || in_->rdbuf()->in_avail() > 0; }

bool JsonLines::next(Matrix& block, Index max_rows) {
  labels_.clear();
  ids_.clear();
  std::vector<double> values;
  Index rows = 0;
  while (rows < max_rows && (rows == 0 || first_ || at_hand())) {
    std::optional<Row> row = first_ ? std::exchange(first_, std::nullopt) : read_row();
    if (!row) break;
    values.insert(values.end(), row->x.begin(), row->x.end());
    if (row->has_id) ids_.push_back(std::move(row->id));
    if (row->has_label) labels_.push_back(std::move(row->label));
    ++rows;
    for (const auto* texts : {&ids_, &labels_})
      if (!texts->empty() && std::ssize(*texts) != rows)
        bad_file(name(), "line {}: some samples have an {} and some have none: give it to all or to none", line_,
                 texts == &ids_ ? "id" : "label");
  }
  block = Eigen::Map<const Matrix>(values.data(), rows, info_.n_features);
  return rows > 0;
}

/// The next sample that is not left out; none at the end.
std::optional<JsonLines::Row> JsonLines::read_row() {
  for (std::string line; std::getline(*in_, line);) {
    ++line_;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      Row row = parse(line);
      bool left_out = false;
      for (std::size_t j = 0; j < row.x.size(); ++j) {
        if (!std::isnan(row.x[j])) continue;
        left_out |= options_.missing == MissingValues::kDrop;
        n_filled_ += options_.missing == MissingValues::kMean;
        if (static_cast<Index>(j) < options_.fill.size()) row.x[j] = options_.fill[static_cast<Index>(j)];
      }
      if (!left_out) return row;
      skipped_.push_back({fmt::format("line {}", line_), "a value is missing (null)"});
    } catch (const IoError& error) {
      if (!options_.skip_bad) throw;
      skipped_.push_back({fmt::format("line {}", line_), error.what()});
    }
  }
  if (in_->bad()) bad_file(name(), "could not be read beyond line {}: check the disk", line_);
  return std::nullopt;
}

JsonLines::Row JsonLines::parse(const std::string& line) const {
  const auto value = nlohmann::json::parse(line, nullptr, false);
  if (value.is_discarded()) bad_file(name(), "line {} is not valid JSON: give one array or object a line", line_);
  const bool is_object = value.is_object() && value.contains("x");
  const nlohmann::json& x = is_object ? value.at("x") : value;
  if (!x.is_array() || x.empty())
    bad_file(name(), "line {}: a sample is an array of numbers, [1, 2, 3], or an object with one as x", line_);
  if (info_.n_features > 0 && std::ssize(x) != info_.n_features)
    bad_file(name(), "line {} has {} numbers, but the first sample has {}: every sample needs as many", line_, x.size(),
             info_.n_features);
  Row row;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const bool absent = x[j].is_null() && options_.missing != MissingValues::kError;
    if (!absent && !x[j].is_number())
      bad_file(name(), "line {}, value {} is {}, which is not a number{}", line_, j + 1, foldout::quoted(x[j].dump()),
               x[j].is_null() ? ": fill it in, or give missing=drop or missing=mean" : ": give numbers only");
    row.x.push_back(absent ? std::numeric_limits<double>::quiet_NaN() : x[j].get<double>());
    if (!absent && !std::isfinite(row.x.back()))
      bad_file(name(), "line {}, value {} is not finite: give finite numbers", line_, j + 1);
  }
  row.has_id = is_object && value.contains("id");
  row.has_label = is_object && value.contains("label");
  if (row.has_id) row.id = text_of(value.at("id"));
  if (row.has_label) row.label = text_of(value.at("label"));
  return row;
}

}  // namespace foldout
