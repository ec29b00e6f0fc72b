// SPDX-License-Identifier: Apache-2.0
// Private: the tables of components. A new component is a new row; the command line, its help, the manual, the
// documentation and the model file read these tables.
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
#include "core/sample_rows.h"
#include "foldout/components/component.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/dictionary/dictionary.h"
#include "foldout/dictionary/lcdl.h"
#include "foldout/extend/codes.h"
#include "foldout/extend/extension.h"
#include "foldout/extend/nystrom.h"
#include "foldout/preprocess/preprocess.h"

namespace foldout {

/// The part common to all rows: names, and the options that its keys refer to.
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

/// What the rows of the data are: samples, or their precomputed distances to or kernel values with the training
/// samples.
enum class RowMeaning { kSamples, kDistances, kKernelValues };

struct MethodRow : Row {
  MethodKind kind = MethodKind::kEmbedding;
  /// `labels`: one per sample, or empty; a supervised method without them throws InvalidArgument.
  FittedMethod (*fit)(const MatrixRef& samples, const std::vector<int>& labels, const Component<MethodRow>& method,
                      const RunContext& context) = nullptr;
  /// The default extension of a fit, with the keys that it inherits; empty: the method's own map.
  Component<ExtensionRow> (*natural)(const std::any& options) = nullptr;
  /// The Nyström extension of a fit; null: the method has none.
  Extension (*nystrom)(const MatrixRef& samples, const FittedMethod& fit, const NystromOptions& options,
                       const RunContext& context) = nullptr;
  /// The number of neighbours; 0: none, auto, or not a nearest-neighbour graph.
  Index (*n_neighbors)(const std::any& options) = nullptr;
  RowMeaning (*rows)(const std::any& options) = nullptr;
};

/// Of the data of a model; without a method: samples.
[[nodiscard]] inline RowMeaning row_meaning(const Component<MethodRow>& method) {
  return method ? method.row().rows(method.options()) : RowMeaning::kSamples;
}

/// The size of a problem, for predictions of its cost.
struct ProblemSize {
  double n_samples = 0, n_features = 0, n_components = 0;  ///< of the fit
  double n_placed = 0;                                     ///< samples to place
};

struct ExtensionRow : Row {
  /// Why the extension is incompatible with a fit, with a remedy; empty if it is compatible.
  std::string (*refusal)(const FittedMethod& fit) = nullptr;
  Extension (*make)(const MatrixRef& samples, const FittedMethod& fit, const std::any& options,
                    const RunContext& context) = nullptr;
  /// Predicted operations to fit the extension with its default keys and to place samples, about 10⁹ per second on one
  /// core; for the budget of auto.
  double (*cost)(const ProblemSize& size) = nullptr;
};

/// The source of the atoms' coordinates: an embedding of the atoms alone, or one of all samples, in which atoms are
/// interpolated from their nearest samples.
enum class AtomCoordinates { kOwn, kSamples };
template <>
inline constexpr auto kNames<AtomCoordinates> = std::array<std::string_view, 2>{"own", "samples"};

/// The options of a dictionary that its users need, independent of the learner.
struct DictionaryPlan {
  std::optional<int> n_atoms;  ///< empty: auto
  bool by_class = false;       ///< atoms are learned class by class
  Index batch_size = 0;        ///< 0: learn from all samples at once
  std::uint64_t seed = 0;
  AtomCoordinates atom_coordinates = AtomCoordinates::kOwn;
  CodesOptions codes;                 ///< placement by the atoms, as far as it is given
  bool learns_with_locality = false;  ///< the learner uses the λ of the placement, and none is given
};

struct DictionaryRow : Row {
  /// `labels`: one per sample, or empty.
  Dictionary (*learn)(const SampleRows& samples, const std::vector<int>& labels, const std::any& options,
                      const RunContext& context) = nullptr;
  /// The same from batches (see dictionary/lcdl.h); null: the learner needs all samples at once.
  Dictionary (*learn_batches)(const MatrixRef& first, SampleStream& batches, const std::any& options,
                              const RunContext& context) = nullptr;
  /// Throws InvalidArgument for options that batches, or (with `once`) samples that can be read only once, do not
  /// support.
  void (*check_batches)(const std::any& options, bool once) = nullptr;
  DictionaryPlan (*plan)(const std::any& options) = nullptr;
  /// The options with another number of atoms, or with the λ of the placement.
  std::any (*with_atoms)(std::any options, int n_atoms) = nullptr;
  std::any (*with_locality)(std::any options, double locality) = nullptr;
};

struct ClassifierRow : Row {
  /// Whether it works on the training samples instead of coordinates; `has_samples`: the model contains them. Throws
  /// InvalidArgument if it needs them and the model does not.
  bool (*on_samples)(const std::any& options, bool has_samples) = nullptr;
  /// Writes the values found by training into `options`.
  std::shared_ptr<const Classifier> (*train)(const LabelledPoints& points, std::any& options, const RunContext& context,
                                             Report& report) = nullptr;
  /// A trained classifier from the arrays written by its save(); null: training is fast, and nothing is stored.
  std::shared_ptr<const Classifier> (*load)(const Archive& archive, const LabelledPoints& points,
                                            const std::any& options) = nullptr;
  /// Whether the stored classifier matches the requested options. Not null if `load` is not.
  bool (*answers)(const std::any& stored, const std::any& asked) = nullptr;
};

[[nodiscard]] std::span<const PreprocessRow> preprocess_table();
[[nodiscard]] std::span<const MethodRow> method_table();
[[nodiscard]] std::span<const ExtensionRow> extension_table();
[[nodiscard]] std::span<const DictionaryRow> dictionary_table();
[[nodiscard]] std::span<const ClassifierRow> classifier_table();

/// Another name of a component: of a variant of it, or the one in scikit-learn, whose defaults may differ.
struct Alias {
  std::string_view name, meaning;  ///< "klpp", "lpp:features=kernel"
};
[[nodiscard]] std::vector<Alias> all_aliases();

/// The description of one key of a component.
struct KeyInfo {
  std::string name, type, range, default_value, meaning, symbol;
  std::vector<std::string> choices;
};

/// The keys of the fields, with their current values as defaults.
[[nodiscard]] std::vector<KeyInfo> describe_keys(const Fields& fields);
[[nodiscard]] std::vector<KeyInfo> keys_of(const Row& row);

}  // namespace foldout
