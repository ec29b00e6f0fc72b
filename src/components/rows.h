// SPDX-License-Identifier: Apache-2.0
// Private: the tables of components. A new component is a new row; the command line, its help, the manual, the
// documentation, the model file and the Python package read these tables.
#pragma once

#include <any>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "classify/classifier.h"
#include "components/fitted_method.h"
#include "core/archive.h"
#include "foldout/components/component.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/dictionary/dictionary.h"
#include "foldout/dictionary/lcdl.h"
#include "foldout/extend/codes.h"
#include "foldout/extend/extension.h"
#include "foldout/preprocess/preprocess.h"

namespace foldout {

/// What every row has: names, and the options that its keys are bound to.
struct Row {
  std::string_view name, summary, reference;
  const std::type_info* type = nullptr;  ///< of the options that users give
  std::any (*defaults)() = nullptr;      ///< options with their default values
  Fields (*fields)(std::any& options) = nullptr;
  std::any (*adopt)(const std::any& given) = nullptr;  ///< options of `type` as those of the row
};

struct PreprocessRow : Row {
  std::shared_ptr<const Preprocessor> (*fit)(const MatrixRef& samples, const std::any& options,
                                             const RunContext& context, Report& report) = nullptr;
};

enum class MethodKind { kEmbedding, kMap };

struct MethodRow : Row {
  MethodKind kind = MethodKind::kEmbedding;
  /// `labels`: one per sample, or empty; a supervised method without them throws InvalidArgument.
  FittedMethod (*fit)(const MatrixRef& samples, const std::vector<int>& labels, const Component<MethodRow>& method,
                      const RunContext& context) = nullptr;
  /// The extension that a fit gets by default, with the keys that it takes over; empty: the method's own map.
  Component<ExtensionRow> (*natural)(const std::any& options) = nullptr;
  /// The Nyström extension of a fit; null: the method has none.
  Extension (*nystrom)(const MatrixRef& samples, const FittedMethod& fit, const RunContext& context) = nullptr;
  /// The neighbours that it looks for; 0: none, or all, or what is in a ball.
  Index (*n_neighbors)(const std::any& options) = nullptr;
};

struct ExtensionRow : Row {
  /// Why the extension does not go with a fit, with the remedy; empty: it does.
  std::string (*refusal)(const FittedMethod& fit) = nullptr;
  Extension (*make)(const MatrixRef& samples, const FittedMethod& fit, const std::any& options,
                    const RunContext& context) = nullptr;
};

/// Where the coordinates of atoms come from: an embedding of the atoms alone, or one of all samples, inside which atoms
/// are interpolated from their nearest samples.
enum class AtomCoordinates { kOwn, kSamples };
template <>
inline constexpr auto kNames<AtomCoordinates> = std::array<std::string_view, 2>{"own", "samples"};

/// What the options of a dictionary tell those who use it, whatever the learner.
struct DictionaryPlan {
  std::optional<int> n_atoms;  ///< empty: what suits the number of samples
  bool by_class = false;       ///< atoms are learnt class by class
  Index batch_size = 0;        ///< 0: it learns from all samples at once
  std::uint64_t seed = 0;
  AtomCoordinates atom_coordinates = AtomCoordinates::kOwn;
  CodesOptions codes;                 ///< how samples are placed by the atoms, as far as that is given
  bool learns_with_locality = false;  ///< it learns with the λ that samples are placed with, and none is given
};

struct DictionaryRow : Row {
  /// `labels`: one per sample, or empty.
  Dictionary (*learn)(const MatrixRef& samples, const std::vector<int>& labels, const std::any& options,
                      const RunContext& context) = nullptr;
  /// The same from batches, as dictionary/lcdl.h has it; null: the learner needs all samples at once.
  Dictionary (*learn_batches)(const MatrixRef& first, SampleStream& batches, const std::any& options,
                              const RunContext& context) = nullptr;
  /// Throws InvalidArgument where the options do not go with batches, or not with batches that come once.
  void (*check_batches)(const std::any& options, bool once) = nullptr;
  DictionaryPlan (*plan)(const std::any& options) = nullptr;
  /// The options with another number of atoms, or with the λ that samples are placed with.
  std::any (*with_atoms)(std::any options, int n_atoms) = nullptr;
  std::any (*with_locality)(std::any options, double locality) = nullptr;
};

struct ClassifierRow : Row {
  /// Whether it works on the samples that the model holds (if it does) instead of on coordinates. Throws
  /// InvalidArgument where it must and cannot.
  bool (*on_samples)(const std::any& options, bool model_holds_samples) = nullptr;
  /// `options` come back with the values that training found.
  std::shared_ptr<const Classifier> (*train)(const LabelledPoints& points, std::any& options, const RunContext& context,
                                             Report& report) = nullptr;
  /// One that needs no training again, from the arrays that its save() wrote; null: training is quick, nothing is kept.
  std::shared_ptr<const Classifier> (*load)(const Archive& archive, const LabelledPoints& points,
                                            const std::any& options) = nullptr;
  /// Whether the one that a fit stored is the one asked for, where null: it has to be trained.
  bool (*answers)(const std::any& stored, const std::any& asked) = nullptr;
};

[[nodiscard]] std::span<const PreprocessRow> preprocess_table();
[[nodiscard]] std::span<const MethodRow> method_table();
[[nodiscard]] std::span<const ExtensionRow> extension_table();
[[nodiscard]] std::span<const DictionaryRow> dictionary_table();
[[nodiscard]] std::span<const ClassifierRow> classifier_table();

/// One key of a component, for people and programs that have to describe it.
struct KeyInfo {
  std::string name, type, range, default_value, meaning, symbol;
  std::vector<std::string> choices;
};

/// The keys that fields describe, with their present values as defaults.
[[nodiscard]] std::vector<KeyInfo> describe_keys(const Fields& fields);
[[nodiscard]] std::vector<KeyInfo> keys_of(const Row& row);

}  // namespace foldout
