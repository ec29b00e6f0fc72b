// SPDX-License-Identifier: Apache-2.0
#include "graph/l1_graph.h"

#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "core/tally.h"
#include "foldout/l1/l1_coding.h"
#include "linalg/distance.h"

namespace foldout {

SparseMatrix l1_weights(const MatrixRef& samples, const RunContext& context, Report& report) {
  const L1Dictionary dictionary(unit_rows(samples));
  const Matrix& X = dictionary.atoms();
  const Index n = X.rows();
  std::vector<L1Code> codes(static_cast<std::size_t>(n));
  parallel_for(
      n, context,
      [&](Index i) {
        codes[static_cast<std::size_t>(i)] = dictionary.code({X.row(i).data(), static_cast<std::size_t>(X.cols())}, i);
      },
      "L1 codes");
  Tally tally;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    const L1Code& code = codes[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < code.atoms.size(); ++j) {
      const double half = std::abs(code.values[j]) / 2;
      entries.emplace_back(static_cast<int>(i), code.atoms[j], half);
      entries.emplace_back(code.atoms[j], static_cast<int>(i), half);
    }
    tally.add("nonzeros", std::ssize(code.atoms));
    tally.add("pivots", code.pivots);
    tally.add("multiply_adds", static_cast<Index>(code.multiply_adds));
    tally.raise("largest_gap", code.gap);
    if (code.atoms.empty()) tally.remark("l1_zero_codes", "not explained by any other sample", i);
    if (code.status != L1Status::kSolved) tally.remark("l1_inexact", "coded with a duality gap above 1e-8", i);
  }
  tally.write(report, n);
  SparseMatrix W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

}  // namespace foldout
