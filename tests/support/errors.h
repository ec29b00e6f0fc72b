// SPDX-License-Identifier: Apache-2.0
// The text of the error that a call must throw.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace foldout {

template <class Error>
std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace foldout
