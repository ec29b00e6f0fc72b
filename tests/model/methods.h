// SPDX-License-Identifier: Apache-2.0
// Every method of the table by its name, for tests that run on all of them.
#pragma once

#include <string>
#include <vector>

#include "components/rows.h"

namespace foldout {

inline std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodRow& method : method_table()) names.emplace_back(method.name);
  return names;
}

}  // namespace foldout
