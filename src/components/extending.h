// SPDX-License-Identifier: Apache-2.0
// Private: the extension of a fit.
#pragma once

#include "components/fitted_method.h"
#include "foldout/components/component.h"
#include "foldout/core/context.h"
#include "foldout/extend/extension.h"

namespace foldout {

/// The extension with the keys that were not given taken over from the method, where it is the method's natural one;
/// the natural one itself where it is empty. Empty: the method's own map.
[[nodiscard]] Component<ExtensionRow> natural_to(const Component<MethodRow>& method, Component<ExtensionRow> extension);

/// `extension` as completed() leaves it. Throws InvalidArgument, with the reason, where it does not go with the fit.
[[nodiscard]] Extension make_extension(const MatrixRef& samples, const FittedMethod& fitted,
                                       const Component<ExtensionRow>& extension, const RunContext& context);

}  // namespace foldout
