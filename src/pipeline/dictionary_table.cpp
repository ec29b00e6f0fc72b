// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "foldout/dictionary/ksvd.h"
#include "foldout/dictionary/landmark_atoms.h"
#include "foldout/dictionary/lcc.h"
#include "foldout/dictionary/lcdl.h"
#include "foldout/dictionary/llc.h"
#include "pipeline/entries.h"

namespace foldout {

Fields fields(LandmarkOptions& o) {
  static constexpr Key atom_coordinates{
      "atom_coordinates",
      "own: the embedding of the atoms alone; samples: atoms interpolated inside an embedding of all samples"};
  return {{atom_coordinates, o.atom_coordinates},
          {key::coding_tau, o.coding_tau},
          {key::coding_locality, o.locality},
          {key::code_ridge, o.ridge}};
}

namespace {

// The codes of LCDL are those that samples are placed by; other learners mean something else by locality and ridge.
template <class Learner>
constexpr bool kByCodes = std::is_same_v<Learner, LcdlOptions>;

// The keys of a learner, and those of how its atoms are used. A key of the same name is the learner's, unless it means
// the same.
template <class Learner>
struct Both {
  Learner learner;
  LandmarkOptions landmarks;
};

template <class Learner>
Fields fields(Both<Learner>& both) {
  Fields all = fields(both.learner);
  for (const Field& field : fields(both.landmarks)) {
    const auto same = std::ranges::find(all, field.key().name, [](const Field& f) { return f.key().name; });
    if (same == all.end())
      all.push_back(field);
    else if (kByCodes<Learner>)
      *same = field;
  }
  return all;
}

template <class Learner>
Learner learner_from(const ComponentSpec& spec) {
  auto both = options_from<Both<Learner>>(spec);
  if constexpr (kByCodes<Learner>) {
    if (both.landmarks.locality) both.learner.locality = *both.landmarks.locality;
    both.learner.ridge = both.landmarks.ridge;
  }
  return both.learner;
}

template <class Learner>
LandmarkOptions landmarks_from(const ComponentSpec& spec) {
  return options_from<Both<Learner>>(spec).landmarks;
}

template <class Learner>
using Learn = Dictionary (*)(const MatrixRef&, const std::vector<int>&, const Learner&, const RunContext&);

template <class Learner, Learn<Learner> learn>
Dictionary learn_from(const MatrixRef& samples, const std::vector<int>& labels, const ComponentSpec& spec,
                      const RunContext& context) {
  return learn(samples, labels, learner_from<Learner>(spec), context);
}

Dictionary learn_lcdl_batches(const MatrixRef& first, const SampleBatches& batches, const ComponentSpec& spec,
                              const RunContext& context) {
  return learn_lcdl_in_batches(first, batches, learner_from<LcdlOptions>(spec), context);
}

void check_lcdl_batches(const ComponentSpec& spec, bool once) { check_batches(learner_from<LcdlOptions>(spec), once); }

template <class Learner, Learn<Learner> learn>
constexpr DictionaryEntry entry(std::string_view name, std::string_view summary, std::string_view reference) {
  return {name,
          summary,
          reference,
          keys_of<Both<Learner>>,
          complete_with<Both<Learner>>,
          learn_from<Learner, learn>,
          kByCodes<Learner> ? learn_lcdl_batches : nullptr,
          kByCodes<Learner> ? check_lcdl_batches : nullptr,
          landmarks_from<Learner>,
          kByCodes<Learner>};
}

const std::array kDictionaries{
    entry<LcdlOptions, learn_lcdl>("lcdl", "atoms on the manifold, each sample near a combination of its nearest",
                                   "Zhou and Barner, IEEE Signal Processing Letters 20 (2013)"),
    entry<KsvdOptions, learn_ksvd>("ksvd", "directions of which few combine to each sample",
                                   "Aharon, Elad and Bruckstein, IEEE Trans. Signal Processing 54 (2006)"),
    entry<LccOptions, learn_lcc>("lcc", "each sample a sparse combination of atoms near to it",
                                 "Yu, Zhang and Gong, NIPS 22 (2009)"),
    entry<LlcOptions, learn_llc>("llc", "moved by one sample after the other, near atoms preferred",
                                 "Wang et al., CVPR (2010)"),
    entry<KmeansAtomsOptions, learn_kmeans>("kmeans", "the centres of k-means", "Lloyd (1982)"),
    entry<RandomAtomsOptions, learn_random>("random", "samples drawn at random", ""),
};

}  // namespace

std::span<const DictionaryEntry> dictionary_table() { return kDictionaries; }
const DictionaryEntry& find_dictionary(std::string_view name) {
  return find_entry(dictionary_table(), name, "dictionary");
}

}  // namespace foldout
