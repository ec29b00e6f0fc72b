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

}  // namespace

ModelSpec completed(ModelSpec spec) {
  if (!spec.method && !spec.extension)
    throw InvalidArgument("a model needs a method, or an extension of given coordinates");
  if (!spec.method && spec.dictionary)
    throw InvalidArgument(fmt::format("dictionary {}: a method is needed to embed its atoms", spec.dictionary.name()));
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
  if (name != "faces") throw InvalidArgument(fmt::format("preset '{}' is not known{}", name, suggest(name, names)));
  return {.preprocess = {"unit_norm", "center", "unit_norm"}, .method = "cea", .classifier = "affinity"};
}

}  // namespace foldout
