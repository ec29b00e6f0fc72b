// SPDX-License-Identifier: Apache-2.0
// k-means: centres such that every sample is near one of them. Lloyd's algorithm from k-means++ starts. The spherical
// variant compares directions: samples and centres have length 1, and the nearest centre has the largest cosine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "foldout/dictionary/dictionary.h"

namespace [[gnu::visibility("default")]] foldout {

struct KmeansOptions {
  int n_clusters = 8;        ///< number of centres
  bool spherical = false;    ///< compare directions
  int restarts = 10;         ///< number of starts; the one with the smallest sum of squares is kept
  int max_iterations = 300;  ///< of each start
  std::uint64_t seed = 0;    ///< of the starts
};
[[nodiscard]] Fields fields(KmeansOptions& options);

struct Kmeans {
  Matrix centers;             ///< at most as many as there are distinct samples
  std::vector<int> cluster;   ///< of each sample: its nearest centre
  double sum_of_squares = 0;  ///< Σ ‖x − centre‖²
  int iterations = 0;         ///< of the start that was kept
  std::vector<double> sums;   ///< Σ ‖x − centre‖² before the first and after each of these iterations
  Report report;              ///< "kmeans_unfinished" if max_iterations was not enough, "clusters_reduced"
};

/// Throws InvalidArgument if there are more clusters than samples and, if spherical, for a sample of length 0.
[[nodiscard]] Kmeans fit_kmeans(const MatrixRef& samples, const KmeansOptions& options = {},
                                const RunContext& context = {});

// Baseline dictionaries: samples drawn at random, and the centres of k-means.

struct RandomAtomsOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the number of samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead of n_atoms: number for each class, from its samples alone
  std::uint64_t seed = 0;                   ///< of the draw
};
[[nodiscard]] Fields fields(RandomAtomsOptions& options);

struct KmeansAtomsOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the number of samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead of n_atoms: number for each class, from its samples alone
  int max_iterations = 100;                 ///< of each start
  int restarts = 1;                         ///< number of starts; the one with the smallest sum of squares is kept
  std::uint64_t seed = 0;                   ///< of the starts
};
[[nodiscard]] Fields fields(KmeansAtomsOptions& options);

/// Distinct samples, drawn at random; nothing is minimised. `labels`: one per sample, or empty.
[[nodiscard]] Dictionary learn_random(const MatrixRef& samples, const std::vector<int>& labels,
                                      const RandomAtomsOptions& options = {}, const RunContext& context = {});

/// The centres of k-means. The objective is Σ ‖y − its nearest atom‖²: before the atoms of an iteration move, and after
/// they have moved and every sample is assigned to its nearest atom again.
[[nodiscard]] Dictionary learn_kmeans(const MatrixRef& samples, const std::vector<int>& labels,
                                      const KmeansAtomsOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
