// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "foldout/core/error.h"
#include "foldout/load/atomic_file.h"
#include "foldout/load/csv.h"
#include "foldout/load/dataset.h"
#include "foldout/pipeline/model.h"
#include "foldout/pipeline/model_file.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct TransformOptions : CommonOptions {
  std::string model, data, output;
};

constexpr Index kStreamRows = 256;

// Rows from standard input to text output, placed as they arrive; memory does not grow with their number.
Index stream(const Model& model, const TransformOptions& o, const RunContext& context) {
  std::optional<AtomicFile> file;
  if (o.output != "-") file.emplace(o.output);
  const char separator = o.output.ends_with(".tsv") ? '\t' : ',';
  CsvWriter writer(file ? file->stream() : std::cout, o.output, {}, separator);
  CsvReader reader(std::cin, "standard input");
  Matrix block;
  Index rows = 0;
  while (reader.next(block, kStreamRows)) {
    writer.write(model.transform(block, context));
    writer.flush();
    rows += block.rows();
  }
  stop_if_interrupted();
  if (rows == 0) throw IoError("standard input: there are no samples");
  if (file) file->commit();
  return rows;
}

bool is_text(const std::string& path) {
  return path == "-" || path.ends_with(".csv") || path.ends_with(".tsv") || path.ends_with(".txt");
}

void run_transform(const TransformOptions& o) {
  require_output_format(o.output);
  require_one_output(o, {o.output});
  if (o.output != "-") require_writable(o.output);
  const Model model = load_model(o.model);
  const RunContext context = make_context(o);
  const auto start = std::chrono::steady_clock::now();
  Index rows = 0;
  if (o.data == "-" && is_text(o.output)) {
    rows = stream(model, o, context);
  } else {
    const Matrix placed = model.transform(load_dataset(o.data).samples, context);
    save_matrix(o.output, placed);
    rows = placed.rows();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  tell(o,
       {{"verb", "transform"},
        {"model", o.model},
        {"output", o.output},
        {"n_samples", rows},
        {"n_components", model.coordinates.cols()},
        {"placed_by", model.map->info().name},
        {"total_seconds", seconds}},
       fmt::format("{} samples placed by {} in {:.2f} s\n", rows, model.map->info().name, seconds));
}

}  // namespace

void add_transform(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("transform", "Place new samples on a learned map");
  const auto o = std::make_shared<TransformOptions>();
  verb->add_option("MODEL", o->model, "A model file that fit has written")->required();
  verb->add_option("DATA", o->data, "New samples, in any format; - reads CSV rows and places them as they arrive")
      ->required();
  verb->add_option("-o,--output", o->output, "Coordinates: .npy, .npz, .csv, .tsv, .mat; - for CSV on standard output")
      ->required()
      ->type_name("FILE");
  add_common_options(*verb, *o);
  verb->callback([o] { run_transform(*o); });
}

}  // namespace foldout::cli
