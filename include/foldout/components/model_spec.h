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
  Component<MethodRow> method = {};                       ///< empty in a model of coordinates from elsewhere
  Component<ExtensionRow> extension = {};                 ///< empty: the method's own map or its natural extension
  Component<DictionaryRow> dictionary = {};  ///< its atoms stand for the training samples; empty: no dictionary
  Component<ClassifierRow> classifier = {};  ///< what classify uses by default, trained by the fit; empty: nn
};

/// The spec with everything that follows from it: the natural extension of the method where none is given, codes where
/// there is a dictionary, and the keys that an extension takes over from the method or the dictionary. Throws
/// InvalidArgument where the parts do not go together.
[[nodiscard]] ModelSpec completed(ModelSpec spec);

/// A whole recipe by its name: "faces" is face recognition by conformal embedding. Throws InvalidArgument for another
/// name.
[[nodiscard]] ModelSpec preset(std::string_view name);

}  // namespace foldout
