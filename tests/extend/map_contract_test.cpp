// SPDX-License-Identifier: Apache-2.0
// Every method with every extension that goes with it keeps the contract of maps; so do their options.
#include "support/contracts.h"

#include <map>

#include "foldout/pipeline/component_table.h"

namespace foldout {
namespace {

// Which extensions a method can have, its natural one (or its own map) written as "".
std::vector<MapCase> every_pair() {
  const std::map<std::string_view, std::vector<std::string>> special{{"isomap", {"", "geodesic"}},
                                                                     {"landmark_isomap", {"", "geodesic"}},
                                                                     {"kpca", {"", "nystrom"}},
                                                                     {"lle", {""}},
                                                                     {"hessian_lle", {""}},
                                                                     {"ltsa", {""}},
                                                                     {"pca", {""}}};
  std::vector<MapCase> cases;
  for (const MethodEntry& method : method_table()) {
    std::vector<std::string> extensions{"lle"};
    if (const auto it = special.find(method.name); it != special.end())
      extensions.insert(extensions.end(), it->second.begin(), it->second.end());
    for (const std::string& extension : extensions)
      cases.push_back({std::string(method.name) + (extension.empty() ? "" : "_with_" + extension),
                       {.method = std::string(method.name), .extension = extension}});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Pairs, MapContract, testing::ValuesIn(every_pair()), case_name);

INSTANTIATE_TEST_SUITE_P(
    Options, MapContract,
    testing::Values(MapCase{"lle_20_features", {.method = "lle"}, 20},
                    MapCase{"lle_cosine", {.method = "lle:metric=cosine"}},
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
                    MapCase{"landmark_isomap_few",
                            {.method = "landmark_isomap:n_landmarks=12,landmarks=random,seed=3"}},
                    MapCase{"landmark_isomap_mutual", {.method = "landmark_isomap:graph=mutual"}},
                    MapCase{"landmark_isomap_20_features", {.method = "landmark_isomap"}, 20},
                    MapCase{"kpca_polynomial", {.method = "kpca:kernel=polynomial,degree=3,n_components=4"}},
                    MapCase{"kpca_linear", {.method = "kpca:kernel=linear"}, 17},
                    MapCase{"kpca_many_components", {.method = "kpca:n_components=20"}},
                    MapCase{"pca_200_features", {.method = "pca:n_components=60"}, 200}),
    case_name);

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

TEST(Extensions, AreRefusedWhereTheFitDoesNotHaveWhatTheyNeed) {
  const Dataset data{.samples = dataset::roll(40), .labels = {}, .image = {}, .columns = {}};
  for (const MethodEntry& method : method_table()) {
    const std::string name(method.name);
    if (!name.ends_with("isomap")) {
      const auto text =
          message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = name, .extension = "geodesic"}); });
      EXPECT_TRUE(contains(text, "landmark_isomap")) << text;
    }
    if (name != "kpca") {
      const auto text =
          message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = name, .extension = "nystrom"}); });
      EXPECT_TRUE(contains(text, "--extension lle")) << text;
    }
  }
}

}  // namespace
}  // namespace foldout
