// SPDX-License-Identifier: Apache-2.0
#include "dictionary/learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/check.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "dictionary/improve.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/error.h"

namespace foldout {

Index usual_atoms(Index n_samples) {
  constexpr Index kPart = 5, kMost = 1000, kLeast = 20;
  return std::min(n_samples, std::clamp(n_samples / kPart, kLeast, kMost));
}

namespace {

void check_size(const SampleRows& samples, const std::vector<int>& labels, std::optional<int> n_atoms,
                std::optional<int> atoms_per_class, std::string_view name) {
  require_of_all(samples, [&] {
    if (samples.first() == 0)
      require_samples(samples.held(), 1, name);
    else if (samples.held().rows() > 0)
      require_samples(samples.held(), 1, fmt::format("{}, counted from sample {}", name, samples.first()));
  });
  if (n_atoms && atoms_per_class)
    throw InvalidArgument(fmt::format("{}: n_atoms and atoms_per_class exclude each other: give one", name));
  if (n_atoms && *n_atoms > samples.size())
    throw InvalidArgument(
        fmt::format("{}: n_atoms = {} must be at most the number of samples, {}", name, *n_atoms, samples.size()));
  if (atoms_per_class && labels.empty())
    throw MissingLabels(fmt::format("{}: atoms_per_class needs labels, one per sample; n_atoms does not", name));
  if (!labels.empty() && static_cast<Index>(labels.size()) != samples.size())
    throw InvalidArgument(fmt::format("{}: {} labels for {} samples: one label per sample is needed", name,
                                      labels.size(), samples.size()));
}

struct Class {
  int label;
  std::vector<Index> members;  // in their order
};

std::vector<Class> classes_of(const std::vector<int>& labels) {
  std::map<int, std::vector<Index>> found;
  for (std::size_t i = 0; i < labels.size(); ++i) found[labels[i]].push_back(static_cast<Index>(i));
  std::vector<Class> classes;
  classes.reserve(found.size());
  for (auto& [label, members] : found) classes.push_back({label, std::move(members)});
  return classes;
}

// A class that stopped early keeps its last objective.
void add_objective(const std::vector<DictionaryObjective>& part, std::vector<DictionaryObjective>& sum) {
  if (part.empty()) return;
  const DictionaryObjective reached = sum.empty() ? DictionaryObjective{} : sum.back();
  if (sum.size() < part.size()) sum.resize(part.size(), {reached.after_atoms, reached.after_atoms});
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i].after_codes += i < part.size() ? part[i].after_codes : part.back().after_atoms;
    sum[i].after_atoms += i < part.size() ? part[i].after_atoms : part.back().after_atoms;
  }
}

// Equal notes of several classes are reported once.
void merge(const Report& part, Report& whole) {
  for (const Report::Note& note : part.notes)
    if (!whole.has_note(note.code)) whole.notes.push_back(note);
}

Dictionary learn_classes(const MatrixRef& samples, const std::vector<int>& labels, int atoms_per_class,
                         const RunContext& context, const AtomLearner& learn) {
  const std::vector<Class> classes = classes_of(labels);
  std::vector<Dictionary> parts(classes.size());
  parallel_for(
      std::ssize(parts), context,
      [&](Index c) {
        const auto at = static_cast<std::size_t>(c);
        const Matrix part = rows_of(samples, classes[at].members);
        parts[at] = learn(AllRows(part), std::min<Index>(atoms_per_class, part.rows()), {});
      },
      "dictionary");
  Dictionary whole;
  for (std::size_t c = 0; c < parts.size(); ++c)
    whole.labels.insert(whole.labels.end(), static_cast<std::size_t>(parts[c].atoms.rows()), classes[c].label);
  whole.atoms.resize(std::ssize(whole.labels), samples.cols());
  int small = 0;
  Index at = 0;
  for (const Dictionary& part : parts) {
    if (part.atoms.rows() < atoms_per_class) ++small;
    whole.atoms.middleRows(at, part.atoms.rows()) = part.atoms;
    at += part.atoms.rows();
    add_objective(part.objective, whole.objective);
    merge(part.report, whole.report);
  }
  if (small > 0)
    whole.report.note("class_smaller_than_atoms",
                      fmt::format("{} classes have fewer distinct samples than atoms_per_class = {}: each of their "
                                  "samples became an atom",
                                  small, atoms_per_class));
  return whole;
}

}  // namespace

Dictionary learn_atoms(const SampleRows& samples, const std::vector<int>& labels, std::optional<int> n_atoms,
                       std::optional<int> atoms_per_class, std::string_view name, const RunContext& context,
                       const AtomLearner& learn) {
  check_size(samples, labels, n_atoms, atoms_per_class, name);
  Dictionary whole;
  if (atoms_per_class) {
    require_whole(samples, fmt::format("{}: atoms_per_class", name));
    whole = learn_classes(samples.held(), labels, *atoms_per_class, context, learn);
  } else {
    const Index count = n_atoms ? *n_atoms : usual_atoms(samples.size());
    whole = learn(samples, count, context);
    note_reduced(count, whole);
  }
  report_atoms(whole);
  return whole;
}

void note_reduced(Index wanted, Dictionary& dictionary) {
  if (dictionary.atoms.rows() < wanted && !dictionary.report.has_note("atoms_reduced"))
    dictionary.report.note("atoms_reduced", fmt::format("there are only {} distinct samples: each became an atom",
                                                        dictionary.atoms.rows()));
}

void note_tau(int tau, Dictionary& dictionary) {
  if (dictionary.atoms.rows() < tau)
    dictionary.report.note("tau_reduced",
                           fmt::format("tau was reduced to the number of atoms, {}", dictionary.atoms.rows()));
}

void report_atoms(Dictionary& dictionary) {
  dictionary.report.figure("n_atoms", static_cast<double>(dictionary.atoms.rows()));
  for (std::size_t i = 0; i < dictionary.objective.size(); ++i)
    dictionary.report.figure(fmt::format("objective_{:03}", i + 1), dictionary.objective[i].after_atoms);
}

void require_room_for_products(Index n_atoms, std::string_view name, const RunContext& context) {
  const auto n = static_cast<double>(n_atoms);
  require_memory(2 * 8 * n * n, fmt::format("{}: the products of {} atoms", name, n_atoms), "lower n_atoms",
                 context.memory_limit);
}

Index reseed_unused(const SampleRows& samples, const Vector& usage, const Vector& costs, Matrix& atoms) {
  std::vector<Index> unused, picked;
  for (Index j = 0; j < atoms.rows(); ++j)
    if (!(usage[j] > 0)) unused.push_back(j);
  if (unused.empty()) return 0;
  picked.reserve(unused.size());
  for (const Ranked& worst : largest(samples, costs, std::ssize(unused))) picked.push_back(worst.row);
  const Matrix rows = samples.rows(picked);
  for (std::size_t i = 0; i < picked.size(); ++i) atoms.row(unused[i]) = rows.row(static_cast<Index>(i));
  return std::ssize(picked);
}

void note_reseeded(Index count, Report& report) {
  if (count > 0) report.note("atoms_reseeded", fmt::format("unused atoms were reset to samples, {} times", count));
}

}  // namespace foldout
