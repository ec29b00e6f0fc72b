// SPDX-License-Identifier: Apache-2.0
// Every method with every compatible extension, and their options, satisfy the contract of maps.
#include "support/contracts.h"

#include <algorithm>
#include <map>

#include "components/rows.h"
#include "foldout/core/dataset.h"

namespace foldout {
namespace {

// Every method with its default extension (or its own map), written as "", every embedding with every other compatible
// extension, and every map with one other.
std::vector<MapCase> every_pair() {
  const Dataset tiny = dataset::labelled(dataset::roll(40));
  std::vector<MapCase> cases;
  for (const MethodRow& method : method_table()) {
    const std::string name(method.name);
    const FittedMethod fitted = method.fit(tiny.samples, dataset::classes(tiny.samples), name, {});
    const bool sheet = name == "hessian_lle";
    cases.push_back({.name = name, .spec = {.method = name}, .sheet = sheet});
    for (const ExtensionRow& extension : extension_table())
      if (extension.refusal(fitted).empty() && (method.kind == MethodKind::kEmbedding || extension.name == "lle"))
        cases.push_back({.name = name + "_with_" + std::string(extension.name),
                         .spec = {.method = name, .extension = std::string(extension.name)},
                         .sheet = sheet});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Pairs, MapContract, testing::ValuesIn(every_pair()), case_name);

INSTANTIATE_TEST_SUITE_P(
    Options, MapContract,
    testing::Values(
        MapCase{"lle_20_features", {.method = "lle"}, 20}, MapCase{"lle_cosine", {.method = "lle:metric=cosine"}},
        MapCase{"lle_approximate", {.method = "lle:search=approximate"}},
        MapCase{"lle_brute_force", {.method = "lle:search=brute_force"}},
        MapCase{"lle_without_reg", {.method = "lle", .extension = "lle:reg=0,n_neighbors=3"}},
        MapCase{"lle_one_neighbor", {.method = "laplacian_eigenmaps", .extension = "lle:n_neighbors=1"}},
        MapCase{"isomap_20_features", {.method = "isomap"}, 20},
        MapCase{"isomap_mutual", {.method = "isomap:graph=mutual"}},
        MapCase{"isomap_ball", {.method = "isomap:graph=ball,radius=8"}},
        MapCase{"isomap_cosine", {.method = "isomap:metric=cosine"}},
        MapCase{"isomap_approximate", {.method = "isomap:search=approximate"}},
        MapCase{"isomap_more_ways_in", {.method = "isomap", .extension = "geodesic:n_neighbors=30"}},
        MapCase{"isomap_one_way_in", {.method = "isomap", .extension = "geodesic:n_neighbors=1"}},
        MapCase{"landmark_isomap_few", {.method = "landmark_isomap:n_landmarks=12,landmarks=random,seed=3"}},
        MapCase{"landmark_isomap_mutual", {.method = "landmark_isomap:graph=mutual"}},
        MapCase{"landmark_isomap_20_features", {.method = "landmark_isomap"}, 20},
        MapCase{"kpca_polynomial", {.method = "kpca:kernel=polynomial,degree=3,n_components=4"}},
        MapCase{"kpca_linear", {.method = "kpca:kernel=linear"}, 17},
        MapCase{"kpca_many_components", {.method = "kpca:n_components=20"}},
        MapCase{"pca_200_features", {.method = "pca:n_components=60"}, 200},
        MapCase{"sparse_40_features", {.method = "laplacian_eigenmaps", .extension = "sparse"}, 40},
        MapCase{"sparse_dct", {.method = "mds", .extension = "sparse:errors=dct"}, 30},
        MapCase{"sparse_haar", {.method = "mds", .extension = "sparse:errors=haar"}, 30},
        MapCase{"sparse_without_errors", {.method = "mds", .extension = "sparse:errors=none"}, 30},
        MapCase{"sparse_of_any_length", {.method = "mds", .extension = "sparse:unit_norm=false"}, 30},
        MapCase{
            "sparse_corrected", {.method = "laplacian_eigenmaps:graph=l1", .extension = "sparse:correction=true"}, 30},
        MapCase{"l1_graph", {.method = "laplacian_eigenmaps:graph=l1"}, 20},
        MapCase{"l1_diffusion", {.method = "diffusion_maps:graph=l1"}, 20},
        MapCase{"l1_isomap", {.method = "isomap:graph=l1"}, 20},
        MapCase{"full_graph_with_fallback", {.method = "laplacian_eigenmaps:graph=full,n_components=12"}},
        MapCase{"ball_graph_with_fallback", {.method = "laplacian_eigenmaps:graph=ball,n_components=40,radius=12"}},
        MapCase{"full_graph", {.method = "laplacian_eigenmaps:graph=full,self_loops=true"}},
        MapCase{"ball_graph", {.method = "laplacian_eigenmaps:graph=ball,self_loops=true,radius=12"}},
        MapCase{"mutual_graph", {.method = "laplacian_eigenmaps:graph=mutual"}},
        MapCase{"binary_ball", {.method = "laplacian_eigenmaps:graph=ball,self_loops=true,weights=binary"}},
        MapCase{"cosine_full", {.method = "laplacian_eigenmaps:graph=full,self_loops=true,weights=cosine"}},
        MapCase{"cosine_metric", {.method = "laplacian_eigenmaps:graph=full,self_loops=true,metric=cosine"}},
        MapCase{"diffusion_full", {.method = "diffusion_maps:graph=full,time=2,alpha=0.5"}},
        MapCase{"diffusion_ball", {.method = "diffusion_maps:graph=ball"}},
        MapCase{"mds_correlation", {.method = "mds:metric=correlation"}, 12},
        MapCase{"mds_manhattan", {.method = "mds:metric=manhattan"}, 12},
        MapCase{"mds_chebyshev", {.method = "mds:metric=chebyshev"}, 12},
        MapCase{"isomap_manhattan", {.method = "isomap:metric=manhattan"}},
        MapCase{"isomap_chebyshev", {.method = "isomap:metric=chebyshev"}, 20},
        MapCase{"manhattan_full", {.method = "laplacian_eigenmaps:graph=full,self_loops=true,metric=manhattan"}},
        MapCase{"chebyshev_ball", {.method = "laplacian_eigenmaps:graph=ball,self_loops=true,metric=chebyshev"}},
        MapCase{"lvm_manhattan_one", {.method = "mds", .extension = "lvm:metric=manhattan,n_neighbors=1"}, 12},
        MapCase{"lle_chebyshev", {.method = "lle:metric=chebyshev"}, 12},
        MapCase{"mds_cosine", {.method = "mds:metric=cosine"}, 12},
        MapCase{"mds_by_distances", {.method = "mds:solver=dense"}, 12},
        MapCase{"lvm_cosine", {.method = "mds", .extension = "lvm:metric=cosine,n_neighbors=7"}, 12},
        MapCase{"mode_cosine", {.method = "mds", .extension = "mode:metric=cosine,n_neighbors=7"}, 12},
        MapCase{"mode_narrow", {.method = "isomap", .extension = "mode:bandwidth=0.01,perplexity=1"}, 12},
        MapCase{"lvm_one", {.method = "mds", .extension = "lvm:n_neighbors=1"}, 12},
        MapCase{"linear_plain", {.method = "mds", .extension = "linear:intercept=false,ridge=0"}, 12},
        MapCase{"linear_by_leave_one_out", {.method = "isomap", .extension = "linear:ridge=auto"}, 12},
        MapCase{"rbf_exact", {.method = "isomap", .extension = "rbf:ridge=0"}, 12},
        MapCase{.name = "rbf_few",
                .spec = {.method = "isomap", .extension = "rbf:n_centers=20,seed=4"},
                .n_features = 12,
                .training_error = 0.7},
        MapCase{"elm_tanh", {.method = "isomap", .extension = "elm:activation=tanh,n_nodes=50"}, 12},
        MapCase{"elm_sine", {.method = "isomap", .extension = "elm:activation=sine,n_nodes=50"}, 12},
        MapCase{"elm_rbf", {.method = "isomap", .extension = "elm:activation=rbf,n_nodes=50"}, 12},
        MapCase{"rvfl", {.method = "isomap", .extension = "elm:direct_links=true,n_nodes=50"}, 12},
        MapCase{"elm_odd", {.method = "isomap", .extension = "elm:n_nodes=51"}, 13, 111},
        MapCase{"elm_rbf_odd", {.method = "isomap", .extension = "elm:n_nodes=51,activation=rbf"}, 13, 111},
        MapCase{"elm_tanh_odd", {.method = "isomap", .extension = "elm:n_nodes=51,activation=tanh"}, 13, 111},
        MapCase{"rvfl_odd", {.method = "isomap", .extension = "elm:n_nodes=51,direct_links=true"}, 12, 111},
        MapCase{"rbf_odd", {.method = "isomap", .extension = "rbf"}, 13, 111},
        MapCase{"kernel_odd", {.method = "isomap", .extension = "kernel_extrapolation"}, 13, 111},
        MapCase{"kpca_odd", {.method = "kpca:n_components=3"}, 13, 111},
        MapCase{"full_odd", {.method = "laplacian_eigenmaps:graph=full,n_components=3"}, 13, 111},
        MapCase{"kernel_polynomial",
                {.method = "isomap", .extension = "kernel_extrapolation:kernel=polynomial,degree=3"},
                12}),
    case_name);

// As many features as an image has pixels.
std::vector<MapCase> pictures() {
  std::vector<MapCase> cases;
  // The full graph has no loops, but the row of a training sample has one, beside small eigenvalues; 33 nodes cannot
  // fit 61 samples.
  const std::map<std::string, double> training_errors{{"nystrom", 3}, {"elm:n_nodes=33", 2}, {"linear", 0.2}};
  for (const std::string extension : {"sparse", "sparse:errors=dct", "lvm", "linear", "rbf", "mode", "nystrom",
                                      "elm:n_nodes=33", "lle", "kernel_extrapolation"}) {
    const std::string name = extension.substr(0, extension.find('_')) + "_" + std::to_string(cases.size());
    cases.push_back(
        {name, {.method = "laplacian_eigenmaps:graph=full,n_components=5", .extension = extension}, 1024, 61});
    if (const auto found = training_errors.find(extension); found != training_errors.end())
      cases.back().training_error = found->second;
    std::ranges::replace_if(
        cases.back().name, [](char c) { return c == ':' || c == '='; }, '_');
  }
  cases.push_back({"isomap", {.method = "isomap"}, 1024, 61});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Pictures, MapContract, testing::ValuesIn(pictures()), case_name);

INSTANTIATE_TEST_SUITE_P(
    Prepared, MapContract,
    testing::Values(
        MapCase{"center", {.preprocess = {"center"}, .method = "pca"}},
        MapCase{"standardize", {.preprocess = {"standardize"}, .method = "lle"}},
        MapCase{"unit_norm", {.preprocess = {"unit_norm"}, .method = "isomap"}},
        MapCase{"histograms", {.preprocess = {"histogram_equalization"}, .method = "pca:n_components=5"}, 40},
        MapCase{"random_projection", {.preprocess = {"random_projection:n_components=15,seed=2"}, .method = "lle"}, 60},
        MapCase{"pca_step", {.preprocess = {"pca:n_components=9,whiten=true"}, .method = "kpca"}, 30},
        MapCase{"kernel_whitening", {.preprocess = {"kernel_whitening:n_components=6"}, .method = "pca"}, 12},
        MapCase{"chain",
                {.preprocess = {"unit_norm", "standardize", "pca:n_components=8"},
                 .method = "isomap",
                 .extension = "lle:n_neighbors=6"},
                25}),
    case_name);

TEST(Extensions, AreRefusedIfTheFitLacksWhatTheyNeed) {
  const Dataset data = dataset::labelled(dataset::roll(40));
  for (const MethodRow& method : method_table()) {
    const std::string name(method.name);
    if (!name.ends_with("isomap")) {
      const auto text =
          message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = name, .extension = "geodesic"}); });
      EXPECT_TRUE(contains(text, "landmark_isomap")) << text;
    }
    if (name == "hessian_lle" || name == "ltsa" || name == "pca") {
      const auto text =
          message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = name, .extension = "nystrom"}); });
      EXPECT_TRUE(contains(text, name + " has no kernel")) << text;
      EXPECT_TRUE(contains(text, "extension sparse")) << text;
    }
  }
  for (const std::string extension : {"nystrom", "geodesic"}) {
    const auto text = message_of<InvalidArgument>(
        [&] { (void)extend_model(data, data.samples.leftCols(2), {.method = "", .extension = extension}); });
    EXPECT_TRUE(contains(text, "external coordinates")) << text;
    EXPECT_TRUE(contains(text, "extension sparse")) << text;
  }
}

}  // namespace
}  // namespace foldout
