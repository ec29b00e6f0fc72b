// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "classify/svm.h"
#include "components/entries.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

/// The space in which the sparse classifier codes samples.
enum class CodingSpace { kAuto, kSamples, kEmbedding };

}  // namespace

template <>
inline constexpr auto kNames<CodingSpace> = std::array<std::string_view, 3>{"auto", "samples", "embedding"};

namespace {

struct SparseClassifierOptions {
  CodingSpace space = CodingSpace::kAuto;  ///< samples if the model contains all of them, otherwise the embedding
  double tolerance = 1e-8;                 ///< largest relative duality gap of a code
};

Fields fields(SparseClassifierOptions& o) {
  static constexpr Key space{
      "space", "space in which samples are coded; auto: samples if the model contains them all, otherwise embedding"};
  static constexpr Key tolerance{"tolerance", "largest relative duality gap of a code", "", 1e-14, 1};
  return {{space, o.space}, {tolerance, o.tolerance}};
}

using Made = std::shared_ptr<const Classifier>;

bool on_coordinates(const std::any&, bool) { return false; }

Made train_nearest(const LabelledPoints& points, std::any& options, const RunContext&, Report&) {
  return nearest_classifier(points, options_in<NearestOptions>(options));
}

Made train_affinity(const LabelledPoints& points, std::any&, const RunContext&, Report&) {
  return affinity_classifier(points);
}

Made train_svm(const LabelledPoints& points, std::any& options, const RunContext& context, Report& report) {
  auto& o = *std::any_cast<SvmOptions>(&options);
  SvmFit fit = fit_svm(points, o, context);
  o.cost = fit.classifier->machine().cost;
  o.width = fit.classifier->machine().width;
  report.absorb(fit.report);
  return fit.classifier;
}

Made read_svm(const Archive& archive, const LabelledPoints& points, const std::any& options) {
  return load_svm(archive, points, options_in<SvmOptions>(options));
}

// Values that are auto match those of the stored SVM.
bool svm_answers(const std::any& stored, const std::any& asked) {
  const auto &s = options_in<SvmOptions>(stored), &a = options_in<SvmOptions>(asked);
  return a.metric == s.metric && a.n_folds == s.n_folds && a.seed == s.seed && a.cost.value_or(*s.cost) == *s.cost &&
         a.width.value_or(*s.width) == *s.width;
}

bool codes_samples(const std::any& options, bool has_samples) {
  const auto space = options_in<SparseClassifierOptions>(options).space;
  if (space == CodingSpace::kSamples && !has_samples)
    throw InvalidArgument(
        "sparse: this model does not contain its training samples, and new ones cannot be coded over them: use "
        "space=embedding, or fit with the extension sparse and without a dictionary");
  return has_samples && space != CodingSpace::kEmbedding;
}

Made train_sparse(const LabelledPoints& points, std::any& options, const RunContext&, Report&) {
  return sparse_classifier(points, options_in<SparseClassifierOptions>(options).tolerance);
}

}  // namespace

std::span<const ClassifierRow> classifier_table() {
  static const std::array table{
      ClassifierRow{row_of<NearestOptions>("nn", "the nearest training samples in the embedding"), on_coordinates,
                    train_nearest},
      ClassifierRow{row_of<NoOptions>("affinity", "the training sample at the smallest angle in the embedding"),
                    on_coordinates, train_affinity},
      ClassifierRow{row_of<SvmOptions>("svm", "support vector machines with a Gaussian kernel in the embedding"),
                    on_coordinates, train_svm, read_svm, svm_answers},
      ClassifierRow{row_of<SparseClassifierOptions>(
                        "sparse", "the class whose part of the sparse code has the smallest residual"),
                    codes_samples, train_sparse},
  };
  return table;
}

}  // namespace foldout
