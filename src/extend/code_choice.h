// SPDX-License-Identifier: Apache-2.0
// What is auto in the codes that place samples: how many atoms are in one, τ, and how dear far ones are, λ. Codes with
// other values place samples that are known, and the best are taken.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/extend/codes.h"

namespace foldout {

/// λ where nothing tells a better one.
inline constexpr double kUsualLocality = 0.1;

/// The numbers of atoms that are tried: 1, 2, 3, 4, 6, 8, 12 … up to `most` and 128.
[[nodiscard]] std::vector<int> coding_taus(Index most);

/// The values of λ that are tried, smallest first.
[[nodiscard]] std::vector<double> coding_localities();

/// Samples that are known, by which codes are judged.
struct CodeTrial {
  Index most_atoms;  ///< in a code
  bool by_labels;    ///< the error is 1 − accuracy, else a distance
  std::string how;   ///< of the samples, for the report
  /// The error with this λ and each number of atoms.
  std::function<std::vector<double>(const std::vector<int>& taus, double locality)> errors;
};

/// `asked` with values for what is auto. Of the numbers of atoms that are equally good the middle one is taken; so of
/// λ by labels, and else the largest whose error is within a hundredth of the least: between such errors the samples
/// do not decide, and larger λ are better to learn atoms with.
[[nodiscard]] CodesOptions chosen_codes(const CodesOptions& asked, const CodeTrial& trial, Report& report);

/// The same, where up to 500 of the atoms are placed each by the others.
[[nodiscard]] CodesOptions chosen_by_leaving_out(const Matrix& atoms, const MatrixRef& coordinates,
                                                 const CodesOptions& asked, const RunContext& context, Report& report);

}  // namespace foldout
