// SPDX-License-Identifier: Apache-2.0
#include "pipeline/fitting.h"

#include <charconv>

#include "foldout/core/error.h"
#include "foldout/core/spec.h"

namespace foldout {

Matrix fit_steps(const MatrixRef& samples, std::vector<std::string>& specs,
                 std::vector<std::shared_ptr<const Preprocessor>>& steps, const RunContext& context, Report& report) {
  Matrix prepared = samples;
  for (std::string& text : specs) {
    const PhaseTimer timer(report, "preprocessing");
    const ComponentSpec spec = ComponentSpec::parse(text);
    const PreprocessEntry& entry = find_preprocess(spec.name);
    steps.push_back(entry.fit(prepared, spec, context, report));
    text = entry.complete(spec);
    prepared = steps.back()->apply(prepared, context);
  }
  return prepared;
}

Matrix apply_steps(const MatrixRef& samples, const std::vector<std::shared_ptr<const Preprocessor>>& steps,
                   const RunContext& context) {
  Matrix prepared = steps.front()->apply(samples, context);
  for (std::size_t i = 1; i < steps.size(); ++i) prepared = steps[i]->apply(prepared, context);
  return prepared;
}

std::string completed_dictionary(const ModelSpec& spec) {
  if (spec.dictionary.empty()) return {};
  const ComponentSpec given = ComponentSpec::parse(spec.dictionary);
  return find_dictionary(given.name).complete(given);
}

Index number_in(const ComponentSpec& spec, std::string_view key) {
  const std::string* text = spec.find(key);
  Index value = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

MadeExtension make_extension(const MatrixRef& samples, const FittedMethod& fitted, const std::string& text,
                             const RunContext& context, Report& report) {
  if (text.empty() && fitted.own_map) {
    const std::string name = fitted.own_map->info().name;
    return {fitted.own_map, ComponentSpec::parse(fitted.spec).name == name ? "" : name};
  }
  ComponentSpec spec = ComponentSpec::parse(text.empty() ? fitted.natural_extension : text);
  const ExtensionEntry& entry = find_extension(spec.name);
  if (const std::string reason = entry.refusal(fitted); !reason.empty()) throw InvalidArgument(reason);
  if (!fitted.natural_extension.empty()) {
    const ComponentSpec natural = ComponentSpec::parse(fitted.natural_extension);
    if (natural.name == spec.name)
      for (const auto& [key, value] : natural.values)
        if (!spec.find(key)) spec.values.emplace_back(key, value);
  }
  auto map = entry.make(samples, fitted, spec, context, report);
  return {std::move(map), entry.complete(spec)};
}

}  // namespace foldout
