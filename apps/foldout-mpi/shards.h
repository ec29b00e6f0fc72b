// SPDX-License-Identifier: Apache-2.0
// Data in several files (shards), in the byte order of their names. Every shard is read by one rank.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/types.h"
#include "ranks.h"

namespace foldout::mpi {

/// The files and image folders that match the patterns (`*`, `?`, `[…]`, expanded by rank 0), sorted bytewise, each
/// once. Throws IoError for a pattern that matches nothing.
[[nodiscard]] std::vector<std::string> find_shards(const std::vector<std::string>& patterns, const Ranks& ranks);

/// Bytes of each shard; of a folder, those of its files. As rank 0 sees them.
[[nodiscard]] std::vector<double> bytes_of(const std::vector<std::string>& shards, const Ranks& ranks);

/// The rank of each shard: the largest go first, each to the rank with the fewest bytes so far.
[[nodiscard]] std::vector<int> balanced(const std::vector<double>& bytes, int n_ranks);
/// The same in their order: rank r reads shards that follow those of rank r − 1.
[[nodiscard]] std::vector<int> balanced_in_order(const std::vector<double>& bytes, int n_ranks);

/// The name of a shard's output, "part-07.npy" for "data/part-07.csv.gz". Throws InvalidArgument if two shards would
/// have the same.
[[nodiscard]] std::vector<std::string> output_names(const std::vector<std::string>& shards, const std::string& ending);

}  // namespace foldout::mpi
