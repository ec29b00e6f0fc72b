// SPDX-License-Identifier: Apache-2.0
#include "core/sample_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "core/rows.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

// A matrix with the rest of SampleRows.
class OwnedRows final : public SampleRows {
 public:
  explicit OwnedRows(Matrix samples) : samples_(std::move(samples)), all_(samples_) {}
  [[nodiscard]] Index size() const override { return all_.size(); }
  [[nodiscard]] Index width() const override { return all_.width(); }
  [[nodiscard]] const MatrixRef& held() const override { return all_.held(); }
  [[nodiscard]] Index first() const override { return 0; }
  [[nodiscard]] Matrix rows(const std::vector<Index>& picked) const override { return all_.rows(picked); }
  [[nodiscard]] std::unique_ptr<SampleRows> some(const std::vector<Index>& picked) const override {
    return all_.some(picked);
  }
  [[nodiscard]] Sums total(OrderedSum of_held) const override { return all_.total(std::move(of_held)); }
  [[nodiscard]] std::vector<double> gathered(const std::vector<double>& mine) const override { return mine; }
  [[nodiscard]] std::vector<std::string> texts(const std::string& mine) const override { return {mine}; }
  [[nodiscard]] bool leads() const override { return true; }
  [[nodiscard]] Matrix joined(Matrix mine) const override { return mine; }
  [[nodiscard]] std::unique_ptr<SampleRows> with(Matrix held) const override { return all_.with(std::move(held)); }

 private:
  Matrix samples_;
  AllRows all_;
};

}  // namespace

Matrix AllRows::rows(const std::vector<Index>& picked) const { return rows_of(samples_, picked); }

std::unique_ptr<SampleRows> AllRows::with(Matrix held) const { return std::make_unique<OwnedRows>(std::move(held)); }

void require_whole(const SampleRows& samples, std::string_view what) {
  if (!samples.is_whole())
    throw InvalidArgument(
        fmt::format("{} needs all samples in one process: use foldout instead of foldout-mpi, or omit it", what));
}

void require_of_all(const SampleRows& samples, const std::function<void()>& check) {
  if (samples.is_whole()) return check();
  std::string reason;
  try {
    check();
  } catch (const InvalidArgument& error) {
    reason = error.what();
  }
  for (const std::string& of_one : samples.texts(reason))
    if (!of_one.empty()) throw InvalidArgument(of_one);
}

Sums sum_over(const SampleRows& samples, const RunContext& context,
              const std::function<Sums(Index begin, Index end)>& part) {
  const Index n = samples.held().rows(), n_parts = (n + SampleRows::kPart - 1) / SampleRows::kPart;
  const Index first_part = samples.first() / SampleRows::kPart;
  OrderedSum sum;
  std::vector<Sums> some(static_cast<std::size_t>(context.threads()));
  for (Index p = 0; p < n_parts; p += std::ssize(some)) {
    const Index count = std::min(std::ssize(some), n_parts - p);
    parallel_for(count, context, [&](Index i) {
      const Index begin = (p + i) * SampleRows::kPart;
      some[static_cast<std::size_t>(i)] = part(begin, std::min(n, begin + SampleRows::kPart));
    });
    for (Index i = 0; i < count; ++i) sum.add({first_part + p + i, 0, std::move(some[static_cast<std::size_t>(i)])});
  }
  return samples.total(std::move(sum));
}

double sum_over(const SampleRows& samples, const Vector& of_held) {
  const Sums sum = sum_over(samples, {}, [&](Index begin, Index end) {
    double part = 0;
    for (Index i = begin; i < end; ++i) part += of_held[i];
    return Sums{Matrix::Constant(1, 1, part)};
  });
  return sum.dense.size() > 0 ? sum.dense(0, 0) : 0;
}

std::vector<Ranked> largest(const SampleRows& samples, const Vector& of_held, Index count) {
  const auto before = [](const Ranked& a, const Ranked& b) {
    return a.value > b.value || (a.value == b.value && a.row < b.row);
  };
  const auto keep = [&](std::vector<Ranked>& candidates) {
    const auto kept = std::min(std::ssize(candidates), count);
    std::ranges::partial_sort(candidates, candidates.begin() + kept, before);
    candidates.resize(static_cast<std::size_t>(kept));
  };
  std::vector<Ranked> candidates;
  for (Index i = 0; i < of_held.size(); ++i)
    if (of_held[i] > 0) candidates.push_back({of_held[i], samples.first() + i});
  keep(candidates);
  std::vector<double> packed;
  for (const auto& [value, row] : candidates) {
    packed.push_back(value);
    packed.push_back(static_cast<double>(row));
  }
  packed = samples.gathered(packed);
  candidates.clear();
  for (std::size_t i = 0; i < packed.size(); i += 2)
    candidates.push_back({packed[i], static_cast<Index>(packed[i + 1])});
  keep(candidates);
  return candidates;
}

}  // namespace foldout
