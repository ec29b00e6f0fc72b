// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/report.h"

#include <algorithm>

#include "foldout/core/context.h"

namespace foldout {
namespace {

template <class Pairs>
auto* find_pair(Pairs& pairs, std::string_view name) {
  const auto it = std::ranges::find(pairs, name, [](const auto& pair) -> std::string_view { return pair.first; });
  return it == pairs.end() ? nullptr : &it->second;
}

}  // namespace

void Report::figure(std::string_view name, double value) {
  if (double* known = find_pair(figures, name))
    *known = value;
  else
    figures.emplace_back(name, value);
}

void Report::fact(std::string_view name, std::string_view value) {
  if (std::string* known = find_pair(facts, name))
    *known = value;
  else
    facts.emplace_back(name, value);
}

void Report::note(std::string_view code, std::string_view text) {
  notes.push_back({std::string(code), std::string(text)});
}

void Report::absorb(const Report& other) {
  phases.insert(phases.end(), other.phases.begin(), other.phases.end());
  for (const auto& [name, value] : other.figures) figure(name, value);
  for (const auto& [name, value] : other.facts) fact(name, value);
  notes.insert(notes.end(), other.notes.begin(), other.notes.end());
}

const double* Report::find_figure(std::string_view name) const { return find_pair(figures, name); }
const std::string* Report::find_fact(std::string_view name) const { return find_pair(facts, name); }
bool Report::has_note(std::string_view code) const {
  return std::ranges::any_of(notes, [&](const Note& note) { return note.code == code; });
}

PhaseTimer::PhaseTimer(Report& report, std::string_view phase)
    : report_(report), phase_(phase), start_(std::chrono::steady_clock::now()) {}

PhaseTimer::PhaseTimer(Report& report, std::string_view phase, const RunContext& context) : PhaseTimer(report, phase) {
  context.tick(phase, 0);
}

PhaseTimer::~PhaseTimer() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  report_.phases.emplace_back(phase_, elapsed.count());
}

}  // namespace foldout
