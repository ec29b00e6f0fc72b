// SPDX-License-Identifier: Apache-2.0
#include "components/auto_extension.h"

#include <fmt/format.h>

#include <limits>

#include "components/extending.h"
#include "components/rows.h"
#include "components/trial.h"
#include "core/keys.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"

namespace foldout {

Fields fields(AutoOptions& o) {
  static constexpr Key budget{"budget", "maximum time to place a sample, in milliseconds; auto: no limit", "", 0, 1e9,
                              true};
  return {{kTrainPart, o.train}, {kRepeats, o.repeats}, {budget, o.budget}, {key::seed, o.seed}};
}

namespace {

// ‖placed − true‖ relative to the spread of the true coordinates about the mean of the training ones.
double relative_error(const Matrix& placed, const Matrix& truth, const Matrix& train) {
  const double size = (truth.rowwise() - train.colwise().mean()).norm();
  return size > 0 ? (placed - truth).norm() / size : (placed - truth).norm();
}

// Fits the method to the training part alone. If there is no method, or the part is too small for it (n − 1
// coordinates, many neighbours), the coordinates in the embedding of all samples are used.
FittedMethod fit_part(const Matrix& train, const FittedMethod& fit, const Split& split, const RunContext& context,
                      Report& report) {
  if (fit.method) {
    auto again =
        attempt([&] { return fit.method.row().fit(train, labels_of(fit.labels, split.train), fit.method, context); });
    if (again) return std::move(*again);
    if (!report.has_note("auto_given_coordinates"))
      report.note("auto_given_coordinates",
                  fmt::format("extensions were tried on the coordinates of all samples, because the method cannot be "
                              "fitted to {} of them: {}",
                              split.train.size(), again.reason));
  }
  return FittedMethod(rows_of(fit.embedding->coordinates, split.train));
}

std::vector<Component<ExtensionRow>> candidates_for(const FittedMethod& fit) {
  std::vector<Component<ExtensionRow>> candidates;
  for (const ExtensionRow& row : extension_table())
    if (row.name != "auto" && row.refusal(fit).empty()) candidates.emplace_back(row.name);
  return candidates;
}

// One split: every candidate places the held-out samples.
void try_all(const std::vector<Component<ExtensionRow>>& candidates, const MatrixRef& samples, const FittedMethod& fit,
             const Split& split, std::vector<Figures>& figures, const RunContext& context, Report& report) {
  const Matrix train = rows_of(samples, split.train), held = rows_of(samples, split.held);
  const FittedMethod part = fit_part(train, fit, split, context, report);
  const Matrix& Y = part.embedding->coordinates;
  const Matrix all_train = rows_of(fit.embedding->coordinates, split.train),
               all_held = rows_of(fit.embedding->coordinates, split.held);
  for (std::size_t e = 0; e < candidates.size(); ++e)
    figures[e].measure(
        [&] {
          return TrialMap{make_extension(train, part, natural_to(part.method, candidates[e]), context).map, Y};
        },
        held,
        [&](const Matrix&, const Matrix& placed) {
          figures[e].placement.push_back(part.method ? placement(Y, placed, all_train, all_held)
                                                     : relative_error(placed, all_held, Y));
        },
        context);
}

}  // namespace

Extension extend_by_best(const MatrixRef& samples, const FittedMethod& fit, const AutoOptions& options,
                         const RunContext& context) {
  Report report;
  const std::vector<Component<ExtensionRow>> candidates = candidates_for(fit);
  std::vector<Figures> figures(candidates.size());
  for (int repeat = 0; repeat < options.repeats; ++repeat)
    try_all(candidates, samples, fit,
            split_samples(samples.rows(), {}, options.train, options.seed + static_cast<std::uint64_t>(repeat)),
            figures, context, report);
  Component<ExtensionRow> best;
  std::string refusals;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < candidates.size(); ++e) {
    const std::string name = candidates[e].name();
    if (!figures[e].refusal.empty()) {
      report.fact("trial " + name, figures[e].refusal);
      refusals += "\n  " + name + ": " + figures[e].refusal;
      continue;
    }
    const double error = mean_of(figures[e].placement);
    const double seconds = figures[e].place_seconds / options.repeats;
    const bool in_time = !options.budget || 1e3 * seconds <= *options.budget;
    report.fact("trial " + name, fmt::format("placement error {:.4g}{}", error, in_time ? "" : ", over the budget"));
    report.phases.emplace_back("trial " + name + " (per sample)", seconds);  // times are not stored in model files
    if (in_time && error < least) {
      least = error;
      best = candidates[e];
    }
  }
  if (!best && options.budget)
    throw InvalidArgument("auto: no extension places a sample within the budget: raise budget, or name an extension");
  if (!best) throw InvalidArgument("auto: no extension could be tried; name one:" + refusals);
  report.fact("extension_chosen", best.name());
  Extension made = make_extension(samples, fit, natural_to(fit.method, best), context);
  report.absorb(made.report);
  return {std::move(made.map), std::move(report)};
}

}  // namespace foldout
