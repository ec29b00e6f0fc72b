// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "foldout/core/error.h"
#include "printable.h"

namespace foldout::cli {
namespace {

template <class Error>
bool is(const std::exception& error) {
  return dynamic_cast<const Error*>(&error) != nullptr;
}

}  // namespace

std::string with_flags(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kFlags[] = {{"columns.drop=", "--drop "},
                                                                      {"columns.label=", "--label-column "},
                                                                      {"columns.id=", "--id-column "},
                                                                      {"missing=", "--missing "},
                                                                      {"resize=", "--resize "}};
  for (const auto& [field, flag] : kFlags)
    for (std::size_t at = 0; (at = text.find(field, at)) != std::string::npos; at += flag.size())
      text.replace(at, field.size(), flag);
  return text;
}

Failure failure_of(const std::exception& error) {
  const std::string message = with_flags(error.what());
  if (is<MissingLabels>(error))
    return {"invalid_argument", message + ": give --labels FILE, or data with labels, to fit", kWrongRequest};
  if (is<InvalidArgument>(error)) return {"invalid_argument", message, kWrongRequest};
  if (is<IoError>(error)) return {"io", message, kWrongRequest};
  if (is<NumericalError>(error)) return {"numerical", message, kFailed};
  if (is<Cancelled>(error)) return {"cancelled", message, kFailed};
  if (is<std::bad_alloc>(error)) return {"out_of_memory", std::string(kOutOfMemory), kFailed};
  if (is<std::system_error>(error) && !is<std::filesystem::filesystem_error>(error))  // of fmt::print
    return {"io", "standard output could not be written to its end (" + message + "): is the disk full?",
            kWrongRequest};
  return {"internal", message, kFailed};
}

std::string_view remedy_in(std::string_view message) {
  for (const std::string_view begin : {", did you mean", "; allowed: "})
    if (const std::size_t at = message.find(begin); at != std::string_view::npos) return message.substr(at + 2);
  int depth = 0;  // of parentheses, which may contain colons
  for (std::size_t i = message.size(); i-- > 0;) {
    depth += message[i] == ')' ? 1 : message[i] == '(' ? -1 : 0;
    if (depth == 0 && message.substr(i).starts_with(": ")) return message.substr(i + 2);
  }
  return {};
}

int report(const Failure& failure, bool json) {
  std::cerr << "foldout: " << printable(failure.message) << "\n";
  if (json) {
    const nlohmann::json error{
        {"kind", failure.kind}, {"message", failure.message}, {"remedy", remedy_in(failure.message)}};
    std::cout << nlohmann::json{{"error", error}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
              << std::endl;
  }
  return failure.status;
}

}  // namespace foldout::cli
