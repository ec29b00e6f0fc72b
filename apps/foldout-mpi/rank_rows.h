// SPDX-License-Identifier: Apache-2.0
// Samples divided among the ranks: the seam core/sample_rows.h over MPI. Rank r holds the parts after those of rank
// r − 1.
#pragma once

#include <utility>
#include <vector>

#include "checkpoint.h"
#include "core/sample_rows.h"
#include "ranks.h"

namespace foldout::mpi {

/// The first row of each rank, and the number of all: parts are divided evenly.
[[nodiscard]] std::vector<Index> divided(Index n_rows, int n_ranks);
/// The rank of a row in this division.
[[nodiscard]] std::size_t owner_of(Index row, const std::vector<Index>& firsts);

class RankRows final : public SampleRows {
 public:
  /// `held`: the rows of this rank in divided(). Every rank knows the width.
  RankRows(Matrix held, Index n_rows, const Ranks& ranks, const Checkpoint* checkpoint = nullptr)
      : samples_(std::move(held)),
        view_(samples_),
        firsts_(divided(n_rows, ranks.size())),
        ranks_(ranks),
        checkpoint_(checkpoint) {}

  [[nodiscard]] Index size() const override { return firsts_.back(); }
  [[nodiscard]] Index width() const override { return samples_.cols(); }
  [[nodiscard]] const MatrixRef& held() const override { return view_; }
  [[nodiscard]] Index first() const override { return firsts_[static_cast<std::size_t>(ranks_.rank())]; }
  [[nodiscard]] bool is_whole() const override { return ranks_.size() == 1; }
  [[nodiscard]] Matrix rows(const std::vector<Index>& picked) const override;
  [[nodiscard]] std::unique_ptr<SampleRows> some(const std::vector<Index>& picked) const override;
  [[nodiscard]] Sums total(OrderedSum of_held) const override;
  [[nodiscard]] std::vector<double> gathered(const std::vector<double>& mine) const override {
    return ranks_.gathered(mine);
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& mine) const override {
    return ranks_.all_texts(mine);
  }
  [[nodiscard]] bool leads() const override { return ranks_.is_root(); }
  [[nodiscard]] Matrix joined(Matrix mine) const override { return ranks_.rows_at_root(mine); }
  [[nodiscard]] bool keeps() const override { return checkpoint_ && checkpoint_->keeps(); }
  void keep(const LearningState& state) const override { checkpoint_->keep(state); }
  [[nodiscard]] std::optional<LearningState> kept() const override {
    return checkpoint_ ? checkpoint_->kept() : std::nullopt;
  }
  [[nodiscard]] std::unique_ptr<SampleRows> with(Matrix held) const override {
    return std::make_unique<RankRows>(std::move(held), size(), ranks_, checkpoint_);
  }

 private:
  Matrix samples_;
  MatrixRef view_;
  std::vector<Index> firsts_;
  const Ranks& ranks_;
  const Checkpoint* checkpoint_;  // null: nothing is kept
};

}  // namespace foldout::mpi
