// SPDX-License-Identifier: Apache-2.0
// A library to preload that lets one call of the system fail, for faults_test.py.
//
//   FOLDOUT_FAULT=operation:k[:errno]   the k-th call (from 0) of the operation fails; without errno as is usual for it
//   FOLDOUT_FAULT=short_read, short_write, interrupted     every call transfers few bytes, or every other one is
//                                                          interrupted by a signal (EINTR)
//   FOLDOUT_FAULT_COUNT=file            writes how often each operation was called
//
// Operations: allocate (operator new everywhere, malloc and its like when foldout itself calls them), read, write,
// fsync, rename, mmap, thread, open.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

enum Operation { kAllocate, kRead, kWrite, kFsync, kRename, kMmap, kThread, kOpen, kOperations };
constexpr const char* kNames[kOperations] = {"allocate", "read", "write", "fsync", "rename", "mmap", "thread", "open"};
constexpr int kUsual[kOperations] = {ENOMEM, EIO, ENOSPC, EIO, EIO, ENOMEM, EAGAIN, EMFILE};

std::atomic<long> counts[kOperations];
Operation failing = kOperations;
long failing_call = -1;
int failing_errno = 0;
bool short_read = false, short_write = false, interrupted = false;
std::atomic<bool> armed = false;
std::atomic<long> interruptions = 0;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool fails(Operation operation) {
  if (!armed) return false;
  const long call = counts[operation].fetch_add(1);
  if (operation != failing || call != failing_call) return false;
  errno = failing_errno;
  return true;
}

bool interrupts() {
  if (!armed || !interrupted || interruptions.fetch_add(1) % 2 != 0) return false;
  errno = EINTR;
  return true;
}

// Third-party C libraries may end the process without memory; the promise is about foldout's own code.
bool calls_from_foldout(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr &&
         std::strstr(info.dli_fname, "foldout") != nullptr && std::strstr(info.dli_fname, "faults") == nullptr;
}

void write_counts() {
  armed = false;
  const char* path = std::getenv("FOLDOUT_FAULT_COUNT");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) {
    for (int i = 0; i < kOperations; ++i) std::fprintf(file, "%s %ld\n", kNames[i], counts[i].load());
    std::fclose(file);
  }
}

void arm() {
  if (const char* fault = std::getenv("FOLDOUT_FAULT")) {
    short_read = std::strcmp(fault, "short_read") == 0;
    short_write = std::strcmp(fault, "short_write") == 0;
    interrupted = std::strcmp(fault, "interrupted") == 0;
    for (int i = 0; i < kOperations; ++i) {
      const std::size_t length = std::strlen(kNames[i]);
      if (std::strncmp(fault, kNames[i], length) != 0 || fault[length] != ':') continue;
      char* end = nullptr;
      failing = static_cast<Operation>(i);
      failing_call = std::strtol(fault + length + 1, &end, 10);
      failing_errno = *end == ':' ? std::atoi(end + 1) : kUsual[i];
    }
  }
  std::atexit(write_counts);
  armed = true;
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int main_with_faults(int count, char** values, char** environment) {
  arm();
  const int status = real_main(count, values, environment);
  armed = false;  // what the libraries do at exit is not foldout's
  return status;
}

}  // namespace

void* operator new(std::size_t size) {
  if (fails(kAllocate)) throw std::bad_alloc();
  static auto* const real = next<void*(std::size_t)>("malloc");
  if (void* memory = real(std::max<std::size_t>(size, 1))) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (fails(kAllocate)) return nullptr;
  static auto* const real = next<void*(std::size_t)>("malloc");
  return real(std::max<std::size_t>(size, 1));
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" {

int __libc_start_main(Main* main, int count, char** values, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  real_main = main;
  return next<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main")(
      main_with_faults, count, values, init, fini, rtld_fini, stack_end);
}

void* malloc(std::size_t size) {
  static auto* const real = next<void*(std::size_t)>("malloc");
  if (armed && calls_from_foldout(__builtin_return_address(0)) && fails(kAllocate)) return nullptr;
  return real(size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  static auto* const real = next<int(void**, std::size_t, std::size_t)>("posix_memalign");
  if (armed && calls_from_foldout(__builtin_return_address(0)) && fails(kAllocate)) return ENOMEM;
  return real(memory, alignment, size);
}

ssize_t read(int file, void* buffer, std::size_t size) {
  static auto* const real = next<ssize_t(int, void*, std::size_t)>("read");
  if (fails(kRead) || interrupts()) return -1;
  return real(file, buffer, short_read ? std::min<std::size_t>(size, 7) : size);
}

ssize_t pread64(int file, void* buffer, std::size_t size, off64_t offset) {
  static auto* const real = next<ssize_t(int, void*, std::size_t, off64_t)>("pread64");
  if (fails(kRead) || interrupts()) return -1;
  return real(file, buffer, short_read ? std::min<std::size_t>(size, 7) : size, offset);
}

ssize_t pread(int file, void* buffer, std::size_t size, off_t offset) { return pread64(file, buffer, size, offset); }

ssize_t write(int file, const void* buffer, std::size_t size) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
  if (file > 2 && (fails(kWrite) || interrupts())) return -1;
  return real(file, buffer, file > 2 && short_write ? std::min<std::size_t>(size, 7) : size);
}

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  return fails(kFsync) ? -1 : real(file);
}

int rename(const char* from, const char* to) {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return fails(kRename) ? -1 : real(from, to);
}

void* mmap64(void* address, std::size_t size, int protection, int flags, int file, off64_t offset) {
  static auto* const real = next<void*(void*, std::size_t, int, int, int, off64_t)>("mmap64");
  return fails(kMmap) ? MAP_FAILED : real(address, size, protection, flags, file, offset);
}

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
  return mmap64(address, size, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  static auto* const real = next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return fails(kThread) ? failing_errno : real(thread, attributes, start, argument);
}

int open64(const char* path, int flags, ...) {
  static auto* const real = next<int(const char*, int, ...)>("open64");
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    std::va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return fails(kOpen) ? -1 : real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    std::va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return open64(path, flags, mode);
}
}
