// SPDX-License-Identifier: Apache-2.0
// Files with a correct checksum but invalid maps: every array of every kind of map, one error at a time.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "core/archive.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "model/model_archive.h"
#include "model/models.h"
#include "support/errors.h"

namespace foldout {
namespace {

using Lie = std::function<void(Archive&)>;

Archive archive_of(const ModelSpec& spec) { return decode_archive(file_of(spec), "model"); }

testing::AssertionResult refused(const Archive& archive) {
  try {
    (void)from_archive(archive);
  } catch (const IoError&) {
    return testing::AssertionSuccess();
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "not an IoError: " << error.what();
  }
  return testing::AssertionFailure() << "accepted";
}

void expect_refused(const Archive& good, const std::vector<std::pair<std::string, Lie>>& lies) {
  ASSERT_NO_THROW((void)from_archive(good));
  for (const auto& [what, lie] : lies) {
    Archive archive = good;
    lie(archive);
    EXPECT_TRUE(refused(archive)) << what;
  }
}

/// Replaces a value, array or list of integers.
template <class T>
Lie put(const std::string& name, const T& value) {
  return [=](Archive& archive) {
    ASSERT_TRUE(archive.tensors.contains(name)) << name;
    archive.put(name, value);
  };
}

Lie text(const std::string& name, const std::string& value) {
  return [=](Archive& archive) {
    ASSERT_TRUE(archive.texts.contains(name)) << name;
    archive.texts[name] = value;
  };
}

Lie missing(const std::string& name) {
  return [=](Archive& archive) { ASSERT_EQ(archive.tensors.erase(name) + archive.texts.erase(name), 1U) << name; };
}

using Integers = std::vector<std::int64_t>;

TEST(ModelMapLies, ValuesThatAreNotFiniteAreSeen) {
  for (const ModelSpec& spec : small_specs()) {
    const Archive good = archive_of(spec);
    for (const auto& [name, tensor] : good.tensors)
      for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        if (tensor.dtype != "F64" || tensor.bytes.empty()) continue;
        Archive archive = good;
        std::vector<std::uint8_t> bytes = tensor.bytes.copy();
        std::memcpy(bytes.data() + bytes.size() - 8, &value, 8);
        archive.tensors[name].bytes = ByteBlock(std::move(bytes));
        EXPECT_TRUE(refused(archive)) << spec.method.text() << " " << spec.extension.text() << ": " << name << " = "
                                      << value;
      }
  }
}

TEST(ModelMapLies, EveryArrayAndTextIsNeeded) {
  for (const ModelSpec& spec : small_specs()) {
    const Archive good = archive_of(spec);
    for (const auto& [name, tensor] : good.tensors)
      if (name != "map.by_rows")  // older files do not have it
        expect_refused(good, {{"without " + name, missing(name)}});
    for (const auto& [name, value] : good.texts) expect_refused(good, {{"without " + name, missing(name)}});
  }
}

// An array without columns has no bytes: its rows take no space in the file, and must take none in memory.
TEST(ModelMapLies, SamplesWithoutFeaturesAreSeen) {
  for (const ModelSpec& spec : small_specs()) {
    const Archive good = archive_of(spec);
    for (const char* name : {"map.samples", "confidence_samples", "coordinates", "map.coordinates", "map.nodes"})
      for (const std::uint64_t rows : {0ULL, 12ULL, 1ULL << 33, 1ULL << 40}) {
        if (!good.tensors.contains(name)) continue;
        Archive archive = good;
        archive.tensors[name] = {"F64", {rows, 0}, {}};
        EXPECT_TRUE(refused(archive)) << spec.method.text() << " " << spec.extension.text() << ": " << name << " "
                                      << rows;
      }
  }
}

TEST(ModelMapLies, AModelWithoutCoordinatesIsSeen) {
  Dataset data = small_data();
  data.labels.reset();
  const Model model = fit_model(data, {.method = "pca"});
  const Archive good = to_archive(model);
  expect_refused(good, {{"no rows", put("coordinates", Matrix(0, 2))}});
}

TEST(ModelMapLies, AboutSparseCodesAreSeen) {
  const Matrix unit = Matrix::Identity(3, 3);
  const auto basis = [](const std::string& kind, const Matrix& matrix) {
    return [=](Archive& archive) {
      archive.put_text("map.errors", kind);
      archive.put("map.error_basis", matrix);
    };
  };
  const Archive good = archive_of({.method = "pca:n_components=1", .extension = "sparse"});
  for (const auto& honest : {basis("rotation", unit), basis("columns", 2 * unit), basis("columns", Matrix(3, 0))}) {
    Archive archive = good;
    honest(archive);
    EXPECT_TRUE(from_archive(archive).transform(small_data(4).samples).allFinite());
  }
  const Matrix samples = small_data().samples;
  expect_refused(good, {{"coder", text("map.coder", "spars")},
                        {"another coder", text("map.coder", "graph")},
                        {"errors", text("map.errors", "cauchy")},
                        {"no errors", text("map.errors", "")},
                        {"stretched rotation", basis("rotation", 2 * unit)},
                        {"singular rotation", basis("rotation", Matrix::Ones(3, 3))},
                        {"huge rotation", basis("rotation", Matrix::Constant(3, 3, 1e300))},
                        {"small rotation", basis("rotation", Matrix::Identity(2, 2))},
                        {"empty rotation", basis("rotation", Matrix(0, 0))},
                        {"rotation with a column missing", basis("rotation", unit.leftCols(2))},
                        {"short columns", basis("columns", Matrix::Ones(2, 5))},
                        {"no tolerance", put("map.tolerance", 0.0)},
                        {"negative tolerance", put("map.tolerance", -1e-8)},
                        {"huge tolerance", put("map.tolerance", 1e10)},
                        {"too few scales", put("map.scale", Vector(Vector::Ones(11)))},
                        {"a negative scale", put("map.scale", Vector(Vector::Constant(12, -1.0)))},
                        {"a scale of zero", put("map.scale", Vector(Vector::Zero(12)))},
                        {"a sample less", put("map.samples", Matrix(samples.topRows(11)))},
                        {"a feature less", put("map.samples", Matrix(samples.leftCols(2)))},
                        {"a row of coordinates less", put("map.coordinates", Matrix(Matrix::Ones(11, 1)))},
                        {"a coordinate more", put("map.coordinates", Matrix(Matrix::Ones(12, 2)))}});
}

// Finite samples whose rotation is not: rows that cannot be ordered.
TEST(ModelMapLies, SamplesThatOverflowWhenRotatedAreSeen) {
  const Archive good = archive_of({.method = "pca:n_components=1", .extension = "sparse:errors=haar,unit_norm=false"});
  Matrix huge = Matrix::Constant(12, 3, std::numeric_limits<double>::max());
  huge.col(1) *= -1;
  expect_refused(good, {{"huge samples", put("map.samples", huge)}});
}

TEST(ModelMapLies, AboutGraphsAreSeen) {
  for (const char* extension : {"nystrom:fallback=none", "lvm:n_neighbors=3"}) {
    const Archive good = archive_of({.method = "laplacian_eigenmaps:n_neighbors=5", .extension = extension});
    expect_refused(good, {{"unknown graph", put("map.kinds", Integers{5, 0})},
                          {"negative graph", put("map.kinds", Integers{-1, 0})},
                          {"a graph of codes", put("map.kinds", Integers{4, 0})},
                          {"unknown weights", put("map.kinds", Integers{0, 3})},
                          {"one kind", put("map.kinds", Integers{0})},
                          {"no width", put("map.width", 0.0)},
                          {"negative width", put("map.width", -1.0)},
                          {"negative radius", put("map.radius", -1.0)},
                          {"too many scales", put("map.scale", Vector(Vector::Ones(13)))},
                          {"a scale of zero", put("map.scale", Vector(Vector::Zero(12)))},
                          {"no neighbours", put("map.search", Integers{0, 0, 0, 0})},
                          {"negative neighbours", put("map.search", Integers{0, 0, 0, -3})},
                          {"too many neighbours", put("map.search", Integers{0, 0, 0, 13})},
                          {"a billion neighbours", put("map.search", Integers{0, 0, 0, 1LL << 32})},
                          {"unknown metric", put("map.search", Integers{9, 0, 0, 3})},
                          {"unknown search", put("map.search", Integers{0, 9, 0, 3})},
                          {"a short search", put("map.search", Integers{0, 0, 0})}});
  }
}

TEST(ModelMapLies, AboutRandomNodesAreSeen) {
  const Archive good =
      archive_of({.method = "pca:n_components=1", .extension = "elm:n_nodes=4,activation=rbf,direct_links=true"});
  expect_refused(good, {{"activation", text("map.activation", "relu")},
                        {"features", text("map.features", "random_node")},
                        {"other features", text("map.features", "identity")},
                        {"no scale", put("map.scale", 0.0)},
                        {"negative scale", put("map.scale", -1.0)},
                        {"growing nodes", put("map.bias", Vector(Vector::Constant(4, -1.0)))},
                        {"too few biases", put("map.bias", Vector(Vector::Ones(3)))},
                        {"too few nodes", put("map.nodes", Matrix(Matrix::Ones(3, 3)))},
                        {"wide nodes", put("map.nodes", Matrix(Matrix::Ones(4, 4)))},
                        {"a short centre", put("map.center", Vector(Vector::Ones(2)))},
                        {"no direct links", put("map.direct_links", 0.0)},
                        {"a short V", put("map.V", Matrix(Matrix::Ones(6, 1)))},
                        {"a wide V", put("map.V", Matrix(Matrix::Ones(7, 2)))},
                        {"a long offset", put("map.offset", Vector(Vector::Ones(9)))},
                        {"a long intercept", put("map.intercept", Vector(Vector::Ones(2)))},
                        {"no nodes", [](Archive& archive) {
                           archive.put("map.nodes", Matrix(0, 3));
                           archive.put("map.bias", Vector());
                           archive.put("map.direct_links", 0.0);
                           archive.put("map.V", Matrix(0, 1));
                         }}});
}

TEST(ModelMapLies, AboutKernelsAreSeen) {
  for (const char* extension : {"rbf", "kernel_extrapolation"}) {
    const Archive good = archive_of({.method = "pca", .extension = extension});
    expect_refused(good, {{"kernel", text("map.kernel", "cubic")},
                          {"features", text("map.features", "kernel")},  // the centred one needs means
                          {"negative width", put("map.width", -1.0)},
                          {"no width", put("map.width", 0.0)},
                          {"no degree", put("map.degree", 0.0)},
                          {"half a degree", put("map.degree", 2.5)},
                          {"huge degree", put("map.degree", 1e9)},
                          {"a sample less", put("map.samples", Matrix(Matrix::Ones(11, 3)))},
                          {"a feature more", put("map.samples", Matrix(Matrix::Ones(12, 4)))}});
  }
  const Archive centred = archive_of({.method = "kpca:n_components=1"});
  expect_refused(centred, {{"a mean less", put("map.column_means", Vector(Vector::Ones(11)))}});
}

TEST(ModelMapLies, AboutPowersAreSeen) {
  for (const auto& [method, terms] : {std::pair{"nppe:n_neighbors=5", 9},
                                      {"snppe:n_neighbors=5", 6},
                                      {"cea:features=polynomial", 9},
                                      {"lda:features=hadamard", 6}}) {
    const Archive good = archive_of({.method = method});
    const auto d = static_cast<Index>(good.tensors.at("map.V").shape[1]);
    ASSERT_EQ(good.tensors.at("map.V").shape[0], static_cast<std::uint64_t>(terms)) << method;
    expect_refused(good, {{"no degree", put("map.degree", 0.0)},
                          {"half a degree", put("map.degree", 1.5)},
                          {"a negative degree", put("map.degree", -2.0)},
                          {"a degree more", put("map.degree", 3.0)},
                          {"a huge degree", put("map.degree", 1e9)},
                          {"a degree beyond int", put("map.degree", 1e300)},
                          {"identity", text("map.features", "identity")},
                          {"a kernel", text("map.features", "kernel")},
                          {"the other powers", text("map.features", terms == 9 ? "hadamard" : "polynomial")},
                          {"a row of V less", put("map.V", Matrix(Matrix::Ones(terms - 1, d)))},
                          {"a row of V more", put("map.V", Matrix(Matrix::Ones(terms + 1, d)))},
                          {"a column of V more", put("map.V", Matrix(Matrix::Ones(terms, d + 1)))},
                          {"another number of features", put("map.shape", Integers{4, d})}});
  }
}

TEST(ModelMapLies, AboutUnitRowsAreSeen) {
  for (const char* method : {"cea", "kcea:n_components=2", "cea:features=polynomial"})
    expect_refused(archive_of({.method = method}), {{"nothing at unit length", text("map.features", "unit_")},
                                                    {"twice", text("map.features", "unit_unit_identity")},
                                                    {"without a kind", missing("map.features")}});
}

// The first files of this format stored the normalisation to unit length in a separate entry.
TEST(ModelMapLies, UnitRowsOfTheFirstFilesAreRead) {
  Archive old = archive_of({.method = "cea"});
  const Matrix expected = from_archive(old).transform(small_data().samples);
  old.texts["map.features"] = "identity";
  EXPECT_FALSE(from_archive(old).transform(small_data().samples).isApprox(expected));
  old.texts["map.unit_rows"] = "true";
  EXPECT_EQ(from_archive(old).transform(small_data().samples), expected);
}

TEST(ModelMapLies, AboutConfidenceAreSeen) {
  for (const char* extension : {"linear", "sparse"})
    expect_refused(archive_of({.method = "pca", .extension = extension}),
                   {{"a negative scale", put("confidence", Vector(Vector::Constant(2, -1.0)))},
                    {"half a scale", put("confidence", Vector(Vector::Ones(1)))}});
  const Archive held = archive_of({.method = "pca", .extension = "linear"});
  expect_refused(held, {{"no reference", put("confidence_samples", Matrix(0, 3))},
                        {"a feature less", put("confidence_samples", Matrix(Matrix::Ones(12, 2)))}});
}

// Distances do not determine the gaps between training samples.
TEST(ModelMapLies, AboutGapsOfDistancesAreSeen) {
  Dataset data = small_data();
  const Matrix X = data.samples;
  data.samples.resize(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i) data.samples.row(i) = (X.rowwise() - X.row(i)).rowwise().norm().transpose();
  const Model model = fit_model(data, {.method = "mds:n_components=1,metric=precomputed"});
  expect_refused(to_archive(model), {{"a negative gap", put("confidence_gaps", Vector(Vector::Constant(12, -1.0)))},
                                     {"a gap less", put("confidence_gaps", Vector(Vector::Ones(11)))},
                                     {"a gap more", put("confidence_gaps", Vector(Vector::Ones(13)))},
                                     {"no gaps", put("confidence_gaps", Vector())},
                                     {"without gaps", missing("confidence_gaps")}});
}

}  // namespace
}  // namespace foldout
