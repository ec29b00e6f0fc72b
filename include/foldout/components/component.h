// SPDX-License-Identifier: Apache-2.0
// A component of a model: a method, an extension, a dictionary, a classifier or a preprocessing step, with its options.
#pragma once

#include <any>
#include <concepts>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "foldout/core/fields.h"
#include "foldout/core/spec.h"

namespace [[gnu::visibility("default")]] foldout {

// The rows of the component tables, one kind each; private to the library.
struct PreprocessRow;
struct MethodRow;
struct ExtensionRow;
struct DictionaryRow;
struct ClassifierRow;

/// A row of a table and a value for each of its keys. It is made from text, "lle:n_neighbors=12", or from options,
/// LleOptions{.n_neighbors = 12}; the constructor throws InvalidArgument for a wrong name, key or value, and the
/// message lists what is allowed and suggests the nearest spelling. An empty component means "not given".
template <class Row>
class Component {
 public:
  Component() = default;
  Component(std::string_view text);  // NOLINT(google-explicit-constructor): {.method = "lle"}; "" is empty
  Component(const char* text) : Component(std::string_view(text)) {}         // NOLINT(google-explicit-constructor)
  Component(const std::string& text) : Component(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  template <class Options>
  requires requires(Options& o) {
    { fields(o) } -> std::same_as<Fields>;
  }
  Component(const Options& options)  // NOLINT(google-explicit-constructor): {.method = LleOptions{…}}
      : Component(typeid(Options), std::any(options)) {}

  [[nodiscard]] explicit operator bool() const { return row_ != nullptr; }
  [[nodiscard]] const Row& row() const { return *row_; }
  /// Empty if the component is empty.
  [[nodiscard]] std::string name() const;
  /// "name:key=value,…" with every key, as stored in the model file.
  [[nodiscard]] std::string text() const;
  /// The same with only the keys that were given.
  [[nodiscard]] std::string short_text() const;

  /// The options, of the row's type.
  [[nodiscard]] const std::any& options() const { return options_; }
  template <class Options>
  [[nodiscard]] const Options& as() const {
    return *std::any_cast<Options>(&options_);
  }

  /// Equal in name and all keys.
  friend bool operator==(const Component& a, const Component& b) { return a.text() == b.text(); }

  [[nodiscard]] bool has_key(std::string_view key) const;
  [[nodiscard]] bool is_given(std::string_view key) const { return given_.find(key) != nullptr; }
  /// Throws InvalidArgument like the constructor.
  void set(std::string_view key, std::string_view value);
  /// The same for a key that exists and was not given.
  void set_default(std::string_view key, std::string_view value);
  /// The same for every key that was given to another component.
  void take_defaults(const Component& other);
  /// Replaces the options by others of the same type, with values found by a fit.
  void found(std::any options) { options_ = std::move(options); }

 private:
  Component(const std::type_info& type, std::any options);

  const Row* row_ = nullptr;
  std::any options_;
  ComponentSpec given_;
};

extern template class Component<PreprocessRow>;
extern template class Component<MethodRow>;
extern template class Component<ExtensionRow>;
extern template class Component<DictionaryRow>;
extern template class Component<ClassifierRow>;

}  // namespace foldout
