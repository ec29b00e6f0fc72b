// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "components/entries.h"
#include "foldout/preprocess/preprocess.h"

namespace foldout {
namespace {

// fit_x(samples), fit_x(samples, report), fit_x(samples, options) or fit_x(samples, options, context or report).
template <class Options, auto fit>
PreprocessRow entry(std::string_view name, std::string_view summary) {
  const auto run = [](const MatrixRef& X, const std::any& options, const RunContext& context,
                      Report& report) -> std::shared_ptr<const Preprocessor> {
    const auto& o = options_in<Options>(options);
    if constexpr (std::is_invocable_v<decltype(fit), const MatrixRef&, const Options&, const RunContext&>)
      return fit(X, o, context);
    else if constexpr (std::is_invocable_v<decltype(fit), const MatrixRef&, const Options&, Report&>)
      return fit(X, o, report);
    else if constexpr (std::is_invocable_v<decltype(fit), const MatrixRef&, const Options&>)
      return fit(X, o);
    else if constexpr (std::is_invocable_v<decltype(fit), const MatrixRef&, Report&>)
      return fit(X, report);
    else
      return fit(X);
  };
  return {row_of<Options>(name, summary), run};
}

}  // namespace

std::span<const PreprocessRow> preprocess_table() {
  static const std::array kSteps{
      entry<NoOptions, fit_center>("center", "subtracts the mean of the training samples"),
      entry<NoOptions, fit_standardize>("standardize", "mean 0 and standard deviation 1 for every feature"),
      entry<MinmaxOptions, fit_minmax>("minmax", "the range of every feature becomes [0, 1], or [low, high]"),
      entry<NoOptions, fit_unit_norm>("unit_norm", "divides each sample by its length"),
      entry<HistogramEqualizationOptions, fit_histogram_equalization>("histogram_equalization",
                                                                      "spreads the grey levels of each image evenly"),
      entry<RandomProjectionOptions, fit_random_projection>("random_projection",
                                                            "a random Gaussian projection to fewer dimensions"),
      entry<PcaStepOptions, fit_pca_step>("pca", "the directions of largest variance, optionally whitened"),
      entry<KernelWhiteningOptions, fit_kernel_whitening>(
          "kernel_whitening", "kernel principal components of unit variance (Tax and Juszczak, 2003)"),
  };
  return kSteps;
}

}  // namespace foldout
