// SPDX-License-Identifier: Apache-2.0
// Directories that belong to one request: outputs of transform that are finished, and what an interrupted fit has
// finished, so that the same fit goes on from there with the same result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sample_rows.h"
#include "neighbors/neighbors.h"
#include "ranks.h"

namespace foldout::mpi {

/// Creates the directory `option` names, or checks that it belongs to the same request: throws InvalidArgument if it
/// was made by another one. On rank 0.
void claim_directory(const std::string& option, const std::string& directory, const std::string& request);

/// What a request says of its shards: names, sizes and times of change.
[[nodiscard]] std::string describe_shards(const std::vector<std::string>& shards);

class Checkpoint {
 public:
  /// An empty directory: nothing is kept.
  Checkpoint(std::string directory, const std::string& request, const Ranks& ranks);
  [[nodiscard]] bool keeps() const { return !directory_.empty(); }

  /// Atoms after an iteration. Collective; rank 0 reads and writes.
  void keep(const LearningState& state) const;
  [[nodiscard]] std::optional<LearningState> kept() const;

  /// Neighbours of samples, on rank 0.
  void keep(const std::string& name, const NeighborTable& table) const;
  [[nodiscard]] std::optional<NeighborTable> kept(const std::string& name, Index n, Index k) const;
  /// The name of a table: a digest of samples and options.
  [[nodiscard]] static std::string name_of(const MatrixRef& samples, Index k, const NeighborOptions& options);

 private:
  [[nodiscard]] std::string path(const std::string& name) const;

  std::string directory_;
  const Ranks& ranks_;
};

}  // namespace foldout::mpi
