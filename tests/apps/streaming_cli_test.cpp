// SPDX-License-Identifier: Apache-2.0
// Samples placed and labelled block by block: the same results, with bounded memory.
#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "apps/cli.h"
#include "core/random.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"

namespace foldout::cli_test {
namespace {

constexpr Index kMany = 40000;  // three blocks of 16384 samples at most

class Streaming : public Cli {
 protected:
  [[nodiscard]] Matrix matrix(const std::string& name) const { return load_matrix(path(name)); }
  void save(const std::string& name, const Matrix& samples) const { save_matrix(path(name), samples); }

  /// One digit for each value: `rows` samples of 50 features, written row by row.
  void write_digits(const std::string& name, Index rows) const;
};

TEST_F(Streaming, PlacesSamplesOfEveryFormatAsIfReadAtOnce) {
  const Matrix X = Rng(1).normal_matrix(kMany, 3);
  save("train.npy", X.topRows(200));
  expect_done("fit train.npy -o m --method pca --preprocess standardize");
  const Matrix expected = load_model(path("m")).transform(X);
  for (const char* name : {"x.npy", "x.npz", "x.csv", "x.tsv", "x.txt", "x.mat"}) {
    save(name, X);
    expect_done(std::string("transform m ") + name + " -o y.npy");
    EXPECT_TRUE(matrix("y.npy") == expected) << name;
  }
  for (const char* name : {"y.npz", "y.csv", "y.tsv", "y.txt", "y.mat"}) {
    expect_done(std::string("transform m x.npy -o ") + name);
    EXPECT_TRUE(matrix(name) == expected) << name;
  }
  expect_done("transform m - -o y.npy", slurp(path("x.csv")));
  EXPECT_TRUE(matrix("y.npy") == expected) << "standard input";
}

TEST_F(Streaming, WritesConfidenceAndCodesOfAllBlocks) {
  const Matrix X = Rng(2).normal_matrix(20000, 3);
  save("train.npy", X.topRows(100));
  save("x.csv", X);
  expect_done("fit train.npy -o m --method pca --extension lvm");
  const Model model = load_model(path("m"));
  const Matrix placed = model.transform(X);
  const Explanation explained = model.explain(X);
  for (const std::string data : {"x.csv", "-"}) {
    expect_done("transform m " + data + " -o y.npy --confidence c.npy --codes codes.npz",
                data == "-" ? slurp(path("x.csv")) : "");
    EXPECT_TRUE(matrix("y.npy") == placed) << data;
    EXPECT_TRUE(matrix("c.npy").col(0) == explained.confidence) << data;
    EXPECT_TRUE(matrix("c.npy").col(1) == explained.residuals) << data;
    const SparseMatrix codes = model.codes(X);
    const Matrix starts = load_matrix(path("codes.npz").string() + ":indptr");
    const Matrix values = load_matrix(path("codes.npz").string() + ":data");
    const Matrix columns = load_matrix(path("codes.npz").string() + ":indices");
    ASSERT_EQ(values.rows(), codes.nonZeros());
    ASSERT_EQ(starts.rows(), X.rows() + 1);
    Index at = 0;
    for (Index i = 0; i < codes.rows(); ++i) {
      ASSERT_EQ(starts(i), at) << i;
      for (SparseMatrix::InnerIterator it(codes, i); it; ++it, ++at) {
        ASSERT_EQ(values(at), it.value()) << i;
        ASSERT_EQ(columns(at), it.col()) << i;
      }
    }
  }
}

TEST_F(Streaming, LabelsTheSamplesOfAllBlocks) {
  const Matrix X = Rng(3).normal_matrix(kMany, 3);
  std::vector<std::string> sides;
  for (Index i = 0; i < X.rows(); ++i) sides.emplace_back(X(i, 0) < 0 ? "left" : "right");
  save("train.npy", X.topRows(300));
  save("x.npy", X);
  save_labels(path("train.txt"), make_labels({sides.begin(), sides.begin() + 300}));
  save_labels(path("x.txt"), make_labels(sides));
  expect_done("fit train.npy -o m --method pca:n_components=3 --labels train.txt");
  const Model model = load_model(path("m"));
  for (const std::string classifier : {"nn", "svm:cost=1,width=1"}) {
    const Result result = run("classify m x.npy -o y.npy --truth x.txt --json --classifier " + classifier);
    ASSERT_EQ(result.status, 0) << result.err;
    Report report;
    const auto expected = model.classify(X, classifier, {}, report);
    EXPECT_EQ(load_labels(path("y.npy")).texts(), expected);
    const auto reported = nlohmann::json::parse(result.out);
    EXPECT_EQ(reported.at("n_samples"), kMany);
    EXPECT_GT(reported.at("accuracy").get<double>(), 0.9);
    if (const double* count = report.find_figure("support_vectors")) {
      EXPECT_EQ(reported.at("figures").at("support_vectors").get<double>(), *count) << "trained once";
    }
  }
  expect_refused("classify m x.npy -o z.npy --truth train.txt", {"300 labels", "40000 samples"});
  EXPECT_FALSE(fs::exists(path("z.npy")));
}

TEST_F(Streaming, CountsRowsFromTheFirstSample) {
  Matrix X = Rng(4).normal_matrix(kMany, 3);
  save("train.npy", X.topRows(100));
  X.row(39000).setZero();
  save("x.npy", X);
  expect_done("fit train.npy -o m --method pca --extension lvm:metric=cosine");
  expect_refused("transform m x.npy -o y.npy", {"row 39000 has length 0"});
  EXPECT_FALSE(fs::exists(path("y.npy")));
  std::ofstream who(path("who.txt"));
  for (int i = 0; i < 100; ++i) who << (i % 2 ? "a\n" : "b\n");
  who.close();
  expect_done("fit train.npy -o m --method cea:n_components=1 --labels who.txt");
  const Result zero = run("transform m x.npy -o y.npy --json");
  EXPECT_NE(zero.out.find("no_direction"), std::string::npos) << zero.out << zero.err;
  EXPECT_NE(zero.out.find("(row 39000)"), std::string::npos) << zero.out;
  expect_done("fit train.npy -o m --method pca --labels who.txt");
  X.row(39000).setConstant(1e4);
  save("x.npy", X);
  const Result far = run("classify m x.npy -o y.txt --classifier svm:cost=1,width=10 --json");
  EXPECT_NE(far.out.find("svm_far"), std::string::npos) << far.out << far.err;
  EXPECT_NE(far.out.find("(row 39000)"), std::string::npos) << far.out;
  X(39000, 1) = std::nan("");
  save("x.npy", X);
  expect_refused("transform m x.npy -o y.npy", {"x.npy", "row 39000, column 1"});
}

void Streaming::write_digits(const std::string& name, Index rows) const {
  constexpr Index kWidth = 50;
  std::string row(kWidth, '\0'), line(2 * kWidth, ',');
  line.back() = '\n';
  const bool text = name.ends_with(".csv"), fortran = name.starts_with("fortran");
  gzFile packed = name.ends_with(".gz") ? gzopen(path(name).c_str(), "wb1") : nullptr;
  std::ofstream file;
  if (!packed) file.open(path(name), std::ios::binary);
  const auto put = [&](const std::string& bytes) {
    if (packed)
      gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size()));
    else
      file << bytes;
  };
  if (packed) {
    std::string header("\0\0\x08\x02\0\0\0\0\0\0\0\x32", 12);
    for (std::size_t i = 0; i < 4; ++i) header[4 + i] = static_cast<char>(rows >> (24 - 8 * i));
    put(header);
  } else if (!text) {
    std::string header = "{'descr': '|u1', 'fortran_order': " + std::string(fortran ? "True" : "False") +
                         ", 'shape': (" + std::to_string(rows) + ", 50), }";
    header.resize(117, ' ');
    put(std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < kWidth; ++j) {
      row[static_cast<std::size_t>(j)] = static_cast<char>((7 * i + j * j) % 10);
      line[static_cast<std::size_t>(2 * j)] = static_cast<char>('0' + (7 * i + j * j) % 10);
    }
    put(text ? line : row);
  }
  if (packed) gzclose(packed);
}

// All samples of the larger files would take 120 MB.
TEST_F(Streaming, MemoryOfTransformDoesNotGrowWithTheFile) {
  if (!kMemoryIsMeasurable) GTEST_SKIP() << "built with a sanitizer";
  constexpr Index kFew = 30000, kTenTimes = 300000;
  save("train.npy", Rng(5).normal_matrix(100, 50));
  expect_done("fit train.npy -o m --method pca");
  for (const std::string name : {"rows.npy", "fortran.npy", "rows.csv", "rows.gz"}) {
    double peak[2];
    for (const bool large : {false, true}) {
      write_digits(name, large ? kTenTimes : kFew);
      peak[large] = peak_memory({"transform", "m", name, "-o", "y.npy", "-q"});
    }
    EXPECT_LT(peak[1], peak[0] + 10e6) << name << ": bytes, against " << peak[0] << " for a tenth of it";
    EXPECT_LT(peak[1], 150e6) << name;
    fs::remove(path(name));
  }
}

}  // namespace
}  // namespace foldout::cli_test
