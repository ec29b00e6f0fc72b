// SPDX-License-Identifier: Apache-2.0
// Private: work on a part of the samples that may turn out to be impossible there, which is no error of the whole.
#pragma once

#include <optional>
#include <string>

#include "foldout/core/error.h"

namespace foldout {

/// A value, or why there is none.
template <class Value>
struct Attempt {
  std::optional<Value> value;
  std::string reason;

  [[nodiscard]] explicit operator bool() const { return value.has_value(); }
  [[nodiscard]] Value& operator*() { return *value; }
  [[nodiscard]] Value* operator->() { return &*value; }
};

/// What `work` returns, or the message with which it refuses: samples that do not suffice, numbers that do not permit
/// an answer. Cancellation and lack of memory stay exceptions.
template <class Work>
[[nodiscard]] auto attempt(const Work& work) -> Attempt<decltype(work())> {
  try {
    return {work(), {}};
  } catch (const InvalidArgument& error) {
    return {{}, error.what()};
  } catch (const NumericalError& error) {
    return {{}, error.what()};
  }
}

}  // namespace foldout
