// SPDX-License-Identifier: Apache-2.0
// Support vector machines with a Gaussian kernel, one for each pair of classes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "classify/classifier.h"
#include "core/archive.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/report.h"

namespace foldout {

struct SvmOptions {
  std::optional<double> cost = {};     ///< C, penalty on a point within the margin; auto: by cross-validation
  std::optional<double> width = {};    ///< β of the Gaussian exp(−‖x−y‖²/β); auto: by cross-validation
  Metric metric = Metric::kEuclidean;  ///< cosine: points are first normalised to unit length, so only angles count
  int n_folds = 5;                     ///< of the cross-validation
  std::uint64_t seed = 0;              ///< of the folds
};
[[nodiscard]] Fields fields(SvmOptions& options);

/// The result of training. With k classes, the decision between class a and class b is
///   f(x) = Σ_i c_i exp(−‖x−x_i‖²/width) − rho,   a if f(x) > 0, else b   (a < b),
/// over the support vectors x_i of both; c_i = y_i α_i.
struct SvmMachine {
  double cost = 1;
  double width = 1;
  Metric metric = Metric::kEuclidean;
  std::vector<int> classes;    ///< labels, in ascending order
  std::vector<Index> support;  ///< rows of the training points, class by class
  Matrix coefficients;         ///< one row per support vector, one column per other class, in their order
  Vector rho;                  ///< of the pairs (0,1), (0,2), …, (1,2), …
};

class SvmClassifier final : public Classifier {
 public:
  SvmClassifier(const LabelledPoints& training, SvmMachine machine);
  using Classifier::predict;
  /// Every pair of classes votes; ties go to the first class.
  [[nodiscard]] std::vector<int> predict(const MatrixRef& points, const RunContext& context, Tally& tally,
                                         std::vector<int>* second) const override;
  /// f of every pair, in the order of rho.
  [[nodiscard]] Matrix decisions(const MatrixRef& points, const RunContext& context = {}) const;
  [[nodiscard]] const SvmMachine& machine() const { return machine_; }
  void describe(Report& report) const override;
  void save(Archive& archive) const override;

 private:
  [[nodiscard]] Matrix kernel_block(const MatrixRef& points) const;
  [[nodiscard]] Matrix decide(const Matrix& kernel) const;

  SvmMachine machine_;
  Matrix support_;
  std::vector<Index> first_;  // support vector of each class, then their number
};

struct SvmFit {
  std::shared_ptr<const SvmClassifier> classifier;
  Report report;  ///< svm_cost, svm_width, svm_accuracy (of the cross-validation), support_vectors
};

/// Throws InvalidArgument for points that are not finite, and for a width that is too small for the points. If there is
/// only one class, or all points coincide, every point gets the most frequent label.
[[nodiscard]] SvmFit fit_svm(const LabelledPoints& training, const SvmOptions& options = {},
                             const RunContext& context = {});

/// Restores the classifier that save() wrote, given the training points of its fit and its options with the selected
/// cost and width. Throws IoError if the arrays do not fit them.
[[nodiscard]] std::shared_ptr<const SvmClassifier> load_svm(const Archive& archive, const LabelledPoints& training,
                                                            const SvmOptions& options);

}  // namespace foldout
