// SPDX-License-Identifier: Apache-2.0
// Shared by all verbs: the common options, progress and cancellation, and the output of results.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/components/model_spec.h"
#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/report.h"
#include "foldout/io/files.h"

namespace foldout::cli {

struct CommonOptions {
  std::optional<std::uint64_t> seed;
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

void add_common_options(CLI::App& verb, CommonOptions& options);

/// The requested threads, a progress bar if standard error is a terminal, and cancellation by Ctrl-C.
[[nodiscard]] RunContext make_context(const CommonOptions& options);

/// Throws InvalidArgument if more than one result would be written to standard output.
void require_one_output(const CommonOptions& options, const std::vector<std::string>& paths);

/// Throws IoError if the folder of the file does not exist (checked before work starts).
void require_writable(const std::string& path);

/// Whether a signal asked the program to end.
[[nodiscard]] bool was_interrupted();
/// Throws Cancelled after Ctrl-C.
void stop_if_interrupted();

/// Removes the progress bar and prints the result: with --json the object to standard output, otherwise the text to
/// standard error, unless -q.
void print_result(const CommonOptions& options, const nlohmann::json& result, std::string_view text);

/// The notes of a report as lines of text.
[[nodiscard]] std::string note_lines(const Report& report);

/// The component with the seed of --seed, if it has a seed that the text does not give.
template <class Row>
[[nodiscard]] Component<Row> with_seed(const std::string& text, const CommonOptions& options) {
  Component<Row> component(text);
  if (options.seed) component.set_default("seed", std::to_string(*options.seed));
  return component;
}

/// The texts of all components, under their names in model files.
[[nodiscard]] nlohmann::json to_json(const ModelSpec& spec);

/// SIGINT, SIGTERM and SIGHUP cancel running work at its next step. After a second, or at a second signal, the program
/// ends and removes temporary files, as SIGQUIT does at once. A closed pipe and the limit of a file's size become
/// errors of writing. An exception that cannot be caught ends with a message and without temporary files, too. `json`:
/// whether errors are also printed as JSON.
void install_handlers(bool json);

// The verbs: each adds itself to the command line.
void add_fit(CLI::App& app);
void add_extend(CLI::App& app);
void add_classify(CLI::App& app);
void add_cluster(CLI::App& app);
void add_compare(CLI::App& app);
void add_plot(CLI::App& app);
void add_transform(CLI::App& app);
void add_score(CLI::App& app);
void add_data(CLI::App& app);
void add_info(CLI::App& app);
void add_methods(CLI::App& app);
void add_help(CLI::App& app);
void add_completion(CLI::App& app);

/// Answers `--method umap` and the like by the commands that extend coordinates computed elsewhere. After all verbs.
void answer_foreign_methods(CLI::App& app);

/// The manual page, in troff.
[[nodiscard]] std::string manual_page(const CLI::App& app);

}  // namespace foldout::cli
