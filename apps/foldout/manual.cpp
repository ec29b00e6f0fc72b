// SPDX-License-Identifier: Apache-2.0
// The manual page, from the same descriptions as --help and `foldout methods`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <string>

#include "component_list.h"
#include "foldout/core/version.h"
#include "session.h"

namespace foldout::cli {
namespace {

// Backslashes and leading dots have a meaning in troff.
std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
    if (c == '\n') escaped += "\\&";
  }
  return escaped;
}

std::string verb_section(const CLI::App& verb) {
  std::string page = fmt::format(".SS foldout {}\n{}.\n", verb.get_name(), escape(verb.get_description()));
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    const bool positional = option->get_positional();
    const std::string name = positional ? option->get_name(true) : option->get_name(false, true);
    const std::string value = positional || option->get_type_name().empty() ? "" : " " + option->get_type_name();
    page += fmt::format(".TP\n.B {}{}\n{}\n", escape(name), escape(value), escape(option->get_description()));
  }
  if (!verb.get_footer().empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", escape(verb.get_footer()));
  return page;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string page = fmt::format(".TH FOLDOUT 1 \"\" \"foldout {}\" \"User Commands\"\n", kVersion);
  page += ".SH NAME\nfoldout \\- out-of-sample extension for every embedding\n";
  page += ".SH SYNOPSIS\n.B foldout\n.I VERB\n[options]\n.SH DESCRIPTION\n.nf\n" + escape(app.get_description()) +
          "\n.fi\n.SH VERBS\n";
  for (const CLI::App* verb : app.get_subcommands({})) page += verb_section(*verb);
  page += ".SH COMPONENTS\nA component is written name or name:key=value,key=value.\n";
  for (const ComponentInfo& component : component_list()) {
    page += fmt::format(".SS {} ({})\n{}.\n", escape(component.name), component.kind, escape(component.summary));
    for (const KeyInfo& key : component.keys)
      page += fmt::format(".TP\n.B {}={}\n{}. {}\n", escape(key.name), escape(key.default_value), escape(key.meaning),
                          key.range.empty() ? "" : escape(key.type + ": " + key.range));
  }
  page +=
      ".SH EXIT STATUS\n0: success. 2: invalid request or input; the message names the file, row, column or parameter, "
      "the rule and a remedy. 1: any other failure. Partial files are removed.\n";
  return page;
}

}  // namespace foldout::cli
