// SPDX-License-Identifier: Apache-2.0
// foldout-mpi: fits and transforms that need more than one machine. Exit status as that of foldout, the same on every
// rank; rank 0 prints the message.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "failure.h"
#include "foldout/core/error.h"
#include "foldout/core/version.h"
#include "printable.h"
#include "ranks.h"
#include "session.h"
#include "slepc.h"
#include "standard_streams.h"
#include "verbs.h"
#include "wrong_arguments.h"

namespace foldout::mpi {
namespace {

constexpr const char* kDescription =
    "foldout-mpi: foldout on data in many files, by many processes\n\n"
    "Example:\n"
    "  mpirun -n 8 foldout-mpi fit 'shards/*.npy' -o roll.model --method ltsa --dictionary lcdl:n_atoms=1000\n"
    "  mpirun -n 8 foldout-mpi transform roll.model 'shards/*.npy' -o placed";

int run(const std::vector<std::string>& arguments, const Ranks& ranks) {
  CLI::App app{kDescription, "foldout-mpi"};
  app.set_version_flag("-V,--version", "foldout-mpi " + std::string(kVersion));
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  add_fit(app, ranks);
  add_transform(app, ranks);
  cli::refuse_options_as_values(app);
  if (!arguments.empty() && !arguments[0].starts_with('-')) (void)cli::find_verb(app, arguments[0]);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them in reverse
  } catch (const CLI::Success& request) {                                       // --help, --version
    return ranks.is_root() ? app.exit(request) : cli::kDone;
  } catch (const CLI::ParseError& error) {
    throw InvalidArgument(cli::explain(error, app, arguments));
  }
  if (app.get_subcommands().empty() && ranks.is_root()) std::cout << app.help();
  ranks.meet();  // all have done their part
  end_petsc();
  return cli::kDone;
}

// mpirun ends the other ranks as soon as one has ended with an error; they end by themselves.
int report(const cli::Failure& failure, bool json, const Ranks& ranks) {
  for (const int signal : {SIGTERM, SIGALRM}) std::signal(signal, SIG_IGN);
  if (!ranks.is_root()) return failure.status;
  return cli::report(failure, json);
}

}  // namespace

RunContext make_context(cli::CommonOptions options, const Ranks& ranks) {
  options.quiet = options.quiet || !ranks.is_root();
  const bool given = options.threads > 0;
  RunContext context = cli::make_context(options);
  if (!given) context.n_threads = std::max(1, context.threads() / ranks.on_host());
  return ranks.watching(std::move(context));
}

}  // namespace foldout::mpi

int main(int argc, char** argv) {
  using namespace foldout;
  cli::occupy_standard_descriptors();
  const mpi::Ranks ranks(argc, argv);
  const bool json = std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
  cli::install_handlers(json);
  try {
    return mpi::run({argv + 1, argv + std::max(argc, 1)}, ranks);
  } catch (const mpi::FailedElsewhere& other) {
    return mpi::report(other.failure, json, ranks);
  } catch (const std::exception& error) {
    return mpi::report(ranks.fail(cli::failure_of(error)), json, ranks);
  }
}
