// SPDX-License-Identifier: Apache-2.0
// The command line: one file per verb. Exit status 0: success; 2: invalid request or input; 1: any other failure.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "address_limit.h"
#include "failure.h"
#include "foldout/core/error.h"
#include "foldout/core/version.h"
#include "input.h"
#include "session.h"
#include "standard_streams.h"
#include "wrong_arguments.h"

namespace {

constexpr const char* kDescription =
    "foldout: out-of-sample extension for every embedding\n\n"
    "Example:\n"
    "  foldout data swiss_roll -n 2000 -o roll.npy\n"
    "  foldout data swiss_roll -n 500 -o new.npy --seed 1\n"
    "  foldout fit roll.npy -o roll.model --method ltsa:n_neighbors=12\n"
    "  foldout transform roll.model new.npy -o placed.npy\n"
    "  foldout score trustworthiness new.npy placed.npy";

int run(const std::vector<std::string>& arguments) {
  CLI::App app{kDescription, "foldout"};
  app.set_version_flag("-V,--version", "foldout " + std::string(foldout::kVersion));
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  bool manual = false;
  app.add_flag("--manual", manual, "")->group("");
  foldout::cli::add_fit(app);
  foldout::cli::add_extend(app);
  foldout::cli::add_transform(app);
  foldout::cli::add_classify(app);
  foldout::cli::add_cluster(app);
  foldout::cli::add_compare(app);
  foldout::cli::add_plot(app);
  foldout::cli::add_score(app);
  foldout::cli::add_data(app);
  foldout::cli::add_methods(app);
  foldout::cli::add_info(app);
  foldout::cli::add_help(app);
  foldout::cli::add_completion(app);
  foldout::cli::answer_foreign_methods(app);
  foldout::cli::refuse_options_as_values(app);
  if (!arguments.empty() && !arguments[0].starts_with('-')) (void)foldout::cli::find_verb(app, arguments[0]);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them in reverse
  } catch (const CLI::Success& request) {                                       // --help, --version
    const int status = app.exit(request);
    foldout::cli::finish_standard_output();
    return status;
  } catch (const CLI::ParseError& error) {
    throw foldout::InvalidArgument(foldout::cli::explain(error, app, arguments));
  }
  if (manual) {
    std::cout << foldout::cli::manual_page(app);
  } else if (app.get_subcommands().empty()) {
    std::cout << app.help();
  }
  foldout::cli::finish_standard_output();
  return foldout::cli::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  foldout::cli::restart_under_address_limit(argv);
  foldout::cli::occupy_standard_descriptors();
  if (foldout::cli::is_isolated_request(argc, argv)) return foldout::cli::answer_isolated(argv);
  const bool json = std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
  foldout::cli::install_handlers(json);
  std::ios::sync_with_stdio(false);
  try {
    foldout::cli::let_signals_end_standard_input();
    return run({argv + 1, argv + std::max(argc, 1)});
  } catch (const std::exception& error) {
    return foldout::cli::report(foldout::cli::failure_of(error), json);
  }
}
