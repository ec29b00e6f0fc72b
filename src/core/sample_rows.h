// SPDX-License-Identifier: Apache-2.0
// Private: samples of which this process may hold only some. The seam of fits on several machines: the others hold the
// rest and run the same code, so what one calls on SampleRows all have to call, in the same order. Results are the same
// bits for any number of processes: what is computed row by row stays with the rows, and sums go through sum_over().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ordered_sum.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// What a learner needs to go on after an iteration.
struct LearningState {
  Matrix atoms;
  std::vector<double> numbers;  ///< all else, in an order of the learner's own
};

class SampleRows {
 public:
  /// Rows of a part, the unit of ordered sums. The rows of a process begin with a part.
  static constexpr Index kPart = 2048;

  SampleRows() = default;
  virtual ~SampleRows() = default;
  SampleRows(const SampleRows&) = delete;
  SampleRows& operator=(const SampleRows&) = delete;

  /// All samples.
  [[nodiscard]] virtual Index size() const = 0;
  [[nodiscard]] virtual Index width() const = 0;
  /// The rows of this process, which may be none, and the index of the first.
  [[nodiscard]] virtual const MatrixRef& held() const = 0;
  [[nodiscard]] virtual Index first() const = 0;
  /// Whether there is no other process. One that happens to hold all samples still has to take part in what all do.
  [[nodiscard]] virtual bool is_whole() const { return true; }

  /// Any of the samples, on every process; all ask for the same.
  [[nodiscard]] virtual Matrix rows(const std::vector<Index>& picked) const = 0;
  /// The same, divided among the processes.
  [[nodiscard]] virtual std::unique_ptr<SampleRows> some(const std::vector<Index>& picked) const = 0;
  /// The sum over all processes, each of which gives that of the parts it holds.
  [[nodiscard]] virtual Sums total(OrderedSum of_held) const = 0;
  /// The values of all processes one after another, in the order of their rows.
  [[nodiscard]] virtual std::vector<double> gathered(const std::vector<double>& mine) const = 0;
  /// The texts of all processes, in the order of their rows.
  [[nodiscard]] virtual std::vector<std::string> texts(const std::string& mine) const = 0;
  /// Whether this process gets the results that one is enough for, such as joined().
  [[nodiscard]] virtual bool leads() const = 0;
  /// The rows of all processes, of which each gives those of its samples; elsewhere than on the leader, none.
  [[nodiscard]] virtual Matrix joined(Matrix mine) const = 0;
  /// Whether states are kept, in case that the fit is interrupted; the last state that an interrupted fit kept.
  [[nodiscard]] virtual bool keeps() const { return false; }
  virtual void keep(const LearningState&) const {}
  [[nodiscard]] virtual std::optional<LearningState> kept() const { return std::nullopt; }
  /// Other features of the same samples; this must outlive them.
  [[nodiscard]] virtual std::unique_ptr<SampleRows> with(Matrix held) const = 0;
};

/// Samples in memory, all in this process; a view, the matrix must outlive it.
class AllRows final : public SampleRows {
 public:
  explicit AllRows(const MatrixRef& samples) : samples_(samples) {}
  [[nodiscard]] Index size() const override { return samples_.rows(); }
  [[nodiscard]] Index width() const override { return samples_.cols(); }
  [[nodiscard]] const MatrixRef& held() const override { return samples_; }
  [[nodiscard]] Index first() const override { return 0; }
  [[nodiscard]] Matrix rows(const std::vector<Index>& picked) const override;
  [[nodiscard]] std::unique_ptr<SampleRows> some(const std::vector<Index>& picked) const override {
    return with(rows(picked));
  }
  [[nodiscard]] Sums total(OrderedSum of_held) const override { return std::move(of_held).total(); }
  [[nodiscard]] std::vector<double> gathered(const std::vector<double>& mine) const override { return mine; }
  [[nodiscard]] std::vector<std::string> texts(const std::string& mine) const override { return {mine}; }
  [[nodiscard]] bool leads() const override { return true; }
  [[nodiscard]] Matrix joined(Matrix mine) const override { return mine; }
  [[nodiscard]] std::unique_ptr<SampleRows> with(Matrix held) const override;

 private:
  MatrixRef samples_;
};

/// Throws InvalidArgument if there are other processes; `what` needs all samples in one.
void require_whole(const SampleRows& samples, std::string_view what);

/// Throws InvalidArgument on all processes if `check`, of the held rows, throws it on one. Otherwise a caller that
/// catches it would leave the others alone.
void require_of_all(const SampleRows& samples, const std::function<void()>& check);

/// Σ over all samples, in parts: `part` gives the sum over the held rows [begin, end), on one thread.
[[nodiscard]] Sums sum_over(const SampleRows& samples, const RunContext& context,
                            const std::function<Sums(Index begin, Index end)>& part);
/// The same of one value per held row.
[[nodiscard]] double sum_over(const SampleRows& samples, const Vector& of_held);

/// A held row, or one of another process.
struct Ranked {
  double value = 0;
  Index row = 0;  ///< among all samples
};
/// The samples with the `count` largest values above 0, in descending order, the first of equals first. One value per
/// held row.
[[nodiscard]] std::vector<Ranked> largest(const SampleRows& samples, const Vector& of_held, Index count);

}  // namespace foldout
