// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "component_list.h"
#include "core/spec_fields.h"
#include "data/data_table.h"
#include "foldout/core/error.h"
#include "session.h"

namespace foldout::cli {

std::vector<ComponentInfo> component_list() {
  std::vector<ComponentInfo> list;
  for (const auto& e : preprocess_table())
    list.push_back({"preprocess", std::string(e.name), std::string(e.summary), "", keys_of(e)});
  for (const auto& e : method_table())
    list.push_back({e.kind == MethodKind::kMap ? "map" : "embedding", std::string(e.name), std::string(e.summary),
                    std::string(e.reference), keys_of(e)});
  for (const auto& e : extension_table())
    list.push_back({"extension", std::string(e.name), std::string(e.summary), "", keys_of(e)});
  for (const auto& e : dictionary_table())
    list.push_back({"dictionary", std::string(e.name), std::string(e.summary), std::string(e.reference), keys_of(e)});
  for (const auto& e : classifier_table())
    list.push_back({"classifier", std::string(e.name), std::string(e.summary), "", keys_of(e)});
  for (const auto& e : data_table())
    list.push_back({"data", std::string(e.name), std::string(e.summary), "", describe_keys(e.fields())});
  return list;
}

namespace {

struct MethodsOptions : CommonOptions {
  std::string name;
};

const std::vector<std::pair<std::string_view, std::string_view>> kKinds{
    {"preprocess", "Preprocessing (--preprocess, repeatable)"},
    {"embedding", "Embeddings (--method)"},
    {"map", "Explicit maps (--method): coordinates as a function of the sample"},
    {"extension", "Extensions (--extension): how new samples are placed in an embedding"},
    {"dictionary", "Dictionaries (--dictionary): atoms as landmarks for the training samples"},
    {"classifier", "Classifiers (--classifier of fit, extend and classify)"},
    {"data", "Synthetic data (foldout data)"}};

nlohmann::json to_json(const ComponentInfo& component) {
  nlohmann::json keys = nlohmann::json::array();
  for (const KeyInfo& key : component.keys)
    keys.push_back({{"name", key.name},
                    {"type", key.type},
                    {"default", key.default_value},
                    {"range", key.range},
                    {"choices", key.choices},
                    {"meaning", key.meaning},
                    {"symbol", key.symbol}});
  return {{"kind", component.kind},
          {"name", component.name},
          {"summary", component.summary},
          {"reference", component.reference},
          {"keys", keys}};
}

void print_details(const ComponentInfo& component) {
  fmt::print("{} ({}): {}\n", component.name, component.kind, component.summary);
  if (!component.reference.empty()) fmt::print("{}\n", component.reference);
  for (const KeyInfo& key : component.keys) {
    fmt::print("  {}={}\n      {}{}\n", key.name, key.default_value, key.meaning,
               key.symbol.empty() ? "" : fmt::format(" (the paper's {})", key.symbol));
    if (!key.range.empty()) fmt::print("      {}: {}\n", key.type, key.range);
  }
  if (component.keys.empty()) fmt::print("  no keys\n");
}

void print_overview(const std::vector<ComponentInfo>& list) {
  for (const auto& [kind, title] : kKinds) {
    fmt::print("{}\n", title);
    for (const ComponentInfo& component : list)
      if (component.kind == kind) fmt::print("  {:<24}{}\n", component.name, component.summary);
    fmt::print("\n");
  }
  std::vector<std::string> aliases;
  for (const Alias& alias : all_aliases()) aliases.push_back(fmt::format("{} = {}", alias.name, alias.meaning));
  fmt::print("Other names: {}\n\n", fmt::join(aliases, ", "));
  fmt::print("Keys are written name:key=value,key=value. `foldout methods NAME` describes those of NAME.\n");
}

// The name in the tables, of an alias too.
std::string name_meant(const std::string& name) {
  for (const Alias& alias : all_aliases())
    if (same_name(alias.name, name)) return ComponentSpec::parse(alias.meaning).name;
  return name;
}

void run_methods(const MethodsOptions& o) {
  std::vector<ComponentInfo> list = component_list();
  if (!o.name.empty()) {
    const std::vector<ComponentInfo> all = list;
    std::vector<std::string_view> names(all.size());
    std::ranges::transform(all, names.begin(), &ComponentInfo::name);
    const std::string wanted = name_meant(o.name);
    std::erase_if(list, [&](const ComponentInfo& component) { return !same_name(component.name, wanted); });
    if (list.empty())
      throw InvalidArgument(fmt::format("there is no component '{}'{}", wanted, suggest(wanted, names)));
  }
  if (o.json) {
    nlohmann::json components = nlohmann::json::array();
    for (const ComponentInfo& component : list) components.push_back(to_json(component));
    std::cout << nlohmann::json{{"components", components}}.dump() << "\n";
  } else if (o.name.empty()) {
    print_overview(list);
  } else {
    for (const ComponentInfo& component : list) print_details(component);
  }
}

}  // namespace

void add_methods(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("methods", "List all components, or describe one and its keys");
  const auto o = std::make_shared<MethodsOptions>();
  verb->add_option("NAME", o->name,
                   "A component: method, extension, dictionary, classifier, preprocessing step or synthetic data set");
  add_common_options(*verb, *o);
  verb->callback([o] { run_methods(*o); });
}

}  // namespace foldout::cli
