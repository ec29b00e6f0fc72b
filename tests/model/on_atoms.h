// SPDX-License-Identifier: Apache-2.0
// Samples and specs of models over atoms.
#pragma once

#include <string>
#include <utility>

#include "foldout/core/dataset.h"
#include "foldout/model/model.h"
#include "support/datasets.h"

namespace foldout {

inline Dataset roll_data(Index n) { return dataset::labelled(dataset::roll(n)); }

inline ModelSpec with(std::string dictionary, std::string method = "lle:n_neighbors=8", std::string extension = "") {
  return {.method = std::move(method), .extension = std::move(extension), .dictionary = std::move(dictionary)};
}

}  // namespace foldout
