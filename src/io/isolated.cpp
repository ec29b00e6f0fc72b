// SPDX-License-Identifier: Apache-2.0
#include "io/isolated.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "io/bad_file.h"

namespace foldout {
namespace {

constexpr char kDone = '+';
constexpr char kFailed = '-';
constexpr int kCleanExit = 0;

void send_all(int pipe, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::write(pipe, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(1);  // the parent wants no more
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

[[noreturn]] void be_the_child(int pipe, const std::function<void(const SendPiece&)>& work, double seconds) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU}) ::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto whole_seconds = static_cast<rlim_t>(seconds) + 1;
  const rlimit time{whole_seconds, whole_seconds + 1};
  ::setrlimit(RLIMIT_CPU, &time);
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  try {
    work([pipe](const void* data, std::size_t size) { send_all(pipe, data, size); });
    send_all(pipe, &kDone, 1);
  } catch (const std::exception& error) {
    send_all(pipe, error.what(), std::strlen(error.what()));
    send_all(pipe, &kFailed, 1);
  }
  ::_exit(kCleanExit);
}

/// The child as its parent sees it: the end of a pipe to read from, and a process to wait for.
struct Child {
  int pipe = -1;
  pid_t id = -1;
  ~Child() {
    if (pipe >= 0) finish();
  }
  /// Ends a child that has more to say; its exit status.
  int finish() {
    ::close(std::exchange(pipe, -1));
    int status = 0;
    while (::waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
    return status;
  }
};

Child start_child(const std::function<void(const SendPiece&)>& work, double seconds, const std::string& name) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) bad_file(name, "cannot be read: no pipe ({})", std::strerror(errno));
  const pid_t id = ::fork();
  if (id == 0) {
    ::close(ends[0]);
    be_the_child(ends[1], work, seconds);
  }
  const int error = errno;
  ::close(ends[1]);
  if (id > 0) return {ends[0], id};
  ::close(ends[0]);
  bad_file(name, "cannot be read: no process ({})", std::strerror(error));
}

/// Everything up to the end, or one byte more than `limit`.
std::string receive(int pipe, std::size_t limit) {
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  std::string answer;
  while (answer.size() <= limit) {
    const std::size_t old = answer.size();
    answer.resize(old + kChunk);
    const ssize_t count = ::read(pipe, answer.data() + old, kChunk);
    answer.resize(old + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  return answer;
}

}  // namespace

std::string run_isolated(const std::function<void(const SendPiece&)>& work, const IsolatedLimits& limits,
                         const std::string& name) {
  Child child = start_child(work, limits.seconds, name);
  std::string answer = receive(child.pipe, limits.answer_size + 1);
  const int status = child.finish();
  const bool clean = WIFEXITED(status) && WEXITSTATUS(status) == kCleanExit && !answer.empty();
  if (!clean || answer.size() > limits.answer_size + 1) bad_file(name, "is damaged: its contents cannot be read");
  const char end = answer.back();
  answer.pop_back();
  if (end == kFailed) bad_file(name, "{}", answer);
  return answer;
}

}  // namespace foldout
