// SPDX-License-Identifier: Apache-2.0
// One list of jobs under one mutex. There are as many workers as all running calls ask for together, so a nested call
// never waits for the call around it. A worker that has finished spins for some microseconds, since the next call of an
// iterative solver is usually near, and then sleeps.
#include "core/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace foldout {
namespace {

struct Job {
  const std::function<void(bool)>& task;
  Index open;                      // helpers that may still join
  std::atomic<Index> running = 0;  // helpers at work
};

// Until `done` or for about 30 µs, which is what waking a sleeping thread costs.
template <class Done>
bool spin_until(const Done& done) {
  static const bool one_core = std::thread::hardware_concurrency() <= 1;
  if (one_core) return done();
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(30);
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

class Pool {
 public:
  void run(Index helpers, const std::function<void(bool)>& task) {
    Job job{.task = task, .open = helpers};
    post(job, helpers);
    task(true);
    withdraw(job, helpers);
  }

  // At the end of the process: idle workers leave, and nobody waits for those at work.
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    posted_.notify_all();
    left_.wait_for(lock, std::chrono::seconds(1), [&] { return n_idle_ == 0; });
  }

 private:
  void post(Job& job, Index helpers) {
    {
      const std::lock_guard lock(mutex_);
      wanted_ += helpers;
      try {
        jobs_.push_back(&job);
        for (; n_workers_ < wanted_ && !closed_; ++n_workers_, ++n_idle_) std::thread([this] { serve(); }).detach();
      } catch (const std::system_error&) {  // no more threads: those that started do all the work
      } catch (const std::bad_alloc&) {
      }
      ++posts_;
    }
    if (helpers == 1)
      posted_.notify_one();
    else
      posted_.notify_all();
  }

  // Nobody joins any more; returns when the helpers have finished.
  void withdraw(Job& job, Index helpers) {
    {
      const std::lock_guard lock(mutex_);
      std::erase(jobs_, &job);
    }
    const auto finished = [&] { return job.running == 0; };
    const bool soon = spin_until(finished);
    std::unique_lock lock(mutex_);
    if (!soon) finished_.wait(lock, finished);
    wanted_ -= helpers;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (!closed_) {
      if (jobs_.empty()) {
        const auto seen = posts_.load();
        lock.unlock();
        spin_until([&] { return posts_ != seen; });
        lock.lock();
        posted_.wait(lock, [&] { return closed_ || !jobs_.empty(); });
        continue;
      }
      Job& job = *jobs_.front();
      if (--job.open == 0) jobs_.erase(jobs_.begin());
      ++job.running;
      --n_idle_;
      lock.unlock();
      job.task(false);
      lock.lock();
      ++n_idle_;
      if (--job.running == 0) finished_.notify_all();  // the job may be gone from here on
    }
    --n_idle_;
    --n_workers_;
    left_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable posted_, finished_, left_;
  std::vector<Job*> jobs_;  // with open places, the oldest first
  std::atomic<std::uint64_t> posts_ = 0;
  Index wanted_ = 0;  // helpers of all running calls
  Index n_workers_ = 0, n_idle_ = 0;
  bool closed_ = false;
};

std::atomic<Pool*> the_pool = nullptr;  // never deleted: a worker may outlive the end of main

Pool& pool() {
  if (Pool* existing = the_pool) return *existing;
  auto* fresh = new Pool;
  Pool* existing = nullptr;
  if (the_pool.compare_exchange_strong(existing, fresh)) return *fresh;
  delete fresh;
  return *existing;
}

// The child of a fork has none of the threads of its parent, and its copy of the mutex may be locked: it starts anew.
struct Lifetime {
  Lifetime() {
    pthread_atfork(nullptr, nullptr, [] { the_pool = nullptr; });
  }
  ~Lifetime() {
    if (Pool* existing = the_pool) existing->close();
  }
} lifetime;

}  // namespace

void run_with_helpers(Index helpers, const std::function<void(bool is_caller)>& task) {
  if (helpers <= 0)
    task(true);
  else
    pool().run(helpers, task);
}

}  // namespace foldout
