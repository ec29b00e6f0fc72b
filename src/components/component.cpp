// SPDX-License-Identifier: Apache-2.0
#include "foldout/components/component.h"

#include <fmt/format.h>

#include <algorithm>

#include "components/rows.h"
#include "core/numbers.h"
#include "core/spec_fields.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

template <class R>
std::span<const R> table() {
  if constexpr (std::is_same_v<R, PreprocessRow>) return preprocess_table();
  if constexpr (std::is_same_v<R, MethodRow>) return method_table();
  if constexpr (std::is_same_v<R, ExtensionRow>) return extension_table();
  if constexpr (std::is_same_v<R, DictionaryRow>) return dictionary_table();
  if constexpr (std::is_same_v<R, ClassifierRow>) return classifier_table();
}

template <class R>
constexpr std::string_view kKind{};
template <>
constexpr std::string_view kKind<PreprocessRow> = "preprocessing step";
template <>
constexpr std::string_view kKind<MethodRow> = "method";
template <>
constexpr std::string_view kKind<ExtensionRow> = "extension";
template <>
constexpr std::string_view kKind<DictionaryRow> = "dictionary";
template <>
constexpr std::string_view kKind<ClassifierRow> = "classifier";

template <class R>
constexpr std::span<const Alias> kAliases = {};
constexpr Alias kMethodAliases[] = {{"klpp", "lpp:features=kernel"},   {"konpp", "onpp:features=kernel"},
                                    {"kcea", "cea:features=kernel"},   {"SpectralEmbedding", "laplacian_eigenmaps"},
                                    {"LocallyLinearEmbedding", "lle"}, {"KernelPCA", "kpca"},
                                    {"ClassicalMDS", "mds"},           {"LinearDiscriminantAnalysis", "lda"}};
template <>
constexpr std::span<const Alias> kAliases<MethodRow> = kMethodAliases;
constexpr Alias kPreprocessAliases[] = {{"StandardScaler", "standardize"},
                                        {"Normalizer", "unit_norm"},
                                        {"MinMaxScaler", "minmax"},
                                        {"GaussianRandomProjection", "random_projection"}};
template <>
constexpr std::span<const Alias> kAliases<PreprocessRow> = kPreprocessAliases;
constexpr Alias kClassifierAliases[] = {{"KNeighborsClassifier", "nn"}, {"SVC", "svm"}};
template <>
constexpr std::span<const Alias> kAliases<ClassifierRow> = kClassifierAliases;

// Keys that are given override those of the alias.
template <class R>
void resolve_alias(ComponentSpec& spec) {
  for (const auto& [alias, meaning] : kAliases<R>) {
    if (!same_name(alias, spec.name)) continue;
    ComponentSpec meant = ComponentSpec::parse(meaning);
    spec.name = meant.name;
    for (auto& [key, value] : meant.values)
      if (!spec.find(key)) spec.values.emplace_back(std::move(key), std::move(value));
    return;
  }
}

template <class R>
const R& find_row(std::string_view name) {
  const auto it = std::ranges::find_if(table<R>(), [&](const R& row) { return same_name(row.name, name); });
  if (it != table<R>().end()) return *it;
  std::vector<std::string_view> names;
  for (const R& row : table<R>()) names.push_back(row.name);
  throw InvalidArgument(fmt::format("{} '{}' is not known{}", kKind<R>, name, suggest(name, names)));
}

}  // namespace

template <class R>
Component<R>::Component(std::string_view text) {
  if (text.empty()) return;
  given_ = ComponentSpec::parse(text);
  resolve_alias<R>(given_);
  row_ = &find_row<R>(given_.name);
  given_.name = row_->name;
  options_ = row_->defaults();
  const Fields values = row_->fields(options_);
  foldout::apply(given_, values);
  for (const Field& field : values)
    for (auto& [key, value] : given_.values)
      if (key == field.key().name && !is_number(value)) value = field.text();  // choices: as they are listed
}

template <class R>
Component<R>::Component(const std::type_info& type, std::any options) {
  const auto it = std::ranges::find_if(table<R>(), [&](const R& row) { return *row.type == type; });
  if (it == table<R>().end())
    throw InvalidArgument(fmt::format("these options do not belong to a {}: give the options of one", kKind<R>));
  row_ = &*it;
  options_ = row_->adopt(options);
  given_.name = row_->name;
  const Fields values = row_->fields(options_);
  check_fields(values, row_->name);
  for (const Field& field : values) given_.values.emplace_back(field.key().name, field.text());
}

template <class R>
std::string Component<R>::name() const {
  return row_ ? std::string(row_->name) : std::string();
}

template <class R>
std::string Component<R>::text() const {
  if (!row_) return {};
  std::any values = options_;  // fields refer to mutable values
  return spec_text(row_->name, row_->fields(values));
}

template <class R>
std::string Component<R>::short_text() const {
  return row_ ? given_.text() : std::string();
}

template <class R>
bool Component<R>::has_key(std::string_view key) const {
  if (!row_) return false;
  std::any values = row_->defaults();
  return std::ranges::any_of(row_->fields(values), [&](const Field& field) { return field.key().name == key; });
}

template <class R>
void Component<R>::set(std::string_view key, std::string_view value) {
  foldout::apply({given_.name, {{std::string(key), std::string(value)}}}, row_->fields(options_));
  std::erase_if(given_.values, [&](const auto& given) { return given.first == key; });
  given_.values.emplace_back(key, value);
}

template <class R>
void Component<R>::set_default(std::string_view key, std::string_view value) {
  if (has_key(key) && !is_given(key)) set(key, value);
}

template <class R>
void Component<R>::take_defaults(const Component& other) {
  for (const auto& [key, value] : other.given_.values) set_default(key, value);
}

template class Component<PreprocessRow>;
template class Component<MethodRow>;
template class Component<ExtensionRow>;
template class Component<DictionaryRow>;
template class Component<ClassifierRow>;

std::vector<Alias> all_aliases() {
  std::vector<Alias> all;
  for (const auto& some : {kAliases<MethodRow>, kAliases<PreprocessRow>, kAliases<ClassifierRow>})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::vector<KeyInfo> describe_keys(const Fields& fields) {
  std::vector<KeyInfo> keys;
  for (const Field& field : fields) {
    const auto words = field.choices();
    keys.push_back({std::string(field.key().name),
                    std::string(field.type()),
                    field.range(),
                    field.text(),
                    std::string(field.key().meaning),
                    std::string(field.key().symbol),
                    {words.begin(), words.end()}});
  }
  return keys;
}

std::vector<KeyInfo> keys_of(const Row& row) {
  std::any options = row.defaults();
  return describe_keys(row.fields(options));
}

}  // namespace foldout
