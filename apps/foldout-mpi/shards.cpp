// SPDX-License-Identifier: Apache-2.0
#include "shards.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

#include "foldout/core/error.h"

namespace foldout::mpi {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> expanded(const std::string& pattern) {
  std::error_code error;
  if (fs::exists(pattern, error)) return {pattern};  // a name that contains a bracket
  glob_t found = {};
  const int status = glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  globfree(&found);
  if (paths.empty())
    throw IoError(
        fmt::format("{}: no shard has such a name: give files, folders of images, or a quoted pattern such "
                    "as 'shards/*.npy'",
                    pattern));
  return paths;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

double size_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const auto size = fs::file_size(path, error);
    return error ? 0 : static_cast<double>(size);
  }
  double sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path, error))
    if (entry.is_regular_file(error)) sum += static_cast<double>(entry.file_size(error));
  return sum;
}

}  // namespace

std::vector<std::string> find_shards(const std::vector<std::string>& patterns, const Ranks& ranks) {
  std::string names;
  if (ranks.is_root()) {
    std::vector<std::string> all;
    for (const std::string& pattern : patterns) {
      const std::vector<std::string> some = expanded(pattern);
      all.insert(all.end(), some.begin(), some.end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const std::string& name : all) names += name + '\n';
  }
  return split(ranks.from_root(names), '\n');
}

std::vector<double> bytes_of(const std::vector<std::string>& shards, const Ranks& ranks) {
  std::vector<double> bytes(shards.size());
  if (ranks.is_root()) std::ranges::transform(shards, bytes.begin(), size_of);
  ranks.copy_from_root(bytes.data(), std::ssize(bytes));
  return bytes;
}

std::vector<int> balanced(const std::vector<double>& bytes, int n_ranks) {
  std::vector<std::size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t s) { return bytes[s]; });
  std::vector<double> load(static_cast<std::size_t>(n_ranks), 0);
  std::vector<int> owner(bytes.size());
  for (const std::size_t s : order) {
    const auto least = std::ranges::min_element(load);
    owner[s] = static_cast<int>(least - load.begin());
    *least += bytes[s] + 1;  // empty files count too
  }
  return owner;
}

std::vector<int> balanced_in_order(const std::vector<double>& bytes, int n_ranks) {
  const double total = std::accumulate(bytes.begin(), bytes.end(), 0.0) + static_cast<double>(bytes.size());
  std::vector<int> owner(bytes.size());
  double before = 0;
  for (std::size_t s = 0; s < bytes.size(); before += bytes[s] + 1, ++s) {
    const double middle = before + (bytes[s] + 1) / 2;
    owner[s] = std::min(static_cast<int>(middle / total * n_ranks), n_ranks - 1);
  }
  return owner;
}

std::vector<std::string> output_names(const std::vector<std::string>& shards, const std::string& ending) {
  static constexpr std::string_view kEndings[] = {".gz",  ".npy", ".npz", ".csv",   ".tsv",
                                                  ".txt", ".mat", ".idx", ".jsonl", ".ndjson"};
  std::vector<std::string> names;
  std::map<std::string, std::string> taken;
  for (const std::string& shard : shards) {
    fs::path name = fs::path(shard).lexically_normal();
    name = name.has_filename() ? name.filename() : name.parent_path().filename();
    while (std::ranges::find(kEndings, name.extension().string()) != std::end(kEndings)) name.replace_extension();
    names.push_back(name.string() + ending);
    const auto [other, is_new] = taken.emplace(names.back(), shard);
    if (!is_new)
      throw InvalidArgument(fmt::format("the shards {} and {} would both be written to {}: rename one of them",
                                        other->second, shard, names.back()));
  }
  return names;
}

}  // namespace foldout::mpi
