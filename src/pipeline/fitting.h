// SPDX-License-Identifier: Apache-2.0
// Private: the steps of a fit, for those that need them one by one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/archive.h"
#include "foldout/pipeline/component_table.h"
#include "foldout/pipeline/model.h"

namespace foldout {

/// Fits the preprocessing of a spec and returns the prepared samples; the specs come back with every key written out.
[[nodiscard]] Matrix fit_steps(const MatrixRef& samples, std::vector<std::string>& specs,
                               std::vector<std::shared_ptr<const Preprocessor>>& steps, const RunContext& context,
                               Report& report);

[[nodiscard]] Matrix apply_steps(const MatrixRef& samples,
                                 const std::vector<std::shared_ptr<const Preprocessor>>& steps,
                                 const RunContext& context);

/// The dictionary of a spec with every key written out; empty where there is none.
[[nodiscard]] std::string completed_dictionary(const ModelSpec& spec);

/// A number among the keys of a spec that has all of them written out; 0: a word stands there, or nothing.
[[nodiscard]] Index number_in(const ComponentSpec& spec, std::string_view key);

struct MadeExtension {
  std::shared_ptr<const OutOfSampleMap> map;
  std::string spec;  ///< with every key written out; empty: the method's own map
};

/// The extension of a spec, or what suits the method where the spec is empty; keys that are not given come from the
/// method's options. Throws InvalidArgument, with the reason, where they do not go together.
[[nodiscard]] MadeExtension make_extension(const MatrixRef& samples, const FittedMethod& fitted,
                                           const std::string& spec, const RunContext& context, Report& report);

/// Writes the spec of the model's classifier out and learns what has to be learnt: an svm finds its cost and width.
void learn_classifier(Model& model, const RunContext& context);
/// What learn_classifier() had learnt, from the arrays of a file.
void load_classifier(const Archive& archive, Model& model);

}  // namespace foldout
