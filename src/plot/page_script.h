// SPDX-License-Identifier: Apache-2.0
// The program of the explorer page, built from web/ (make web) and compiled into the library.
#pragma once

#include <string_view>

namespace foldout {

[[nodiscard]] std::string_view page_script();
/// The hash of its bytes, in hexadecimal digits, by which the page allows it to run.
[[nodiscard]] std::string_view page_script_sha256();

}  // namespace foldout
