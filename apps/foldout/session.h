// SPDX-License-Identifier: Apache-2.0
// What all verbs share: the common options, the watcher of long work, and how results are told.
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

/// Threads as asked for, a progress bar where there is a terminal to see it, and Ctrl-C as cancellation.
[[nodiscard]] RunContext make_context(const CommonOptions& options);

/// Two things cannot both go to standard output. Throws InvalidArgument that names them.
void require_one_output(const CommonOptions& options, const std::vector<std::string>& paths);

/// Throws IoError if a file of that name cannot be made, for want of its folder: better now than after the work.
void require_writable(const std::string& path);

/// Throws Cancelled after Ctrl-C.
void stop_if_interrupted();

/// Ends the progress bar and tells the result: the object on standard output with --json, else the text on standard
/// error, unless -q.
void tell(const CommonOptions& options, const nlohmann::json& result, std::string_view text);

/// The notes of a report as lines, for people.
[[nodiscard]] std::string note_lines(const Report& report);

/// The component with --seed filled in, where it has a seed and the text does not give it.
template <class Row>
[[nodiscard]] Component<Row> with_seed(const std::string& text, const CommonOptions& options) {
  Component<Row> component(text);
  if (options.seed) component.set_default("seed", std::to_string(*options.seed));
  return component;
}

/// The texts of all components, under the names that they have in model files.
[[nodiscard]] nlohmann::json to_json(const ModelSpec& spec);

/// Ctrl-C and termination ask running work to stop; a second time ends the program, without temporary files.
void install_signal_handlers();

// The verbs: each adds itself to the command line.
void add_fit(CLI::App& app);
void add_extend(CLI::App& app);
void add_classify(CLI::App& app);
void add_cluster(CLI::App& app);
void add_compare(CLI::App& app);
void add_transform(CLI::App& app);
void add_score(CLI::App& app);
void add_data(CLI::App& app);
void add_info(CLI::App& app);
void add_methods(CLI::App& app);

/// The manual page, in troff.
[[nodiscard]] std::string manual_page(const CLI::App& app);

}  // namespace foldout::cli
