// SPDX-License-Identifier: Apache-2.0
#include "wrong_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <any>

#include "components/rows.h"
#include "core/numbers.h"
#include "core/spec_fields.h"
#include "foldout/components/component.h"
#include "foldout/core/error.h"

namespace foldout::cli {
namespace {

// An argument that the verb does not know: --n-neighbors 15, --n-neighbors=15, n_neighbors=15, other.npy.
struct Unknown {
  std::string text, word, value;  ///< as given; without dashes; empty if there is none
  [[nodiscard]] bool is_option() const { return text.starts_with('-') || !value.empty(); }
};

// Negative numbers are values.
bool is_option(const std::string& argument) { return argument.starts_with('-') && !is_number(argument); }

Unknown read_unknown(const std::string& argument, const std::vector<std::string>& arguments) {
  const std::size_t equals = argument.find('=');
  Unknown unknown{argument.substr(0, equals), "", ""};
  unknown.word = unknown.text.substr(std::min(unknown.text.find_first_not_of('-'), unknown.text.size()));
  std::ranges::replace(unknown.word, '-', '_');
  const auto next = std::ranges::find(arguments, argument);
  if (equals != std::string::npos)
    unknown.value = argument.substr(equals + 1);
  else if (argument.starts_with('-') && next != arguments.end() && next + 1 != arguments.end() && !is_option(next[1]))
    unknown.value = next[1];
  return unknown;
}

Unknown first_unknown(const std::vector<std::string>& remaining, const std::vector<std::string>& arguments) {
  for (const std::string& argument : remaining)
    if (Unknown unknown = read_unknown(argument, arguments); unknown.is_option()) return unknown;
  return read_unknown(remaining.front(), arguments);
}

std::vector<std::string> results_of(const CLI::App& verb, const std::string& name) {
  const CLI::Option* option = verb.get_option_no_throw(name);
  return option ? option->results() : std::vector<std::string>{};
}

std::vector<std::string_view> names_of(const Fields& fields) {
  std::vector<std::string_view> names;
  for (const Field& field : fields) names.push_back(field.key().name);
  return names;
}

enum class Spelling { kExact, kNear };

std::string key_meant(const std::string& word, const Fields& fields, Spelling spelling) {
  const auto names = names_of(fields);
  if (spelling == Spelling::kNear) return nearest_spelling(word, names);
  const auto exact = std::ranges::find_if(names, [&](std::string_view name) { return same_name(name, word); });
  return exact != names.end() ? std::string(*exact) : meant_key(word, fields);
}

// "write --method lle:n_neighbors=15" if the option names a component with such a key; empty otherwise.
template <class R>
std::string spec_instead(const CLI::App& verb, const std::string& option, const Unknown& unknown, Spelling spelling) {
  for (const std::string& text : results_of(verb, option)) {
    Component<R> component;
    std::string key;
    try {
      component = text;
      std::any options = component.row().defaults();
      key = key_meant(unknown.word, component.row().fields(options), spelling);
      if (key.empty()) continue;
      component.set(key, unknown.value);
      return fmt::format("write {} {}", option, component.short_text());
    } catch (const InvalidArgument&) {  // a wrong component, or a wrong value of the key
      if (!key.empty()) return fmt::format("write {} {}:{}=VALUE", option, component.name(), key);
    }
  }
  return {};
}

std::string key_advice(const CLI::App& verb, const Unknown& unknown, Spelling spelling) {
  for (const auto& advice : {spec_instead<MethodRow>(verb, "--method", unknown, spelling),
                             spec_instead<DictionaryRow>(verb, "--dictionary", unknown, spelling),
                             spec_instead<ExtensionRow>(verb, "--extension", unknown, spelling),
                             spec_instead<ClassifierRow>(verb, "--classifier", unknown, spelling),
                             spec_instead<PreprocessRow>(verb, "--preprocess", unknown, spelling)})
    if (!advice.empty()) return advice;
  return {};
}

// The keys of the method, for options that are none of them.
std::string keys_of_method(const CLI::App& verb) {
  for (const std::string& text : results_of(verb, "--method")) try {
      const Component<MethodRow> method(text);
      std::any options = method.row().defaults();
      return fmt::format("the keys of {} are {}", method.name(),
                         fmt::join(names_of(method.row().fields(options)), ", "));
    } catch (const InvalidArgument&) {
      return {};
    }
  return {};
}

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

// The long options of a verb, without dashes, as keys are written.
std::vector<std::string> option_words(const CLI::App& verb) {
  std::vector<std::string> words;
  for (const CLI::Option* option : verb.get_options())
    for (std::string name : is_hidden(*option) ? std::vector<std::string>{} : option->get_lnames()) {
      std::ranges::replace(name, '-', '_');
      words.push_back(name);
    }
  return words;
}

std::string as_option(std::string word) {
  std::ranges::replace(word, '_', '-');
  return "--" + word;
}

// Names of options elsewhere.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"n_jobs", "threads"}, {"jobs", "threads"},  {"j", "threads"},    {"random_state", "seed"}, {"m", "method"},
    {"y", "labels"},       {"target", "labels"}, {"k", "n_clusters"}, {"k", "n_neighbors"},     {"O", "output"}};

std::string option_advice(const CLI::App& verb, const Unknown& unknown) {
  const std::vector<std::string> words = option_words(verb);
  for (const auto& [other, word] : kOtherNames)
    if (unknown.word == other && std::ranges::find(words, word) != words.end())
      return fmt::format("did you mean {}?", as_option(std::string(word)));
  const std::string nearest = nearest_spelling(unknown.word, {words.begin(), words.end()});
  return nearest.empty() || unknown.word.size() < 3 ? "" : fmt::format("did you mean {}?", as_option(nearest));
}

// Verbs that have the option.
std::string owners(const CLI::App& app, const Unknown& unknown) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({}))
    if (const auto words = option_words(*verb); std::ranges::find(words, unknown.word) != words.end())
      verbs.push_back(verb->get_name());
  return verbs.empty() ? "" : fmt::format("it is an option of {}", fmt::join(verbs, ", "));
}

std::string positionals(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    if (option->get_positional()) names.push_back(option->get_name(true));
  return fmt::format("{}", fmt::join(names, " "));
}

// "-o MODEL"
std::string with_value(const CLI::Option& option) {
  const auto& letters = option.get_snames();
  return fmt::format("{} {}", letters.empty() ? option.get_name() : "-" + letters[0], option.get_type_name());
}

std::string explain_unknown(const CLI::App& app, const CLI::App& verb, const Unknown& unknown) {
  const std::string& name = verb.get_name();
  if (&verb == &app) return fmt::format("{} stands before the verb: write foldout VERB {}", unknown.text, unknown.text);
  if (!unknown.is_option())
    return fmt::format("{} does not expect '{}': it takes {}{}", name, unknown.text, positionals(verb),
                       verb.get_option_no_throw("--labels") ? ", and labels by --labels FILE" : "");
  for (const auto& advice : {key_advice(verb, unknown, Spelling::kExact), option_advice(verb, unknown),
                             key_advice(verb, unknown, Spelling::kNear), owners(app, unknown), keys_of_method(verb)})
    if (!advice.empty()) return fmt::format("{} has no option {}: {}", name, unknown.text, advice);
  return fmt::format("{} has no option {}: choose one of its own", name, unknown.text);
}

// CLI11's "--output is required", "--method: 1 required SPEC missing" and "--method: At most 1 required but received
// 2".
std::string explain_missing(const CLI::App& verb, const std::string& what) {
  const CLI::Option* option = verb.get_option_no_throw(what.substr(0, what.find_first_of(": ")));
  if (!option) return what;
  if (option->get_positional())
    return fmt::format("{} is missing: write foldout {} {} …", option->get_name(true), verb.get_name(),
                       positionals(verb));
  if (what.find("received") != std::string::npos)
    return fmt::format("{} is given more than once: keep one", option->get_name());
  return fmt::format("{} is missing: add {}",
                     option->count() > 0 ? "the value of " + option->get_name() : option->get_name(),
                     with_value(*option));
}

std::string explain_rest(const CLI::App& verb, const CLI::ParseError& error) {
  std::string what = error.what();
  constexpr std::string_view kConversion = "Could not convert: ";
  if (error.get_name() == "RequiredError" || error.get_name() == "ArgumentMismatch") return explain_missing(verb, what);
  if (what.starts_with(kConversion))
    return fmt::format("{} is not a number: give one", what.substr(kConversion.size()));
  return what;
}

}  // namespace

const CLI::App& find_verb(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return *verb;
    names.push_back(verb->get_name());
  }
  throw InvalidArgument(fmt::format("there is no verb '{}'{}", name, suggest(name, {names.begin(), names.end()})));
}

void refuse_options_as_values(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    for (CLI::Option* option : verb->get_options([](const CLI::Option* o) { return o->get_items_expected_max() > 0; }))
      option->check([verb, option](const std::string& value) -> std::string {
        if (value.starts_with("--") && !option->get_positional())
          throw InvalidArgument(
              fmt::format("{}: {} stands where the value of {} belongs: write {} (see: foldout help {})",
                          verb->get_name(), value, option->get_name(), with_value(*option), verb->get_name()));
        return {};
      });
}

std::string explain(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto verbs = app.get_subcommands();
  const CLI::App& verb = verbs.empty() ? app : *verbs.front();
  const std::string see =
      &verb == &app ? " (see: foldout help)" : fmt::format(" (see: foldout help {})", verb.get_name());
  for (const CLI::App* part : {&app, &verb})
    if (const auto remaining = part->remaining(); !remaining.empty())
      return explain_unknown(app, *part, first_unknown(remaining, arguments)) + see;
  return fmt::format("{}: {}{}", verb.get_name(), explain_rest(verb, error), see);
}

}  // namespace foldout::cli
