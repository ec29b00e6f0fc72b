// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "components/entries.h"
#include "dictionary/improve.h"
#include "foldout/dictionary/kmeans.h"
#include "foldout/dictionary/ksvd.h"
#include "foldout/dictionary/lcc.h"
#include "foldout/dictionary/lcdl.h"
#include "foldout/dictionary/llc.h"

namespace foldout {
namespace {

// The keys of a dictionary's spec beyond those of the learner: how samples are placed through the atoms.
struct UseOptions {
  AtomCoordinates atom_coordinates = AtomCoordinates::kOwn;
  CodesOptions codes;
};

Fields fields(UseOptions& o) {
  static constexpr Key atom_coordinates{
      "atom_coordinates", "own: embed the atoms alone; samples: interpolate the atoms in an embedding of all samples"};
  Fields all{{atom_coordinates, o.atom_coordinates}};
  for (const Field& field : foldout::fields(o.codes)) all.push_back(field);
  return all;
}

// Placement uses the codes of LCDL; in other learners locality and ridge have other meanings.
template <class Learner>
constexpr bool kByCodes = std::is_same_v<Learner, LcdlOptions>;

// A key that both have belongs to the learner, unless it has the same meaning.
template <class Learner>
struct Both {
  Learner learner;
  UseOptions use;
};

template <class Learner>
Fields fields(Both<Learner>& both) {
  Fields all = foldout::fields(both.learner);
  for (const Field& field : fields(both.use)) {
    const auto same = std::ranges::find(all, field.key().name, [](const Field& f) { return f.key().name; });
    if (same == all.end())
      all.push_back(field);
    else if (kByCodes<Learner>)
      *same = field;
  }
  return all;
}

template <class Learner>
Learner learner_of(const std::any& options) {
  const auto& both = options_in<Both<Learner>>(options);
  Learner learner = both.learner;
  if constexpr (kByCodes<Learner>) {
    if (both.use.codes.locality) learner.locality = *both.use.codes.locality;
    learner.ridge = both.use.codes.ridge;
  }
  return learner;
}

template <class Learner>
DictionaryPlan plan_of(const std::any& options) {
  const auto& both = options_in<Both<Learner>>(options);
  DictionaryPlan plan{.n_atoms = both.learner.n_atoms,
                      .by_class = both.learner.atoms_per_class.has_value(),
                      .seed = both.learner.seed,
                      .atom_coordinates = both.use.atom_coordinates,
                      .codes = both.use.codes};
  if constexpr (requires { both.learner.batch_size; }) plan.batch_size = both.learner.batch_size.value_or(0);
  plan.learns_with_locality = kByCodes<Learner> && !both.use.codes.locality;
  return plan;
}

template <class Learner>
std::any with_atoms(std::any options, int n_atoms) {
  std::any_cast<Both<Learner>>(&options)->learner.n_atoms = n_atoms;
  return options;
}

template <class Learner>
std::any with_locality(std::any options, double locality) {
  std::any_cast<Both<Learner>>(&options)->use.codes.locality = locality;
  return options;
}

template <class Learner>
std::any adopt(const std::any& given) {
  Both<Learner> both{options_in<Learner>(given), {}};
  if constexpr (kByCodes<Learner>) {
    both.use.codes.locality = both.learner.locality;
    both.use.codes.ridge = both.learner.ridge;
  }
  return both;
}

template <class Learner>
using Learn = Dictionary (*)(const SampleRows&, const std::vector<int>&, const Learner&, const RunContext&);

template <class Learner, Learn<Learner> learn>
DictionaryRow entry(std::string_view name, std::string_view summary, std::string_view reference) {
  DictionaryRow row{
      row_of<Both<Learner>>(name, summary, reference),
      [](const SampleRows& samples, const std::vector<int>& labels, const std::any& options,
         const RunContext& context) { return learn(samples, labels, learner_of<Learner>(options), context); },
      nullptr,
      nullptr,
      plan_of<Learner>,
      with_atoms<Learner>,
      with_locality<Learner>};
  row.type = &typeid(Learner);
  row.adopt = adopt<Learner>;
  if constexpr (kByCodes<Learner>) {
    row.learn_batches = [](const MatrixRef& first, SampleStream& batches, const std::any& options,
                           const RunContext& context) {
      return learn_lcdl_in_batches(first, batches, learner_of<Learner>(options), context);
    };
    row.check_batches = [](const std::any& options, bool once) { check_batches(learner_of<Learner>(options), once); };
  }
  return row;
}

}  // namespace

std::span<const DictionaryRow> dictionary_table() {
  static const std::array table{
      entry<LcdlOptions, learn_lcdl>(
          "lcdl", "atoms near the manifold; each sample is an affine combination of its nearest atoms",
          "Zhou and Barner, IEEE Signal Processing Letters 20 (2013)"),
      entry<KsvdOptions, learn_ksvd>("ksvd", "unit directions; each sample is a combination of few of them",
                                     "Aharon, Elad and Bruckstein, IEEE Trans. Signal Processing 54 (2006)"),
      entry<LccOptions, learn_lcc>("lcc", "each sample is a sparse combination of nearby atoms",
                                   "Yu, Zhang and Gong, NIPS 22 (2009)"),
      entry<LlcOptions, learn_llc>("llc", "atoms updated sample by sample, with a penalty on distant atoms",
                                   "Wang et al., CVPR (2010)"),
      entry<KmeansAtomsOptions, learn_kmeans>("kmeans", "the centres of k-means", "Lloyd (1982)"),
      entry<RandomAtomsOptions, learn_random>("random", "samples drawn at random", ""),
  };
  return table;
}

}  // namespace foldout
