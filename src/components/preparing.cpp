// SPDX-License-Identifier: Apache-2.0
#include "components/preparing.h"

#include "components/rows.h"

namespace foldout {

Steps fit_steps(const MatrixRef& samples, const std::vector<Component<PreprocessRow>>& specs, Matrix& prepared,
                const RunContext& context, Report& report) {
  Steps steps;
  for (const Component<PreprocessRow>& spec : specs) {
    const PhaseTimer timer(report, "preprocessing");
    const MatrixRef before = steps.empty() ? samples : MatrixRef(prepared);
    steps.push_back(spec.row().fit(before, spec.options(), context, report));
    prepared = steps.back()->apply(before, context);
  }
  return steps;
}

void record_found(const Steps& steps, std::vector<Component<PreprocessRow>>& specs) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* options = std::any_cast<PcaStepOptions>(&specs[i].options());
    if (!options || !options->n_components || !options->n_components->is_fraction()) continue;
    PcaStepOptions found = *options;
    found.n_components = steps[i]->n_outputs();
    specs[i].found(found);
  }
}

Matrix apply_steps(const MatrixRef& samples, const Steps& steps, const RunContext& context) {
  Matrix prepared = steps.front()->apply(samples, context);
  for (std::size_t i = 1; i < steps.size(); ++i) prepared = steps[i]->apply(prepared, context);
  return prepared;
}

}  // namespace foldout
