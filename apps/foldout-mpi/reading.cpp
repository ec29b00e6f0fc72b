// SPDX-License-Identifier: Apache-2.0
// Ranks read shards that follow each other, of about as many bytes each. How many samples these have is known only
// then; samples beyond a rank's share are sent to the rank that they belong to, block by block.
#include "reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

#include "core/check.h"
#include "foldout/core/error.h"
#include "input.h"
#include "rank_rows.h"
#include "shards.h"

namespace foldout::mpi {
namespace {

// What a rank has read, in the order of the samples.
struct Read {
  std::deque<Matrix> blocks;
  Index n_rows = 0, n_skipped = 0;
  std::vector<Index> shard_rows;  // of all shards; 0 for those of other ranks
  std::vector<int> labels;        // into `names`
  std::map<std::string, int> names;
  bool any_without_labels = false;
};

// Blocks of 64 MB, which the allocator returns to the system as soon as they are freed.
Index block_rows(Index n_features) {
  constexpr Index kBytes = Index{64} << 20;
  return std::max<Index>(kBytes / (8 * n_features), 1);
}

void require_like_first(const SampleStream& stream, const std::string& shard, const StreamInfo& first) {
  const StreamInfo& info = stream.info();
  if (info.n_features != first.n_features)
    throw InvalidArgument(fmt::format("{}: has {} features, but {} has {}: all shards must have the same", shard,
                                      info.n_features, first.name, first.n_features));
  if (info.image.height != first.image.height || info.image.width != first.image.width)
    throw InvalidArgument(fmt::format("{}: its images are {}×{}, but those of {} are {}×{}: give --resize", shard,
                                      info.image.width, info.image.height, first.name, first.image.width,
                                      first.image.height));
}

void add_labels(const std::vector<std::string>& texts, Read& read) {
  for (const std::string& text : texts)
    read.labels.push_back(read.names.emplace(text, static_cast<int>(read.names.size())).first->second);
}

// `labels`: the file of the shard's labels; may be empty.
Index read_shard(const std::string& shard, const std::string& labels, const ReadOptions& options,
                 const StreamInfo& first, const RunContext& context, Read& read) {
  const auto stream = cli::open_input(shard, options);
  require_like_first(*stream, shard, first);
  Index n_rows = 0;
  for (Matrix block; stream->next(block, block_rows(first.n_features)); block = {}) {
    n_rows += block.rows();
    if (labels.empty()) add_labels(stream->labels(), read);
    read.any_without_labels = read.any_without_labels || (labels.empty() && stream->labels().empty());
    read.blocks.push_back(std::move(block));
    context.tick("reading", stream->fraction());
  }
  if (!labels.empty()) {
    const Labels of_file = cli::read_labels(labels);
    cli::require_one_label_each(of_file, labels, shard, n_rows);
    add_labels(of_file.texts(), read);
  }
  read.n_skipped += std::ssize(stream->skipped());
  read.n_rows += n_rows;
  return n_rows;
}

// The labels of all samples, with one list of names.
std::optional<Labels> joined_labels(const Read& read, const Ranks& ranks) {
  const bool without = ranks.sum_of(read.any_without_labels ? 1 : 0) > 0;
  const bool with = ranks.sum_of(read.labels.empty() ? 0 : 1) > 0;
  if (with && without)
    throw InvalidArgument("some shards have labels and some have none: give labels for all, or --label-column none");
  if (!with) return std::nullopt;
  std::vector<std::string> mine(read.names.size()), all;
  for (const auto& [name, index] : read.names) mine[static_cast<std::size_t>(index)] = name;
  std::string text;
  for (const std::string& name : mine) text += name + '\0';
  std::vector<std::size_t> before;  // names of preceding ranks
  for (const std::string& names : ranks.all_texts(text)) {
    before.push_back(all.size());
    for (std::size_t begin = 0; begin < names.size();) {
      const std::size_t end = names.find('\0', begin);
      all.push_back(names.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  Labels labels = make_labels(all);
  const std::size_t offset = before[static_cast<std::size_t>(ranks.rank())];
  std::vector<double> indices;
  for (const int index : read.labels) indices.push_back(labels.index[offset + static_cast<std::size_t>(index)]);
  indices = ranks.gathered(indices);
  labels.index.assign(indices.begin(), indices.end());
  return labels;
}

// Sends every row to its owner. Blocks are freed as they go, so memory is that of the rows and a block.
Matrix distribute(Read& read, Index n_features, Index n_rows, const Ranks& ranks) {
  const std::vector<Index> firsts = divided(n_rows, ranks.size());
  const std::vector<std::int64_t> counts = ranks.all_of(read.n_rows);
  const auto rank = static_cast<std::size_t>(ranks.rank());
  Index row = std::accumulate(counts.begin(), counts.begin() + ranks.rank(), Index{0});  // the next to send
  const std::vector<std::int64_t> rounds = ranks.all_of(std::ssize(read.blocks));
  require_memory(8.0 * static_cast<double>(firsts[rank + 1] - firsts[rank]) * static_cast<double>(n_features),
                 fmt::format("the share of rank {} in {} samples", rank, n_rows), "use more ranks on more machines");
  Matrix held(firsts[rank + 1] - firsts[rank], n_features);
  for (std::int64_t round = 0; round < std::ranges::max(rounds); ++round) {
    std::vector<std::vector<double>> out(firsts.size() - 1);  // to each rank: the index of the first row, and the rows
    if (!read.blocks.empty()) {
      const Matrix block = std::move(read.blocks.front());
      read.blocks.pop_front();
      for (Index i = 0; i < block.rows();) {
        const std::size_t owner = owner_of(row, firsts);
        const Index count = std::min(block.rows() - i, firsts[owner + 1] - row);
        if (owner == rank) {
          held.middleRows(row - firsts[rank], count) = block.middleRows(i, count);
        } else {
          out[owner].push_back(static_cast<double>(row));
          out[owner].insert(out[owner].end(), block.row(i).data(), block.row(i).data() + count * n_features);
        }
        i += count;
        row += count;
      }
    }
    for (const std::vector<double>& in : ranks.exchange(out)) {
      if (in.empty()) continue;
      const Index count = (std::ssize(in) - 1) / n_features;
      held.middleRows(static_cast<Index>(in[0]) - firsts[rank], count) =
          Eigen::Map<const Matrix>(in.data() + 1, count, n_features);
    }
  }
  return held;
}

}  // namespace

SharedData read_shards(const std::vector<std::string>& shards, const std::vector<std::string>& labels,
                       const ReadOptions& options, const Ranks& ranks, const RunContext& context) {
  if (!labels.empty() && labels.size() != shards.size())
    throw InvalidArgument(
        fmt::format("--labels: {} files for {} shards: one for each is needed", labels.size(), shards.size()));
  const StreamInfo first = cli::open_input(shards[0], options)->info();
  ReadOptions like_first = options;
  if (!first.table.empty()) like_first.like = first.table;
  const std::vector<int> reader = balanced_in_order(bytes_of(shards, ranks), ranks.size());
  Read read;
  read.shard_rows.assign(shards.size(), 0);
  for (std::size_t s = 0; s < shards.size(); ++s)
    if (reader[s] == ranks.rank())
      read.shard_rows[s] =
          read_shard(shards[s], labels.empty() ? std::string() : labels[s], like_first, first, context, read);

  SharedData data;
  data.n_rows = ranks.sum_of(read.n_rows);
  if (data.n_rows == 0) throw IoError(fmt::format("{}: there are no samples in the shards", shards[0]));
  for (const Index rows : read.shard_rows) data.shard_rows.push_back(ranks.sum_of(rows));
  data.about.image = first.image;
  data.about.columns = first.columns;
  data.about.table = first.table;
  data.about.resized = first.resized;
  data.about.warnings = first.warnings;
  if (const std::int64_t skipped = ranks.sum_of(read.n_skipped); skipped > 0)
    data.about.warnings.push_back(fmt::format("{} samples were left out", skipped));
  data.about.labels = joined_labels(read, ranks);
  data.held = distribute(read, first.n_features, data.n_rows, ranks);
  return data;
}

}  // namespace foldout::mpi
