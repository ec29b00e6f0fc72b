// SPDX-License-Identifier: Apache-2.0
#include "foldout/pipeline/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "core/check.h"
#include "core/keys.h"
#include "core/random.h"
#include "core/rows.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/labels.h"
#include "foldout/evaluate/procrustes.h"
#include "graph/neighborhoods.h"
#include "pipeline/fitting.h"
#include "pipeline/landmark_fit.h"

namespace foldout {
namespace {

constexpr Key kTrain{"train", "part of the samples that trial maps are learnt from", "", 0.05, 0.95};
constexpr Key kRepeats{"repeats", "random splits", "", 1, 1e6};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

MeanAndSpread summary(const std::vector<double>& values) {
  MeanAndSpread result;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  for (const double value : values) result.spread += (value - result.mean) * (value - result.mean);
  result.spread = std::sqrt(result.spread / static_cast<double>(values.size()));
  return result;
}

// One split: the training part and its fit, and the samples that were held out, as that fit takes them.
struct Trial {
  Matrix train = {}, held = {};
  FittedMethod fitted = {};      // where there is no dictionary
  std::vector<int> labels = {};  // of the training part; may be empty
  std::string method = {}, dictionary = {};
};

struct Placed {
  Matrix train, held;
  double fit_seconds = 0, place_seconds = 0;
};

Placed place(const Trial& trial, const std::string& extension, const RunContext& context) {
  Placed placed;
  Report unused;
  const auto start = std::chrono::steady_clock::now();
  MadeExtension made;
  if (trial.dictionary.empty()) {
    made = make_extension(trial.train, trial.fitted, extension, context, unused);
    placed.train = trial.fitted.embedding.coordinates;
  } else {
    const ModelSpec spec{.method = trial.method, .extension = extension, .dictionary = trial.dictionary};
    made = fit_landmarks(trial.train, trial.labels, spec, context).extension;
    placed.train = made.map->transform(trial.train, context);
  }
  placed.fit_seconds = seconds_since(start);
  const auto begin = std::chrono::steady_clock::now();
  placed.held = made.map->transform(trial.held, context);
  placed.place_seconds = seconds_since(begin) / static_cast<double>(trial.held.rows());
  return placed;
}

std::vector<std::string> labels_of(const Labels& labels, const std::vector<Index>& rows) {
  std::vector<std::string> texts;
  for (const Index i : rows) texts.push_back(labels.text(i));
  return texts;
}

// Labels as methods take them: of all samples, or of some.
std::vector<int> index_of(const std::optional<Labels>& labels, const std::vector<Index>* rows = nullptr) {
  if (!labels) return {};
  if (!rows) return labels->index;
  std::vector<int> some;
  for (const Index i : *rows) some.push_back(labels->index[static_cast<std::size_t>(i)]);
  return some;
}

// What is measured of one extension, split after split.
struct Figures {
  std::vector<double> placement, accuracy;
  double fit_seconds = 0, place_seconds = 0;
  std::string refusal;
};

ComparedExtension row_of(const std::string& spec, const Figures& figures) {
  ComparedExtension row;
  row.spec = spec;
  row.refusal = figures.refusal;
  if (!row.refusal.empty() || figures.placement.empty()) return row;
  const auto n = static_cast<double>(figures.placement.size());
  row.placement = summary(figures.placement);
  if (!figures.accuracy.empty()) row.accuracy = summary(figures.accuracy);
  row.fit_seconds = figures.fit_seconds / n;
  row.place_seconds = figures.place_seconds / n;
  return row;
}

// Runs one extension on one split; what it refuses (too few samples, too much memory) is told in its row.
template <class Measure>
void measure(const Trial& trial, const std::string& extension, const RunContext& context, Figures& figures,
             Measure measure_placed) {
  if (!figures.refusal.empty()) return;
  try {
    const Placed placed = place(trial, extension, context);
    figures.fit_seconds += placed.fit_seconds;
    figures.place_seconds += placed.place_seconds;
    measure_placed(placed);
  } catch (const InvalidArgument& error) {
    figures.refusal = error.what();
  } catch (const NumericalError& error) {
    figures.refusal = error.what();
  }
}

}  // namespace

Fields fields(CompareOptions& o) { return {{kTrain, o.train}, {kRepeats, o.repeats}, {key::seed, o.seed}}; }

Fields fields(AutoOptions& o) {
  static constexpr Key budget{"budget", "milliseconds that placing a sample may take; auto: any", "", 0, 1e9, true};
  return {{kTrain, o.train}, {kRepeats, o.repeats}, {budget, o.budget}, {key::seed, o.seed}};
}

Split split_samples(Index n_samples, const std::optional<Labels>& labels, double train, std::uint64_t seed) {
  if (labels && labels->size() != n_samples)
    throw InvalidArgument(
        fmt::format("{} labels for {} samples: one label per sample is needed", labels->size(), n_samples));
  std::map<int, std::vector<Index>> classes;
  for (Index i = 0; i < n_samples; ++i) classes[labels ? labels->index[static_cast<std::size_t>(i)] : 0].push_back(i);
  Split split;
  const Rng rng(seed);
  for (auto& [label, members] : classes) {
    const auto order = rng.stream(static_cast<std::uint64_t>(label)).permutation(static_cast<Index>(members.size()));
    const auto n = static_cast<double>(members.size());
    const auto count = static_cast<std::size_t>(std::lround(train * n));
    for (std::size_t i = 0; i < members.size(); ++i)
      (i < count ? split.train : split.held).push_back(members[static_cast<std::size_t>(order[i])]);
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.held);
  if (split.train.empty() || split.held.empty())
    throw InvalidArgument(
        fmt::format("{} samples cannot be split into {:.0f} % for training and a rest", n_samples, 100 * train));
  return split;
}

Comparison compare_extensions(const Dataset& data, const ModelSpec& spec, const std::vector<std::string>& extensions,
                              const CompareOptions& options, const RunContext& context) {
  CompareOptions o = options;
  check_fields(fields(o), "compare");
  if (extensions.empty()) throw InvalidArgument("compare needs at least one --extension");
  for (const std::string& extension : extensions)
    check_spec(
        {.preprocess = spec.preprocess, .method = spec.method, .extension = extension, .dictionary = spec.dictionary});
  const ComponentSpec method = parse_method(spec.method);
  const MethodEntry& entry = find_method(method.name);
  const auto fit_part = [&](const MatrixRef& samples, const std::vector<int>& labels, const std::string& dictionary,
                            std::vector<std::shared_ptr<const Preprocessor>>& steps) {
    Report unused;
    std::vector<std::string> texts = spec.preprocess;
    Trial trial{.labels = labels, .method = method.text(), .dictionary = dictionary};
    trial.train = fit_steps(samples, texts, steps, context, unused);
    if (dictionary.empty()) trial.fitted = entry.fit(trial.train, labels, method, context);
    return trial;
  };
  std::vector<std::shared_ptr<const Preprocessor>> unused_steps;
  const Matrix batch = fit_part(data.samples, index_of(data.labels), {}, unused_steps).fitted.embedding.coordinates;
  const std::string dictionary = completed_dictionary(spec);

  Comparison comparison;
  std::vector<Figures> figures(extensions.size());
  for (int repeat = 0; repeat < o.repeats; ++repeat) {
    context.tick("comparing", static_cast<double>(repeat) / o.repeats);
    const Split split =
        split_samples(data.samples.rows(), data.labels, o.train, o.seed + static_cast<std::uint64_t>(repeat));
    comparison.n_train = static_cast<Index>(split.train.size());
    comparison.n_new = static_cast<Index>(split.held.size());
    std::vector<std::shared_ptr<const Preprocessor>> steps;
    Trial trial = fit_part(rows_of(data.samples, split.train), index_of(data.labels, &split.train), dictionary, steps);
    trial.held = rows_of(data.samples, split.held);
    if (!steps.empty()) trial.held = apply_steps(trial.held, steps, context);
    const Matrix batch_train = rows_of(batch, split.train), batch_held = rows_of(batch, split.held);
    for (std::size_t e = 0; e < extensions.size(); ++e)
      measure(trial, extensions[e], context, figures[e], [&](const Placed& placed) {
        figures[e].placement.push_back(placement(placed.train, placed.held, batch_train, batch_held));
        if (data.labels)
          figures[e].accuracy.push_back(neighbor_accuracy(placed.train, labels_of(*data.labels, split.train),
                                                          placed.held, labels_of(*data.labels, split.held), {},
                                                          context));
      });
  }
  for (std::size_t e = 0; e < extensions.size(); ++e) comparison.rows.push_back(row_of(extensions[e], figures[e]));
  return comparison;
}

namespace {

// The row of a trial in the report. Times are phases, which model files do not hold: they differ from run to run.
void tell(const ComparedExtension& row, bool in_time, Report& report) {
  if (!row.refusal.empty()) {
    report.fact("trial " + row.spec, row.refusal);
    return;
  }
  report.fact("trial " + row.spec,
              fmt::format("placement error {:.4g}{}", row.placement.mean, in_time ? "" : ", over the budget"));
  report.phases.emplace_back("trial " + row.spec + " (per sample)", row.place_seconds);
}

// ‖placed − true‖ relative to the spread of the true coordinates about the mean of the training ones.
double relative_error(const Matrix& placed, const Matrix& truth, const Matrix& train) {
  const double size = (truth.rowwise() - train.colwise().mean()).norm();
  return size > 0 ? (placed - truth).norm() / size : (placed - truth).norm();
}

// The method again, on the training part alone. Where there is none, or the part is too small for it (n − 1
// coordinates, many neighbours), the coordinates that all samples got are taken as given.
Trial make_trial(const MatrixRef& samples, const FittedMethod& fit, const Split& split, const RunContext& context,
                 Report& report) {
  Trial trial{.train = rows_of(samples, split.train), .held = rows_of(samples, split.held)};
  if (!fit.spec.empty()) {
    try {
      const ComponentSpec method = ComponentSpec::parse(fit.spec);
      std::vector<int> labels;
      if (!fit.labels.empty())
        for (const Index i : split.train) labels.push_back(fit.labels[static_cast<std::size_t>(i)]);
      trial.fitted = find_method(method.name).fit(trial.train, labels, method, context);
      return trial;
    } catch (const InvalidArgument& error) {
      if (!report.has_note("auto_given_coordinates"))
        report.note("auto_given_coordinates",
                    fmt::format("extensions were tried on the coordinates of all samples, since the method cannot be "
                                "fitted to {} of them: {}",
                                split.train.size(), error.what()));
    }
  }
  trial.fitted.embedding.coordinates = rows_of(fit.embedding.coordinates, split.train);
  return trial;
}

}  // namespace

std::shared_ptr<const OutOfSampleMap> extend_by_best(const MatrixRef& samples, const FittedMethod& fit,
                                                     const AutoOptions& options, const RunContext& context,
                                                     Report& report) {
  std::vector<std::string> candidates;
  for (const ExtensionEntry& entry : extension_table())
    if (entry.name != "auto" && entry.refusal(fit).empty()) candidates.emplace_back(entry.name);
  std::vector<Figures> figures(candidates.size());
  const Matrix& Y = fit.embedding.coordinates;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    const Split split =
        split_samples(samples.rows(), {}, options.train, options.seed + static_cast<std::uint64_t>(repeat));
    const Trial trial = make_trial(samples, fit, split, context, report);
    const Matrix& train = trial.fitted.embedding.coordinates;
    const Matrix all_train = rows_of(Y, split.train), all_held = rows_of(Y, split.held);
    for (std::size_t e = 0; e < candidates.size(); ++e)
      measure(trial, candidates[e], context, figures[e], [&](const Placed& placed) {
        figures[e].placement.push_back(trial.fitted.spec.empty() ? relative_error(placed.held, all_held, train)
                                                                 : placement(train, placed.held, all_train, all_held));
      });
  }
  std::string best, refusals;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < candidates.size(); ++e) {
    const ComparedExtension row = row_of(candidates[e], figures[e]);
    const bool in_time = !options.budget || 1e3 * row.place_seconds <= *options.budget;
    tell(row, in_time, report);
    if (!row.refusal.empty()) refusals += "\n  " + row.spec + ": " + row.refusal;
    if (row.refusal.empty() && in_time && row.placement.mean < least) {
      least = row.placement.mean;
      best = row.spec;
    }
  }
  if (best.empty() && options.budget)
    throw InvalidArgument("auto: no extension places a sample within the budget: raise budget, or name an extension");
  if (best.empty()) throw InvalidArgument("auto: no extension could be tried, name one:" + refusals);
  report.fact("extension_chosen", best);
  return make_extension(samples, fit, best, context, report).map;
}

}  // namespace foldout
