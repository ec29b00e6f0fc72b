// SPDX-License-Identifier: Apache-2.0
// Private (also to the tool and the demonstration): a model as a map to look at (plot/map_view.h).
#pragma once

#include "foldout/model/model.h"
#include "plot/map_view.h"

namespace foldout {

/// What is shown besides the model itself.
struct ViewRequest {
  const Dataset* train = nullptr;  ///< the training samples as they were read: images, values, ids
  const Dataset* fresh = nullptr;  ///< new samples, which are placed, explained and labelled
};

/// Without `train`, the samples are shown if the model contains all of them unchanged. Throws InvalidArgument if the
/// data do not match the model.
[[nodiscard]] MapView view_model(const Model& model, const ViewRequest& request, const RunContext& context = {});

/// The training samples after preprocessing: of the model if it contains all of them, or from `train`; otherwise empty.
[[nodiscard]] Matrix prepared_training(const Model& model, const Dataset* train, const RunContext& context);

}  // namespace foldout
