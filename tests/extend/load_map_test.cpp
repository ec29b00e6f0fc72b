// SPDX-License-Identifier: Apache-2.0
#include "extend/load_map.h"

#include <gtest/gtest.h>

#include "core/archive.h"
#include "foldout/core/error.h"
#include "foldout/embed/kpca.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/nystrom.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

using Change = std::function<void(Archive&)>;

Archive saved(const OutOfSampleMap& map) {
  Archive archive;
  map.save(archive);
  return archive;
}

void expect_refused(const OutOfSampleMap& map, const std::vector<std::pair<std::string, Change>>& changes) {
  ASSERT_NO_THROW((void)load_map(saved(map)));
  for (const auto& [what, change] : changes) {
    Archive archive = saved(map);
    change(archive);
    EXPECT_THROW((void)load_map(archive), IoError) << what;
  }
}

// Removes every array and every text of the map in turn.
void expect_all_needed(const OutOfSampleMap& map, const std::string& unused = "") {
  const Archive whole = saved(map);
  for (const auto& [name, tensor] : whole.tensors) {
    if (name == unused) continue;
    Archive archive = whole;
    archive.tensors.erase(name);
    EXPECT_THROW((void)load_map(archive), IoError) << name;
  }
  for (const auto& [name, text] : whole.texts) {
    Archive archive = whole;
    archive.texts.erase(name);
    EXPECT_THROW((void)load_map(archive), IoError) << name;
    archive.texts[name] = "no such word";
    if (name == "name") continue;
    EXPECT_THROW((void)load_map(archive), IoError) << name;
  }
}

Change put(const std::string& name, const Matrix& value) {
  return [=](Archive& archive) { archive.put(name, value); };
}
Change put_integers(const std::string& name, const std::vector<std::int64_t>& value) {
  return [=](Archive& archive) { archive.put(name, value); };
}
Change put_number(const std::string& name, double value) {
  return [=](Archive& archive) { archive.put(name, value); };
}

TEST(LoadMap, RefusesADamagedLleMap) {
  const auto map = extend_lle(dataset::roll(30), Matrix::Ones(30, 2));
  expect_all_needed(*map);
  expect_refused(*map, {{"width", put("samples", Matrix::Ones(30, 4))},
                        {"rows", put("coordinates", Matrix::Ones(29, 2))},
                        {"columns", put("coordinates", Matrix::Ones(30, 3))},
                        {"nobody", put("samples", Matrix(0, 3))},
                        {"reg", put_number("reg", -1)},
                        {"k = 0", put_integers("search", {0, 0, 0, 0})},
                        {"k > n", put_integers("search", {0, 0, 0, 31})},
                        {"metric", put_integers("search", {6, 0, 0, 5})},
                        {"distances", put_integers("search", {5, 0, 0, 5})},
                        {"approximate manhattan", put_integers("search", {3, 3, 0, 5})},
                        {"negative metric", put_integers("search", {-1, 0, 0, 5})},
                        {"search", put_integers("search", {0, 9, 0, 5})},
                        {"short search", put_integers("search", {0, 0, 0})},
                        {"shape", put_integers("shape", {3, 0})},
                        {"huge shape", put_integers("shape", {std::int64_t{1} << 40, 2})},
                        {"cosine of zero", [](Archive& archive) {
                           archive.put("samples", Matrix(Matrix::Zero(30, 3)));
                           archive.put("search", std::vector<std::int64_t>{1, 0, 0, 5});
                         }}});
}

TEST(LoadMap, RefusesADamagedGeodesicMap) {
  const Matrix X = dataset::roll(40);
  const auto map = extend_geodesic(X, fit_isomap(X));
  expect_all_needed(*map, "by_rows");
  expect_refused(*map, {{"samples", put("samples", Matrix::Ones(39, 3))},
                        {"P", put("P", Matrix::Ones(40, 3))},
                        {"means", [](Archive& a) { a.put("means", Vector(Vector::Ones(39))); }},
                        {"radius", put_number("radius", -2)},
                        {"negative length",
                         [](Archive& a) {
                           SparseMatrix lengths = a.sparse("lengths");
                           lengths.valuePtr()[3] = -1;
                           a.put("lengths", lengths);
                         }},
                        {"another graph", [](Archive& a) { a.put("lengths", SparseMatrix(39, 39)); }},
                        {"landmarks that are too few", put("anchor_distances", Matrix::Ones(40, 7))}});
  const auto landmarks = extend_geodesic(X, fit_landmark_isomap(X, {.n_landmarks = 9}));
  expect_refused(*landmarks, {{"columns", put("anchor_distances", Matrix::Ones(40, 8))},
                              {"rows", put("anchor_distances", Matrix::Ones(39, 9))},
                              {"negative distance", put("anchor_distances", Matrix::Constant(40, 9, -1))},
                              {"rows of a graph", put_number("by_rows", 1)},
                              {"none", put("anchor_distances", Matrix(0, 0))}});
}

TEST(LoadMap, RefusesADamagedKernelMap) {
  const auto map = fit_kpca(dataset::roll(25)).map;
  expect_all_needed(*map);
  expect_refused(*map, {{"width", put_number("width", 0)},
                        {"degree", put_number("degree", 0.5)},
                        {"large degree", put_number("degree", 1e9)},
                        {"V", put("V", Matrix::Ones(24, 2))},
                        {"V columns", put("V", Matrix::Ones(25, 3))},
                        {"samples", put("samples", Matrix::Ones(25, 2))},
                        {"fewer samples", put("samples", Matrix::Ones(24, 3))},
                        {"means", [](Archive& a) { a.put("column_means", Vector(Vector::Ones(24))); }},
                        {"offset", [](Archive& a) { a.put("offset", Vector(Vector::Ones(3))); }}});
}

TEST(LoadMap, NamesAnUnknownKind) {
  Archive archive;
  archive.put_text("map", "quantum");
  EXPECT_TRUE(contains(message_of<IoError>([&] { (void)load_map(archive); }), "'quantum'"));
}

TEST(LoadMap, RefusesADamagedMixedMap) {
  const Matrix X = dataset::roll(40);
  const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 6, .graph = GraphKind::kFull});
  for (const NystromFallback fallback : {NystromFallback::kLle, NystromFallback::kRbf}) {
    const double between = 1 - (fit.eigenvalues[2] + fit.eigenvalues[3]) / 2;
    const auto map = extend_nystrom(X, fit, {.fallback = fallback, .min_eigenvalue = between});
    const Archive whole = saved(*map);
    EXPECT_FALSE(whole.has("second.samples")) << "both parts share the samples of the first";
    EXPECT_TRUE(dataset::same_bits(load_map(whole)->transform(X), map->transform(X)));
    expect_refused(*map, {{"no columns", put_integers("columns", {})},
                          {"a column less", put_integers("columns", {3, 4})},
                          {"a column twice", put_integers("columns", {3, 4, 4})},
                          {"descending columns", put_integers("columns", {5, 4, 3})},
                          {"a negative column", put_integers("columns", {-1, 4, 5})},
                          {"a column too far", put_integers("columns", {3, 4, 6})},
                          {"another part", [](Archive& archive) { archive.texts["second.map"] = "mixed"; }},
                          {"no part", [](Archive& archive) { archive.texts.erase("first.map"); }},
                          {"narrow samples", put("second.samples", Matrix::Ones(40, 2))},
                          {"samples as text", [](Archive& archive) {
                             archive.tensors.erase("first.samples");
                             archive.texts["first.samples"] = "1";
                           }}});
  }
}

// Isomap on a ball graph of the first files joined a new sample to those of its k nearest within the radius only.
TEST(LoadMap, ReadsGeodesicMapsOfTheFirstFiles) {
  const Matrix X = dataset::roll(60);
  const IsomapFit fit = fit_isomap(X, {.graph = GraphKind::kBall, .n_neighbors = 3, .radius = 12.0});
  const auto map = extend_geodesic(X, fit);
  Archive old = saved(*map);
  old.tensors.erase("whole_ball");
  const Matrix fresh = dataset::roll(20, 3);
  EXPECT_GT((load_map(old)->transform(fresh) - map->transform(fresh)).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_TRUE(dataset::same_bits(load_map(saved(*map))->transform(fresh), map->transform(fresh)));
  expect_refused(*map, {{"a ball without a radius", put_number("radius", 0)}});
}

TEST(LoadMap, SearchesTheGraphOfGeodesicMapsInOlderFiles) {
  const Matrix X = dataset::roll(200), fresh = dataset::roll(40, 3);
  const auto map = extend_geodesic(X, fit_isomap(X));
  Archive old = saved(*map);
  ASSERT_EQ(old.tensors.erase("by_rows"), 1U);
  const Matrix searched = load_map(old)->transform(fresh), placed = map->transform(fresh);
  EXPECT_LT((searched - placed).cwiseAbs().maxCoeff(), 1e-12 * placed.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace foldout
