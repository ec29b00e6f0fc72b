// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "component_list.h"
#include "core/spec_fields.h"
#include "foldout/core/error.h"
#include "session.h"
#include "wrong_arguments.h"

namespace foldout::cli {
namespace {

void run_help(const CLI::App& app, const std::string& name) {
  if (name.empty()) {
    std::cout << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return;
  }
  for (const ComponentInfo& component : component_list())
    if (same_name(component.name, name))
      throw InvalidArgument(
          fmt::format("{} is a component, not a verb: write foldout methods {}", name, component.name));
  std::cout << find_verb(app, name).help(app.get_name());
}

}  // namespace

void add_help(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("help", "Show the verbs, or the options of one");
  const auto name = std::make_shared<std::string>();
  verb->add_option("VERB", *name, "The verb to describe");
  verb->callback([&app, name] { run_help(app, *name); });
}

}  // namespace foldout::cli
