// SPDX-License-Identifier: Apache-2.0
// Every component by its name: preprocessing steps, methods, extensions, dictionaries. The command line, its help, the
// manual and the documentation read these tables; a new component is a new row.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/spec.h"
#include "foldout/dictionary/lcdl.h"
#include "foldout/embed/isomap.h"
#include "foldout/maps/out_of_sample_map.h"
#include "foldout/pipeline/landmarks.h"
#include "foldout/preprocess/preprocessor.h"

namespace foldout {

/// One key of a component, for people and programs that have to describe it.
struct KeyInfo {
  std::string name, type, range, default_value, meaning, symbol;
  std::vector<std::string> choices;
};

struct PreprocessEntry {
  std::string_view name, summary;
  std::vector<KeyInfo> (*keys)();
  std::string (*complete)(const ComponentSpec& spec);  ///< checks a spec and writes every key out
  std::shared_ptr<const Preprocessor> (*fit)(const MatrixRef& samples, const ComponentSpec& spec,
                                             const RunContext& context, Report& report);
};

/// What a method leaves behind: coordinates, and what its extensions need. Coordinates that came from elsewhere have
/// nothing else.
struct FittedMethod {
  Embedding embedding;
  std::string spec;                               ///< with every key written out; empty: coordinates from elsewhere
  std::shared_ptr<const OutOfSampleMap> own_map;  ///< of methods that come with one
  std::shared_ptr<const IsomapFit> isomap;        ///< for the geodesic extension
  /// The Nyström extension of this fit to new samples; empty: the method has none.
  std::function<std::shared_ptr<const OutOfSampleMap>(const MatrixRef& samples, Report& report)> nystrom;
  std::vector<int> labels;        ///< that it learnt from; may be empty
  Vector laplacian_eigenvalues;   ///< λ, of methods that have them: for the correction of sparse placements
  std::string natural_extension;  ///< the spec used when none is given
};

enum class MethodKind { kEmbedding, kMap };

struct MethodEntry {
  std::string_view name;
  MethodKind kind;
  std::string_view summary, reference;
  std::vector<KeyInfo> (*keys)();
  std::string (*complete)(const ComponentSpec& spec);  ///< checks a spec and writes every key out
  /// `labels`: one per sample, or empty; a supervised method without them throws InvalidArgument.
  FittedMethod (*fit)(const MatrixRef& samples, const std::vector<int>& labels, const ComponentSpec& spec,
                      const RunContext& context);
};

struct ExtensionEntry {
  std::string_view name, summary;
  std::vector<KeyInfo> (*keys)();
  std::string (*complete)(const ComponentSpec& spec);  ///< checks a spec and writes every key out
  /// Why the extension does not go with a fit, with the remedy; empty: it does.
  std::string (*refusal)(const FittedMethod& fit);
  std::shared_ptr<const OutOfSampleMap> (*make)(const MatrixRef& samples, const FittedMethod& fit,
                                                const ComponentSpec& spec, const RunContext& context, Report& report);
};

struct DictionaryEntry {
  std::string_view name, summary, reference;
  std::vector<KeyInfo> (*keys)();
  std::string (*complete)(const ComponentSpec& spec);  ///< checks a spec and writes every key out
  /// `labels`: one per sample, or empty.
  Dictionary (*learn)(const MatrixRef& samples, const std::vector<int>& labels, const ComponentSpec& spec,
                      const RunContext& context);
  /// The same from batches, as dictionary/lcdl.h has it; null: the learner needs all samples at once.
  Dictionary (*learn_batches)(const MatrixRef& first, const SampleBatches& batches, const ComponentSpec& spec,
                              const RunContext& context);
  /// Throws InvalidArgument where a spec does not go with batches, or not with batches that come once.
  void (*check_batches)(const ComponentSpec& spec, bool once);
  /// The keys that say how atoms are used, of a spec that also has the learner's.
  LandmarkOptions (*landmarks)(const ComponentSpec& spec);
  bool learns_by_codes;  ///< its locality and ridge are those of the codes that samples are placed by
};

[[nodiscard]] std::span<const PreprocessEntry> preprocess_table();
[[nodiscard]] std::span<const MethodEntry> method_table();
[[nodiscard]] std::span<const ExtensionEntry> extension_table();
[[nodiscard]] std::span<const DictionaryEntry> dictionary_table();

// An unknown name is an InvalidArgument that lists the names and suggests the nearest.
[[nodiscard]] const PreprocessEntry& find_preprocess(std::string_view name);
[[nodiscard]] const MethodEntry& find_method(std::string_view name);
[[nodiscard]] const ExtensionEntry& find_extension(std::string_view name);
[[nodiscard]] const DictionaryEntry& find_dictionary(std::string_view name);

/// A method's spec with aliases resolved: klpp, konpp and kcea are lpp, onpp and cea with features=kernel.
[[nodiscard]] ComponentSpec parse_method(std::string_view text);

/// The keys that fields describe, with their present values as defaults.
[[nodiscard]] std::vector<KeyInfo> describe_keys(const Fields& fields);

}  // namespace foldout
