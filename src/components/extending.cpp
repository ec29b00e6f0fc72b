// SPDX-License-Identifier: Apache-2.0
#include "components/extending.h"

#include <utility>

#include "components/rows.h"
#include "foldout/core/error.h"

namespace foldout {

Component<ExtensionRow> natural_to(const Component<MethodRow>& method, Component<ExtensionRow> extension) {
  if (!method) return extension;
  Component<ExtensionRow> natural = method.row().natural(method.options());
  if (!extension) return natural;
  if (natural && natural.name() == extension.name()) extension.take_defaults(natural);
  return extension;
}

Extension make_extension(const MatrixRef& samples, const FittedMethod& fitted, const Component<ExtensionRow>& extension,
                         const RunContext& context) {
  if (!extension) return {fitted.own_map, {}};
  if (const std::string reason = extension.row().refusal(fitted); !reason.empty()) throw InvalidArgument(reason);
  return extension.row().make(samples, fitted, extension.options(), context);
}

}  // namespace foldout
