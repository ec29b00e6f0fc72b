// SPDX-License-Identifier: Apache-2.0
#include "foldout/preprocess/preprocess.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/archive.h"
#include "core/check.h"
#include "foldout/core/error.h"
#include "preprocess/load_preprocessor.h"

namespace foldout {

Fields fields(HistogramEqualizationOptions& o) {
  static constexpr Key levels{"levels", "grey levels of the result", "", 2, 65536};
  return {{levels, o.levels}};
}

namespace {

constexpr int kBins = 256;

class HistogramEqualization final : public Preprocessor {
 public:
  HistogramEqualization(Index n, double low, double high, int levels)
      : n_(n), low_(low), high_(high), levels_(levels) {}
  [[nodiscard]] Index n_inputs() const override { return n_; }
  [[nodiscard]] Index n_outputs() const override { return n_; }
  void save(Archive& archive) const override {
    archive.put_text("step", "histogram_equalization");
    archive.put("n_inputs", std::vector<std::int64_t>{n_, levels_});
    archive.put("low", low_);
    archive.put("high", high_);
  }

 protected:
  [[nodiscard]] Matrix apply_block(const MatrixRef& samples, Index) const override {
    Matrix prepared(samples.rows(), n_);
    for (Index i = 0; i < samples.rows(); ++i) {
      std::array<Index, kBins> count{};
      for (Index j = 0; j < n_; ++j) ++count[bin(samples(i, j))];
      std::array<double, kBins> level{};
      Index not_brighter = 0;
      for (std::size_t b = 0; b < kBins; ++b) {
        not_brighter += count[b];
        level[b] =
            std::round(static_cast<double>(not_brighter) / static_cast<double>(n_) * (levels_ - 1)) / (levels_ - 1);
      }
      for (Index j = 0; j < n_; ++j) prepared(i, j) = level[bin(samples(i, j))];
    }
    return prepared;
  }

 private:
  [[nodiscard]] std::size_t bin(double value) const {
    if (high_ <= low_) return 0;
    const double position = std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
    return static_cast<std::size_t>(std::min<double>(kBins - 1, std::floor(position * kBins)));
  }

  Index n_;
  double low_, high_;
  int levels_;
};

}  // namespace

std::shared_ptr<const Preprocessor> fit_histogram_equalization(const MatrixRef& samples,
                                                               const HistogramEqualizationOptions& options) {
  HistogramEqualizationOptions o = options;
  check_fields(fields(o), "histogram_equalization");
  require_samples(samples, 1, "histogram_equalization");
  return std::make_shared<HistogramEqualization>(samples.cols(), samples.minCoeff(), samples.maxCoeff(), o.levels);
}

std::shared_ptr<const Preprocessor> load_histogram_equalization(const Archive& archive) {
  const auto n = archive.integers("n_inputs");
  constexpr std::int64_t kMost = 1 << 30;
  if (n.size() != 2 || n[0] < 1 || n[0] > kMost || n[1] < 2 || n[1] > 65536)
    throw IoError("histogram_equalization: its parameters are out of range");
  return std::make_shared<HistogramEqualization>(n[0], archive.number("low"), archive.number("high"),
                                                 static_cast<int>(n[1]));
}

}  // namespace foldout
