// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "address_limit.h"
#include "failure.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "io/atomic_file.h"
#include "printable.h"
#include "progress_bar.h"

namespace foldout::cli {
namespace {

std::atomic<bool> interrupted{false};
bool answers_in_json = false;
ProgressBar bar;

// Only what may be called in a signal handler.
void print_from_handler(std::string_view text, int descriptor) { (void)!::write(descriptor, text.data(), text.size()); }

void on_signal(int) {
  if (interrupted.exchange(true)) {
    remove_temporary_files();
    _exit(kFailed);
  }
  alarm(1);
}

// A second after a signal: the work is in the middle of a long step, such as a dense eigenproblem.
void on_alarm(int) {
  remove_temporary_files();
  print_from_handler("foldout: cancelled\n", STDERR_FILENO);
  if (answers_in_json)
    print_from_handler("{\"error\":{\"kind\":\"cancelled\",\"message\":\"cancelled\",\"remedy\":\"\"}}\n",
                       STDOUT_FILENO);
  _exit(kFailed);
}

void on_quit(int signal) {
  remove_temporary_files();
  raise(signal);  // its own action, which was restored
}

// Destructors of third-party classes allocate memory, and end here without it.
[[noreturn]] void on_terminate() {
  remove_temporary_files();
  std::string_view message = "internal error: please report it";
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    message = kOutOfMemory;
  } catch (...) {  // the message fits
  }
  for (const std::string_view part : {std::string_view("foldout: "), message, std::string_view("\n")})
    print_from_handler(part, STDERR_FILENO);
  _exit(kFailed);
}

// A mapped input file whose end another program cuts off: there is nothing to return to.
void on_bus_error(int) {
  remove_temporary_files();
  print_from_handler(
      "foldout: an input file became shorter while it was read: wait until it is written, and run again\n",
      STDERR_FILENO);
  _exit(kWrongRequest);
}

// Checks the value of an option; `rule` says what is allowed.
auto whole_number(std::uint64_t most, std::string_view rule) {
  return [most, rule](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool valid = error == std::errc{} && end == text.data() + text.size() && value <= most;
    return valid ? std::string() : fmt::format("'{}' is not allowed: give {}", text, rule);
  };
}

}  // namespace

void install_handlers(bool json) {
  answers_in_json = json;
  std::set_terminate(on_terminate);
  struct sigaction action = {};
  action.sa_handler = on_signal;  // without SA_RESTART, so that a read that waits for input returns
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, nullptr);
  action.sa_handler = on_quit;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGQUIT, &action, nullptr);
  action.sa_handler = on_bus_error;
  sigaction(SIGBUS, &action, nullptr);
  action.sa_handler = SIG_IGN;  // what is being written fails, with a message, and temporary files are removed
  action.sa_flags = 0;
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaction(signal, &action, nullptr);
}

bool was_interrupted() { return interrupted; }

void stop_if_interrupted() {
  if (interrupted) throw Cancelled();
}

void add_common_options(CLI::App& verb, CommonOptions& options) {
  verb.add_option("--seed", options.seed, "Seed of all random numbers (default 0)")
      ->type_name("N")
      ->check(whole_number(std::numeric_limits<std::uint64_t>::max(), "a whole number from 0 to 18446744073709551615"));
  verb.add_option("--threads", options.threads, "Number of threads; results do not depend on it (default: all cores)")
      ->type_name("N")
      ->check(whole_number(4096, "0 (all cores) to 4096"));
  verb.add_flag("--json", options.json, "Print the result as one JSON object on standard output");
  verb.add_flag("-q,--quiet", options.quiet, "No progress bar and no messages");
}

RunContext make_context(const CommonOptions& options) {
  RunContext context;
  context.n_threads = options.threads;
  context.n_threads = threads_under_address_limit(context.threads());
  const bool shown = !options.quiet && isatty(STDERR_FILENO) != 0;
  context.progress = [shown](const Progress& progress) {
    if (shown) bar.show(progress);
    if (interrupted) bar.clear();
    return !interrupted;
  };
  return context;
}

void require_one_output(const CommonOptions& options, const std::vector<std::string>& paths) {
  const auto to_stdout =
      std::ranges::count(paths, "-") + std::ranges::count(paths, "/dev/stdout") + (options.json ? 1 : 0);
  if (to_stdout > 1)
    throw InvalidArgument(
        "only one result can be written to standard output: give '-' once, and not together with --json");
}

void require_writable(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder))
    throw IoError(fmt::format("{}: the folder {} does not exist: create it first", path, folder.string()));
}

void print_result(const CommonOptions& options, const nlohmann::json& result, std::string_view text) {
  bar.clear();
  if (options.json)
    std::cout << result.dump() << std::endl;
  else if (!options.quiet)
    std::cerr << printable(text) << std::flush;
}

std::string note_lines(const Report& report) {
  std::string lines;
  for (const Report::Note& note : report.notes) lines += fmt::format("note: {}\n", escaped(with_flags(note.text)));
  return lines;
}

nlohmann::json to_json(const ModelSpec& spec) {
  std::vector<std::string> preprocess;
  for (const auto& step : spec.preprocess) preprocess.push_back(step.text());
  return {{"preprocess", preprocess},
          {"method", spec.method.text()},
          {"extension", spec.extension.text()},
          {"dictionary", spec.dictionary.text()},
          {"classifier", spec.classifier.text()}};
}

}  // namespace foldout::cli
