// SPDX-License-Identifier: Apache-2.0
// How a failed request ends: its message, as text and with --json as an object, and the exit status.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace foldout::cli {

inline constexpr int kDone = 0, kFailed = 1, kWrongRequest = 2;
inline constexpr std::string_view kOutOfMemory =
    "out of memory: use fewer samples or features, or landmarks (--dictionary)";

struct Failure {
  std::string kind;  ///< invalid_argument, io, numerical, out_of_memory, cancelled or internal
  std::string message;
  int status = kFailed;
};

/// The text of the library, which names fields of ReadOptions (columns.drop=NAME), in terms of flags (--drop NAME).
[[nodiscard]] std::string with_flags(std::string text);

[[nodiscard]] Failure failure_of(const std::exception& error);

/// The end of a message that says what to do; empty if there is none. Messages have the form "thing: rule: remedy", or
/// suggest a spelling.
[[nodiscard]] std::string_view remedy_in(std::string_view message);

/// Prints the message to standard error and, with `json`, an object to standard output. Returns the exit status.
int report(const Failure& failure, bool json);

}  // namespace foldout::cli
