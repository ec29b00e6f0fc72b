// SPDX-License-Identifier: Apache-2.0
// The processes of a run (ranks), and the operations in which all take part. A failure on one rank becomes a failure of
// all, reported once: every collective operation begins with meet(), by which all ranks learn whether one has failed,
// and long work on one rank calls poll(). No rank waits for one that will not come.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "failure.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout::mpi {

using cli::Failure;

/// Thrown on the ranks that did not fail themselves, when they learn that another did.
struct FailedElsewhere {
  Failure failure;
};

class Ranks {
 public:
  /// Starts MPI. There is one such object, in main().
  Ranks(int& argc, char**& argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  /// Ranks on this host, which share its cores.
  [[nodiscard]] int on_host() const { return on_host_; }
  [[nodiscard]] MPI_Comm world() const { return world_; }

  /// Waits until all ranks are here, without occupying a core. Throws FailedElsewhere if one of them failed.
  void meet() const;
  /// Throws FailedElsewhere if another rank has failed; for work between two meetings that takes long.
  void poll() const;
  /// The end of a rank whose work threw: tells the others. Returns the failure that all report, that of the first rank.
  /// If the others cannot be told, because they are inside a solver, it ends the run.
  [[nodiscard]] Failure fail(const Failure& own) const;
  /// The same for a rank that learnt from poll() that another has failed.
  [[nodiscard]] Failure join_failure() const;

  /// `context` with poll() in its progress function, whose own part is shown by rank 0 only.
  [[nodiscard]] RunContext watching(RunContext context) const;

  // Collective.

  /// The value of each rank, in their order.
  [[nodiscard]] std::vector<std::int64_t> all_of(std::int64_t mine) const;
  [[nodiscard]] std::vector<double> all_of(double mine) const;
  [[nodiscard]] std::int64_t sum_of(std::int64_t mine) const;
  /// The texts of all ranks, in their order.
  [[nodiscard]] std::vector<std::string> all_texts(const std::string& mine) const;
  /// The text of rank 0.
  [[nodiscard]] std::string from_root(const std::string& text) const;
  /// Replaces `values` by those of rank 0, of the same number.
  void copy_from_root(double* values, Index count) const;
  /// The values of all ranks one after another, on all of them or on rank 0 only (elsewhere empty).
  [[nodiscard]] std::vector<double> gathered(const std::vector<double>& mine) const;
  [[nodiscard]] Matrix rows_at_root(const MatrixRef& mine) const;
  /// Point to point, within a collective operation that has begun with meet().
  void send(const std::vector<double>& values, int to) const;
  [[nodiscard]] std::vector<double> receive(int from) const;
  /// The values sent to this rank by each: `to[r]` goes to rank r.
  template <class Value>
  [[nodiscard]] std::vector<std::vector<Value>> exchange(const std::vector<std::vector<Value>>& to) const {
    static_assert(sizeof(Value) % sizeof(double) == 0, "messages consist of words");
    std::vector<std::span<const std::byte>> out;
    out.reserve(to.size());
    for (const std::vector<Value>& part : to) out.push_back(std::as_bytes(std::span(part)));
    std::vector<std::vector<Value>> in(to.size());
    exchange_bytes(out, [&](std::size_t from, std::size_t bytes) {
      in[from].resize(bytes / sizeof(Value));
      return reinterpret_cast<std::byte*>(in[from].data());
    });
    return in;
  }

 private:
  using Room = std::function<std::byte*(std::size_t from, std::size_t bytes)>;
  void exchange_bytes(const std::vector<std::span<const std::byte>>& out, const Room& room) const;
  [[nodiscard]] int first_failed(bool failed, const Failure& own = {}) const;
  [[nodiscard]] Failure failure_of(int rank, const Failure& own) const;

  MPI_Comm world_ = MPI_COMM_NULL, notices_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, on_host_ = 1;
};

}  // namespace foldout::mpi
