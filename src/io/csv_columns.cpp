// SPDX-License-Identifier: Apache-2.0
#include "io/csv_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "core/numbers.h"
#include "core/spec_fields.h"
#include "io/bad_file.h"

namespace foldout {
namespace {

constexpr std::array<std::string_view, 6> kLabelNames = {"label", "labels", "class", "target", "species", "y"};
constexpr std::array<std::string_view, 2> kIdNames = {"id", "unnamed: 0"};
constexpr std::array<std::string_view, 9> kMissing = {"", "na", "n/a", "nan", "null", "none", "?", "-", "missing"};
// Names that columns of labels often have, but features as well.
constexpr std::array<std::string_view, 14> kLabelLike = {"digit",    "digits",  "diagnosis", "outcome", "category",
                                                         "group",    "cluster", "type",      "subject", "person",
                                                         "identity", "classes", "response",  "survived"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::ranges::find(words, lower(text)) != words.end();
}

class Assignment {
 public:
  Assignment(const TableHead& head, const ColumnChoice& choice, const TableLayout& like)
      : head_(head), choice_(choice), like_(like), roles_(head.rows[0].size()), like_column_(head.rows[0].size(), -1) {}

  AssignedColumns run(LoneColumn lone) {
    take_choice();
    if (!like_.empty()) take_like();
    recognise_names();
    if (!choice_.features.empty()) fill(ColumnRole::kDropped);
    recognise_texts();
    if (matches_names_) require_no_others();
    fill(ColumnRole::kFeature);
    if (lone == LoneColumn::kFeature && choice_.label.empty() && !has(ColumnRole::kFeature))
      std::ranges::replace(roles_, std::optional(ColumnRole::kLabel), std::optional(ColumnRole::kFeature));
    if (!has(ColumnRole::kFeature))
      bad_file(head_.name, "line {} has no numbers: samples need at least one feature", head_.first_line);
    return result();
  }

 private:
  [[nodiscard]] std::size_t size() const { return roles_.size(); }
  [[nodiscard]] bool has(ColumnRole role) const {
    return std::ranges::find(roles_, std::optional(role)) != roles_.end();
  }
  void fill(ColumnRole role) { std::ranges::replace(roles_, std::optional<ColumnRole>(), std::optional(role)); }
  [[nodiscard]] std::string title(std::size_t i) const {
    return i < head_.header.size() ? fmt::format("column {} ({})", i + 1, quoted(head_.header[i]))
                                   : fmt::format("column {}", i + 1);
  }
  [[nodiscard]] std::string option(std::size_t i) const {  // how a request refers to the column
    return i < head_.header.size() && !head_.header[i].empty() ? head_.header[i] : std::to_string(i + 1);
  }

  // By its name, in the letter case given or else any, or by its position.
  [[nodiscard]] std::size_t find(const std::string& text) const {
    const auto& names = head_.header;
    for (const bool exact : {true, false})
      for (std::size_t i = 0; i < names.size(); ++i)
        if (exact ? names[i] == text : lower(names[i]) == lower(text)) return i;
    int position = 0;
    const char* end = text.data() + text.size();
    const auto n = static_cast<int>(size());
    if (const auto [stop, error] = std::from_chars(text.data(), end, position); error == std::errc() && stop == end) {
      if (position >= 1 && position <= n) return static_cast<std::size_t>(position - 1);
      if (position < 0 && -position <= n) return size() - static_cast<std::size_t>(-position);
      bad_file(head_.name, "has no column {}: it has {}; give a name, or a position from 1 to {}", text, n, n);
    }
    if (names.empty())
      bad_file(head_.name, "has no header, so no column is called {}: give its position, from 1 to {}", quoted(text),
               n);
    const std::vector<std::string_view> views(names.begin(), names.end());
    bad_file(head_.name, "has no column {}{}; its columns are: {}", quoted(text), suggest(text, views),
             fmt::join(names, ", "));
  }

  void take(const std::string& text, ColumnRole role) {
    const std::size_t i = find(text);
    if (roles_[i] && *roles_[i] != role)
      bad_file(head_.name, "{} was given two roles: name it once among labels, ids, columns to drop and features",
               title(i));
    roles_[i] = role;
  }

  void take_choice() {
    if (!choice_.label.empty() && choice_.label != "none") take(choice_.label, ColumnRole::kLabel);
    if (!choice_.id.empty() && choice_.id != "none") take(choice_.id, ColumnRole::kId);
    for (const std::string& text : choice_.drop) take(text, ColumnRole::kDropped);
    for (const std::string& text : choice_.features) take(text, ColumnRole::kFeature);
  }

  void take_like() {
    matches_names_ = !like_.names.empty() && !head_.header.empty();
    if (!matches_names_ && size() != like_.roles.size()) return;
    std::vector<bool> used(like_.roles.size());
    for (std::size_t i = 0; i < size(); ++i) {
      std::size_t k = i;
      if (matches_names_)
        for (k = 0; k < used.size() && (used[k] || like_.names[k] != head_.header[i]);) ++k;
      if (k == used.size()) continue;
      used[k] = true;
      like_column_[i] = static_cast<Index>(k);
      if (!roles_[i]) roles_[i] = like_.roles[k];
    }
    std::vector<std::string> missing;
    for (std::size_t k = 0; k < used.size(); ++k)
      if (!used[k] && like_.roles[k] == ColumnRole::kFeature) missing.push_back(quoted(like_.names[k]));
    if (!missing.empty())
      bad_file(head_.name, "has no column {}: it needs all features of the training samples; its columns are: {}",
               fmt::join(missing, ", "), fmt::join(head_.header, ", "));
  }

  void recognise_names() {
    std::vector<std::string> names(head_.header.size());
    std::ranges::transform(head_.header, names.begin(), lower);
    const auto open = [&](std::string_view name) {
      const auto found = std::ranges::find(names, name);
      const auto at = static_cast<std::size_t>(found - names.begin());
      return found != names.end() && !roles_[at] ? std::optional(at) : std::nullopt;
    };
    for (const std::string_view name : kLabelNames) {
      if (name == "y" && (std::ranges::count(names, "x") || std::ranges::count(names, "z"))) continue;
      if (const auto at = open(name); at && choice_.label.empty() && !has(ColumnRole::kLabel))
        roles_[*at] = ColumnRole::kLabel;
    }
    for (const std::string_view name : kIdNames)
      if (const auto at = open(name); at && choice_.id.empty() && !has(ColumnRole::kId) && size() > 1)
        roles_[*at] = ColumnRole::kId;
    // Data frames write their row numbers into a first column without a name.
    if (!names.empty() && names[0].empty() && size() > 1 && !roles_[0])
      roles_[0] = choice_.id.empty() && !has(ColumnRole::kId) ? ColumnRole::kId : ColumnRole::kDropped;
  }

  [[nodiscard]] bool is_text(std::size_t i) const {
    std::size_t texts = 0, cells = 0;
    for (const auto& row : head_.rows) {
      if (i >= row.size() || is_missing(row[i])) continue;
      ++cells;
      texts += !is_number(row[i]) && !has_decimal_comma(row[i]);
    }
    return 2 * texts > cells;
  }

  [[nodiscard]] bool nearly_all_differ(std::size_t i) const {
    constexpr std::size_t kFew = 10;  // too few rows to tell
    std::set<std::string_view> distinct;
    for (const auto& row : head_.rows)
      if (i < row.size()) distinct.insert(row[i]);
    return head_.rows.size() >= kFew && 10 * distinct.size() > 9 * head_.rows.size();
  }

  void recognise_texts() {
    std::optional<std::size_t> label;
    for (std::size_t i = 0; i < size(); ++i) {
      if (roles_[i] || !is_text(i)) continue;
      if (choice_.id.empty() && !has(ColumnRole::kId) && nearly_all_differ(i)) {
        roles_[i] = ColumnRole::kId;
      } else if (choice_.label.empty() && !has(ColumnRole::kLabel)) {
        roles_[i] = ColumnRole::kLabel;
        label = i;
      } else {
        refuse_text(i, label);
      }
    }
  }

  [[noreturn]] void refuse_text(std::size_t i, std::optional<std::size_t> label) const {
    const auto cell = [&](std::size_t j) { return quoted(head_.rows[0][j]); };
    if (label)
      bad_file(head_.name,
               "line {}, {} and {} are not numbers ({} and {}), but only one column, the labels, may be text: leave "
               "out the others (columns.drop={}), or name the labels (columns.label={}) and drop the rest",
               head_.first_line, title(*label), title(i), cell(*label), cell(i), option(i), option(*label));
    bad_file(head_.name,
             "line {}, {} is {}, which is not a number: leave the column out (columns.drop={}) or encode it",
             head_.first_line, title(i), cell(i), option(i));
  }

  void require_no_others() const {
    for (std::size_t i = 0; i < size(); ++i)
      if (!roles_[i])
        bad_file(head_.name, "{} is not a feature of the training samples: leave it out (columns.drop={})", title(i),
                 option(i));
  }

  [[nodiscard]] AssignedColumns result() const {
    AssignedColumns assigned;
    assigned.layout.names = head_.header;
    for (const auto& role : roles_) assigned.layout.roles.push_back(*role);
    assigned.feature.assign(size(), -1);
    Index next = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (roles_[i] == ColumnRole::kFeature) assigned.feature[i] = matches_names_ ? rank_of(like_column_[i]) : next++;
    if (like_.empty()) warn(assigned.warnings);
    return assigned;
  }

  // The position of a column among the features of the training samples.
  [[nodiscard]] Index rank_of(Index like_column) const {
    if (like_column < 0)
      bad_file(head_.name, "a column was requested that is not a feature of the training samples: omit it");
    return std::count(like_.roles.begin(), like_.roles.begin() + like_column, ColumnRole::kFeature);
  }

  [[nodiscard]] std::vector<double> values(std::size_t i) const {
    std::vector<double> all;
    for (const auto& row : head_.rows) {
      double value = 0;
      if (i < row.size() && parse_number(row[i].data(), row[i].data() + row[i].size(), value)) all.push_back(value);
    }
    return all;
  }
  [[nodiscard]] bool is_whole(std::size_t i) const {
    return std::ranges::all_of(values(i), [](double x) { return std::isfinite(x) && x == std::trunc(x); });
  }
  [[nodiscard]] bool is_running(std::size_t i) const {
    const std::vector<double> x = values(i);
    const auto is_next = [](double a, double b) { return b == a + 1; };
    return x.size() >= 5 && std::ranges::adjacent_find(x, std::not_fn(is_next)) == x.end();
  }
  // Few whole numbers at the edge of a table of other numbers.
  [[nodiscard]] bool looks_like_labels(std::size_t i) const {
    if (i < head_.header.size() && is_one_of(kLabelLike, head_.header[i])) return true;
    if ((i != 0 && i + 1 != size()) || head_.rows.size() < 20 || !is_whole(i)) return false;
    const std::vector<double> x = values(i);
    std::size_t others = 0;
    for (std::size_t j = 0; j < size(); ++j) others += j != i && roles_[j] == ColumnRole::kFeature && !is_whole(j);
    return 5 * std::set<double>(x.begin(), x.end()).size() <= x.size() && 2 * others + 1 >= size();
  }

  void warn(std::vector<std::string>& warnings) const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (roles_[i] != ColumnRole::kFeature || !choice_.features.empty()) continue;
      if (is_running(i))
        warnings.push_back(fmt::format(
            "{} counts the rows, but was taken as a feature: if it is not one, give columns.id={} or columns.drop={}",
            title(i), option(i), option(i)));
      else if (!has(ColumnRole::kLabel) && choice_.label.empty() && looks_like_labels(i))
        warnings.push_back(
            fmt::format("{} looks like labels, but was taken as a feature: if it is not one, give columns.label={}",
                        title(i), option(i)));
    }
  }

  const TableHead& head_;
  const ColumnChoice& choice_;
  const TableLayout& like_;
  std::vector<std::optional<ColumnRole>> roles_;
  std::vector<Index> like_column_;  // the same column in like_; −1: none
  bool matches_names_ = false;
};

}  // namespace

AssignedColumns assign_columns(const TableHead& head, const ColumnChoice& choice, const TableLayout& like,
                               LoneColumn lone) {
  return Assignment(head, choice, like).run(lone);
}

bool is_label_name(std::string_view text) { return is_one_of(kLabelNames, text); }
bool is_missing(std::string_view cell) { return is_one_of(kMissing, cell); }

bool has_decimal_comma(std::string cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string::npos) return false;
  cell[comma] = '.';
  return is_number(cell);
}

}  // namespace foldout
