// SPDX-License-Identifier: Apache-2.0
// Training samples in shards, divided among the ranks.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/io/files.h"
#include "ranks.h"

namespace foldout::mpi {

struct SharedData {
  Matrix held;                    ///< the rows of this rank, as divided() has it
  Index n_rows = 0;               ///< of all ranks
  Dataset about;                  ///< without samples; the labels are those of all
  std::vector<Index> shard_rows;  ///< samples of each shard
};

/// Every shard is read by one rank, in blocks. `labels`: a file for each shard, or empty (labels in the shards, if they
/// have them). All shards must have the same features; the columns of tables have the roles that the first shard gives
/// them.
[[nodiscard]] SharedData read_shards(const std::vector<std::string>& shards, const std::vector<std::string>& labels,
                                     const ReadOptions& options, const Ranks& ranks, const RunContext& context);

}  // namespace foldout::mpi
