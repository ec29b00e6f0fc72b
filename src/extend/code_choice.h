// SPDX-License-Identifier: Apache-2.0
// The choice of τ, the number of atoms in a code, and λ, the penalty on distant atoms, if they are auto: candidates
// place samples with known coordinates or labels, and the best are selected.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/extend/codes.h"

namespace foldout {

/// Default λ.
inline constexpr double kUsualLocality = 0.1;

/// The numbers of atoms that are tried: 1, 2, 3, 4, 6, 8, 12 … up to `most` and 128.
[[nodiscard]] std::vector<int> coding_taus(Index most);

/// The values of λ that are tried, smallest first.
[[nodiscard]] std::vector<double> coding_localities();

/// The evaluation of codes on samples with known coordinates or labels.
struct CodeTrial {
  Index most_atoms;  ///< in a code
  bool by_labels;    ///< the error is 1 − accuracy, otherwise a distance
  std::string how;   ///< description for the report
  /// The error with each λ and each number of atoms; those of a λ are next to each other.
  std::function<std::vector<double>(const std::vector<int>& taus, const std::vector<double>& localities)> errors;
};

/// `asked` with values for what is auto. Of equally good numbers of atoms the middle one is selected. λ is selected in
/// the same way with labels; otherwise it is the largest whose error is within 1 % of the smallest: such differences
/// are not significant, and learning benefits from a larger λ.
[[nodiscard]] CodesOptions chosen_codes(const CodesOptions& asked, const CodeTrial& trial, Report& report);

/// The same on up to 500 atoms, each left out and placed by the others.
[[nodiscard]] CodesOptions chosen_by_leaving_out(const Matrix& atoms, const MatrixRef& coordinates,
                                                 const CodesOptions& asked, const RunContext& context, Report& report);

}  // namespace foldout
