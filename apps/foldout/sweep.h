// SPDX-License-Identifier: Apache-2.0
// compare --sweep: the same comparison for several values of one key.
#pragma once

#include <string>
#include <vector>

#include "foldout/components/model_spec.h"
#include "foldout/model/compare.h"

namespace foldout::cli {

struct SweepValue {
  std::string text = {};
  double at = 0;  ///< on the axis: the number, or for words the position in the list
};

struct Sweep {
  std::string key = {};
  std::vector<SweepValue> values = {};
  bool numeric = true;  ///< all values are numbers, in ascending order
};

/// "key=a:b:step", or a list "key=v,w,…" of numbers or words. Throws InvalidArgument for anything else, and for more
/// than 1000 values.
[[nodiscard]] Sweep parse_sweep(const std::string& text);

/// What is compared.
struct Compared {
  ModelSpec spec;
  std::vector<Component<ExtensionRow>> extensions;
};

/// With this value of the key: of the method if it has the key, otherwise of the extensions that have it, otherwise of
/// the dictionary. Throws InvalidArgument if none has it, or for a value out of range.
[[nodiscard]] Compared with_value(Compared compared, const std::string& key, const std::string& value);

/// The value of the key before the sweep: as given, or the default.
[[nodiscard]] std::string value_in_use(const Compared& compared, const std::string& key);

/// The results for one value of the key; without a sweep there is one of them.
struct SweepPoint {
  SweepValue value = {};
  Comparison comparison;
};

/// A page with the comparison: error against time, or every measure against the key, with spread.
[[nodiscard]] std::string comparison_page(const std::string& title, const std::vector<SweepPoint>& points,
                                          const Sweep& sweep, const std::string& in_use);

}  // namespace foldout::cli
