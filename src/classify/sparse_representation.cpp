// SPDX-License-Identifier: Apache-2.0
// J. Wright, A. Yang, A. Ganesh, S. Sastry, Y. Ma: Robust Face Recognition via Sparse Representation, IEEE PAMI 31
// (2009), Algorithm 1 with errors: r_c(x) = ‖x − e − X δ_c(a)‖₂. Since x = Xa + e, this is the length of the
// contribution of the other classes, ‖Σ_{j not in c} a_j x_j‖₂. Points are first normalised to unit length.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "classify/classifier.h"
#include "core/check.h"
#include "core/parallel.h"
#include "core/tally.h"
#include "foldout/l1/l1_coding.h"
#include "linalg/distance.h"

namespace foldout {
namespace {

class SparseClassifier final : public Classifier {
 public:
  SparseClassifier(const LabelledPoints& training, double tolerance)
      : labels_(training.labels), dictionary_(unit_rows(training.points), L1Options{tolerance}) {}

  [[nodiscard]] std::vector<int> predict(const MatrixRef& points, const RunContext& context, Tally& tally,
                                         std::vector<int>* second) const override {
    require_width(points, dictionary_.atoms().cols(), "sparse");
    require_finite(points, "sparse");
    const Matrix x = unit_rows(points);
    std::vector<int> labels(static_cast<std::size_t>(x.rows()));
    std::vector<int> others(labels.size());
    std::vector<Tally> tallies(labels.size());
    parallel_for(
        x.rows(), context,
        [&](Index i) {
          const auto row = static_cast<std::size_t>(i);
          std::tie(labels[row], others[row]) = classify(x.row(i).data(), tallies[row]);
        },
        "coding");
    for (std::size_t i = 0; i < tallies.size(); ++i) tally.absorb(tallies[i], static_cast<Index>(i));
    if (second) *second = std::move(others);
    return labels;
  }

 private:
  // The best label and the second; −1: no other class takes part in the code.
  [[nodiscard]] std::pair<int, int> classify(const double* x, Tally& tally) const {
    const Matrix& X = dictionary_.atoms();
    const L1Code code = dictionary_.code({x, static_cast<std::size_t>(X.cols())});
    tally.add("pivots", code.pivots);
    tally.raise("largest_gap", code.gap);
    if (code.status != L1Status::kSolved)
      tally.remark("sparse_inexact", "coded with a duality gap above the tolerance", 0);
    if (code.atoms.empty()) {
      tally.remark("sparse_zero_code", "not explained by any training sample, labelled as the nearest", 0);
      return {labels_[static_cast<std::size_t>(nearest(x))], -1};
    }
    // Σ_j a_j x_j of every class, and of all.
    std::map<int, Vector> parts;
    Vector all = Vector::Zero(X.cols());
    for (std::size_t j = 0; j < code.atoms.size(); ++j) {
      const Vector part = code.values[j] * X.row(code.atoms[j]).transpose();
      const auto it = parts.try_emplace(labels_[static_cast<std::size_t>(code.atoms[j])], Vector::Zero(X.cols())).first;
      it->second += part;
      all += part;
    }
    std::vector<std::pair<double, int>> residuals;
    residuals.reserve(parts.size());
    for (const auto& [label, part] : parts) residuals.emplace_back((all - part).norm(), label);
    std::ranges::sort(residuals);
    return {residuals[0].second, residuals.size() > 1 ? residuals[1].second : -1};
  }

  [[nodiscard]] Index nearest(const double* x) const {
    const Matrix& X = dictionary_.atoms();
    Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < X.rows(); ++j)
      if (const double d2 = squared_distance(x, X.row(j).data(), X.cols()); d2 < least) {
        least = d2;
        best = j;
      }
    return best;
  }

  std::vector<int> labels_;
  L1Dictionary dictionary_;
};

}  // namespace

std::shared_ptr<const Classifier> sparse_classifier(const LabelledPoints& training, double tolerance) {
  require_training(training, "sparse");
  return std::make_shared<SparseClassifier>(training, tolerance);
}

}  // namespace foldout
