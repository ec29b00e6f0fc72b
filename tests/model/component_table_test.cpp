// SPDX-License-Identifier: Apache-2.0
#include "components/rows.h"

#include <gtest/gtest.h>

#include <set>

#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {
namespace {

template <class Entry>
std::set<std::string_view> names(std::span<const Entry> table) {
  std::set<std::string_view> found;
  for (const Entry& entry : table) {
    EXPECT_TRUE(found.insert(entry.name).second) << entry.name << " twice";
    EXPECT_FALSE(entry.summary.empty());
    for (const KeyInfo& key : keys_of(entry)) {
      EXPECT_FALSE(key.meaning.empty()) << entry.name << ":" << key.name;
      EXPECT_FALSE(key.default_value.empty()) << entry.name << ":" << key.name;
      EXPECT_EQ(key.choices.empty(), key.type != "choice") << entry.name << ":" << key.name;
    }
  }
  return found;
}

TEST(ComponentTable, ContainsAllComponents) {
  const std::set<std::string_view> methods{"laplacian_eigenmaps", "lle", "hessian_lle", "ltsa",           "isomap",
                                           "landmark_isomap",     "mds", "kpca",        "diffusion_maps", "pca"};
  const std::set<std::string_view> steps{
      "center", "standardize",     "minmax", "unit_norm", "histogram_equalization", "random_projection",
      "pca",    "kernel_whitening"};
  for (const auto name : methods) EXPECT_TRUE(names(method_table()).contains(name)) << name;
  EXPECT_EQ(names(preprocess_table()), steps);
  for (const std::string_view name : {"lle", "geodesic", "nystrom"})
    EXPECT_TRUE(names(extension_table()).contains(name)) << name;
}

TEST(ComponentTable, SuggestsTheNearestName) {
  const auto method = message_of<InvalidArgument>([] { (void)Component<MethodRow>("isomop"); });
  EXPECT_TRUE(contains(method, "method 'isomop' is not known, did you mean 'isomap'?; allowed: ")) << method;
  EXPECT_TRUE(contains(method, "diffusion_maps")) << method;
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([] { (void)Component<MethodRow>("laplacian"); }), "'laplacian_eigenmaps'?"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([] { (void)Component<ExtensionRow>("geodesics"); }),
                       "extension 'geodesics' is not known, did you mean 'geodesic'?"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([] { (void)Component<PreprocessRow>("centre"); }),
                       "did you mean 'center'?"));
  const auto far = message_of<InvalidArgument>([] { (void)Component<MethodRow>("zzzzzzzz"); });
  EXPECT_FALSE(contains(far, "did you mean")) << far;
}

TEST(ComponentTable, KnowsNamesInAnyCaseAndStoresItsOwn) {
  const Component<MethodRow> method("Laplacian-Eigenmaps:graph=KNN,self_loops=True,n_neighbors=7");
  EXPECT_EQ(method.name(), "laplacian_eigenmaps");
  EXPECT_EQ(method.short_text(), "laplacian_eigenmaps:graph=knn,self_loops=true,n_neighbors=7");
  EXPECT_EQ(method, Component<MethodRow>("laplacian_eigenmaps:graph=knn,self_loops=true,n_neighbors=7"));
  EXPECT_EQ(Component<MethodRow>("LLE").name(), "lle");
  EXPECT_EQ(Component<ExtensionRow>("RBF").name(), "rbf");
}

TEST(ComponentTable, KnowsTheNamesOfScikitLearn) {
  const std::pair<const char*, const char*> methods[] = {{"SpectralEmbedding", "laplacian_eigenmaps"},
                                                         {"LocallyLinearEmbedding", "lle"},
                                                         {"KernelPCA", "kpca"},
                                                         {"Isomap", "isomap"},
                                                         {"MDS", "mds"},
                                                         {"PCA", "pca"},
                                                         {"LinearDiscriminantAnalysis", "lda"}};
  for (const auto& [theirs, ours] : methods) EXPECT_EQ(Component<MethodRow>(theirs).name(), ours);
  EXPECT_EQ(Component<PreprocessRow>("StandardScaler").name(), "standardize");
  EXPECT_EQ(Component<PreprocessRow>("Normalizer").name(), "unit_norm");
  EXPECT_EQ(Component<ClassifierRow>("KNeighborsClassifier").name(), "nn");
  EXPECT_EQ(Component<ClassifierRow>("SVC").name(), "svm");
  EXPECT_EQ(Component<MethodRow>("SpectralEmbedding:n_components=3").short_text(),
            "laplacian_eigenmaps:n_components=3");
  EXPECT_EQ(Component<MethodRow>("kLPP:n_components=3").short_text(), "lpp:n_components=3,features=kernel");
}

TEST(ComponentTable, DescribesKeys) {
  for (const KeyInfo& key : keys_of(Component<MethodRow>("laplacian_eigenmaps").row())) {
    if (key.name == "graph") {
      EXPECT_EQ(key.type, "choice");
      EXPECT_EQ(key.range, "knn | mutual | ball | full | l1");
      EXPECT_EQ(key.choices.size(), 5U);
      EXPECT_EQ(key.default_value, "knn");
    }
    if (key.name == "n_neighbors") {
      EXPECT_EQ(key.type, "integer");
      EXPECT_EQ(key.range, "≥ 1");
      EXPECT_EQ(key.default_value, "10");
      EXPECT_EQ(key.symbol, "k");
    }
    if (key.name == "width") {
      EXPECT_EQ(key.default_value, "auto");
    }
  }
}

}  // namespace
}  // namespace foldout
