// SPDX-License-Identifier: Apache-2.0
#include "core/archive.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>

#include "core/random.h"
#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {
namespace {

SparseMatrix example() {
  SparseMatrix A(4, 5);
  A.insert(0, 1) = 2;
  A.insert(0, 4) = -1;
  A.insert(2, 0) = 0;  // an explicit zero is kept
  A.insert(3, 3) = 5;
  return A;
}

TEST(Archive, ReturnsWhatWasStored) {
  Archive archive;
  const Matrix M = Rng(1).normal_matrix(3, 4);
  const Vector v = Rng(2).normal_vector(5);
  archive.put("m", M);
  archive.put("v", v);
  archive.put("i", std::vector<std::int64_t>{-1, 1LL << 60});
  archive.put("x", -0.5);
  archive.put_text("t", "héllo");
  EXPECT_EQ(archive.matrix("m"), M);
  EXPECT_EQ(archive.vector("v"), v);
  EXPECT_EQ(archive.integers("i"), (std::vector<std::int64_t>{-1, 1LL << 60}));
  EXPECT_EQ(archive.number("x"), -0.5);
  EXPECT_EQ(archive.text("t"), "héllo");
  EXPECT_TRUE(archive.has("m") && archive.has("t"));
  EXPECT_FALSE(archive.has("n"));
}

// A model is saved without a second copy of its arrays.
TEST(Archive, SharesWhatIsNotATemporary) {
  const Matrix M = Rng(1).normal_matrix(3, 4);
  Archive archive, whole;
  archive.put("m", M);
  archive.put("v", Vector(Rng(2).normal_vector(5)));
  whole.put_part("part", archive);
  const Archive part = Archive(whole).part("part");
  EXPECT_EQ(part.tensors.at("m").bytes.data(), reinterpret_cast<const std::uint8_t*>(M.data()));
  EXPECT_EQ(part.tensors.at("v").bytes.data(), archive.tensors.at("v").bytes.data());
  archive = {};
  whole = {};
  EXPECT_EQ(part.vector("v"), Rng(2).normal_vector(5));
}

TEST(Archive, KeepsEmptyArrays) {
  Archive archive;
  archive.put("m", Matrix(0, 4));
  archive.put("v", Vector(0));
  archive.put("i", std::vector<std::int64_t>{});
  archive.put("s", SparseMatrix(0, 0));
  EXPECT_EQ(archive.matrix("m").cols(), 4);
  EXPECT_EQ(archive.vector("v").size(), 0);
  EXPECT_TRUE(archive.integers("i").empty());
  EXPECT_EQ(archive.sparse("s").rows(), 0);
}

TEST(Archive, KeepsThePatternOfSparseMatrices) {
  Archive archive;
  archive.put("s", example());
  const SparseMatrix read = archive.sparse("s");
  EXPECT_EQ(read.rows(), 4);
  EXPECT_EQ(read.cols(), 5);
  EXPECT_EQ(read.nonZeros(), 4);
  EXPECT_EQ(Matrix(read), Matrix(example()));
}

TEST(Archive, StoresAndExtractsParts) {
  Archive part, whole;
  part.put("m", 3.0);
  part.put_text("t", "x");
  whole.put_part("map", part);
  whole.put("mapped", 1.0);
  EXPECT_TRUE(whole.has("map.m") && whole.has("map.t"));
  const Archive out = whole.part("map");
  EXPECT_EQ(out.number("m"), 3.0);
  EXPECT_EQ(out.text("t"), "x");
  EXPECT_EQ(out.tensors.size(), 1U);
}

TEST(Archive, NamesWhatIsMissing) {
  const Archive archive;
  EXPECT_EQ(message_of<IoError>([&] { (void)archive.matrix("m"); }), "array 'm' is missing");
  EXPECT_EQ(message_of<IoError>([&] { (void)archive.text("t"); }), "entry 't' is missing");
  EXPECT_THROW((void)archive.sparse("s"), IoError);
}

TEST(Archive, RefusesOtherTypesAndShapes) {
  Archive archive;
  archive.put("m", Matrix(Matrix::Ones(2, 3)));
  archive.put("v", Vector(Vector::Ones(4)));
  archive.put("i", std::vector<std::int64_t>{1, 2});
  EXPECT_EQ(message_of<IoError>([&] { (void)archive.matrix("v"); }), "array 'v' is not a 2-dimensional array of F64");
  EXPECT_THROW((void)archive.vector("m"), IoError);
  EXPECT_THROW((void)archive.vector("i"), IoError);
  EXPECT_THROW((void)archive.integers("v"), IoError);
  EXPECT_THROW((void)archive.number("v"), IoError);
  EXPECT_THROW((void)archive.number("i"), IoError);
}

TEST(Archive, RefusesBytesThatDoNotFillTheShape) {
  Archive archive;
  const auto set = [&](std::vector<std::uint64_t> shape, std::size_t bytes) {
    archive.tensors["m"] = {"F64", std::move(shape), ByteBlock(std::vector<std::uint8_t>(bytes))};
  };
  set({2, 3}, 40);
  EXPECT_THROW((void)archive.matrix("m"), IoError);
  set({2, 3}, 49);
  EXPECT_THROW((void)archive.matrix("m"), IoError);
  set({1ULL << 32, 1ULL << 32}, 0);  // the product overflows to zero
  EXPECT_THROW((void)archive.matrix("m"), IoError);
  set({1ULL << 63, 2}, 0);
  EXPECT_THROW((void)archive.matrix("m"), IoError);
  set({~0ULL, ~0ULL}, 8);
  EXPECT_THROW((void)archive.matrix("m"), IoError);
  for (const auto& shape : {std::vector<std::uint64_t>{0, 1ULL << 63}, {1ULL << 63, 0}, {~0ULL, 0}}) {
    set(shape, 0);  // empty, but with an extent that no index can hold
    EXPECT_THROW((void)archive.matrix("m"), IoError) << shape[0] << "×" << shape[1];
  }
}

TEST(Archive, RefusesValuesThatAreNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Archive archive;
    archive.put("m", Matrix(Matrix::Constant(2, 2, bad)));
    archive.put("v", Vector(Vector::Constant(2, bad)));
    archive.put("x", bad);
    EXPECT_EQ(message_of<IoError>([&] { (void)archive.matrix("m"); }), "array 'm' contains a value that is not finite");
    EXPECT_THROW((void)archive.vector("v"), IoError);
    EXPECT_THROW((void)archive.number("x"), IoError);
  }
}

TEST(Archive, RefusesDamagedSparseMatrices) {
  Archive good;
  good.put("s", example());
  const auto rows = good.integers("s.rows"), columns = good.integers("s.columns");
  const auto expect_refused = [&](const char* what, const std::function<void(Archive&)>& damage) {
    Archive archive = good;
    damage(archive);
    EXPECT_THROW((void)archive.sparse("s"), IoError) << what;
  };
  const auto put = [](const char* name, std::vector<std::int64_t> value) {
    return [=](Archive& archive) { archive.put(std::string("s.") + name, value); };
  };
  EXPECT_EQ(message_of<IoError>([&] {
              Archive archive = good;
              put("rows", {1, 2, 2, 3, 4})(archive);
              (void)archive.sparse("s");
            }),
            "array 's' is not a sparse matrix");
  expect_refused("start", put("rows", {1, 2, 2, 3, 4}));
  expect_refused("end", put("rows", {0, 2, 2, 3, 5}));
  expect_refused("too few rows", put("rows", {0, 2, 2, 4}));
  expect_refused("no rows", put("rows", {}));
  expect_refused("falling", put("rows", {0, 3, 2, 3, 4}));
  expect_refused("negative", put("rows", {0, -2, 2, 3, 4}));
  expect_refused("beyond and back", put("rows", {0, 1LL << 40, 2, 3, 4}));
  expect_refused("column beyond", put("columns", {1, 5, 0, 3}));
  expect_refused("negative column", put("columns", {-1, 4, 0, 3}));
  expect_refused("column of 2^32", put("columns", {1LL << 32, 4, 0, 3}));
  expect_refused("columns out of order", put("columns", {4, 1, 0, 3}));
  expect_refused("column twice", put("columns", {1, 1, 0, 3}));
  expect_refused("fewer columns", put("columns", {1, 4, 0}));
  expect_refused("shape", put("shape", {4}));
  expect_refused("negative shape", put("shape", {-1, 5}));
  expect_refused("huge shape", put("shape", {1LL << 40, 5}));
  expect_refused("values", [](Archive& archive) { archive.put("s.values", Vector(Vector::Ones(3))); });
  expect_refused("missing", [](Archive& archive) { archive.tensors.erase("s.shape"); });
}

// A search of all entries for each part would take half a minute.
TEST(Archive, HasManyParts) {
  constexpr int kParts = 20'000;
  Archive archive;
  for (int i = 0; i < kParts; ++i) {
    Archive part;
    part.put_text("step", std::to_string(i));
    part.put("value", static_cast<double>(i));
    archive.put_part("preprocess." + std::to_string(i), part);
  }
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kParts; ++i) {
    const Archive part = archive.part("preprocess." + std::to_string(i));
    ASSERT_EQ(part.tensors.size() + part.texts.size(), 2U) << "1 is not the start of 10";
    ASSERT_EQ(part.number("value"), i);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

}  // namespace
}  // namespace foldout
