// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "foldout/preprocess/histogram_equalization.h"
#include "foldout/preprocess/projection.h"
#include "foldout/preprocess/scaling.h"
#include "pipeline/entries.h"

namespace foldout {
namespace {

using Step = std::shared_ptr<const Preprocessor>;

Step run_center(const MatrixRef& X, const ComponentSpec& spec, const RunContext&, Report&) {
  apply(spec, {});
  return fit_center(X);
}
Step run_standardize(const MatrixRef& X, const ComponentSpec& spec, const RunContext&, Report& report) {
  apply(spec, {});
  return fit_standardize(X, report);
}
Step run_unit_norm(const MatrixRef& X, const ComponentSpec& spec, const RunContext&, Report&) {
  apply(spec, {});
  return fit_unit_norm(X);
}
Step run_histogram_equalization(const MatrixRef& X, const ComponentSpec& spec, const RunContext&, Report&) {
  return fit_histogram_equalization(X, options_from<HistogramEqualizationOptions>(spec));
}
Step run_random_projection(const MatrixRef& X, const ComponentSpec& spec, const RunContext&, Report&) {
  return fit_random_projection(X, options_from<RandomProjectionOptions>(spec));
}
Step run_pca(const MatrixRef& X, const ComponentSpec& spec, const RunContext&, Report&) {
  return fit_pca_step(X, options_from<PcaStepOptions>(spec));
}
Step run_kernel_whitening(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context, Report&) {
  return fit_kernel_whitening(X, options_from<KernelWhiteningOptions>(spec), context);
}

const std::array kSteps{
    PreprocessEntry{"center", "subtracts the mean of the training samples", no_keys, complete_without_keys, run_center},
    PreprocessEntry{"standardize", "mean 0 and standard deviation 1 for every feature", no_keys, complete_without_keys,
                    run_standardize},
    PreprocessEntry{"unit_norm", "divides each sample by its length", no_keys, complete_without_keys, run_unit_norm},
    PreprocessEntry{"histogram_equalization", "spreads the grey levels of each image evenly",
                    keys_of<HistogramEqualizationOptions>, complete_with<HistogramEqualizationOptions>,
                    run_histogram_equalization},
    PreprocessEntry{"random_projection", "a random Gaussian projection to fewer dimensions",
                    keys_of<RandomProjectionOptions>, complete_with<RandomProjectionOptions>, run_random_projection},
    PreprocessEntry{"pca", "the directions of largest variance, on request whitened", keys_of<PcaStepOptions>,
                    complete_with<PcaStepOptions>, run_pca},
    PreprocessEntry{"kernel_whitening", "kernel principal components of unit variance (Tax and Juszczak, 2003)",
                    keys_of<KernelWhiteningOptions>, complete_with<KernelWhiteningOptions>, run_kernel_whitening},
};

}  // namespace

std::span<const PreprocessEntry> preprocess_table() { return kSteps; }
const PreprocessEntry& find_preprocess(std::string_view name) {
  return find_entry(preprocess_table(), name, "preprocessing step");
}

}  // namespace foldout
