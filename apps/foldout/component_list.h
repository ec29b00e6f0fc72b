// SPDX-License-Identifier: Apache-2.0
// All components of all kinds in one list, for `foldout methods` and the manual.
#pragma once

#include <string>
#include <vector>

#include "components/rows.h"
#include "data/data_table.h"

namespace foldout::cli {

struct ComponentInfo {
  std::string kind, name, summary, reference;
  std::vector<KeyInfo> keys;
};

[[nodiscard]] std::vector<ComponentInfo> component_list();

}  // namespace foldout::cli
