// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "foldout/core/error.h"

namespace foldout::mpi {
namespace {

constexpr int kNotice = 1, kData = 2;

// Messages count words, not bytes: the counts of MPI have 31 bits.
constexpr std::size_t kWord = sizeof(double);

int words(std::size_t bytes) {
  const std::size_t count = bytes / kWord;
  if (count > static_cast<std::size_t>(INT_MAX))
    throw InvalidArgument("a message between two ranks exceeds 16 GB: use more ranks");
  return static_cast<int>(count);
}

// MPI waits by spinning. A rank that waits for a long step of another leaves its core to others after a millisecond.
// Returns false if this many seconds were not enough.
bool wait_for(MPI_Request& request, double most) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (waited > most) return false;
    constexpr double kSpin = 1e-3;
    if (waited > kSpin) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

// Open MPI tells the allocator to map no memory. What is freed would then not be returned to the system, and the blocks
// of shards would count until the end.
void return_memory() {
#ifdef __GLIBC__
  constexpr int kMappings = 65536, kLarge = 32 << 20;  // smaller ones are used again and again
  mallopt(M_MMAP_MAX, kMappings);
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, 2 * kLarge);
#endif
}

std::vector<int> offsets_of(const std::vector<int>& counts) {
  std::vector<int> offsets(counts.size(), 0);
  for (std::size_t r = 1; r < counts.size(); ++r) offsets[r] = offsets[r - 1] + counts[r - 1];
  return offsets;
}

}  // namespace

Ranks::Ranks(int& argc, char**& argv) {
  int provided = 0;
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);  // a rank that waits for a message leaves its core to others
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  return_memory();
  MPI_Comm_dup(MPI_COMM_WORLD, &world_);
  MPI_Comm_dup(MPI_COMM_WORLD, &notices_);
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &size_);
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &on_host_);
  MPI_Comm_free(&host);
}

Ranks::~Ranks() {
  MPI_Comm_free(&notices_);
  MPI_Comm_free(&world_);
  MPI_Finalize();
}

int Ranks::first_failed(bool failed, const Failure& own) const {
  int mine = failed ? rank_ : INT_MAX, first = INT_MAX;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, notices_, &request);
  constexpr double kPatience = 5;
  if (!wait_for(request, failed ? kPatience : std::numeric_limits<double>::infinity())) {
    cli::report(own, false);
    MPI_Abort(world_, own.status);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // done
  return first;
}

// A failure as text: kind, status and message.
Failure Ranks::failure_of(int rank, const Failure& own) const {
  for (int waits = 1; waits != 0;) {  // notices that nobody has read
    MPI_Iprobe(MPI_ANY_SOURCE, kNotice, notices_, &waits, MPI_STATUS_IGNORE);
    if (waits != 0) MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, kNotice, notices_, MPI_STATUS_IGNORE);
  }
  std::string text = own.kind + '\n' + std::to_string(own.status) + '\n' + own.message;
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, rank, notices_);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, rank, notices_);
  const std::size_t kind = text.find('\n'), status = text.find('\n', kind + 1);
  return {text.substr(0, kind), text.substr(status + 1), std::stoi(text.substr(kind + 1, status - kind - 1))};
}

void Ranks::meet() const {
  if (const int first = first_failed(false); first != INT_MAX) throw FailedElsewhere{failure_of(first, {})};
}

void Ranks::poll() const {
  int waits = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, kNotice, notices_, &waits, MPI_STATUS_IGNORE);
  if (waits != 0) throw FailedElsewhere{join_failure()};
}

Failure Ranks::fail(const Failure& own) const {
  std::vector<MPI_Request> notices(static_cast<std::size_t>(size_), MPI_REQUEST_NULL);
  for (int r = 0; r < size_; ++r)
    if (r != rank_) MPI_Isend(nullptr, 0, MPI_INT, r, kNotice, notices_, &notices[static_cast<std::size_t>(r)]);
  Failure first = failure_of(first_failed(true, own), own);
  MPI_Waitall(size_, notices.data(), MPI_STATUSES_IGNORE);
  return first;
}

Failure Ranks::join_failure() const { return failure_of(first_failed(false), {}); }

RunContext Ranks::watching(RunContext context) const {
  context.progress = [this, shown = std::move(context.progress)](const Progress& progress) {
    poll();
    return !shown || shown(progress);
  };
  return context;
}

std::vector<std::int64_t> Ranks::all_of(std::int64_t mine) const {
  std::vector<std::int64_t> all(static_cast<std::size_t>(size_));
  meet();
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, world_);
  return all;
}

std::vector<double> Ranks::all_of(double mine) const {
  std::vector<double> all(static_cast<std::size_t>(size_));
  meet();
  MPI_Allgather(&mine, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, world_);
  return all;
}

std::int64_t Ranks::sum_of(std::int64_t mine) const {
  std::int64_t sum = 0;
  meet();
  MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, world_);
  return sum;
}

std::vector<std::string> Ranks::all_texts(const std::string& mine) const {
  const std::vector<std::int64_t> sizes = all_of(static_cast<std::int64_t>(mine.size()));
  const std::vector<int> counts(sizes.begin(), sizes.end()), offsets = offsets_of(counts);
  std::string all(static_cast<std::size_t>(offsets.back() + counts.back()), '\0');
  MPI_Allgatherv(mine.data(), counts[static_cast<std::size_t>(rank_)], MPI_CHAR, all.data(), counts.data(),
                 offsets.data(), MPI_CHAR, world_);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < counts.size(); ++r)
    texts.push_back(all.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(counts[r])));
  return texts;
}

std::string Ranks::from_root(const std::string& text) const { return all_texts(is_root() ? text : std::string())[0]; }

void Ranks::copy_from_root(double* values, Index count) const {
  const int n = words(static_cast<std::size_t>(count) * kWord);
  meet();
  MPI_Bcast(values, n, MPI_DOUBLE, 0, world_);
}

std::vector<double> Ranks::gathered(const std::vector<double>& mine) const {
  const std::vector<std::int64_t> sizes = all_of(std::ssize(mine));
  const std::vector<int> counts(sizes.begin(), sizes.end()), offsets = offsets_of(counts);
  std::vector<double> all(static_cast<std::size_t>(offsets.back() + counts.back()));
  MPI_Allgatherv(mine.data(), counts[static_cast<std::size_t>(rank_)], MPI_DOUBLE, all.data(), counts.data(),
                 offsets.data(), MPI_DOUBLE, world_);
  return all;
}

Matrix Ranks::rows_at_root(const MatrixRef& mine) const {
  const Matrix packed = mine;  // without gaps between the rows
  const std::vector<std::int64_t> rows = all_of(packed.rows());
  const std::vector<std::int64_t> widths = all_of(packed.cols());
  const Index width = std::ranges::max(widths);  // a rank without rows may not know it
  const std::vector<int> counts(rows.begin(), rows.end()), offsets = offsets_of(counts);
  Matrix all(is_root() ? offsets.back() + counts.back() : 0, width);
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(width), MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  MPI_Gatherv(packed.data(), counts[static_cast<std::size_t>(rank_)], row, all.data(), counts.data(), offsets.data(),
              row, 0, world_);
  MPI_Type_free(&row);
  return all;
}

void Ranks::send(const std::vector<double>& values, int to) const {
  MPI_Send(values.data(), words(values.size() * kWord), MPI_DOUBLE, to, kData, world_);
}

std::vector<double> Ranks::receive(int from) const {
  MPI_Status status;
  MPI_Probe(from, kData, world_, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  std::vector<double> values(static_cast<std::size_t>(count));
  MPI_Recv(values.data(), count, MPI_DOUBLE, from, kData, world_, MPI_STATUS_IGNORE);
  return values;
}

void Ranks::exchange_bytes(const std::vector<std::span<const std::byte>>& out, const Room& room) const {
  const auto n = static_cast<std::size_t>(size_);
  std::vector<int> sent(n), received(n);
  for (std::size_t r = 0; r < n; ++r) sent[r] = words(out[r].size());
  meet();
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, world_);
  std::vector<std::byte*> in(n);
  for (std::size_t r = 0; r < n; ++r) in[r] = room(r, static_cast<std::size_t>(received[r]) * kWord);
  meet();  // nobody lacks memory
  std::vector<MPI_Request> requests;
  for (std::size_t r = 0; r < n; ++r) {
    if (static_cast<int>(r) == rank_) {
      if (!out[r].empty()) std::memcpy(in[r], out[r].data(), out[r].size());
      continue;
    }
    const int peer = static_cast<int>(r);
    if (received[r] > 0)
      MPI_Irecv(in[r], received[r], MPI_DOUBLE, peer, kData, world_, &requests.emplace_back(MPI_REQUEST_NULL));
    if (sent[r] > 0)
      MPI_Isend(out[r].data(), sent[r], MPI_DOUBLE, peer, kData, world_, &requests.emplace_back(MPI_REQUEST_NULL));
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace foldout::mpi
