// SPDX-License-Identifier: Apache-2.0
// Model files that an earlier version wrote must load and place samples as that version did (golden/models).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "foldout/core/report.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "linalg/blas.h"
#include "support/datasets.h"

namespace foldout {
namespace {

const std::string kFolder = "tests/golden/models/";

// OpenBLAS sums in a different order on other processors: bits can be compared only with the kernels that wrote the
// files.
bool same_blas_kernels() {
  std::string name;
  std::getline(std::ifstream(kFolder + "blas.txt"), name);
  return name == openblas_get_corename();
}

TEST(OldModels, PlaceSamplesAsWhenTheyWereWritten) {
  const Matrix fresh = load_matrix(kFolder + "new.npy");
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".model") continue;
    SCOPED_TRACE(entry.path().stem().string());
    const Model model = load_model(entry.path().string());
    const Matrix then = load_matrix(entry.path().parent_path().string() + "/" + entry.path().stem().string() + ".npy");
    const Matrix now = model.transform(fresh);
    ASSERT_EQ(now.rows(), then.rows());
    ASSERT_EQ(now.cols(), then.cols());
    EXPECT_LE((now - then).cwiseAbs().maxCoeff(), 1e-9 * then.cwiseAbs().maxCoeff());
    EXPECT_TRUE(!same_blas_kernels() || dataset::same_bits(now, then));
    ++count;
  }
  EXPECT_EQ(count, 22);
}

TEST(OldModels, ClassifyWithTheStoredMachine) {
  Report report;
  const auto labels =
      load_model(kFolder + "lda_svm.model").classify(load_matrix(kFolder + "new.npy"), "svm", {}, report);
  EXPECT_EQ(labels, load_labels(kFolder + "lda_svm.txt").texts());
}

}  // namespace
}  // namespace foldout
