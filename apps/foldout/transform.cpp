// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "foldout/io/row_writer.h"
#include "foldout/model/model.h"
#include "input.h"
#include "io/location.h"
#include "maps/coded_map.h"
#include "maps/counted_transform.h"
#include "model/placing.h"
#include "model/report_json.h"
#include "outputs.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct TransformOptions : CommonOptions, InputOptions {
  std::string model, data, output, confidence, codes, codes_signed;
  std::vector<std::string> with;
  bool no_header = false;

  [[nodiscard]] bool has(std::string_view column) const { return std::ranges::find(with, column) != with.end(); }
};

// The rows of the output: coordinates, and the further columns of --with.
class PlacedTable {
 public:
  PlacedTable(const TransformOptions& o, const Model& model, const SampleStream& samples)
      : o_(o), model_(model), samples_(samples), file_(o.output, names(o, model)) {}

  void write(const Matrix& coordinates, const MatrixRef& prepared, const RunContext& context) {
    RowTexts texts{.ids = samples_.ids()};
    if (o_.has("label")) {
      if (samples_.labels().empty())
        throw InvalidArgument(fmt::format("--with label: {} has no labels: omit it, or give --label-column", o_.data));
      texts.last.push_back({"label", samples_.labels()});
    }
    if (!o_.has("confidence") && !o_.has("residual")) return file_.write(coordinates, texts);
    const Explanation explanation = model_.confidence->explain(prepared, context);
    Matrix all(coordinates.rows(), coordinates.cols() + (o_.has("confidence") ? 1 : 0) + (o_.has("residual") ? 1 : 0));
    all.leftCols(coordinates.cols()) = coordinates;
    if (o_.has("confidence")) all.col(coordinates.cols()) = explanation.confidence;
    if (o_.has("residual")) all.rightCols(1) = explanation.residuals;
    file_.write(all, texts);
  }
  void commit() { file_.commit(); }

 private:
  static std::vector<std::string> names(const TransformOptions& o, const Model& model) {
    std::vector<std::string> names = coordinate_names(model.coordinates.cols(), o.no_header);
    for (const char* further : {"confidence", "residual"})
      if (o.has(further)) names.emplace_back(further);
    return names;
  }

  const TransformOptions& o_;
  const Model& model_;
  const SampleStream& samples_;
  RowWriter file_;
};

Matrix two_columns(const Explanation& explanation) {
  Matrix both(explanation.confidence.size(), 2);
  both << explanation.confidence, explanation.residuals;
  return both;
}

// The outcome of placement, for the report.
struct Outcome {
  Index rows = 0;
  Tally tally;
  Report reading;
};

// Block by block. Rows of standard input are placed as they arrive if the output is text.
Outcome place(const Model& model, const TransformOptions& o, const RunContext& context) {
  ReadOptions reading = read_options(o, model);
  reading.as_they_arrive = o.output == "-" || locate_output(o.output).format == Format::kText;
  const auto samples = open_input(o.data, reading);
  require_images(o, samples->info().resized, o.data);
  require_image_size(samples->image(), o.data, model);
  PlacedTable table(o, model, *samples);
  std::optional<RowWriter> confidence;
  if (!o.confidence.empty()) confidence.emplace(o.confidence, std::vector<std::string>{"confidence", "residual"});
  std::vector<SparseMatrix> codes, coefficients;
  Outcome outcome;
  outcome.rows = for_each_block(*samples, context, [&](const Matrix& block, Index first_row, const RunContext& part) {
    with_prepared(model, block, part, [&](const MatrixRef& prepared) {
      Tally tally;
      Matrix coordinates;
      if (o.codes.empty() && o.codes_signed.empty()) {
        coordinates = CountedTransform{*model.map}(prepared, part, tally);
      } else {
        CodedPlacement placed = dynamic_cast<const CodedMap&>(*model.map).place(prepared, part, tally);
        coordinates = std::move(placed.coordinates);
        if (!o.codes.empty()) codes.push_back(std::move(placed.codes));
        if (!o.codes_signed.empty()) coefficients.push_back(std::move(placed.coefficients));
      }
      table.write(coordinates, prepared, part);
      outcome.tally.absorb(tally, first_row);
      if (confidence)
        confidence->write(two_columns(model.confidence->explain(prepared, part)), {.ids = samples->ids()});
    });
  });
  if (confidence) confidence->commit();
  if (!o.codes.empty()) save_sparse_npz(o.codes, stacked(codes, codes.front().cols()));
  if (!o.codes_signed.empty()) save_sparse_npz(o.codes_signed, stacked(coefficients, coefficients.front().cols()));
  table.commit();
  note_reading(*samples, outcome.reading);
  return outcome;
}

// Checks the request before samples are read.
void check_request(const TransformOptions& o) {
  check_outputs(
      {{"MODEL", o.model}, {"DATA", o.data}},
      {{"-o", o.output}, {"--confidence", o.confidence}, {"--codes", o.codes}, {"--codes-signed", o.codes_signed}});
  require_one_output(o, {o.output, o.confidence});
  check_further_columns(o.with, {"label", "confidence", "residual"}, o.output, o.no_header);
  for (const auto& [option, path] : {std::pair{"--codes", o.codes}, {"--codes-signed", o.codes_signed}})
    if (!path.empty() && !path.ends_with(".npz"))
      throw InvalidArgument(
          fmt::format("{} {}: codes are a sparse matrix: give a name that ends in .npz", option, path));
}

void require_coefficients(const OutOfSampleMap& map) {
  const auto* coded = dynamic_cast<const CodedMap*>(&map);
  if (!coded || !coded->coder().has_coefficients())
    throw InvalidArgument(
        fmt::format("--codes-signed: {} does not compute signed L1 codes: fit the model with the extension sparse{}",
                    map.info().name, map.has_codes() ? ", or write its weights by --codes" : ""));
}

void run_transform(const TransformOptions& o) {
  check_request(o);
  const Model model = load_model(o.model);
  if (!o.codes.empty() && !model.map->has_codes()) (void)model.codes(Matrix(0, model.n_features));
  if (!o.codes_signed.empty()) require_coefficients(*model.map);
  const RunContext context = make_context(o);
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = place(model, o, context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Report report = outcome.reading;
  outcome.tally.write(report, outcome.rows);
  nlohmann::json result = report_to_json(report);
  result.update({{"verb", "transform"},
                 {"model", o.model},
                 {"output", o.output},
                 {"n_samples", outcome.rows},
                 {"n_components", model.coordinates.cols()},
                 {"placed_by", model.map->info().name},
                 {"total_seconds", seconds}});
  print_result(o, result,
               fmt::format("{} samples placed by {} in {:.2f} s\n{}", outcome.rows, model.map->info().name, seconds,
                           note_lines(report)));
}

}  // namespace

void add_transform(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("transform", "Embed new samples with a model");
  const auto o = std::make_shared<TransformOptions>();
  verb->add_option("MODEL", o->model, "A model file written by fit or extend")->required();
  verb->add_option("DATA", o->data, "New samples, in any format; - reads CSV rows and embeds them as they arrive")
      ->required();
  verb->add_option("-o,--output", o->output,
                   "Coordinates: .npy, .npz, .csv, .tsv, .txt, .mat; - for CSV on standard output")
      ->required()
      ->type_name("FILE");
  verb->add_option("--confidence", o->confidence,
                   "Also write, per sample, how well the training samples explain it (0 … 1) and the residual")
      ->type_name("FILE");
  verb->add_option("--with", o->with, "Further columns of a .csv or .tsv output: label, confidence, residual")
      ->type_name("NAME,…")
      ->delimiter(',');
  add_header_option(*verb, o->no_header);
  add_input_options(*verb, *o, true);
  verb->add_option(
          "--codes", o->codes,
          "Also write the weights of the training samples or atoms that place each sample, which sum to one (of the "
          "extension sparse: |a|/Σ|a|, Eq. 9), for scipy.sparse.load_npz")
      ->type_name("FILE.npz");
  verb->add_option("--codes-signed", o->codes_signed,
                   "Also write the signed coefficients a of the extension sparse, of samples at unit length, whose "
                   "optimality the report certifies")
      ->type_name("FILE.npz");
  verb->footer(
      "\nSamples are embedded block by block, with memory bounded by a block. Exceptions: .npz files in Fortran order\n"
      "and .mat files, unless uncompressed and of version 5 to 7, are read as a whole; the rows of .npz and .mat\n"
      "outputs are collected before they are written.\n");
  add_common_options(*verb, *o);
  verb->callback([o] { run_transform(*o); });
}

}  // namespace foldout::cli
