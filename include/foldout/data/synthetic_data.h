// SPDX-License-Identifier: Apache-2.0
// Samples whose true coordinates are known.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

struct SyntheticData {
  Matrix samples;                          ///< one sample per row
  Matrix truth;                            ///< the parameters that each sample was made from, row by row
  std::vector<std::string> truth_columns;  ///< the name of each column of `truth`
  std::vector<std::string> labels = {};    ///< one per sample; empty where there are no classes
  Index image_height = 0;                  ///< where the samples are images (pixels row by row); 0 otherwise
  Index image_width = 0;
};

}  // namespace foldout
