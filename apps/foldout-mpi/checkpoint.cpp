// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>
#include <fstream>

#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "io/atomic_file.h"

namespace foldout::mpi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAtoms = "atoms.npy";

template <class Value>
void write(const std::vector<Value>& values, std::ostream& out) {
  out.write(reinterpret_cast<const char*>(values.data()), std::ssize(values) * std::streamsize{sizeof(Value)});
}

template <class Value>
void read(std::vector<Value>& values, std::istream& in) {
  in.read(reinterpret_cast<char*>(values.data()), std::ssize(values) * std::streamsize{sizeof(Value)});
}

}  // namespace

void claim_directory(const std::string& option, const std::string& directory, const std::string& request) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error))
    throw InvalidArgument(fmt::format("{} {}: is a file: give a directory", option, directory));
  if (!fs::is_directory(directory, error) && !fs::create_directory(directory, error))
    throw IoError(fmt::format("{} {}: the directory cannot be created ({}): create it first", option, directory,
                              error ? error.message() : "its parent does not exist"));
  const std::string path = (fs::path(directory) / "foldout-mpi.json").string();
  if (std::ifstream before(path); before) {
    const std::string text{std::istreambuf_iterator<char>(before), {}};
    if (text == request) return;
    throw InvalidArgument(
        fmt::format("{} {}: belongs to another model, other data or other options: give an empty directory, or delete "
                    "this one",
                    option, directory));
  }
  AtomicFile file(path);
  file.stream() << request;
  file.commit();
}

std::string describe_shards(const std::vector<std::string>& shards) {
  std::string text;
  for (const std::string& shard : shards) {
    std::error_code error;
    const auto size = fs::is_directory(shard, error) ? 0 : fs::file_size(shard, error);
    const auto changed = fs::last_write_time(shard, error).time_since_epoch().count();
    text += fmt::format("{} {} {}\n", shard, size, changed);
  }
  return text;
}

Checkpoint::Checkpoint(std::string directory, const std::string& request, const Ranks& ranks)
    : directory_(std::move(directory)), ranks_(ranks) {
  if (keeps() && ranks.is_root()) claim_directory("--checkpoint", directory_, request);
}

std::string Checkpoint::path(const std::string& name) const { return (fs::path(directory_) / name).string(); }

// One row: the number of numbers, the numbers, the shape of the atoms, the atoms.
void Checkpoint::keep(const LearningState& state) const {
  if (!ranks_.is_root()) return;
  const auto n = std::ssize(state.numbers);
  Matrix row(1, n + 3 + state.atoms.size());
  row << static_cast<double>(n), Eigen::Map<const Eigen::RowVectorXd>(state.numbers.data(), n),
      static_cast<double>(state.atoms.rows()), static_cast<double>(state.atoms.cols()),
      Eigen::Map<const Eigen::RowVectorXd>(state.atoms.data(), state.atoms.size());
  save_matrix(path(kAtoms), row);
}

std::optional<LearningState> Checkpoint::kept() const {
  if (!keeps()) return std::nullopt;
  std::vector<double> mine;
  std::error_code error;
  if (ranks_.is_root() && fs::exists(path(kAtoms), error)) {
    const Matrix row = load_matrix(path(kAtoms));
    mine.assign(row.data(), row.data() + row.size());
  }
  const std::vector<double> all = ranks_.gathered(mine);
  if (all.empty()) return std::nullopt;
  const auto n = static_cast<std::ptrdiff_t>(all[0]);
  const double* shape = all.data() + 1 + n;
  return LearningState{Eigen::Map<const Matrix>(shape + 2, static_cast<Index>(shape[0]), static_cast<Index>(shape[1])),
                       {all.begin() + 1, all.begin() + 1 + n}};
}

std::string Checkpoint::name_of(const MatrixRef& samples, Index k, const NeighborOptions& options) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_64bits_reset(state);
  for (Index i = 0; i < samples.rows(); ++i)
    XXH3_64bits_update(state, samples.row(i).data(), static_cast<std::size_t>(samples.cols()) * sizeof(double));
  const auto digest = static_cast<std::uint64_t>(XXH3_64bits_digest(state));
  XXH3_freeState(state);
  return fmt::format("neighbors-{}-{}-{:016x}", k, foldout::name_of(options.metric), digest);
}

void Checkpoint::keep(const std::string& name, const NeighborTable& table) const {
  AtomicFile file(path(name));
  write(table.indices, file.stream());
  write(table.distances, file.stream());
  file.commit();
}

std::optional<NeighborTable> Checkpoint::kept(const std::string& name, Index n, Index k) const {
  std::ifstream file(path(name), std::ios::binary);
  if (!file) return std::nullopt;
  const auto size = static_cast<std::size_t>(n * k);
  NeighborTable table{n, k, std::vector<int>(size), std::vector<double>(size)};
  read(table.indices, file);
  read(table.distances, file);
  const bool is_whole = file && file.peek() == std::ifstream::traits_type::eof();
  return is_whole ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace foldout::mpi
