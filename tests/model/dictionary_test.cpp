// SPDX-License-Identifier: Apache-2.0
// Models over the atoms of a dictionary.
#include <gtest/gtest.h>

#include "components/rows.h"
#include "core/rows.h"
#include "dictionary/local_codes.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"
#include "foldout/model/model.h"
#include "landmarks/atom_graph.h"
#include "model/model_archive.h"
#include "model/on_atoms.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

std::vector<std::string> labels_by_neighbor(const Model& model, const MatrixRef& samples) {
  Report unused;
  return model.classify(samples, "nn", {}, unused);
}

// Every embedding and map on the atoms of every dictionary.
class OnAtoms : public testing::TestWithParam<std::string> {};

TEST_P(OnAtoms, PlacesTrainingSamplesAsItPlacesNewOnes) {
  const Dataset data = roll_data(300);
  for (const DictionaryRow& dictionary : dictionary_table())
    for (const std::string keys : {":n_atoms=60,coding_tau=5", ":atoms_per_class=15,coding_tau=5"}) {
      const ModelSpec spec = with(std::string(dictionary.name) + keys, GetParam() + ":n_components=2");
      const Model model = fit_model(data, spec, {.n_threads = 2});
      ASSERT_EQ(model.coordinates.rows(), 300);
      EXPECT_TRUE(model.coordinates.allFinite()) << spec.dictionary.text();
      EXPECT_TRUE(dataset::same_bits(model.transform(data.samples), model.coordinates)) << spec.dictionary.text();
      EXPECT_EQ(model.map->samples()->rows(), static_cast<Index>(*model.report.find_figure("n_atoms")));
      const Model again = from_archive(to_archive(model));
      EXPECT_TRUE(dataset::same_bits(again.transform(data.samples), model.coordinates));
      EXPECT_TRUE(dataset::same_bits(again.explain(data.samples).confidence, model.explain(data.samples).confidence));
      EXPECT_EQ(again.spec.dictionary.text(), model.spec.dictionary.text());
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, OnAtoms, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const MethodRow& method : method_table()) names.emplace_back(method.name);
                           return names;
                         }()),
                         [](const auto& test) { return test.param; });

TEST(DictionaryModel, IsPlacedByTheCodesOfEquation9) {
  const Dataset data = roll_data(400);
  const Model model = fit_model(data, with("lcdl:n_atoms=80,coding_tau=3,locality=0.2,ridge=0.01"));
  const Matrix& atoms = *model.map->samples();
  const SparseMatrix codes = LocalCoding(atoms, 3, {0.2, 0.01}).code(data.samples).codes;
  EXPECT_TRUE(dataset::same_bits(Matrix(model.codes(data.samples)), Matrix(codes)));
  EXPECT_EQ(model.spec.extension.text(), "codes:coding_tau=3,locality=0.2,ridge=0.01");
  // The atoms have the coordinates of the method on the atoms alone.
  const Matrix own = Component<MethodRow>("lle").row().fit(atoms, {}, "lle:n_neighbors=8", {}).embedding->coordinates;
  EXPECT_LE((model.coordinates - codes * own).norm(), 1e-9 * own.norm());
}

TEST(DictionaryModel, AtomsAmongSamplesAreInterpolated) {
  const Dataset data = roll_data(500);
  const Model all = fit_model(data, {.method = "hessian_lle:n_neighbors=8"});
  const Model model =
      fit_model(data, with("lcdl:n_atoms=150,coding_tau=3,atom_coordinates=samples", "hessian_lle:n_neighbors=8"));
  EXPECT_LE(placement(all.coordinates, model.coordinates, all.coordinates, all.coordinates), 0.1);
  EXPECT_EQ(model.eigenvalues.size(), all.eigenvalues.size());
}

TEST(DictionaryModel, WorksWithEveryExtension) {
  const Dataset data = roll_data(300);
  for (const ExtensionRow& extension : extension_table()) {
    const std::string method = extension.name == "geodesic" ? "isomap"
                               : extension.name == "own"    ? "pca"
                                                            : "laplacian_eigenmaps";
    const Model model = fit_model(data, with("lcdl:n_atoms=60", method, std::string(extension.name)));
    EXPECT_TRUE(dataset::same_bits(model.transform(data.samples), model.coordinates)) << extension.name;
    EXPECT_TRUE(dataset::same_bits(from_archive(to_archive(model)).transform(data.samples), model.coordinates));
  }
  // Sparse codes over the atoms: the small dictionary of Raducanu and Dornaika (2013).
  const Model sparse = fit_model(data, with("lcdl:n_atoms=60", "lle", "sparse"));
  EXPECT_EQ(sparse.codes(data.samples).cols(), static_cast<Index>(*sparse.report.find_figure("n_atoms")));
}

TEST(DictionaryModel, DoesNotDependOnTheUnit) {
  Dataset data = roll_data(600), small = data;
  small.samples *= 0x1p-20;
  for (const DictionaryRow& entry : dictionary_table()) {
    if (entry.name == "ksvd") continue;  // its atoms have length 1
    const auto codes = [&](const Dataset& d) {
      return Matrix(fit_model(d, with(std::string(entry.name) + ":n_atoms=80,coding_tau=4", "pca")).codes(d.samples));
    };
    EXPECT_LE((codes(data) - codes(small)).norm(), 1e-9) << entry.name;
  }
}

TEST(DictionaryModel, ClassifiesByTheTrainingSamples) {
  Dataset data;
  data.samples = dataset::blobs(60, 4, 5, 15);
  std::vector<std::string> names;
  for (Index i = 0; i < 240; ++i) names.push_back(std::string(1, static_cast<char>('a' + i / 60)));
  data.labels = make_labels(names);
  for (const std::string method : {"lle:n_neighbors=6", "lda:n_components=3", "lpp:supervised=true"}) {
    const Model model = fit_model(data, with("lcdl:atoms_per_class=10", method));
    const Matrix fresh = dataset::blobs(20, 4, 5, 15, 9);
    const std::vector<std::string> found = labels_by_neighbor(model, fresh);
    int right = 0;
    for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == std::string(1, static_cast<char>('a' + i / 20));
    EXPECT_GE(right, 78) << method;
  }
}

TEST(DictionaryModel, ContainsAtomsInsteadOfSamples) {
  const Dataset data = dataset::labelled(dataset::lifted_roll(3000, 60));
  const auto bytes = [&](const ModelSpec& spec) { return encode_archive(to_archive(fit_model(data, spec))).size(); };
  EXPECT_LT(10 * bytes(with("lcdl:n_atoms=100,coding_tau=4")), bytes({.method = "lle:n_neighbors=8"}));
  // Even if the map needs no samples: the atoms are the reference of confidence.
  EXPECT_LT(10 * bytes(with("lcdl:n_atoms=100", "lle", "elm:n_nodes=50")), bytes({.method = "lle:n_neighbors=8"}));
}

TEST(DictionaryModel, ConfidenceIsLowForSamplesUnlikeTheAtoms) {
  const Matrix X = dataset::lifted_roll(1700, 20);
  const Model model = fit_model(dataset::labelled(X.topRows(1500)), with("lcdl:n_atoms=200,coding_tau=4"));
  const Vector known = model.explain(X.bottomRows(200)).confidence;
  const Matrix strange = X.bottomRows(200).array() + 15;
  EXPECT_GT(known.mean(), 0.7);
  EXPECT_LT(model.explain(strange).confidence.mean(), 0.1);
}

// The scale of confidence is determined by samples to which the atoms were fitted, or that are atoms themselves.
TEST(DictionaryModel, ConfidenceOfNewSamplesDoesNotSufferFromFewSamplesPerAtom) {
  const Matrix X = dataset::lifted_roll(1300, 10);
  for (const std::string dictionary :
       {"random:n_atoms=500", "random:n_atoms=100", "lcdl:n_atoms=300", "kmeans:n_atoms=900", "lcdl:n_atoms=100"}) {
    const Model model = fit_model(dataset::labelled(X.topRows(1000)), with(dictionary + ",coding_tau=4"));
    const Vector confidence = model.explain(X.bottomRows(300)).confidence;
    EXPECT_LE((confidence.array() < 0.5).cast<double>().mean(), 0.15) << dictionary;
  }
}

TEST(DictionaryModel, AtomsAreTheReferenceOfConfidenceForEveryMap) {
  const Dataset data = roll_data(400);
  const Model model = fit_model(data, with("lcdl:n_atoms=70,coding_tau=3", "pca", "rbf:n_centers=5"));
  EXPECT_EQ(model.confidence->reference()->rows(), 70);
  EXPECT_EQ(*from_archive(to_archive(model)).confidence->reference(), *model.confidence->reference());
}

// As many atoms as samples, but in the order of the classes.
TEST(DictionaryModel, SparseClassifierDoesNotTakeAtomsForSamples) {
  Dataset data;
  data.samples = dataset::blobs(30, 3, 6, 12).array() + 30;
  std::vector<std::string> names;
  for (Index i = 0; i < 90; ++i) names.push_back(std::string(1, static_cast<char>('a' + i / 30)));
  const std::vector<Index> order = dataset::random_order(90, 3);
  data.samples = dataset::rows_of(data.samples, order);
  std::vector<std::string> shuffled;
  for (const Index i : order) shuffled.push_back(names[static_cast<std::size_t>(i)]);
  data.labels = make_labels(shuffled);
  const Model model = fit_model(data, with("random:atoms_per_class=30,coding_tau=5", "pca:n_components=3"));
  ASSERT_EQ(model.map->samples()->rows(), 90);
  Report unused;
  const std::vector<std::string> found = model.classify(data.samples, "sparse", {}, unused);
  int right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == shuffled[i] ? 1 : 0;
  EXPECT_GE(right, 85);
}

TEST(DictionaryModel, AtomsAmongSamplesAreExtendedAsExternalCoordinates) {
  const Dataset data = roll_data(400);
  const Model model =
      fit_model(data, with("lcdl:n_atoms=120,atom_coordinates=samples", "hessian_lle:n_neighbors=8", "auto"));
  const Model all = fit_model(data, {.method = "hessian_lle:n_neighbors=8"});
  EXPECT_LE(procrustes(model.coordinates, all.coordinates), 0.05);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] {
                         (void)fit_model(
                             data, with("lcdl:n_atoms=120,atom_coordinates=samples", "laplacian_eigenmaps", "nystrom"));
                       }),
                       "external coordinates have no kernel"));
}

// A neighbourhood of atoms that spans two sheets of the roll folds the embedding; a few more atoms prevent this.
TEST(DictionaryModel, NeighbourhoodsAcrossGapsAreRepaired) {
  const Dataset data = {.samples = dataset::roll(3000, 4), .labels = {}, .image = {}, .columns = {}};
  const Model all = fit_model(data, {.method = "hessian_lle:n_neighbors=8"});
  int mended = 0;
  for (const int seed : {0, 1, 2, 3}) {
    const ModelSpec spec =
        with("lcdl:n_atoms=450,start=samples,coding_tau=3,seed=" + std::to_string(seed), "hessian_lle:n_neighbors=8");
    const Model model = fit_model(data, spec);
    mended += model.report.has_note("atoms_added") ? 1 : 0;
    EXPECT_FALSE(model.report.has_note("atoms_across_gaps"));
    EXPECT_LE(procrustes(model.coordinates, all.coordinates), 0.01) << spec.dictionary.text();
  }
  EXPECT_GE(mended, 1) << "the case should occur";
}

TEST(DictionaryModel, GapsThatCannotBeRepairedAreReported) {
  const Dataset data = {.samples = dataset::roll(3000, 4), .labels = {}, .image = {}, .columns = {}};
  const Model model = fit_model(data, with("lcdl:n_atoms=300,coding_tau=3", "lle:n_neighbors=20"));
  EXPECT_TRUE(model.report.has_note("atoms_across_gaps"));
}

TEST(AtomGraph, CountsNeighboursAcrossGaps) {
  // A horseshoe: two arms of length 10, two apart, with samples every 0.01 and atoms every 0.6.
  Matrix samples(2000, 2), atoms(41, 2);
  const auto at = [](double s) -> Eigen::RowVector2d {  // along the horseshoe, 0 … 1
    if (s < 0.45) return {s / 0.45 * 10, 0};
    if (s > 0.55) return {(1 - s) / 0.45 * 10, 2};
    return {10 + std::sin((s - 0.45) * 31.4), 1 - std::cos((s - 0.45) * 31.4)};
  };
  for (Index i = 0; i < 2000; ++i) samples.row(i) = at(static_cast<double>(i) / 1999);
  for (Index j = 0; j < 41; ++j) atoms.row(j) = at(static_cast<double>(j) / 40);
  EXPECT_EQ(atoms_across_gaps(AllRows(samples), atoms, 3, {}), 0);
  EXPECT_GE(atoms_across_gaps(AllRows(samples), atoms, 10, {}), 20)
      << "the fifth on each side is farther than the other arm";
  EXPECT_EQ(atoms_across_gaps(AllRows(samples.topRows(200)), atoms, 10, {}), 0) << "too few samples for the check";
}

TEST(DictionaryModel, BadRequestsAreNamed) {
  const Dataset data = roll_data(60);
  const auto text = [&](const std::string& dictionary, const std::string& method = "lle:n_neighbors=8") {
    return message_of<InvalidArgument>([&] { (void)fit_model(data, with(dictionary, method)); });
  };
  EXPECT_TRUE(contains(text("lcdk"), "did you mean 'lcdl'"));
  EXPECT_TRUE(contains(text("lcdl:atoms=3"), "no key 'atoms'"));
  EXPECT_TRUE(contains(text("lcdl:n_atoms=61"), "n_atoms = 61 must be at most the number of samples, 60"));
  EXPECT_TRUE(contains(text("lcdl:n_atoms=5", "lle:n_neighbors=10"), "the 5 atoms of the dictionary"));
  EXPECT_TRUE(contains(text("lcdl:n_atoms=20,coding_tau=30"), "coding_tau = 30 must be at most the number"));
  EXPECT_TRUE(contains(text("lcdl:n_atoms=20,sparsity=2"), "no key 'sparsity'"));
  EXPECT_TRUE(contains(text("lcc:n_atoms=20,locality=auto", "pca"), "locality"));
  EXPECT_TRUE(contains(text("lcdl:n_atoms=20,locality=-1", "pca"), "locality"));
  Dataset plain = data;
  plain.labels.reset();
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_model(plain, with("lcdl:atoms_per_class=3")); }),
                       "atoms_per_class needs labels"));
}

TEST(DictionaryModel, HandlesHardInput) {
  for (const DictionaryRow& dictionary : dictionary_table()) {
    const std::string name(dictionary.name);
    const Dataset copies = dataset::labelled(dataset::repeated(dataset::roll(40), 4));
    EXPECT_TRUE(fit_model(copies, with(name + ":n_atoms=30", "lle:n_neighbors=5")).coordinates.allFinite()) << name;
    Dataset constant;
    constant.samples = Matrix::Ones(30, 4);
    EXPECT_TRUE(contains(message_of<InvalidArgument>(
                             [&] { (void)fit_model(constant, with(name + ":n_atoms=3", "pca:n_components=1")); }),
                         "1 atoms of the dictionary"))
        << name;
  }
}

// A fit can be written and read, even at the ends of the ranges.
TEST(DictionaryModel, CanBeLoadedFromItsFile) {
  Dataset data = roll_data(200);
  for (const ModelSpec& spec : {with("random:n_atoms=1,atom_coordinates=samples", "pca"),
                                with("llc:sigma=1e300", "pca"), with("kmeans:n_atoms=40", "pca", "rbf:n_centers=39")}) {
    const Model model = fit_model(data, spec);
    const Model again = from_archive(to_archive(model));
    EXPECT_TRUE(dataset::same_bits(again.transform(data.samples), model.coordinates)) << spec.dictionary.text();
    EXPECT_TRUE(dataset::same_bits(again.explain(data.samples).confidence, model.explain(data.samples).confidence));
  }
}

}  // namespace
}  // namespace foldout
