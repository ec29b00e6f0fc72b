// SPDX-License-Identifier: Apache-2.0
// The same fit writes the same model file, byte for byte, on any number of threads.
#include <gtest/gtest.h>

#include "model/methods.h"
#include "model/models.h"

namespace foldout {
namespace {

std::vector<std::uint8_t> file_of(const Dataset& data, const ModelSpec& spec, int n_threads) {
  return encode_archive(to_archive(fit_model(data, spec, {.n_threads = n_threads})));
}

void expect_same_file(const Matrix& samples, const ModelSpec& spec) {
  const Dataset data = dataset::labelled(samples);
  const std::vector<std::uint8_t> one = file_of(data, spec, 1);
  for (const int n_threads : {2, 3})
    EXPECT_TRUE(file_of(data, spec, n_threads) == one)
        << spec.method.text() << ", " << spec.extension.text() << " on " << n_threads << " threads";
}

class SameFile : public testing::TestWithParam<std::string> {};
class SameFileOfMethod : public SameFile {};
class SameFileOfExtension : public SameFile {};
class SameFileOfDictionary : public SameFile {};

TEST_P(SameFileOfMethod, OnAnyNumberOfThreads) {
  expect_same_file(dataset::roll(90), {.method = GetParam()});
  expect_same_file(dataset::lifted_roll(70, 14), {.method = GetParam()});
}

TEST_P(SameFileOfExtension, OnAnyNumberOfThreads) {
  const std::string method = GetParam() == "own"        ? "pca"
                             : GetParam() == "geodesic" ? "isomap"
                             : GetParam() == "nystrom"  ? "laplacian_eigenmaps:graph=l1"
                                                        : "lle";
  expect_same_file(dataset::lifted_roll(70, 14), {.method = method, .extension = GetParam()});
}

// The training samples are placed by the extension, whose counts of operations are figures of the model.
TEST_P(SameFileOfDictionary, OnAnyNumberOfThreads) {
  const Matrix samples = dataset::lifted_roll(130, 14);
  expect_same_file(samples, {.method = "pca", .extension = "sparse", .dictionary = GetParam() + ":n_atoms=40"});
  expect_same_file(samples, {.method = "pca", .dictionary = GetParam() + ":n_atoms=25,coding_tau=5"});
}

template <class Row>
std::vector<std::string> names(std::span<const Row> table) {
  std::vector<std::string> all;
  for (const Row& row : table) all.emplace_back(row.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Table, SameFileOfMethod, testing::ValuesIn(method_names()));
INSTANTIATE_TEST_SUITE_P(Table, SameFileOfExtension, testing::ValuesIn(names(extension_table())));
INSTANTIATE_TEST_SUITE_P(Table, SameFileOfDictionary, testing::ValuesIn(names(dictionary_table())));

}  // namespace
}  // namespace foldout
