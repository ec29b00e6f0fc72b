// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/files.h"

#include <gtest/gtest.h>

#include <sstream>

#include "foldout/core/dataset.h"
#include "io/io_support.h"
#include "io/npz.h"
#include "io/sample_files.h"

namespace foldout {
namespace {

using io_test::as_span;
using io_test::expect_error;
using io_test::Folder;
using io_test::matrix;
using io_test::read_bytes;
using Texts = std::vector<std::string>;

const Matrix kExample = matrix({{1, 2.5, 3}, {4, 5, -6}});

TEST(Labels, SortsIntegersByValue) {
  const Labels labels = make_labels({"10", "9", "-1", "9"});
  EXPECT_TRUE(labels.integers);
  EXPECT_EQ(labels.names, (Texts{"-1", "9", "10"}));
  EXPECT_EQ(labels.index, (std::vector<int>{2, 1, 0, 1}));
  EXPECT_EQ(labels.size(), 4);
  EXPECT_EQ(labels.text(0), "10");
}

TEST(Labels, SortsTextsByTheAlphabetAndKeepsThemAsTheyCame) {
  const Labels labels = make_labels({"b", "10", "007", "7"});
  EXPECT_FALSE(labels.integers);
  EXPECT_EQ(labels.names, (Texts{"007", "10", "7", "b"}));
}

TEST(Labels, TakesWholeRealsForIntegers) {
  const Labels labels = make_labels({"2.0", "1.000e+01", "2.00"});
  EXPECT_TRUE(labels.integers);
  EXPECT_EQ(labels.names, (Texts{"2", "10"}));
  EXPECT_EQ(labels.index, (std::vector<int>{0, 1, 0}));
}

TEST(Labels, TakesNumbersOfClasses) {
  const std::vector<int> classes = {10, 9, -1, 9};
  const Labels labels = make_labels(classes);
  EXPECT_TRUE(labels.integers);
  EXPECT_EQ(labels.names, (Texts{"-1", "9", "10"}));
  EXPECT_EQ(labels.index, (std::vector<int>{2, 1, 0, 1}));
}

TEST(LoadDataset, DispatchesByEnding) {
  const Folder folder;
  EXPECT_EQ(load_dataset(folder.write("a.NPY", sample_files::kNpyFortran)).samples, kExample);
  EXPECT_EQ(load_dataset(folder.write("a.npz", sample_files::kNpzCompressed)).samples, kExample);
  EXPECT_EQ(load_dataset(folder.write("a.mat", sample_files::kMatCompressed)).samples, kExample);
  EXPECT_EQ(load_dataset(folder.write("a.csv", "1,2.5,3\n4,5,-6\n")).samples, kExample);
  EXPECT_EQ(load_dataset(folder.write("a.tsv", "1\t2.5\t3\n4\t5\t-6\n")).samples, kExample);
  folder.write("images/a.png", sample_files::kPngGrey);
  EXPECT_EQ(load_dataset(folder / "images").image.height, 2);
}

TEST(LoadDataset, LooksIntoFilesWithAnotherEnding) {
  const Folder folder;
  EXPECT_EQ(load_dataset(folder.write("a.bin", sample_files::kNpyFortran)).samples, kExample);
  EXPECT_EQ(load_dataset(folder.write("iris.data", "1,2.5,3\n4,5,-6\n")).samples, kExample);
  const std::string idx("\0\0\x08\x02\0\0\0\x01\0\0\0\x02\x05\x06", 14);
  EXPECT_EQ(load_dataset(folder.write("t10k-images-idx3-ubyte", idx)).samples, matrix({{5, 6}}));
  expect_error([&] { (void)load_dataset(folder.write("a.xyz", "\x01\x02\x03")); },
               {"a.xyz", "no known format", ".npy"});
}

TEST(LoadDataset, TakesLabelsThatLieBesideTheSamples) {
  const Folder folder;
  const std::string npz = folder.write("a.npz", sample_files::kNpzCompressed);
  const std::string mat = folder.write("a.mat", sample_files::kMatCompressed);
  EXPECT_EQ(load_dataset(npz).labels->names, (Texts{"-3", "7"}));
  EXPECT_EQ(load_dataset(mat).labels->names, (Texts{"-3", "7"}));
  EXPECT_FALSE(load_dataset(npz + ":X").labels);
  EXPECT_FALSE(load_dataset(mat + ":fea").labels);
  EXPECT_EQ(load_labels(npz).text(0), "7");
  EXPECT_EQ(load_labels(mat + ":gnd").text(1), "-3");
  EXPECT_EQ(load_matrix(npz + ":y"), matrix({{7}, {-3}}));
}

TEST(LoadDataset, SaysHowToLeaveOutWhatAreNoLabels) {
  const Folder folder;
  std::ostringstream out;
  write_npz(out, {{"X", sample_files::kNpyFortran}, {"y", sample_files::kNpyFortran}});
  const std::string path = folder.write("a.npz", out.str());
  expect_error([&] { (void)load_dataset(path); }, {"a.npz:y", "(2, 3)", "samples alone", "a.npz:X"});
  EXPECT_EQ(load_dataset(path + ":X").samples, kExample);
}

TEST(LoadDataset, NamesWhatIsMissing) {
  const Folder folder;
  expect_error([&] { (void)load_dataset(folder / "no.npy"); }, {"no.npy", "does not exist"});
  expect_error([&] { (void)load_dataset(folder / "no.npz:key"); }, {"no.npz", "cannot be opened"});
  for (const char* name : {"e.npy", "e.npz", "e.mat", "e.idx", "e.csv"})
    expect_error([&] { (void)load_dataset(folder.write(name, "")); }, {name, "is empty"});
  const std::string npz = folder.write("a.npz", sample_files::kNpzCompressed);
  expect_error([&] { (void)load_dataset(npz + ":Z"); }, {"no array 'Z'", "X, y"});
  expect_error([&] { (void)load_labels(folder / ""); }, {"is a directory"});
}

TEST(LoadDataset, AsksWhichOfSeveralArraysIsMeant) {
  const Folder folder;
  save_matrix(folder / "a.npz", kExample);
  std::string two;
  {
    std::ostringstream out;
    write_npz(out, {{"first", sample_files::kNpyFortran}, {"second", sample_files::kNpyFortran}});
    two = folder.write("two.npz", out.str());
  }
  expect_error([&] { (void)load_dataset(two); }, {"several arrays", "two.npz:first", "first, second"});
  EXPECT_EQ(load_dataset(two + ":second").samples, kExample);
  EXPECT_EQ(load_dataset(folder / "a.npz").samples, kExample);
}

TEST(SaveMatrix, WritesEveryFormatSoThatItReadsBack) {
  const Folder folder;
  for (const char* name : {"a.npy", "a.npz", "a.csv", "a.tsv", "a.txt", "a.mat"}) {
    save_matrix(folder / name, kExample, {"u", "v", "w"});
    EXPECT_EQ(load_matrix(folder / name), kExample) << name;
  }
  EXPECT_EQ(read_bytes(folder / "a.tsv"), "u\tv\tw\n1\t2.5\t3\n4\t5\t-6\n");
  EXPECT_EQ(folder.n_files(), 6U);
}

TEST(SaveMatrix, ListsTheFormatsWhenTheEndingIsUnknown) {
  expect_error<InvalidArgument>([] { save_matrix("a.xls", kExample); },
                                {"a.xls", ".npy, .npz, .csv, .tsv, .txt or .mat"});
  expect_error<InvalidArgument>([] { require_output_format("model"); }, {"model", ".npy"});
  EXPECT_NO_THROW(require_output_format("-"));
}

TEST(SaveMatrix, NamesAMissingDirectory) {
  const Folder folder;
  expect_error([&] { save_matrix(folder / "no/a.npy", kExample); }, {"no/a.npy", "directory does not exist"});
}

TEST(SaveLabels, WritesEveryFormatSoThatItReadsBack) {
  const Folder folder;
  for (const Texts& texts : {Texts{"3", "-1", "20"}, Texts{"b", "a,\"c\"", " ä"}})
    for (const char* name : {"y.npy", "y.npz", "y.csv", "y.txt", "y.mat"}) {
      save_labels(folder / name, make_labels(texts));
      const Labels labels = load_labels(folder / name);
      EXPECT_EQ(labels.integers, texts[0] == "3");
      for (Index i = 0; i < 3; ++i) EXPECT_EQ(labels.text(i), texts[static_cast<std::size_t>(i)]) << name;
    }
}

TEST(SaveSparseNpz, WritesTheFieldsThatScipyReads) {
  const Folder folder;
  SparseMatrix values(2, 3);
  values.insert(0, 2) = 1.5;
  values.insert(1, 0) = -2;
  save_sparse_npz(folder / "s.npz", values);
  const std::string bytes = read_bytes(folder / "s.npz");
  const NpzReader npz(as_span(bytes), "s.npz");
  EXPECT_EQ(npz.keys(), (Texts{"indices", "indptr", "format", "shape", "data"}));
  EXPECT_EQ(to_matrix(npz.read("data"), ""), matrix({{1.5}, {-2}}));
  EXPECT_EQ(to_matrix(npz.read("indices"), ""), matrix({{2}, {0}}));
  EXPECT_EQ(to_matrix(npz.read("indptr"), ""), matrix({{0}, {1}, {2}}));
  EXPECT_EQ(to_matrix(npz.read("shape"), ""), matrix({{2}, {3}}));
  const Array format = npz.read("format");
  EXPECT_EQ(format.type, ElementType::kBytes);
  EXPECT_TRUE(format.shape.empty());
}

}  // namespace
}  // namespace foldout
