// SPDX-License-Identifier: Apache-2.0
// K-SVD: directions such that every sample is a combination of few of them. Atoms have length 1 and do not lie on the
// manifold of the samples.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"

namespace [[gnu::visibility("default")]] foldout {

struct KsvdOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the number of samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead of n_atoms: number for each class, from its samples alone
  std::optional<int> sparsity = {};  ///< T₀, atoms in a code; auto: a tenth of the number of features, from 2 to 10
  int max_iterations = 30;
  double tolerance = 1e-4;  ///< stop if three iterations reduce the objective by less than this fraction; 0: never
  DictionaryStart start = DictionaryStart::kKmeans;  ///< applied to the directions of the samples
  std::uint64_t seed = 0;                            ///< of the start
};
[[nodiscard]] Fields fields(KsvdOptions& options);

/// `labels`: one per sample, or empty. The objective is ‖Y − DX‖². Updating the atoms never increases it; updating the
/// codes, which is greedy, may. Throws InvalidArgument if all samples (of a class) have length 0.
[[nodiscard]] Dictionary learn_ksvd(const MatrixRef& samples, const std::vector<int>& labels,
                                    const KsvdOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
