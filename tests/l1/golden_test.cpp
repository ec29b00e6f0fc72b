// SPDX-License-Identifier: Apache-2.0
// Values of an independent prototype: see golden/README.md.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "foldout/io/files.h"
#include "foldout/l1/l1_coding.h"
#include "io/array.h"
#include "io/npz.h"

namespace foldout {
namespace {

Matrix golden(const std::string& name) { return load_matrix("tests/golden/" + name + ".npy"); }

double objective(const Matrix& atoms, const Matrix& x) {
  const L1Code code = L1Dictionary(atoms).code({x.data(), static_cast<std::size_t>(x.size())});
  EXPECT_EQ(code.status, L1Status::kSolved);
  EXPECT_LE(code.gap, 1e-12);
  return code.objective;
}

TEST(L1Golden, ObjectivesAreThePrototypes) {
  const Matrix expected = golden("l1_objectives");
  const Matrix A = golden("l1a_atoms"), x = golden("l1a_sample");
  EXPECT_NEAR(objective(A, x), expected(0, 0), 1e-9);
  EXPECT_NEAR(objective(golden("l1b_atoms"), golden("l1b_sample")), expected(1, 0), 1e-9);
  EXPECT_NEAR(objective(golden("l1c_atoms"), golden("l1c_sample")), expected(2, 0), 1e-9);
  EXPECT_NEAR(objective(A, A.row(7)), expected(3, 0), 1e-9);
  EXPECT_NEAR(objective(0.05 * A, x), expected(4, 0), 1e-9);
  EXPECT_NEAR(objective(0.5 * A, 0.5 * x), expected(5, 0), 1e-9);
  EXPECT_NEAR(objective(3 * A, 3 * x), expected(6, 0), 1e-9);
  EXPECT_NEAR(objective(20 * A, 20 * x), expected(7, 0), 1e-9);
}

std::filesystem::path shared_file(const std::string& name) {
  if (const char* folder = std::getenv("FOLDOUT_DATA"))
    for (const std::filesystem::path& base :
         {std::filesystem::path(folder), std::filesystem::path(folder).parent_path()})
      if (std::filesystem::exists(base / "golden" / name)) return base / "golden" / name;
  return std::filesystem::path("../shared/golden") / name;
}

Matrix read(const NpzReader& archive, const std::string& key) { return to_matrix(archive.read(key), key); }

TEST(L1Golden, CodesOfTheOrlFacesAreThePrototypes) {
  const auto file = shared_file("orl_sparse.npz");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << " here, and none in FOLDOUT_DATA";
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const NpzReader archive(std::as_bytes(std::span(text)), file.string());
  const Matrix P = read(archive, "P"), train = read(archive, "tr"), test = read(archive, "te");
  const Matrix expected = read(archive, "obj");
  Matrix atoms(train.size(), P.cols());
  for (Index j = 0; j < train.size(); ++j) atoms.row(j) = P.row(static_cast<Index>(train.data()[j]));
  const L1Dictionary dictionary(atoms);
  ASSERT_EQ(test.size(), 120);
  for (Index i = 0; i < test.size(); ++i) {
    const auto row = static_cast<Index>(test.data()[i]);
    const L1Code code = dictionary.code({P.row(row).data(), static_cast<std::size_t>(P.cols())});
    EXPECT_NEAR(code.objective, expected.data()[i], 1e-8);
    EXPECT_LE(code.gap, 1e-12);
  }
}

}  // namespace
}  // namespace foldout
