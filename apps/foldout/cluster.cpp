// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/tally.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/dictionary/kmeans.h"
#include "foldout/evaluate/metrics.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "input.h"
#include "model/placing.h"
#include "model/report_json.h"
#include "outputs.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct ClusterOptions : CommonOptions, InputOptions {
  std::string model, data, output, truth;
  KmeansOptions kmeans;
};

std::vector<int> sizes(const Kmeans& fit) {
  std::vector<int> counts(static_cast<std::size_t>(fit.centers.rows()));
  for (const int c : fit.cluster) ++counts[static_cast<std::size_t>(c)];
  return counts;
}

void run_cluster(ClusterOptions o) {
  o.kmeans.seed = o.seed.value_or(0);
  check_fields(fields(o.kmeans), "cluster");
  check_outputs({{"MODEL", o.model}, {"DATA", o.data}, {"--truth", o.truth}}, {{"-o", o.output}});
  require_one_output(o, {o.output});
  const Model model = load_model(o.model);
  const auto start = std::chrono::steady_clock::now();
  const Dataset data = read_dataset(o.data, read_options(o, model));
  require_images(o, data.resized, o.data);
  require_image_size(data.image, o.data, model);
  std::optional<Labels> truth;
  if (!o.truth.empty()) truth = read_labels_of(o.truth, o.data, data.samples.rows());
  if (!truth) truth = data.labels;
  const RunContext context = make_context(o);
  Report report;
  for (const std::string& warning : data.warnings) report.note("reading", warning);
  Tally tally;
  Matrix placed;
  {
    const PhaseTimer timer(report, "placing");
    placed = place_samples(model, data.samples, context, tally);
  }
  tally.write(report, data.samples.rows());
  const Kmeans fit = [&] {
    const PhaseTimer timer(report, "k-means");
    return fit_kmeans(placed, o.kmeans, context);
  }();
  report.absorb(fit.report);
  std::vector<std::string> clusters;
  for (const int c : fit.cluster) clusters.push_back(std::to_string(c));
  save_labels(o.output, make_labels(clusters), data.ids);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  nlohmann::json result = report_to_json(report);
  result.update({{"verb", "cluster"},
                 {"model", o.model},
                 {"output", o.output},
                 {"n_samples", data.samples.rows()},
                 {"n_clusters", fit.centers.rows()},
                 {"spherical", o.kmeans.spherical},
                 {"sizes", sizes(fit)},
                 {"sum_of_squares", fit.sum_of_squares},
                 {"iterations", fit.iterations},
                 {"total_seconds", seconds}});
  std::string error_text;
  if (truth) {
    result["clustering_error"] = clustering_error(clusters, truth->texts());
    error_text = fmt::format(", clustering error {:.4f}", result["clustering_error"].get<double>());
  }
  print_result(o, result,
               fmt::format("{} samples in {} clusters in {:.2f} s{}\n{}", data.samples.rows(), fit.centers.rows(),
                           seconds, error_text, note_lines(report)));
}

}  // namespace

void add_cluster(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("cluster", "Find clusters of samples in an embedding, by k-means");
  const auto o = std::make_shared<ClusterOptions>();
  verb->add_option("MODEL", o->model, "A model file written by fit or extend")->required();
  verb->add_option("DATA", o->data, "Samples, in any format; the model places them first")->required();
  verb->add_option("-n,--n-clusters", o->kmeans.n_clusters, "Number of clusters")->required()->type_name("K");
  verb->add_option("-o,--output", o->output,
                   "The index of each sample's cluster, from 0: .npy, .npz, .csv, .txt, .mat; - for standard output")
      ->required()
      ->type_name("FILE");
  verb->add_flag("--spherical", o->kmeans.spherical, "Compare directions, for maps based on angles such as cea");
  verb->add_option("--restarts", o->kmeans.restarts, "Number of starts, of which the best is kept")
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--truth", o->truth, "True labels, to report the clustering error under the best assignment")
      ->type_name("FILE");
  add_input_options(*verb, *o);
  add_common_options(*verb, *o);
  verb->callback([o] { run_cluster(*o); });
}

}  // namespace foldout::cli
