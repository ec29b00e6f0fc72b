// SPDX-License-Identifier: Apache-2.0
// Samples on a map, with what the explorer page shows of them: training samples first, then new ones.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"

namespace foldout {

/// From which training samples (or atoms) each new sample is placed.
struct Reasons {
  enum class Kind { kNone, kCodes, kNearestSamples, kNearestOnMap };
  Kind kind = Kind::kNone;
  SparseMatrix weights;    ///< a row per new sample: codes, or distances of the nearest ones
  bool are_atoms = false;  ///< the columns are atoms of a dictionary, not training samples
  Matrix atoms;            ///< their values; may be empty
  Matrix errors;           ///< a row per new sample: the part that its code leaves out; may be empty
};

struct MapView {
  std::string title;
  Matrix coordinates;                       ///< of all samples
  Index n_new = 0;                          ///< the last rows are new samples
  std::vector<std::string> ids = {};        ///< per sample; may be empty
  std::vector<std::string> labels = {};     ///< likewise; "" for a sample without one
  std::vector<std::string> predicted = {};  ///< labels of the new samples according to the model; may be empty
  /// Values of the samples as they were read: of all, of the new ones only (the last rows), or of none.
  Matrix values = {};
  std::vector<std::string> value_names = {};  ///< may be empty
  ImageShape image = {};                      ///< if the values are pixels
  Vector confidence = {}, residuals = {};     ///< of the new samples; may be empty
  Reasons reasons = {};

  [[nodiscard]] Index size() const { return coordinates.rows(); }
  [[nodiscard]] Index n_train() const { return size() - n_new; }
};

/// Throws InvalidArgument if the parts do not match in number, or a coordinate is not finite.
void check_view(const MapView& view);

}  // namespace foldout
