// SPDX-License-Identifier: Apache-2.0
// Counts collected sample by sample, summarised in one report at the end.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace foldout {

class Tally {
 public:
  /// Adds to a sum over the samples: pivots, multiply-adds. Whole numbers, whose sum does not depend on the blocks, and
  /// therefore not on the number of threads.
  void add(std::string_view name, Index amount);
  /// Keeps the largest value over the samples: the worst gap.
  void raise(std::string_view name, double value);
  /// Records a fallback or repair of sample `row`.
  void remark(std::string_view code, std::string_view text, Index row);

  /// Adds the counts of another block of samples, whose row 0 is our row `first_row`.
  void absorb(const Tally& other, Index first_row);
  /// The counts as text, for another process, and back.
  [[nodiscard]] std::string packed() const;
  [[nodiscard]] static Tally unpacked(const std::string& text);

  /// Sums as "<name>_per_sample", largest values as "<name>", remarks as notes with their number and first rows.
  void write(Report& report, Index n_samples) const;

 private:
  struct Remark {
    std::string text;
    Index count = 0;
    std::vector<Index> first_rows;
  };
  std::map<std::string, Index, std::less<>> sums_;
  std::map<std::string, double, std::less<>> peaks_;
  std::map<std::string, Remark, std::less<>> remarks_;
};

}  // namespace foldout
