// SPDX-License-Identifier: Apache-2.0
// What to fit: the components of a model.
#pragma once

#include <string_view>
#include <vector>

#include "foldout/components/component.h"

namespace [[gnu::visibility("default")]] foldout {

///   ModelSpec{.method = "lle:n_neighbors=12", .extension = "sparse"}
///   ModelSpec{.method = LleOptions{.n_neighbors = 12}, .extension = SparseOptions{}}
struct ModelSpec {
  std::vector<Component<PreprocessRow>> preprocess = {};  ///< in order
  Component<MethodRow> method = {};                       ///< empty in a model of external coordinates
  Component<ExtensionRow> extension = {};                 ///< empty: the method's own map or its default extension
  Component<DictionaryRow> dictionary = {};               ///< landmarks for the training samples; empty: no dictionary
  Component<ClassifierRow> classifier = {};               ///< default of classify, trained by the fit; empty: nn
};

/// The spec with its defaults filled in: the default extension of the method, or codes with a dictionary, if none is
/// given, and the keys that an extension inherits from the method or the dictionary. Throws InvalidArgument if the
/// components are incompatible.
[[nodiscard]] ModelSpec completed(ModelSpec spec);

/// A complete recipe by name: "faces" is face recognition by conformal embedding. Throws InvalidArgument for any other
/// name.
[[nodiscard]] ModelSpec preset(std::string_view name);

}  // namespace foldout
