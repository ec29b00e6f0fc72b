// SPDX-License-Identifier: Apache-2.0
// Private: the learners from given atoms, and the codes that they minimise. `n_atoms`, `atoms_per_class`, `start` and
// (except in llc) `seed` are not used. The learners from SampleRows need not have all samples in this process.
#pragma once

#include "core/sample_rows.h"
#include "foldout/dictionary/kmeans.h"
#include "foldout/dictionary/ksvd.h"
#include "foldout/dictionary/lcc.h"
#include "foldout/dictionary/lcdl.h"
#include "foldout/dictionary/llc.h"

namespace foldout {

/// The default number of atoms: a fifth of the number of samples, from 20 to 1000.
[[nodiscard]] Index usual_atoms(Index n_samples);

/// Lloyd's algorithm from given centres, until no assignment changes. A cluster that loses all its samples gets the
/// sample that is farthest from its centre. `cluster` of the result is that of the held samples.
[[nodiscard]] Kmeans improve_centers(const SampleRows& samples, Matrix centers, int max_iterations, bool spherical,
                                     const RunContext& context = {});

/// fit_kmeans(); `cluster` of the result is that of the held samples.
[[nodiscard]] Kmeans fit_kmeans_of(const SampleRows& samples, const KmeansOptions& options, const RunContext& context);

[[nodiscard]] Dictionary learn_lcdl(const SampleRows& samples, const std::vector<int>& labels,
                                    const LcdlOptions& options, const RunContext& context);
[[nodiscard]] Dictionary learn_lcc(const SampleRows& samples, const std::vector<int>& labels, const LccOptions& options,
                                   const RunContext& context);
[[nodiscard]] Dictionary learn_kmeans(const SampleRows& samples, const std::vector<int>& labels,
                                      const KmeansAtomsOptions& options, const RunContext& context);
[[nodiscard]] Dictionary learn_random(const SampleRows& samples, const std::vector<int>& labels,
                                      const RandomAtomsOptions& options, const RunContext& context);
/// These two throw InvalidArgument unless this process has all samples.
[[nodiscard]] Dictionary learn_ksvd(const SampleRows& samples, const std::vector<int>& labels,
                                    const KsvdOptions& options, const RunContext& context);
[[nodiscard]] Dictionary learn_llc(const SampleRows& samples, const std::vector<int>& labels, const LlcOptions& options,
                                   const RunContext& context);

/// The atoms are normalised to length 1 first.
[[nodiscard]] Dictionary improve_ksvd(const MatrixRef& samples, const Matrix& atoms, const KsvdOptions& options,
                                      const RunContext& context = {});

[[nodiscard]] Dictionary improve_lcc(const MatrixRef& samples, Matrix atoms, const LccOptions& options,
                                     const RunContext& context = {});

/// One row per sample: min ½‖y − Σ_j γ_j d_j‖² + λ Σ_j |γ_j| ‖d_j − y‖², exactly. A row does not depend on the other
/// samples.
[[nodiscard]] SparseMatrix lcc_codes(const MatrixRef& samples, const Matrix& atoms, double locality,
                                     const RunContext& context = {});

[[nodiscard]] Dictionary improve_lcdl(const MatrixRef& samples, Matrix atoms, const LcdlOptions& options,
                                      const RunContext& context = {});

/// Throws InvalidArgument for options that batches, or (with `once`) samples that can be read only once, do not
/// support.
void check_batches(const LcdlOptions& options, bool once);

[[nodiscard]] Dictionary improve_llc(const MatrixRef& samples, Matrix atoms, const LlcOptions& options,
                                     const RunContext& context = {});

struct LlcWeights {
  double locality = 0.01;  ///< λ, in units of σ²
  double sigma = 1;        ///< σ
};

/// One row per sample: min ‖y − Σ_j c_j b_j‖² + λσ² Σ_j e_j² c_j² subject to Σ_j c_j = 1, with e_j = exp((‖y − b_j‖ −
/// m)/σ), m the largest of these distances.
[[nodiscard]] Matrix llc_codes(const MatrixRef& samples, const Matrix& atoms, const LlcWeights& weights,
                               const RunContext& context = {});

}  // namespace foldout
