// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells, from the verbs, options and tables of components.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "component_list.h"
#include "core/spec_fields.h"
#include "evaluate/metric_table.h"
#include "foldout/core/error.h"
#include "session.h"

namespace foldout::cli {
namespace {

using Words = std::vector<std::string>;

struct Argument {
  Words short_names, long_names;  ///< without dashes; none: positional
  std::string description;
  bool takes_value = true;
  Words values;  ///< empty: a file name or a number
  [[nodiscard]] Words flags() const {
    Words all;
    for (const std::string& name : long_names) all.push_back("--" + name);
    for (const std::string& name : short_names) all.push_back("-" + name);
    return all;
  }
};

struct Verb {
  std::string name, description;
  std::vector<Argument> options;
  Words first;  ///< values of the first positional argument; empty: a file name
};

Words components_of(const Words& kinds) {
  Words names;
  for (const ComponentInfo& component : component_list())
    if (std::ranges::find(kinds, component.kind) != kinds.end()) names.push_back(component.name);
  return names;
}

Words verb_names(const CLI::App& app) {
  Words names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

Words metric_names() {
  Words names;
  for (const MetricEntry& metric : metric_table()) names.emplace_back(metric.name);
  return names;
}

// Values written into the type of an option: "bash|zsh|fish".
Words alternatives(const std::string& type) {
  Words words;
  if (type.find('|') == std::string::npos) return words;
  for (std::size_t begin = 0; begin <= type.size();) {
    const std::size_t end = std::min(type.find('|', begin), type.size());
    words.push_back(type.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Words values_of(const CLI::App& app, const CLI::App& verb, const CLI::Option& option) {
  const std::string name = option.get_name();
  if (name == "--method") return components_of({"embedding", "map"});
  if (name == "--preset") return {"faces"};
  for (const char* kind : {"extension", "dictionary", "preprocess", "classifier"})
    if (name == std::string("--") + kind) return components_of({kind});
  if (name == "METRIC") return metric_names();
  if (name == "VERB") return verb_names(app);
  if (name == "NAME" && verb.get_name() == "data") return components_of({"data"});
  if (name == "NAME")
    return components_of({"preprocess", "embedding", "map", "extension", "dictionary", "classifier", "data"});
  return alternatives(option.get_type_name());
}

std::vector<Verb> describe(const CLI::App& app) {
  std::vector<Verb> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) {
    Verb& described = verbs.emplace_back(Verb{verb->get_name(), verb->get_description(), {}, {}});
    bool first = true;
    for (const CLI::Option* option : verb->get_options()) {
      if (option->get_group().empty()) continue;  // hidden
      const Words values = values_of(app, *verb, *option);
      if (!option->get_positional())
        described.options.push_back({option->get_snames(), option->get_lnames(), option->get_description(),
                                     option->get_items_expected_max() > 0, values});
      else if (std::exchange(first, false))
        described.first = values;
    }
  }
  return verbs;
}

// Cases of a shell's `case`: `pattern) action ;;`. Options of the same name have the same values in every verb.
template <class Action>
std::string value_cases(const std::vector<Verb>& verbs, const Action& action) {
  std::vector<std::pair<std::string, Words>> cases;
  for (const Verb& verb : verbs)
    for (const Argument& option : verb.options)
      if (const auto pattern = fmt::format("{}", fmt::join(option.flags(), "|"));
          !option.values.empty() &&
          std::ranges::find(cases, pattern, &std::pair<std::string, Words>::first) == cases.end())
        cases.emplace_back(pattern, option.values);
  std::string text;
  for (const auto& [pattern, values] : cases) text += fmt::format("    {}) {} ;;\n", pattern, action(values));
  return text;
}

template <class Action>
std::string first_cases(const std::vector<Verb>& verbs, const Action& action) {
  std::string text;
  for (const Verb& verb : verbs)
    if (!verb.first.empty()) text += fmt::format("    {}) {} ;;\n", verb.name, action(verb.first));
  return text;
}

template <class Action>
std::string option_cases(const std::vector<Verb>& verbs, const Action& action) {
  std::string text;
  for (const Verb& verb : verbs) {
    Words flags;
    for (const Argument& option : verb.options)
      for (const std::string& flag : option.flags()) flags.push_back(flag);
    text += fmt::format("    {}) {} ;;\n", verb.name, action(flags));
  }
  return text;
}

std::string bash_script(const CLI::App& app) {
  const std::vector<Verb> verbs = describe(app);
  const auto assign = [](const Words& words) { return fmt::format("words=\"{}\"", fmt::join(words, " ")); };
  return fmt::format(R"(# foldout completion for bash: source <(foldout completion bash)
_foldout() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case "$prev" in
{}  esac
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="{} --help --version"
  elif [[ -z $words && $COMP_CWORD -eq 2 ]]; then
    case "${{COMP_WORDS[1]}}" in
{}    esac
  fi
  if [[ $cur == -* && $COMP_CWORD -gt 1 ]]; then
    case "${{COMP_WORDS[1]}}" in
{}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _foldout foldout
)",
                     value_cases(verbs, assign), fmt::join(verb_names(app), " "), first_cases(verbs, assign),
                     option_cases(verbs, assign));
}

std::string zsh_script(const CLI::App& app) {
  const std::vector<Verb> verbs = describe(app);
  const auto add = [](const Words& words) { return fmt::format("compadd -- {}; return", fmt::join(words, " ")); };
  return fmt::format(R"(#compdef foldout
# foldout completion for zsh: source <(foldout completion zsh), or a file _foldout in a folder of $fpath
_foldout() {{
  if (( CURRENT == 2 )); then compadd -- {} --help --version; return; fi
  case ${{words[CURRENT-1]}} in
{}  esac
  if [[ ${{words[CURRENT]}} == -* ]]; then
    case ${{words[2]}} in
{}    esac
  fi
  if (( CURRENT == 3 )); then
    case ${{words[2]}} in
{}    esac
  fi
  _files
}}
if [[ ${{funcstack[1]}} == _foldout ]]; then _foldout "$@"; else compdef _foldout foldout; fi
)",
                     fmt::join(verb_names(app), " "), value_cases(verbs, add), option_cases(verbs, add),
                     first_cases(verbs, add));
}

std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c;
  }
  return "'" + safe + "'";
}

std::string fish_script(const CLI::App& app) {
  std::string script = "# foldout completion for fish: foldout completion fish | source\n";
  for (const Verb& verb : describe(app)) {
    const std::string within = fmt::format("complete -c foldout -n '__fish_seen_subcommand_from {}'", verb.name);
    script += fmt::format("complete -c foldout -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                          quoted(verb.description));
    if (!verb.first.empty()) script += fmt::format("{} -f -a '{}'\n", within, fmt::join(verb.first, " "));
    for (const Argument& option : verb.options) {
      script += within;
      for (const std::string& name : option.short_names) script += " -s " + name;
      for (const std::string& name : option.long_names) script += " -l " + name;
      if (!option.values.empty())
        script += fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      else if (option.takes_value)
        script += " -r -F";
      script += fmt::format(" -d {}\n", quoted(option.description));
    }
  }
  return script;
}

void run_completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash")
    std::cout << bash_script(app);
  else if (shell == "zsh")
    std::cout << zsh_script(app);
  else if (shell == "fish")
    std::cout << fish_script(app);
  else
    throw InvalidArgument(
        fmt::format("no completion for the shell '{}'{}", shell, suggest(shell, {"bash", "zsh", "fish"})));
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("completion", "Print a script that completes command lines in a shell");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "bash: source <(foldout completion bash); fish: foldout completion fish | source")
      ->required()
      ->type_name("bash|zsh|fish");
  verb->callback([&app, shell] { run_completion(app, *shell); });
}

}  // namespace foldout::cli
