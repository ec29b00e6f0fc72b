// SPDX-License-Identifier: Apache-2.0
#include "components/auto_extension.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "components/extending.h"
#include "components/neighbor_trial.h"
#include "components/rows.h"
#include "components/trial.h"
#include "core/keys.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"

namespace foldout {

Fields fields(AutoOptions& o) {
  static constexpr Key budget{
      "budget", "maximum number of predicted operations of all trials, about 10⁹ per second on one core", "", 0, 1e300,
      true};
  return {{kTrainPart, o.train}, {kRepeats, o.repeats}, {budget, o.budget}, {key::seed, o.seed}};
}

namespace {

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

struct Candidate {
  Component<ExtensionRow> extension;
  double cost = 0;  // of all trials, in predicted operations
  bool affordable = true;
  Figures figures;
  std::vector<PlacementError> errors;  // per split
  NeighborFigures neighbors;           // of all splits

  [[nodiscard]] bool was_tried() const { return !errors.empty() && figures.refusal.empty(); }
};

// In the order of their predicted cost. mds and kpca call their own map nystrom.
std::vector<Candidate> candidates_for(const MatrixRef& samples, const FittedMethod& fit, const AutoOptions& options) {
  const auto n = static_cast<double>(samples.rows());
  const double held = n - std::round(options.train * n);
  const ProblemSize size{n - held, static_cast<double>(samples.cols()),
                         static_cast<double>(fit.embedding->coordinates.cols()), held};
  std::vector<Candidate> candidates;
  for (const ExtensionRow& row : extension_table()) {
    if (!row.cost || !row.refusal(fit).empty()) continue;
    if (row.name == "own" && fit.method.row().nystrom) continue;
    Candidate& candidate = candidates.emplace_back();
    candidate.extension = row.name;
    candidate.cost = options.repeats * row.cost(size);
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::cost);
  return candidates;
}

// One split: every candidate places the held-out samples.
void try_all(std::vector<Candidate>& candidates, const MatrixRef& samples, const FittedMethod& fit, const Split& split,
             const RunContext& context, Report& report) {
  const Matrix train = rows_of(samples, split.train), held = rows_of(samples, split.held);
  const FittedMethod part = fit_part(train, fit, split, context, report);
  const Matrix& Y = part.embedding->coordinates;
  const Matrix all_train = rows_of(fit.embedding->coordinates, split.train),
               all_held = rows_of(fit.embedding->coordinates, split.held);
  // Coordinates of a new fit of the method are compared up to a similarity, given ones as they are.
  const Similarity similarity = part.method ? fit_similarity(Y, all_train) : Similarity{};
  const double extent = (all_held.rowwise() - all_train.colwise().mean()).norm();
  const NeighborTrial trial(train, held, labels_of(fit.labels, split.train), labels_of(fit.labels, split.held),
                            context);
  for (Candidate& candidate : candidates) {
    if (!candidate.affordable) continue;
    candidate.figures.measure(
        [&] {
          return TrialMap{make_extension(train, part, natural_to(part.method, candidate.extension), context).map, Y};
        },
        held,
        [&](const Matrix&, const Matrix& placed) {
          const Matrix moved = part.method ? similarity.apply(placed) : placed;
          candidate.errors.push_back(placement_error(moved - all_held, extent));
          const NeighborFigures found = trial.measure(Y, placed, context);
          candidate.neighbors.kept.insert(candidate.neighbors.kept.end(), found.kept.begin(), found.kept.end());
          candidate.neighbors.hits.insert(candidate.neighbors.hits.end(), found.hits.begin(), found.hits.end());
        },
        context);
  }
}

// Marks what the budget leaves out. The cheapest candidate is always tried.
void spend(std::vector<Candidate>& candidates, double budget, Report& report) {
  double spent = 0;
  std::string left_out;
  for (Candidate& candidate : candidates) {
    spent += candidate.cost;
    candidate.affordable = spent <= budget || &candidate == &candidates.front();
    if (!candidate.affordable) left_out += (left_out.empty() ? "" : ", ") + candidate.extension.name();
  }
  if (!left_out.empty())
    report.note("auto_left_out",
                fmt::format("not tried, because all trials together would exceed budget = {:g} predicted operations: "
                            "{}. budget={:.2g} tries all",
                            budget, left_out, 1.05 * spent));
}

// The first, and therefore cheapest, whose error is within one standard error of the smallest; null: none was tried.
const Candidate* nearest_to_the_method(const std::vector<const Candidate*>& tried) {
  PlacementError least{std::numeric_limits<double>::infinity(), 0};
  for (const Candidate* c : tried)
    if (mean_of(c->errors).value < least.value) least = mean_of(c->errors);
  for (const Candidate* c : tried)
    if (mean_of(c->errors).value <= least.value + least.standard_error) return c;
  return nullptr;
}

// Those whose figure is not below the largest by more than one standard error of the difference.
std::vector<const Candidate*> best_by(std::vector<double> NeighborFigures::*figure,
                                      std::vector<const Candidate*> tried) {
  const auto mean = [&](const Candidate* c) { return mean_of(c->neighbors.*figure); };
  const auto best = std::ranges::max_element(tried, {}, mean);
  if (best == tried.end() || ((*best)->neighbors.*figure).empty()) return tried;
  const std::vector<double> largest = (*best)->neighbors.*figure;
  std::erase_if(tried, [&](const Candidate* c) {
    const Deficit lost = deficit(largest, c->neighbors.*figure);
    return lost.mean > lost.standard_error;
  });
  return tried;
}

// External coordinates may have clusters, and a small error may be a place between them: by the labels of the
// neighbours if there are any, then by the neighbours. Of those that are as good, the best that costs at most ten times
// as much as the cheapest.
const Candidate* among_the_right_neighbors(const std::vector<const Candidate*>& tried) {
  auto best = best_by(&NeighborFigures::kept, best_by(&NeighborFigures::hits, tried));
  if (best.empty()) return nullptr;
  std::erase_if(best, [most = 10 * best.front()->cost](const Candidate* c) { return c->cost > most; });
  return *std::ranges::max_element(
      best, {}, [](const Candidate* c) { return std::pair(mean_of(c->neighbors.kept), -mean_of(c->errors).value); });
}

const Candidate* choose(const std::vector<Candidate>& candidates, bool external) {
  std::vector<const Candidate*> tried;
  for (const Candidate& c : candidates)
    if (c.was_tried()) tried.push_back(&c);
  return external ? among_the_right_neighbors(tried) : nearest_to_the_method(tried);
}

std::string figures_of(const Candidate& c) {
  const PlacementError error = mean_of(c.errors);
  std::string text = fmt::format("placement error {:.4g} ± {:.2g}, neighbours kept {:.3f}", error.value,
                                 error.standard_error, mean_of(c.neighbors.kept));
  if (!c.neighbors.hits.empty()) text += fmt::format(", 5-NN accuracy {:.3f}", mean_of(c.neighbors.hits));
  return text;
}

void report_trials(const std::vector<Candidate>& candidates, int repeats, Report& report) {
  for (const Candidate& c : candidates) {
    const std::string name = "trial " + c.extension.name();
    if (!c.affordable) {
      report.fact(name, fmt::format("left out: {:.2g} predicted operations are over the budget", c.cost));
    } else if (!c.figures.refusal.empty()) {
      report.fact(name, c.figures.refusal);
    } else {
      report.fact(name, figures_of(c));
      report.phases.emplace_back(name + " (per sample)", c.figures.place_seconds / repeats);  // not in model files
    }
  }
}

}  // namespace

Extension extend_by_best(const MatrixRef& samples, const FittedMethod& fit, const AutoOptions& options,
                         const RunContext& context) {
  Report report;
  std::vector<Candidate> candidates = candidates_for(samples, fit, options);
  spend(candidates, options.budget, report);
  for (int repeat = 0; repeat < options.repeats; ++repeat)
    try_all(candidates, samples, fit,
            split_samples(samples.rows(), {}, options.train, options.seed + static_cast<std::uint64_t>(repeat)),
            context, report);
  report_trials(candidates, options.repeats, report);
  const Candidate* best = choose(candidates, !fit.method);
  if (!best) {
    std::string refusals;
    for (const Candidate& c : candidates)
      if (c.affordable) refusals += "\n  " + c.extension.name() + ": " + c.figures.refusal;
    throw InvalidArgument("auto: no extension could be tried; name one:" + refusals);
  }
  report.fact("extension_chosen", best->extension.name());
  Extension made = make_extension(samples, fit, natural_to(fit.method, best->extension), context);
  report.absorb(made.report);
  return {std::move(made.map), std::move(report)};
}

}  // namespace foldout
