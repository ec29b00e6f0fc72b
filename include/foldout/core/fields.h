// SPDX-License-Identifier: Apache-2.0
// One list of fields per options struct. The command line, the model file, the help texts and the documentation use it;
// the name, range and meaning of a key are defined only there:
//
//   Fields fields(LleOptions& o) {
//     return {{key::n_components, o.n_components}, {key::n_neighbors, o.n_neighbors}, {key::ridge, o.ridge}};
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "foldout/core/component_count.h"

namespace [[gnu::visibility("default")]] foldout {

/// The description of a key: name, meaning, symbol in the paper, range.
struct Key {
  std::string_view name;
  std::string_view meaning;
  std::string_view symbol = {};
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_excluded = false;          ///< the range is (min, max] instead of [min, max]
  std::string_view nothing = "auto";  ///< how an optional integer without a value is written: auto, all or none
  std::string_view elsewhere = {};    ///< of a choice: where the values belong that are not allowed here
};

/// Specialise for every enum that is an option: `template <> inline constexpr auto kNames<E> = std::array{…};`
/// in the order of the enumerators, which count from 0.
template <class E>
inline constexpr std::nullptr_t kNames = nullptr;

/// The name of an enumerator.
template <class E>
[[nodiscard]] constexpr std::string_view name_of(E value) {
  return kNames<E>[static_cast<std::size_t>(value)];
}

/// One key bound to the variable that holds its value. `std::optional<double>` fields may be "auto".
class Field {
 public:
  Field(const Key& key, int& value) : key_(key), target_(&value) {}
  Field(const Key& key, std::uint64_t& value) : key_(key), target_(&value) {}
  Field(const Key& key, double& value) : key_(key), target_(&value) {}
  Field(const Key& key, bool& value) : key_(key), target_(&value) {}
  Field(const Key& key, std::string& value) : key_(key), target_(&value) {}
  Field(const Key& key, std::optional<double>& value) : key_(key), target_(&value) {}
  Field(const Key& key, std::optional<int>& value) : key_(key), target_(&value) {}
  Field(const Key& key, ComponentCount& value) : key_(key), target_(&value) {}
  Field(const Key& key, std::optional<ComponentCount>& value) : key_(key), target_(&value) {}
  /// `n_allowed`: only that many of the first enumerators are allowed here.
  template <class E>
  requires std::is_enum_v<E> Field(const Key& key, E& value, std::size_t n_allowed = kNames<E>.size())
      : key_(key),
        target_(Choice{{kNames<E>.begin(), kNames<E>.begin() + n_allowed},
                       {kNames<E>.begin() + n_allowed, kNames<E>.end()},
                       [&value] { return static_cast<std::size_t>(value); },
                       [&value](std::size_t i) { value = static_cast<E>(i); }}) {}

  [[nodiscard]] const Key& key() const { return key_; }
  /// "integer", "number", "boolean", "text", "number or auto", "integer or auto", "integer or all", "integer or none",
  /// "integer or fraction", "integer, fraction or auto" or "choice".
  [[nodiscard]] std::string_view type() const;
  /// The allowed words of a choice; empty otherwise.
  [[nodiscard]] std::vector<std::string_view> choices() const;
  /// "≥ 1", "0 … 1", "heat | binary | cosine", …
  [[nodiscard]] std::string range() const;
  /// The value as text; set(text()) changes nothing.
  [[nodiscard]] std::string text() const;
  /// Parses, assigns, checks the range. Throws InvalidArgument, which names the key, the value and the rule.
  void set(std::string_view text);
  /// Throws InvalidArgument if the value is out of range. `owner` is the component's name.
  void check(std::string_view owner) const;

 private:
  struct Choice {
    std::vector<std::string_view> words;
    std::vector<std::string_view> others;  // not allowed here
    std::function<std::size_t()> get;
    std::function<void(std::size_t)> set;
  };
  using Target = std::variant<int*, std::uint64_t*, double*, bool*, std::string*, std::optional<double>*,
                              std::optional<int>*, ComponentCount*, std::optional<ComponentCount>*, Choice>;
  [[noreturn]] void refuse(std::string_view owner, std::string_view word) const;
  void check_count(const ComponentCount& value, std::string_view owner) const;
  void check_range(double value, std::string_view owner) const;

  Key key_;
  Target target_;
};

using Fields = std::vector<Field>;

/// Checks every field of an options struct: the first line of each fit.
void check_fields(const Fields& fields, std::string_view owner);

}  // namespace foldout
