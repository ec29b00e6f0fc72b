// SPDX-License-Identifier: Apache-2.0
// Private: the fit of a method, for its extensions.
#pragma once

#include <any>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "foldout/components/component.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// A fit as its method returned it. Extensions that need more than coordinates access it by its type. External
/// coordinates have no method.
class FittedMethod {
 public:
  FittedMethod() = default;
  explicit FittedMethod(Matrix coordinates) : embedding(std::make_shared<Embedding>()) {
    embedding->coordinates = std::move(coordinates);
  }
  template <class Fit>
  FittedMethod(Component<MethodRow> fitted, Fit fit, std::vector<int> fitted_labels)
      : method(std::move(fitted)), labels(std::move(fitted_labels)) {
    const auto kept = std::make_shared<Fit>(std::move(fit));
    embedding = kept;
    fit_ = kept;
    if constexpr (requires { kept->map; }) own_map = kept->map;
  }

  /// Null if the fit is of another type.
  template <class Fit>
  [[nodiscard]] const Fit* as() const {
    const auto* kept = std::any_cast<std::shared_ptr<Fit>>(&fit_);
    return kept ? kept->get() : nullptr;
  }
  /// For messages: "lle", or "external coordinates".
  [[nodiscard]] std::string what() const { return method ? method.name() : "external coordinates"; }

  Component<MethodRow> method;                    ///< empty: external coordinates
  std::vector<int> labels;                        ///< used in the fit; may be empty
  std::shared_ptr<Embedding> embedding;           ///< coordinates, eigenvalues, report
  std::shared_ptr<const OutOfSampleMap> own_map;  ///< of methods that have one

 private:
  std::any fit_;
};

}  // namespace foldout
