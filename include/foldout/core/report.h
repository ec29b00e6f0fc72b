// SPDX-License-Identifier: Apache-2.0
// What was done, as opposed to what was requested: times, figures, and every repair or fallback.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] foldout {

struct RunContext;

struct Report {
  struct Note {
    std::string code;  ///< stable and short: "components_joined"
    std::string text;  ///< human-readable
    friend bool operator==(const Note&, const Note&) = default;
  };

  std::vector<std::pair<std::string, double>> phases;      ///< seconds of wall time per phase, in order
  std::vector<std::pair<std::string, double>> figures;     ///< measured numbers: residual, width used, …
  std::vector<std::pair<std::string, std::string>> facts;  ///< choices made: solver, neighbour search, …
  std::vector<Note> notes;                                 ///< repairs and fallbacks

  void figure(std::string_view name, double value);
  void fact(std::string_view name, std::string_view value);
  void note(std::string_view code, std::string_view text);
  /// Appends the phases and notes of `other`; its figures and facts replace those of the same name.
  void absorb(const Report& other);

  [[nodiscard]] const double* find_figure(std::string_view name) const;
  [[nodiscard]] const std::string* find_fact(std::string_view name) const;
  [[nodiscard]] bool has_note(std::string_view code) const;
};

/// Adds the duration of its scope to a report, as one phase. With a context it also reports the start of the phase as
/// progress and checks for cancellation.
class PhaseTimer {
 public:
  PhaseTimer(Report& report, std::string_view phase);
  PhaseTimer(Report& report, std::string_view phase, const RunContext& context);
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  Report& report_;
  std::string phase_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace foldout
