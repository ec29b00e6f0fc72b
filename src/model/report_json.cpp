// SPDX-License-Identifier: Apache-2.0
#include "model/report_json.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace foldout {
namespace {

// Counts are whole numbers and written as such.
nlohmann::json number(double value) {
  constexpr double kExact = 9007199254740992;  // 2⁵³
  if (std::abs(value) <= kExact && value == std::trunc(value)) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

nlohmann::json report_to_json(const Report& report) {
  nlohmann::json json{
      {"figures", nlohmann::json::object()}, {"facts", nlohmann::json::object()}, {"notes", nlohmann::json::array()}};
  for (const auto& [name, value] : report.figures)
    if (std::isfinite(value)) json["figures"][name] = number(value);  // JSON cannot represent others
  for (const auto& [name, value] : report.facts) json["facts"][name] = value;
  for (const auto& note : report.notes) json["notes"].push_back({{"code", note.code}, {"text", note.text}});
  if (!report.phases.empty()) {
    nlohmann::json seconds = nlohmann::json::object();
    for (const auto& [phase, time] : report.phases) {
      const double before = seconds.contains(phase) ? seconds[phase].get<double>() : 0.0;
      seconds[phase] = before + time;
    }
    json["seconds"] = seconds;
  }
  return json;
}

Report report_from_json(const nlohmann::json& json) {
  Report report;
  for (const auto& [name, value] : json.at("figures").items()) report.figure(name, value.get<double>());
  for (const auto& [name, value] : json.at("facts").items()) report.fact(name, value.get<std::string>());
  for (const auto& note : json.at("notes"))
    report.note(note.at("code").get<std::string>(), note.at("text").get<std::string>());
  return report;
}

}  // namespace foldout
