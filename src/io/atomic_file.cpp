// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "io/bad_file.h"

namespace foldout {
namespace {

// A signal handler may look at any time: a name is written while its slot is claimed, read only when it is live.
enum SlotState : int { kFree, kClaimed, kLive };
struct Slot {
  std::atomic<int> state = kFree;
  char name[PATH_MAX] = {};
};
std::array<Slot, 64> g_slots;
static_assert(std::atomic<int>::is_always_lock_free);

int claim_slot(const std::string& name) {
  if (name.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < g_slots.size(); ++i) {
    int expected = kFree;
    if (!g_slots[i].state.compare_exchange_strong(expected, kClaimed)) continue;
    std::memcpy(g_slots[i].name, name.c_str(), name.size() + 1);
    g_slots[i].state = kLive;
    return static_cast<int>(i);
  }
  return -1;
}

void free_slot(int slot) {
  if (slot >= 0) g_slots[static_cast<std::size_t>(slot)].state = kFree;
}

// Where a file of this name is or would be: a link may lead to a file that does not exist yet.
std::string follow_links(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;
  std::error_code error;
  fs::path target = path;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(target, error)); ++i) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) return path;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  const fs::path whole = fs::weakly_canonical(target, error);
  return error ? path : whole.string();
}

// Beside the target, so that renaming works; the name of the target is kept if there is room for it.
std::string temporary_beside(const std::string& target, unsigned number) {
  const std::filesystem::path path(target);
  const std::string ending = fmt::format(".{}-{}.part", ::getpid(), number);
  const std::string name = path.filename().string();
  if (name.size() + ending.size() <= NAME_MAX) return target + ending;
  return (path.parent_path() / (name.substr(0, NAME_MAX - ending.size()) + ending)).string();
}

// A rename is on the disk when its directory is. Some file systems cannot do it: no harm.
void sync_directory_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const int directory = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  (void)::fsync(directory);
  ::close(directory);
}

}  // namespace

void remove_temporary_files() noexcept {
  for (Slot& slot : g_slots)
    if (slot.state == kLive) ::unlink(slot.name);
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(follow_links(path)) {
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (path.empty()) fail("an output needs a name", 0);
  if (exists && S_ISDIR(status.st_mode)) fail("is a directory: give the name of a file in it", 0);
  if (exists && !S_ISREG(status.st_mode)) {
    stream_.open(target_, std::ios::binary);
    if (!stream_) fail("cannot be written", errno);
    return;
  }
  open_beside_target();
  if (exists) ::chmod(temporary_.c_str(), status.st_mode & 07777);
}

void AtomicFile::open_beside_target() {
  static std::atomic<unsigned> counter = 0;
  int file = -1;
  do {
    free_slot(slot_);
    temporary_ = temporary_beside(target_, counter++);
    slot_ = claim_slot(temporary_);
    file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  if (file < 0) {
    const int error = errno;
    free_slot(slot_);
    fail(error == ENOENT ? "cannot be written: its directory does not exist, create it first"
                         : "cannot be written: check the permissions of its directory",
         error == ENOENT ? 0 : error);
  }
  ::close(file);
  try {
    stream_.open(temporary_, std::ios::binary);
  } catch (...) {  // without memory; there is no object yet that would be destroyed
    discard();
    throw;
  }
}

void AtomicFile::discard() {
  ::unlink(temporary_.c_str());
  free_slot(slot_);
}

AtomicFile::~AtomicFile() {
  if (temporary_.empty()) return;
  stream_.close();
  discard();
}

void AtomicFile::commit() {
  errno = 0;
  stream_.flush();
  if (!stream_) fail("could not be written to its end: is the disk full?", errno);
  stream_.close();
  if (!stream_) fail("could not be closed: is the disk full?", errno);
  if (temporary_.empty()) return;
  const int file = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!synced) fail("could not be brought to the disk", error);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced", errno);
  sync_directory_of(target_);
  temporary_.clear();
  free_slot(slot_);
}

void AtomicFile::fail(const std::string& what, int error) const {
  if (error == 0) bad_file(path_, "{}", what);
  bad_file(path_, "{} ({})", what, std::strerror(error));
}

}  // namespace foldout
