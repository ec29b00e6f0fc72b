// SPDX-License-Identifier: Apache-2.0
#include "model/classify.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "components/rows.h"
#include "core/tally.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"
#include "foldout/io/files.h"
#include "foldout/io/row_writer.h"
#include "foldout/model/model.h"
#include "input.h"
#include "model/report_json.h"
#include "outputs.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct ClassifyOptions : CommonOptions, InputOptions {
  std::string model, data, output, truth, classifier;
  std::vector<std::string> with;

  [[nodiscard]] bool has(std::string_view column) const { return std::ranges::find(with, column) != with.end(); }
};

// What is known about the samples that were labelled.
struct Outcome {
  Labels labels;
  std::vector<std::string> ids, second, truth;  // may be empty
  std::vector<double> confidence;               // likewise
};

// Labels, or a table of labels with further columns.
void write(const Outcome& found, const ClassifyOptions& o) {
  if (o.with.empty()) return save_labels(o.output, found.labels, found.ids);
  const std::vector<std::string> labels = found.labels.texts();
  const bool confident = o.has("confidence");
  Matrix numbers(found.labels.size(), confident ? 1 : 0);
  if (confident) numbers.col(0) = Eigen::Map<const Vector>(found.confidence.data(), numbers.rows());
  RowTexts texts{.ids = found.ids, .last = {{"label", labels}}};
  if (o.has("second")) texts.last.push_back({"second", found.second});
  RowWriter file(o.output, confident ? std::vector<std::string>{"confidence"} : std::vector<std::string>{});
  file.write(numbers, texts);
  file.commit();
}

Outcome classify(const Model& model, const SampleClassifier& classifier, const ClassifyOptions& o,
                 const RunContext& context, Report& report) {
  const auto samples = open_input(o.data, read_options(o, model));
  require_images(o, samples->info().resized, o.data);
  require_image_size(samples->image(), o.data, model);
  Outcome outcome{{model.labels->names, {}, model.labels->integers}, {}, {}, {}, {}};
  const auto append = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
  Tally tally;
  const Index n = for_each_block(*samples, context, [&](const Matrix& block, Index first_row, const RunContext& part) {
    Tally counted;
    std::vector<int> second;
    append(outcome.labels.index, classifier.predict(block, part, counted, o.has("second") ? &second : nullptr));
    tally.absorb(counted, first_row);
    for (const int label : second)
      outcome.second.push_back(label < 0 ? "" : model.labels->names[static_cast<std::size_t>(label)]);
    append(outcome.ids, samples->ids());
    append(outcome.truth, samples->labels());
    if (o.has("confidence")) append(outcome.confidence, model.explain(block, part).confidence);
  });
  note_reading(*samples, report);
  tally.write(report, n);
  return outcome;
}

void run_classify(const ClassifyOptions& o) {
  auto by = with_seed<ClassifierRow>(o.classifier, o);
  check_outputs({{"MODEL", o.model}, {"DATA", o.data}, {"--truth", o.truth}}, {{"-o", o.output}});
  require_one_output(o, {o.output});
  check_further_columns(o.with, {"confidence", "second"}, o.output, false);
  const Model model = load_model(o.model);
  if (!by) by = model.spec.classifier;
  const RunContext context = make_context(o);
  const auto start = std::chrono::steady_clock::now();
  std::optional<Labels> truth;
  if (!o.truth.empty()) truth = read_labels(o.truth);
  Report report;
  const SampleClassifier classifier(model, by, context, report);
  const Outcome outcome = classify(model, classifier, o, context, report);
  const Index n = outcome.labels.size();
  if (truth) require_one_label_each(*truth, o.truth, o.data, n);
  if (!truth && !outcome.truth.empty()) truth = make_labels(outcome.truth);
  write(outcome, o);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  nlohmann::json result = report_to_json(report);
  result.update({{"verb", "classify"},
                 {"model", o.model},
                 {"classifier", classifier.component().text()},
                 {"output", o.output},
                 {"n_samples", n},
                 {"total_seconds", seconds}});
  std::string accuracy_text;
  if (truth) {
    result["accuracy"] = accuracy(outcome.labels.texts(), truth->texts());
    accuracy_text = fmt::format(", accuracy {:.4f}", result["accuracy"].get<double>());
  }
  print_result(o, result,
               fmt::format("{} samples labelled by {} in {:.2f} s{}\n{}", n, classifier.component().name(), seconds,
                           accuracy_text, note_lines(report)));
}

std::string classifier_list() {
  std::string list = "\nClassifiers:\n";
  for (const ClassifierRow& entry : classifier_table()) list += fmt::format("  {:<10} {}\n", entry.name, entry.summary);
  return list;
}

}  // namespace

void add_classify(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("classify", "Label new samples by the training samples of a model");
  const auto o = std::make_shared<ClassifyOptions>();
  verb->add_option("MODEL", o->model, "A model file, fitted with labels")->required();
  verb->add_option("DATA", o->data, "New samples, in any format")->required();
  verb->add_option("-o,--output", o->output,
                   "Labels, written as in the training data: .npy, .npz, .csv, .txt, .mat; - for standard output")
      ->required()
      ->type_name("FILE");
  verb->add_option("--classifier", o->classifier,
                   "nn, affinity, svm or sparse, with their keys (default: the model's classifier, or nn)")
      ->type_name("SPEC");
  verb->add_option("--truth", o->truth, "True labels, to report the accuracy (default: those of DATA, if any)")
      ->type_name("FILE");
  verb->add_option("--with", o->with,
                   "Further columns of a .csv or .tsv output: confidence (how well the training samples explain the "
                   "sample), second (the next best label)")
      ->type_name("NAME,…")
      ->delimiter(',');
  add_input_options(*verb, *o, true);
  verb->footer(classifier_list());
  add_common_options(*verb, *o);
  verb->callback([o] { run_classify(*o); });
}

}  // namespace foldout::cli
