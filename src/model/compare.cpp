// SPDX-License-Identifier: Apache-2.0
#include "foldout/model/compare.h"

#include "components/auto_extension.h"
#include "components/extending.h"
#include "components/preparing.h"
#include "components/rows.h"
#include "components/trial.h"
#include "core/check.h"
#include "core/keys.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"
#include "landmarks/landmark_fit.h"

namespace foldout {

Fields fields(CompareOptions& o) { return {{kTrainPart, o.train}, {kRepeats, o.repeats}, {key::seed, o.seed}}; }

namespace {

MeanAndSpread summary(const std::vector<double>& values) { return {mean_of(values), spread_of(values)}; }

ComparedExtension row_of(const Component<ExtensionRow>& extension, const Figures& figures) {
  ComparedExtension row;
  row.spec = extension.short_text();
  row.refusal = figures.refusal;
  if (!row.refusal.empty() || figures.placement.empty()) return row;
  const auto n = static_cast<double>(figures.placement.size());
  row.placement = summary(figures.placement);
  if (!figures.accuracy.empty()) row.accuracy = summary(figures.accuracy);
  row.fit_seconds = figures.fit_seconds / n;
  row.place_seconds = figures.place_seconds / n;
  return row;
}

std::vector<std::string> texts_of(const Labels& labels, const std::vector<Index>& rows) {
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const Index i : rows) texts.push_back(labels.text(i));
  return texts;
}

// One split: the preprocessed training part with its fit, and the held-out samples.
struct Trial {
  Matrix train, held;
  std::vector<int> labels;  // of the training part; may be empty
  FittedMethod fitted;      // without a dictionary
};

// The rows of a part; of precomputed distances and kernel values only those to the training part.
Matrix compared_with(const Matrix& samples, const std::vector<Index>& part, const Split& split, const ModelSpec& spec) {
  if (row_meaning(spec.method) == RowMeaning::kSamples || samples.cols() != samples.rows())
    return rows_of(samples, part);
  return samples(part, split.train);
}

Trial make_trial(const Dataset& data, const ModelSpec& spec, const Split& split, const RunContext& context) {
  Report unused;
  Trial trial{compared_with(data.samples, split.train, split, spec),
              compared_with(data.samples, split.held, split, spec),
              data.labels ? labels_of(data.labels->index, split.train) : std::vector<int>{},
              {}};
  const Matrix raw = trial.train;
  const Steps steps = fit_steps(raw, spec.preprocess, trial.train, context, unused);
  if (!steps.empty()) trial.held = apply_steps(trial.held, steps, context);
  if (!spec.dictionary) trial.fitted = spec.method.row().fit(trial.train, trial.labels, spec.method, context);
  return trial;
}

TrialMap make_map(const Trial& trial, const ModelSpec& spec, const RunContext& context) {
  if (!spec.dictionary)
    return {make_extension(trial.train, trial.fitted, spec.extension, context).map,
            trial.fitted.embedding->coordinates};
  const auto map = fit_landmarks(AllRows(trial.train), trial.labels, spec, context).extension.map;
  return {map, map->transform(trial.train, context)};
}

// The embedding of all samples, with which placed ones are compared.
Matrix embed_all(const Dataset& data, const ModelSpec& spec, const RunContext& context) {
  Report unused;
  Matrix prepared;
  const Steps steps = fit_steps(data.samples, spec.preprocess, prepared, context, unused);
  const MatrixRef samples = steps.empty() ? MatrixRef(data.samples) : MatrixRef(prepared);
  const std::vector<int> labels = data.labels ? data.labels->index : std::vector<int>{};
  return std::move(spec.method.row().fit(samples, labels, spec.method, context).embedding->coordinates);
}

// The extension of a fit without one, by its name.
Component<ExtensionRow> default_of(ModelSpec spec) {
  spec.extension = {};
  const Component<ExtensionRow> extension = completed(spec).extension;
  return extension ? Component<ExtensionRow>(extension.name()) : Component<ExtensionRow>("own");
}

}  // namespace

Comparison compare_extensions(const Dataset& data, const ModelSpec& spec,
                              const std::vector<Component<ExtensionRow>>& given, const CompareOptions& options,
                              const RunContext& context) {
  CompareOptions o = options;
  check_fields(fields(o), "compare");
  if (!spec.method) throw InvalidArgument("compare needs a method");
  const std::vector<Component<ExtensionRow>> extensions = given.empty() ? std::vector{default_of(spec)} : given;
  std::vector<ModelSpec> specs(extensions.size(), spec);
  for (std::size_t e = 0; e < specs.size(); ++e) {
    specs[e].extension = extensions[e];
    specs[e] = completed(specs[e]);
  }
  const Matrix batch = embed_all(data, spec, context);
  Comparison comparison;
  std::vector<Figures> figures(specs.size());
  for (int repeat = 0; repeat < o.repeats; ++repeat) {
    context.tick("comparing", static_cast<double>(repeat) / o.repeats);
    const Split split = split_samples(data.samples.rows(), data.labels ? data.labels->index : std::vector<int>{},
                                      o.train, o.seed + static_cast<std::uint64_t>(repeat));
    comparison.n_train = std::ssize(split.train);
    comparison.n_new = std::ssize(split.held);
    const Trial trial = make_trial(data, spec, split, context);
    const Matrix batch_train = rows_of(batch, split.train), batch_held = rows_of(batch, split.held);
    for (std::size_t e = 0; e < specs.size(); ++e)
      figures[e].measure(
          [&] { return make_map(trial, specs[e], context); }, trial.held,
          [&](const Matrix& train, const Matrix& held) {
            figures[e].placement.push_back(placement(train, held, batch_train, batch_held));
            if (data.labels)
              figures[e].accuracy.push_back(neighbor_accuracy(train, texts_of(*data.labels, split.train), held,
                                                              texts_of(*data.labels, split.held), {}, context));
          },
          context);
  }
  for (std::size_t e = 0; e < specs.size(); ++e) comparison.rows.push_back(row_of(extensions[e], figures[e]));
  return comparison;
}

}  // namespace foldout
