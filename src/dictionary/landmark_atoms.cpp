// SPDX-License-Identifier: Apache-2.0
#include "foldout/dictionary/kmeans.h"

#include "core/keys.h"
#include "dictionary/improve.h"
#include "dictionary/keys.h"
#include "dictionary/learning.h"
#include "dictionary/starting_atoms.h"

namespace foldout {

Fields fields(RandomAtomsOptions& o) {
  return {{key::n_atoms, o.n_atoms}, {key::atoms_per_class, o.atoms_per_class}, {key::seed, o.seed}};
}

Fields fields(KmeansAtomsOptions& o) {
  static constexpr Key max_iterations{"max_iterations", "iterations of k-means from each start", "", 1};
  static constexpr Key restarts{"restarts", "number of starts of k-means, of which the best is kept", "", 1};
  return {{key::n_atoms, o.n_atoms},
          {key::atoms_per_class, o.atoms_per_class},
          {max_iterations, o.max_iterations},
          {restarts, o.restarts},
          {key::seed, o.seed}};
}

Dictionary learn_random(const MatrixRef& samples, const std::vector<int>& labels, const RandomAtomsOptions& options,
                        const RunContext& context) {
  return learn_random(AllRows(samples), labels, options, context);
}

Dictionary learn_random(const SampleRows& samples, const std::vector<int>& labels, const RandomAtomsOptions& options,
                        const RunContext& context) {
  RandomAtomsOptions o = options;
  check_fields(fields(o), "random");
  context.tick("dictionary", 0);
  return learn_atoms(samples, labels, o.n_atoms, o.atoms_per_class, "random", context,
                     [&](const SampleRows& Y, Index count, const RunContext&) {
                       Dictionary result;
                       result.atoms = Y.rows(draw_samples(Y, count, o.seed));
                       return result;
                     });
}

Dictionary learn_kmeans(const MatrixRef& samples, const std::vector<int>& labels, const KmeansAtomsOptions& options,
                        const RunContext& context) {
  return learn_kmeans(AllRows(samples), labels, options, context);
}

Dictionary learn_kmeans(const SampleRows& samples, const std::vector<int>& labels, const KmeansAtomsOptions& options,
                        const RunContext& context) {
  KmeansAtomsOptions o = options;
  check_fields(fields(o), "kmeans");
  return learn_atoms(samples, labels, o.n_atoms, o.atoms_per_class, "kmeans", context,
                     [&](const SampleRows& Y, Index count, const RunContext& c) {
                       Kmeans fit = fit_kmeans_of(Y,
                                                  {.n_clusters = static_cast<int>(count),
                                                   .restarts = o.restarts,
                                                   .max_iterations = o.max_iterations,
                                                   .seed = o.seed},
                                                  c);
                       Dictionary result;
                       result.atoms = std::move(fit.centers);
                       for (std::size_t t = 1; t < fit.sums.size(); ++t)
                         result.objective.push_back({fit.sums[t - 1], fit.sums[t]});
                       for (const Report::Note& note : fit.report.notes)
                         if (note.code != "clusters_reduced")
                           result.report.notes.push_back(note);  // learn_atoms reports it for atoms
                       return result;
                     });
}

}  // namespace foldout
