// SPDX-License-Identifier: Apache-2.0
#include "foldout/components/model_spec.h"

#include <fmt/format.h>

#include "components/extending.h"
#include "components/rows.h"
#include "core/spec_fields.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

// Keys given to the extension codes override those of the dictionary.
Component<ExtensionRow> codes_of(const DictionaryPlan& plan, Component<ExtensionRow> extension) {
  if (!extension) extension = "codes";
  CodesOptions codes = plan.codes;
  for (const Field& field : fields(codes)) extension.set_default(field.key().name, field.text());
  return extension;
}

// Steps, dictionaries and most extensions need the samples themselves.
void require_parts_for_rows(const ModelSpec& spec) {
  const RowMeaning rows = row_meaning(spec.method);
  if (rows == RowMeaning::kSamples) return;
  const std::string key = rows == RowMeaning::kDistances ? "metric=precomputed" : "kernel=precomputed";
  const auto refuse = [&](std::string_view part, std::string_view remedy) {
    throw InvalidArgument(fmt::format("{} needs the samples, and {}:{} gives only {}: {}", part, spec.method.name(),
                                      key, rows == RowMeaning::kDistances ? "distances" : "kernel values", remedy));
  };
  if (!spec.preprocess.empty())
    refuse(fmt::format("the preprocessing step {}", spec.preprocess[0].name()),
           "prepare the samples before comparing them");
  if (spec.dictionary) refuse(fmt::format("the dictionary {}", spec.dictionary.name()), "omit it");
  const std::string natural = spec.method.row().natural(spec.method.options()).name();
  if (spec.extension && spec.extension.name() != natural && spec.extension.name() != "nystrom")
    refuse(fmt::format("the extension {}", spec.extension.name()),
           fmt::format("omit it, or use {}", natural == "nystrom" ? natural : natural + " or nystrom"));
}

}  // namespace

ModelSpec completed(ModelSpec spec) {
  if (!spec.method && !spec.extension)
    throw InvalidArgument("a model needs a method, or an extension of given coordinates");
  if (!spec.method && spec.dictionary)
    throw InvalidArgument(fmt::format("dictionary {}: a method is needed to embed its atoms", spec.dictionary.name()));
  require_parts_for_rows(spec);
  if (!spec.dictionary) {
    spec.extension = natural_to(spec.method, std::move(spec.extension));
    if (spec.method && spec.extension.name() == "own" && !natural_to(spec.method, {}))
      spec.extension = {};  // the default by its name
    return spec;
  }
  const DictionaryPlan plan = spec.dictionary.row().plan(spec.dictionary.options());
  if (!spec.extension || spec.extension.name() == "codes")
    spec.extension = codes_of(plan, std::move(spec.extension));
  else if (plan.atom_coordinates == AtomCoordinates::kOwn)
    spec.extension = natural_to(spec.method, std::move(spec.extension));
  return spec;
}

ModelSpec preset(std::string_view name) {
  const std::vector<std::string_view> names{"faces"};
  if (!same_name(name, "faces"))
    throw InvalidArgument(fmt::format("preset '{}' is not known{}", name, suggest(name, names)));
  return {.preprocess = {"unit_norm", "center", "unit_norm"}, .method = "cea", .classifier = "affinity"};
}

}  // namespace foldout
