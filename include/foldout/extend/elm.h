// SPDX-License-Identifier: Apache-2.0
// An extreme learning machine: one hidden layer with random weights, an output layer by ridge regression. Works for any
// coordinates; the model does not contain the training samples.
#pragma once

#include <cstdint>
#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct ElmOptions {
  int n_nodes = 1000;                            ///< L
  Activation activation = Activation::kSigmoid;  ///< G
  bool direct_links = false;                     ///< connect the input to the output directly as well: an RVFL network
  double input_scale = 1;                        ///< size of the random input weights
  std::optional<double> ridge = {};              ///< relative to trace/rank; auto: by leave-one-out in closed form
  std::uint64_t seed = 0;                        ///< of the random nodes
};
[[nodiscard]] Fields fields(ElmOptions& options);

/// Approximate on training samples.
[[nodiscard]] Extension extend_elm(const MatrixRef& samples, const MatrixRef& coordinates,
                                   const ElmOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
