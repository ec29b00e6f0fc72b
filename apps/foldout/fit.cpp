// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "foldout/io/row_writer.h"
#include "foldout/model/model.h"
#include "input.h"
#include "learning.h"
#include "outputs.h"

namespace foldout::cli {
namespace {

struct FitOptions : LearnOptions {
  std::string model, embedding, preset;
  bool no_header = false;
};

// The requested components; those of the preset replace missing ones.
ModelSpec requested(const FitOptions& o) {
  ModelSpec spec = parse_spec(o);
  if (!o.preset.empty()) {
    const ModelSpec recipe = preset(o.preset);
    if (spec.preprocess.empty()) spec.preprocess = recipe.preprocess;
    if (!spec.method) spec.method = recipe.method;
    if (!spec.classifier) spec.classifier = recipe.classifier;
  }
  if (!spec.method)
    throw InvalidArgument("fit: --method is missing: add --method SPEC (see: foldout methods) or --preset NAME");
  return completed(spec);
}

// For samples that stay in their file.
void fit_from_batches(const FitOptions& o, const ModelSpec& spec, std::chrono::steady_clock::time_point start) {
  const ReadOptions reading = read_options(o);
  if (reading.missing == MissingValues::kMean)
    throw InvalidArgument("--missing mean needs all samples at once: give --missing drop, or omit batch_size");
  const auto stream = open_input(o.data, reading);
  require_images(o, stream->info().resized, o.data);
  if (!o.embedding.empty() && !stream->can_restart())
    throw InvalidArgument(
        fmt::format("--embedding reads the samples again, but {} can be read only once: give a file", stream->name()));
  const auto labels = o.labels.empty() ? std::vector<std::string>{} : read_labels(o.labels).texts();
  const std::clock_t cpu_start = std::clock();
  const RunContext context = make_context(o);
  const Model model = fit_streamed(*stream, labels, spec, context);
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  if (!o.embedding.empty()) {
    RowWriter file(o.embedding, coordinate_names(model.coordinates.cols(), o.no_header));
    stream->restart();
    for_each_block(*stream, context, [&](const Matrix& block, Index, const RunContext& part) {
      file.write(model.transform(block, part), {.ids = stream->ids()});
    });
    file.commit();
  }
  save_and_report("fit", o, o.model, model, start, cpu_seconds);
}

void run_fit(const FitOptions& o) {
  const ModelSpec spec = requested(o);
  check_model_output({{"DATA", o.data}, {"--labels", o.labels}}, {"-o", o.model}, {{"--embedding", o.embedding}});
  require_one_output(o, {o.embedding});
  const auto start = std::chrono::steady_clock::now();
  if (learns_from_batches(spec)) return fit_from_batches(o, spec, start);
  const Dataset data = load_labelled(o);
  const std::clock_t cpu_start = std::clock();
  const Model model = fit_model(data, spec, make_context(o));
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  if (!o.embedding.empty()) {
    RowWriter file(o.embedding, coordinate_names(model.coordinates.cols(), o.no_header));
    file.write(model.coordinates, {.ids = data.ids});
    file.commit();
  }
  save_and_report("fit", o, o.model, model, start, cpu_seconds);
}

}  // namespace

void add_fit(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("fit", "Fit a map to samples and write it to a model file");
  const auto o = std::make_shared<FitOptions>();
  add_learn_options(*verb, *o);
  verb->add_option("-o,--output", o->model, "The model file to write")->required()->type_name("MODEL");
  verb->add_option("--method", o->method, "The method, e.g. lle:n_neighbors=12 (see: foldout methods)")
      ->type_name("SPEC");
  verb->add_option("--preset", o->preset, "A complete recipe: faces (face recognition by angles; needs labels)")
      ->type_name("NAME");
  verb->add_option("--extension", o->extension,
                   "How new samples are placed (default: depends on the method; with a dictionary: codes)")
      ->type_name("SPEC");
  verb->add_option("--dictionary", o->dictionary,
                   "Learn atoms as landmarks, e.g. lcdl:n_atoms=500, and embed these instead of the samples")
      ->type_name("SPEC");
  add_classifier_option(*verb, *o);
  verb->add_option("--embedding", o->embedding, "Also write the coordinates of the training samples")
      ->type_name("FILE");
  add_header_option(*verb, o->no_header);
  add_common_options(*verb, *o);
  verb->callback([o] { run_fit(*o); });
}

}  // namespace foldout::cli
