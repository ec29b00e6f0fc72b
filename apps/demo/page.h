// SPDX-License-Identifier: Apache-2.0
// The results of the demonstration, and the page that shows them.
#pragma once

#include <string>
#include <vector>

#include "foldout/foldout.h"

namespace foldout::demo {

/// Training samples and new samples.
struct Split {
  Matrix train, fresh;
  Matrix train_truth, fresh_truth;
  std::vector<std::string> train_labels, fresh_labels;
};

/// One person, turning and lit from different sides: a surface that two coordinates can represent.
struct PoseMap {
  Split faces;
  Matrix train_map, fresh_map;
  double placement_error = 0;
};

/// Recognition rates of the damaged new faces.
struct DamageRates {
  double part = 0;  ///< of the pixels, replaced by noise
  double on_map = 0, by_pixels = 0, by_mean = 0;
};

/// Many people: recognition.
struct Recognition {
  Split faces;
  Model model;  ///< of the training faces, with sparse codes
  double rate = 0, pixel_rate = 0, chance = 0, placement_error = 0;
  double microseconds_per_face = 0;
  Matrix damaged;                                 ///< half of the new faces with 30 % of their pixels replaced by noise
  std::vector<DamageRates> damage;                ///< from 0 to 60 %
  double confidence = 0, damaged_confidence = 0;  ///< medians
};

/// Square images with their labels.
[[nodiscard]] Dataset images_of(const Matrix& samples, const std::vector<std::string>& labels);

[[nodiscard]] std::string make_page(const PoseMap& pose, const Recognition& recognition);

}  // namespace foldout::demo
