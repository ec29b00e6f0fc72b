// SPDX-License-Identifier: Apache-2.0
// Private (also to the command line): reports as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "foldout/core/report.h"

namespace foldout {

[[nodiscard]] nlohmann::json report_to_json(const Report& report);
[[nodiscard]] Report report_from_json(const nlohmann::json& json);

}  // namespace foldout
