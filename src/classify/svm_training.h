// SPDX-License-Identifier: Apache-2.0
// Private: training by libsvm, pair by pair of classes.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "classify/classifier.h"
#include "classify/svm.h"

namespace foldout {

/// Points in the format of libsvm, with the kernel between them.
class SvmKernel {
 public:
  /// Gaussian, computed on demand.
  SvmKernel(const Matrix& points, double width);
  /// Precomputed, one row and column per point: for repeated training on few points.
  static SvmKernel table(const Matrix& kernel);
  ~SvmKernel();
  SvmKernel(SvmKernel&&) noexcept;
  SvmKernel& operator=(SvmKernel&&) = delete;

  /// Binary SVMs for all pairs of the classes of these points; `labels` of all points do not decrease, `points` are in
  /// ascending order. The width is not set.
  [[nodiscard]] SvmMachine train(const std::vector<int>& labels, std::span<const Index> points, double cost,
                                 const RunContext& context) const;

 private:
  struct Nodes;
  explicit SvmKernel(std::unique_ptr<Nodes> nodes);
  std::unique_ptr<Nodes> nodes_;
};

/// The training points sorted by class, then by value (so the order of the samples does not matter), centred, and
/// scaled to mean squared distance 1. libsvm computes distances from norms and products, which would cancel without
/// this. A row of this set is called a place.
class SvmTrainingSet {
 public:
  explicit SvmTrainingSet(const LabelledPoints& training);

  [[nodiscard]] const LabelledPoints& places() const { return places_; }
  [[nodiscard]] Index row_of(Index place) const { return order_[static_cast<std::size_t>(place)]; }
  /// Of the original points: widths are relative to it. 0 if all coincide.
  [[nodiscard]] double mean_squared_distance() const { return mean_squared_distance_; }
  /// Binary SVMs over all places. `support` contains places, and `width` is relative to the mean squared distance.
  [[nodiscard]] SvmMachine train(double cost, double width, const RunContext& context) const;

 private:
  LabelledPoints places_;
  std::vector<Index> order_;
  double mean_squared_distance_ = 0;
};

struct SvmChoice {
  double cost, width;  // width relative to the mean squared distance
  double accuracy;     // of the cross-validation
};

/// The best of a grid by stratified cross-validation; ties go to the largest width, then to the smallest C.
[[nodiscard]] SvmChoice cross_validate(const SvmTrainingSet& set, const SvmOptions& options, const RunContext& context,
                                       Report& report);

}  // namespace foldout
