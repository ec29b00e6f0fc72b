// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "checkpoint.h"
#include "core/check.h"
#include "crew.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "learning.h"
#include "model/fit_model.h"
#include "outputs.h"
#include "rank_rows.h"
#include "reading.h"
#include "shards.h"
#include "verbs.h"

namespace foldout::mpi {
namespace {

namespace fs = std::filesystem;

struct FitOptions : cli::LearnOptions {
  std::vector<std::string> shards, shard_labels;
  std::string model, embedding, checkpoint, solve = "root";
};

// The coordinates of each shard, in a file of its own.
void write_embedding(const FitOptions& o, const std::vector<std::string>& names, const std::vector<Index>& shard_rows,
                     const Matrix& coordinates) {
  Index row = 0;
  for (std::size_t s = 0; s < names.size(); ++s) {
    save_matrix((fs::path(o.embedding) / names[s]).string(), coordinates.middleRows(row, shard_rows[s]));
    row += shard_rows[s];
  }
}

void check_outputs(const FitOptions& o, const std::vector<std::string>& shards) {
  std::vector<cli::NamedFile> inputs;
  for (const std::string& shard : shards) inputs.push_back({"SHARDS", shard});
  cli::check_model_output(inputs, {"-o", o.model});
  std::error_code error;
  if (!o.embedding.empty() && !fs::is_directory(o.embedding, error) && !fs::create_directory(o.embedding, error))
    throw IoError(fmt::format("--embedding {}: the directory cannot be created: create it first", o.embedding));
}

Solve solve_in(const FitOptions& o, const ModelSpec& spec) {
  if (o.solve != "root" && o.solve != "distributed")
    throw InvalidArgument(fmt::format("--solve {}: must be root or distributed", o.solve));
  if (o.solve == "root") return Solve::kRoot;
  static constexpr std::string_view kSparse[] = {"laplacian_eigenmaps", "diffusion_maps", "lle", "ltsa", "hessian_lle"};
  if (spec.dictionary || std::ranges::find(kSparse, spec.method.name()) == std::end(kSparse))
    throw InvalidArgument(
        fmt::format("--solve distributed is for {} without a dictionary: omit it", fmt::join(kSparse, ", ")));
  return Solve::kDistributed;
}

// Without a dictionary rank 0 gets all samples, which the model contains, and runs the fit; the others help.
Model fit_at_root(SharedData data, const ModelSpec& spec, Solve solve, const Checkpoint& checkpoint, const Ranks& ranks,
                  RunContext context) {
  if (ranks.is_root())
    require_memory(8.0 * static_cast<double>(data.n_rows) * static_cast<double>(data.held.cols()),
                   fmt::format("the {} samples, which rank 0 holds without a dictionary", data.n_rows),
                   "add --dictionary SPEC, with which they stay divided");
  const Matrix samples = ranks.rows_at_root(data.held);
  data.held.resize(0, 0);
  if (!ranks.is_root()) {
    serve(ranks, context);
    return {};
  }
  Crew crew(solve, ranks, checkpoint);
  context.shared = &crew;
  Model model = fit_samples(samples, data.about, spec, context);
  crew.dismiss();
  if (const DistributedSolution& solution = crew.solution(); solution.n_pairs > 0) {
    model.report.figure("eigengap", solution.gap);
    model.report.figure("residual_of_gap", solution.residual / solution.gap);
  }
  return model;
}

// What determines the fit: the checkpoint of another one is refused.
std::string request_of(const FitOptions& o, const ModelSpec& spec, const std::vector<std::string>& shards,
                       const std::vector<std::string>& labels) {
  nlohmann::json request = cli::to_json(spec);
  request.update({{"label_column", o.label_column},
                  {"id_column", o.id_column},
                  {"drop", o.drop},
                  {"columns", o.columns},
                  {"missing", o.missing},
                  {"resize", o.resize},
                  {"shards", describe_shards(shards)},
                  {"labels", describe_shards(labels)}});
  return request.dump(2) + "\n";
}

// Only what can go on is offered.
void check_checkpoint(const FitOptions& o, const ModelSpec& spec) {
  if (!o.checkpoint.empty() && spec.dictionary && spec.dictionary.name() != "lcdl")
    throw InvalidArgument(
        fmt::format("--checkpoint keeps neighbours, and the atoms of lcdl; nothing of {} is kept: omit it",
                    spec.dictionary.name()));
}

void run_fit(const FitOptions& o, const Ranks& ranks) {
  const auto start = std::chrono::steady_clock::now();
  if (o.method.empty()) throw InvalidArgument("fit: --method is missing: add --method SPEC (see: foldout methods)");
  const ModelSpec spec = completed(cli::parse_spec(o));
  const Solve solve = solve_in(o, spec);
  check_checkpoint(o, spec);
  const std::vector<std::string> shards = find_shards(o.shards, ranks);
  const std::vector<std::string> names = output_names(shards, ".npy");
  const std::vector<std::string> labels =
      o.shard_labels.empty() ? std::vector<std::string>{} : find_shards(o.shard_labels, ranks);
  if (ranks.is_root()) check_outputs(o, shards);
  const Checkpoint checkpoint(o.checkpoint, request_of(o, spec, shards, labels), ranks);
  ranks.meet();

  const RunContext context = make_context(o, ranks);
  SharedData data = read_shards(shards, labels, cli::read_options(o), ranks, context);
  const std::clock_t cpu_start = std::clock();
  const Model model = spec.dictionary ? fit_shared(RankRows(std::move(data.held), data.n_rows, ranks, &checkpoint),
                                                   data.about, spec, context)
                                      : fit_at_root(std::move(data), spec, solve, checkpoint, ranks, context);
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  if (!ranks.is_root()) return;
  if (!o.embedding.empty()) write_embedding(o, names, data.shard_rows, model.coordinates);
  cli::save_and_report("fit", o, o.model, model, start, cpu_seconds);
}

}  // namespace

void add_fit(CLI::App& app, const Ranks& ranks) {
  CLI::App* verb = app.add_subcommand("fit", "Fit a map to samples in shards and write it to a model file");
  const auto o = std::make_shared<FitOptions>();
  verb->add_option("SHARDS", o->shards, "Files, folders of images, or quoted patterns: 'shards/*.npy'")->required();
  verb->add_option("-o,--output", o->model, "The model file to write")->required()->type_name("MODEL");
  verb->add_option("--method", o->method, "The method, e.g. lle:n_neighbors=12 (see: foldout methods)")
      ->type_name("SPEC");
  verb->add_option(
          "--dictionary", o->dictionary,
          "Learn atoms as landmarks, e.g. lcdl:n_atoms=1000, and embed these instead of the samples; without it, "
          "rank 0 has all samples")
      ->type_name("SPEC");
  verb->add_option("--extension", o->extension, "How new samples are placed (default: codes over the atoms)")
      ->type_name("SPEC");
  verb->add_option("--preprocess", o->preprocess,
                   "A preprocessing step (with a dictionary unit_norm or random_projection); repeatable")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  verb->add_option("--labels", o->shard_labels,
                   "Files of labels, or a quoted pattern: one for each shard, in their order")
      ->type_name("FILES");
  cli::add_classifier_option(*verb, *o);
  verb->add_option("--embedding", o->embedding,
                   "Also write the coordinates of the training samples, a file for each shard")
      ->type_name("DIR");
  verb->add_option(
          "--checkpoint", o->checkpoint,
          "A directory for the neighbours and the atoms after every iteration; the same fit goes on from there")
      ->type_name("DIR");
  verb->add_option("--solve", o->solve,
                   "Where eigenproblems of graphs are solved: root, with the bits of the single process (default), or "
                   "distributed, by all ranks")
      ->type_name("WHERE");
  cli::add_input_options(*verb, *o);
  cli::add_common_options(*verb, *o);
  verb->callback([o, &ranks] { run_fit(*o, ranks); });
}

}  // namespace foldout::mpi
