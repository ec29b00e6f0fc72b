// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "foldout/core/error.h"

namespace foldout::cli {
namespace {

/// The parent's view of the child: the end of a pipe to read from, and a process to wait for.
class Child {
 public:
  Child(const std::vector<std::string>& command, double cpu_seconds) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw IoError(fmt::format("cannot create a pipe ({})", std::strerror(errno)));
    pipe_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int error = posix_spawn(&id_, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
      close(pipe_);
      throw IoError(fmt::format("{} cannot be started ({})", command[0], std::strerror(error)));
    }
    const auto seconds = static_cast<rlim_t>(cpu_seconds) + 1;
    const rlimit time{seconds, seconds + 1};
    const rlimit no_core{0, 0};
    prlimit(id_, RLIMIT_CPU, &time, nullptr);
    prlimit(id_, RLIMIT_CORE, &no_core, nullptr);
  }
  ~Child() {
    if (pipe_ >= 0) (void)finish(true);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Reads to the end; false after more than `limit` bytes or on a signal.
  bool receive(std::string& output, std::size_t limit) const {
    constexpr std::size_t kChunk = std::size_t{1} << 16;
    while (output.size() <= limit) {
      const std::size_t old = output.size();
      output.resize(old + kChunk);
      const ssize_t count = read(pipe_, output.data() + old, kChunk);
      output.resize(old + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (count <= 0) return count == 0;
    }
    return false;
  }

  /// Returns its exit status.
  int finish(bool at_once) {
    close(std::exchange(pipe_, -1));
    if (at_once) kill(id_, SIGKILL);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    return status;
  }

 private:
  int pipe_ = -1;
  pid_t id_ = -1;
};

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const ChildLimits& limits) {
  ChildResult result;
  Child child(command, limits.cpu_seconds);
  const bool complete = child.receive(result.output, limits.output_bytes);
  const int status = child.finish(!complete);
  result.finished = complete && WIFEXITED(status);
  result.exit_code = result.finished ? WEXITSTATUS(status) : 0;
  return result;
}

}  // namespace foldout::cli
