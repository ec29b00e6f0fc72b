// SPDX-License-Identifier: Apache-2.0
#include "model/classify.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
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
#include "foldout/model/model.h"
#include "input.h"
#include "model/report_json.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct ClassifyOptions : CommonOptions {
  std::string model, data, output, truth, classifier;
};

void run_classify(const ClassifyOptions& o) {
  auto by = with_seed<ClassifierRow>(o.classifier, o);
  require_output_format(o.output);
  require_one_output(o, {o.output});
  if (o.output != "-") require_writable(o.output);
  const Model model = load_model(o.model);
  if (!by) by = model.spec.classifier;
  const RunContext context = make_context(o);
  const auto start = std::chrono::steady_clock::now();
  std::optional<Labels> truth;
  if (!o.truth.empty()) truth = read_labels(o.truth);
  const auto samples = open_input(o.data);
  Report report;
  Tally tally;
  const SampleClassifier classifier(model, by, context, report);
  Labels labels{model.labels->names, {}, model.labels->integers};
  const Index n = for_each_block(*samples, context, [&](const Matrix& block, Index first_row, const RunContext& part) {
    Tally counted;
    const std::vector<int> found = classifier.predict(block, part, counted);
    tally.absorb(counted, first_row);
    labels.index.insert(labels.index.end(), found.begin(), found.end());
  });
  tally.write(report, n);
  if (truth) require_one_label_each(*truth, o.truth, o.data, n);
  save_labels(o.output, labels);
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
    result["accuracy"] = accuracy(labels.texts(), truth->texts());
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
  verb->add_option("--truth", o->truth, "True labels, to report the accuracy")->type_name("FILE");
  verb->footer(classifier_list());
  add_common_options(*verb, *o);
  verb->callback([o] { run_classify(*o); });
}

}  // namespace foldout::cli
