// SPDX-License-Identifier: Apache-2.0
// Private: the extension of a fit.
#pragma once

#include "components/fitted_method.h"
#include "foldout/components/component.h"
#include "foldout/core/context.h"
#include "foldout/extend/extension.h"

namespace foldout {

/// The default extension of the method if `extension` is empty. If it is the default one, keys that were not given are
/// inherited from the method. An empty result means the method's own map.
[[nodiscard]] Component<ExtensionRow> natural_to(const Component<MethodRow>& method, Component<ExtensionRow> extension);

/// `extension` as returned by completed(). Throws InvalidArgument, with the reason, if it is incompatible with the fit.
[[nodiscard]] Extension make_extension(const MatrixRef& samples, const FittedMethod& fitted,
                                       const Component<ExtensionRow>& extension, const RunContext& context);

}  // namespace foldout
