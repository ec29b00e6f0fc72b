// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tally.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "input.h"
#include "io/csv.h"
#include "model/report_json.h"
#include "row_file.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct TransformOptions : CommonOptions {
  std::string model, data, output, confidence, codes;
};

constexpr Index kStreamRows = 256;
const std::vector<std::string> kConfidenceColumns{"confidence", "residual"};

Matrix two_columns(const Explanation& explanation) {
  Matrix both(explanation.confidence.size(), 2);
  both << explanation.confidence, explanation.residuals;
  return both;
}

// What placing gave, for the report.
struct Outcome {
  Index rows = 0;
  Tally tally;
};

// Rows from standard input to text output, placed as they arrive; memory does not grow with their number.
Outcome stream(const Model& model, const TransformOptions& o, const RunContext& context) {
  RowFile coordinates(o.output, {});
  std::optional<RowFile> confidence;
  if (!o.confidence.empty()) confidence.emplace(o.confidence, kConfidenceColumns);
  CsvReader reader(std::cin, "standard input", LabelColumn::kRecognised, Blocks::kAtHand);
  Matrix block;
  Outcome outcome;
  const auto counted_from = [&](const std::exception& error) {
    return fmt::format("standard input, counted from sample {}: {}", outcome.rows, error.what());
  };
  while (reader.next(block, kStreamRows)) {
    try {
      const Matrix prepared = model.prepare(block, context);
      Tally tally;
      coordinates.write(model.map->transform(prepared, context, tally));
      outcome.tally.absorb(tally, outcome.rows);
      if (confidence) confidence->write(two_columns(model.confidence->explain(prepared, context)));
      outcome.rows += block.rows();
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(counted_from(error));
    } catch (const NumericalError& error) {
      throw NumericalError(counted_from(error));
    }
  }
  stop_if_interrupted();
  if (outcome.rows == 0) throw IoError("standard input: there are no samples");
  if (confidence) confidence->commit();
  coordinates.commit();
  return outcome;
}

Outcome place_file(const Model& model, const TransformOptions& o, const RunContext& context) {
  const Matrix prepared = model.prepare(read_dataset(o.data).samples, context);
  Outcome outcome{prepared.rows(), {}};
  const Matrix placed = model.map->transform(prepared, context, outcome.tally);
  if (!o.confidence.empty())
    save_matrix(o.confidence, two_columns(model.confidence->explain(prepared, context)), kConfidenceColumns);
  if (!o.codes.empty()) save_sparse_npz(o.codes, model.map->codes(prepared, context));
  save_matrix(o.output, placed);
  return outcome;
}

// What is wrong with the request should be told before the samples are read.
void check_request(const TransformOptions& o) {
  require_output_format(o.output);
  if (!o.confidence.empty()) require_output_format(o.confidence);
  require_one_output(o, {o.output, o.confidence});
  for (const std::string& path : {o.output, o.confidence, o.codes})
    if (!path.empty() && path != "-") require_writable(path);
  for (const auto& [a, b] : {std::pair{o.output, o.confidence}, {o.output, o.codes}, {o.confidence, o.codes}})
    if (!a.empty() && a != "-" && a == b)
      throw InvalidArgument(fmt::format("{}: two results cannot go to one file: give each its own", a));
  if (!o.codes.empty() && !o.codes.ends_with(".npz"))
    throw InvalidArgument(fmt::format("--codes {}: codes are a sparse matrix, written as .npz", o.codes));
  if (o.data != "-" || !is_text(o.output)) return;
  if (!o.codes.empty())
    throw InvalidArgument("--codes needs the samples in a file: their number must be known to write a sparse matrix");
  if (!o.confidence.empty() && !is_text(o.confidence))
    throw InvalidArgument(
        fmt::format("--confidence {}: rows that are placed as they arrive go to .csv, .tsv or .txt", o.confidence));
}

void run_transform(const TransformOptions& o) {
  check_request(o);
  const Model model = load_model(o.model);
  if (!o.codes.empty() && !model.map->has_codes()) (void)model.codes(Matrix(0, model.n_features));
  const RunContext context = make_context(o);
  const auto start = std::chrono::steady_clock::now();
  const bool streamed = o.data == "-" && is_text(o.output);
  const Outcome outcome = streamed ? stream(model, o, context) : place_file(model, o, context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Report report;
  outcome.tally.write(report, outcome.rows);
  nlohmann::json result = report_to_json(report);
  result.update({{"verb", "transform"},
                 {"model", o.model},
                 {"output", o.output},
                 {"n_samples", outcome.rows},
                 {"n_components", model.coordinates.cols()},
                 {"placed_by", model.map->info().name},
                 {"total_seconds", seconds}});
  tell(o, result,
       fmt::format("{} samples placed by {} in {:.2f} s\n{}", outcome.rows, model.map->info().name, seconds,
                   note_lines(report)));
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
  verb->add_option("--confidence", o->confidence,
                   "Also write, per sample, how well the training samples explain it (0 … 1) and the residual")
      ->type_name("FILE");
  verb->add_option("--codes", o->codes, "Also write which training samples hold each one, for scipy.sparse.load_npz")
      ->type_name("FILE.npz");
  add_common_options(*verb, *o);
  verb->callback([o] { run_transform(*o); });
}

}  // namespace foldout::cli
