// SPDX-License-Identifier: Apache-2.0
// Every shard gets an output of its own, written by one rank under a temporary name and renamed when it is complete.
// What a killed run has finished is therefore valid, and a second run goes on from there.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "checkpoint.h"
#include "foldout/core/error.h"
#include "foldout/io/row_writer.h"
#include "foldout/model/model.h"
#include "input.h"
#include "model/seal.h"
#include "outputs.h"
#include "shards.h"
#include "verbs.h"

namespace foldout::mpi {
namespace {

namespace fs = std::filesystem;

struct TransformOptions : cli::CommonOptions, cli::InputOptions {
  std::string model, directory, format = "npy";
  std::vector<std::string> data;
  bool no_header = false;
};

// The checksum in the header of a model file, which load_model() has verified.
std::string checksum_of(const std::string& model) {
  std::ifstream file(model, std::ios::binary);
  std::uint64_t header = 0;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  std::vector<std::uint8_t> bytes(sizeof header + header);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), std::ssize(bytes));
  constexpr std::size_t kDigits = 16;
  const std::size_t at = find_checksum_digits(bytes).value();
  return {bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin() + static_cast<std::ptrdiff_t>(at + kDigits)};
}

// What determines the outputs, besides the shards.
std::string request_of(const TransformOptions& o) {
  const nlohmann::json request{{"model", checksum_of(o.model)},
                               {"label_column", o.label_column},
                               {"id_column", o.id_column},
                               {"drop", o.drop},
                               {"columns", o.columns},
                               {"missing", o.missing},
                               {"resize", o.resize},
                               {"header", !o.no_header}};
  return request.dump(2) + "\n";
}

bool is_finished(const fs::path& output, const fs::path& shard) {
  std::error_code error;
  if (!fs::exists(output, error)) return false;
  const auto written = fs::last_write_time(output, error), changed = fs::last_write_time(shard, error);
  return !error && written >= changed;
}

Index place_shard(const std::string& shard, const std::string& output, const Model& model, const TransformOptions& o,
                  const RunContext& context) {
  const auto samples = cli::open_input(shard, cli::read_options(o, model));
  cli::require_images(o, samples->info().resized, shard);
  cli::require_image_size(samples->image(), shard, model);
  RowWriter file(output, cli::coordinate_names(model.coordinates.cols(), o.no_header));
  Index rows = 0;
  try {
    rows = cli::for_each_block(*samples, context, [&](const Matrix& block, Index, const RunContext& part) {
      file.write(model.transform(block, part), {.ids = samples->ids()});
    });
  } catch (const InvalidArgument& error) {  // about a row or the width: of which shard?
    const std::string_view message = error.what();
    if (message.starts_with(shard)) throw;
    throw InvalidArgument(fmt::format("{}: {}", shard, message));
  }
  file.commit();
  return rows;
}

// Part s of n, as a part of the whole work.
RunContext part_of(const RunContext& context, std::size_t s, std::size_t n) {
  RunContext part = context;
  part.progress = [&context, s, n](const Progress& progress) {
    return context.progress({"placing", (static_cast<double>(s) + progress.fraction) / static_cast<double>(n)});
  };
  return part;
}

void run_transform(const TransformOptions& o, const Ranks& ranks) {
  const auto start = std::chrono::steady_clock::now();
  if (o.format != "npy" && o.format != "csv" && o.format != "tsv")
    throw InvalidArgument(fmt::format("--format {}: must be npy, csv or tsv", o.format));
  const std::vector<std::string> shards = find_shards(o.data, ranks);
  const std::vector<std::string> names = output_names(shards, "." + o.format);
  const Model model = load_model(o.model);
  if (ranks.is_root()) claim_directory("-o", o.directory, request_of(o));
  ranks.meet();

  const RunContext context = make_context(o, ranks);
  std::vector<std::size_t> mine;
  std::int64_t kept = 0, rows = 0;
  const std::vector<int> owner = balanced(bytes_of(shards, ranks), ranks.size());
  for (std::size_t s = 0; s < shards.size(); ++s) {
    if (owner[s] != ranks.rank()) continue;
    if (is_finished(fs::path(o.directory) / names[s], shards[s]))
      ++kept;
    else
      mine.push_back(s);
  }
  for (std::size_t i = 0; i < mine.size(); ++i)
    rows += place_shard(shards[mine[i]], (fs::path(o.directory) / names[mine[i]]).string(), model, o,
                        part_of(context, i, mine.size()));
  const std::int64_t n_rows = ranks.sum_of(rows), n_kept = ranks.sum_of(kept);
  if (!ranks.is_root()) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto n_done = std::ssize(shards) - n_kept;
  cli::print_result(o,
                    {{"verb", "transform"},
                     {"model", o.model},
                     {"output", o.directory},
                     {"n_ranks", ranks.size()},
                     {"n_shards", shards.size()},
                     {"n_shards_kept", n_kept},
                     {"n_samples", n_rows},
                     {"n_components", model.coordinates.cols()},
                     {"placed_by", model.map->info().name},
                     {"total_seconds", seconds}},
                    fmt::format("{} samples of {} shards placed by {} on {} ranks in {:.2f} s{}\n", n_rows, n_done,
                                model.map->info().name, ranks.size(), seconds,
                                n_kept > 0 ? fmt::format("; {} shards were finished before", n_kept) : ""));
}

}  // namespace

void add_transform(CLI::App& app, const Ranks& ranks) {
  CLI::App* verb = app.add_subcommand("transform", "Embed new samples in shards with a model");
  const auto o = std::make_shared<TransformOptions>();
  verb->add_option("MODEL", o->model, "A model file written by fit or extend")->required();
  verb->add_option("SHARDS", o->data, "Files, folders of images, or quoted patterns: 'shards/*.npy'")->required();
  verb->add_option("-o,--output", o->directory,
                   "The directory of the coordinates, a file for each shard; files that are finished are kept")
      ->required()
      ->type_name("DIR");
  verb->add_option("--format", o->format, "Of the coordinates: npy, csv or tsv (default: npy)")->type_name("NAME");
  cli::add_header_option(*verb, o->no_header);
  cli::add_input_options(*verb, *o);
  cli::add_common_options(*verb, *o);
  verb->callback([o, &ranks] { run_transform(*o, ranks); });
}

}  // namespace foldout::mpi
