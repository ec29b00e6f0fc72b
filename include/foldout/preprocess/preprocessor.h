// SPDX-License-Identifier: Apache-2.0
// Preparation of samples: fitted on training samples, stored in the model, applied to new ones.
#pragma once

#include <memory>
#include <string>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

class Archive;

/// Immutable. apply() works sample by sample: a row's bits do not depend on the other rows.
class Preprocessor {
 public:
  virtual ~Preprocessor() = default;
  [[nodiscard]] virtual Index n_inputs() const = 0;
  [[nodiscard]] virtual Index n_outputs() const = 0;
  virtual void save(Archive& archive) const = 0;

  /// Throws InvalidArgument for another number of features, values that are not finite, or samples that the step is not
  /// defined for.
  [[nodiscard]] Matrix apply(const MatrixRef& samples, const RunContext& context = {}) const;

 protected:
  /// For a block of checked samples whose first one is row `first_row` of the whole.
  [[nodiscard]] virtual Matrix apply_block(const MatrixRef& samples, Index first_row) const = 0;
};

/// Throws IoError for a step that this version does not know or arrays that do not fit together.
[[nodiscard]] std::shared_ptr<const Preprocessor> load_preprocessor(const Archive& archive);

}  // namespace foldout
