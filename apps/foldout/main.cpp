// SPDX-License-Identifier: Apache-2.0
// The command line: one file per verb. Exit status 0: success; 2: invalid request or input; 1: any other failure.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "core/spec_fields.h"
#include "foldout/core/error.h"
#include "foldout/core/version.h"
#include "input.h"
#include "session.h"

namespace {

constexpr int kDone = 0, kFailed = 1, kWrongRequest = 2;

constexpr const char* kDescription =
    "foldout: out-of-sample extension for every embedding\n\n"
    "Example:\n"
    "  foldout data swiss_roll -n 2000 -o roll.npy\n"
    "  foldout data swiss_roll -n 500 -o new.npy --seed 1\n"
    "  foldout fit roll.npy -o roll.model --method ltsa:n_neighbors=12\n"
    "  foldout transform roll.model new.npy -o placed.npy\n"
    "  foldout score trustworthiness new.npy placed.npy";

int report_error(const std::exception& error, int status) {
  std::cerr << "foldout: " << error.what() << "\n";
  return status;
}

// Suggests the nearest verb: "foldout transfrom" would otherwise be "not expected".
void require_known_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (std::ranges::find(views, std::string_view(argv[1])) == views.end())
    throw foldout::InvalidArgument(fmt::format("there is no verb '{}'{}", argv[1], foldout::suggest(argv[1], views)));
}

int run(int argc, char** argv) {
  CLI::App app{kDescription, "foldout"};
  app.set_version_flag("--version", "foldout " + std::string(foldout::kVersion));
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
  foldout::cli::add_score(app);
  foldout::cli::add_data(app);
  foldout::cli::add_methods(app);
  foldout::cli::add_info(app);
  require_known_verb(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return kWrongRequest;
  }
  if (manual) {
    std::cout << foldout::cli::manual_page(app);
  } else if (app.get_subcommands().empty()) {
    std::cout << app.help();
  }
  return std::cout.flush() ? kDone : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  if (foldout::cli::is_isolated_request(argc, argv)) return foldout::cli::answer_isolated(argv);
  foldout::cli::install_signal_handlers();
  std::ios::sync_with_stdio(false);  // reads rows from standard input in large blocks
  try {
    return run(argc, argv);
  } catch (const foldout::MissingLabels& error) {
    std::cerr << "foldout: " << error.what() << " (give --labels FILE to fit, or data with labels)\n";
    return kWrongRequest;
  } catch (const foldout::InvalidArgument& error) {
    return report_error(error, kWrongRequest);
  } catch (const foldout::IoError& error) {
    return report_error(error, kWrongRequest);
  } catch (const std::bad_alloc&) {
    std::cerr << "foldout: out of memory\n";
    return kFailed;
  } catch (const std::exception& error) {
    return report_error(error, kFailed);
  }
}
