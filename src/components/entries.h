// SPDX-License-Identifier: Apache-2.0
// Private: the functions of a table row from an options struct.
#pragma once

#include <any>
#include <string_view>

#include "components/rows.h"

namespace foldout {

/// Options of components without keys.
struct NoOptions {};
[[nodiscard]] inline Fields fields(NoOptions&) { return {}; }

template <class Options>
[[nodiscard]] const Options& options_in(const std::any& options) {
  return *std::any_cast<Options>(&options);
}

/// The part of a row that follows from its options.
template <class Options>
[[nodiscard]] Row row_of(std::string_view name, std::string_view summary, std::string_view reference = {}) {
  return {name,
          summary,
          reference,
          &typeid(Options),
          [] { return std::any(Options{}); },
          [](std::any& options) { return fields(*std::any_cast<Options>(&options)); },
          [](const std::any& given) { return given; }};
}

}  // namespace foldout
