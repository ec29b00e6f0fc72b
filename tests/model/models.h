// SPDX-License-Identifier: Apache-2.0
// A few small models, of every kind of map and step.
#pragma once

#include <cstdint>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/model/model.h"
#include "model/model_archive.h"
#include "support/datasets.h"

namespace foldout {

inline Dataset small_data(Index n = 12) {
  Dataset data;
  data.samples = dataset::roll(n, 3).array() + 20;
  std::vector<std::string> labels;
  for (Index i = 0; i < n; ++i) labels.push_back(i % 2 == 0 ? "even" : "odd");
  data.labels = make_labels(labels);
  return data;
}

inline std::vector<ModelSpec> small_specs() {
  return {{.method = "pca"},
          {.preprocess = {"standardize", "pca:n_components=2"}, .method = "lle:n_neighbors=4"},
          {.preprocess = {"kernel_whitening:n_components=3"}, .method = "isomap:n_neighbors=5"},
          {.preprocess = {"histogram_equalization"}, .method = "kpca:n_components=1"},
          {.preprocess = {"unit_norm"}, .method = "landmark_isomap:n_landmarks=6,n_neighbors=5"},
          {.preprocess = {"center"}, .method = "laplacian_eigenmaps:n_neighbors=5"},
          {.method = "laplacian_eigenmaps:graph=ball,radius=20", .extension = "nystrom"},
          {.method = "diffusion_maps:n_components=1"},
          {.method = "laplacian_eigenmaps:graph=l1", .extension = "nystrom"},
          {.method = "pca:n_components=1", .extension = "sparse"},
          {.method = "pca:n_components=1", .extension = "sparse:errors=haar,unit_norm=false"},
          {.method = "pca:n_components=1", .extension = "lvm:n_neighbors=3"},
          {.method = "lle:n_neighbors=4", .extension = "linear"},
          {.method = "isomap:n_neighbors=5", .extension = "rbf:n_centers=5"},
          {.method = "mds:metric=cosine"},
          {.method = "mds:metric=manhattan"},
          {.method = "lle:n_neighbors=4", .extension = "elm:n_nodes=5"},
          {.method = "pca:n_components=1", .extension = "elm:n_nodes=4,activation=rbf,direct_links=true"},
          {.preprocess = {"center"}, .method = "pca", .extension = "kernel_extrapolation:kernel=polynomial"},
          {.method = "pca", .classifier = "svm:cost=2,width=9"},
          {.method = "cea"},
          {.method = "kcea:n_components=2"},
          {.method = "cea:features=polynomial,degree=3"},
          {.method = "lda:features=polynomial"},
          {.method = "lpp:features=hadamard,n_neighbors=5"},
          {.method = "npe:features=kernel,kernel=polynomial,n_neighbors=5"},
          {.method = "olpp:algorithm=sequential,n_neighbors=5"},
          {.method = "nppe:n_neighbors=5"},
          {.method = "snppe:n_neighbors=5,degree=3"},
          {.method = "pca", .dictionary = "lcdl:n_atoms=6,coding_tau=3"},
          {.method = "lda", .extension = "elm:n_nodes=5", .dictionary = "kmeans:atoms_per_class=3"},
          {.method = "pca:n_components=1", .extension = "sparse", .dictionary = "random:n_atoms=5"}};
}

inline std::vector<std::uint8_t> file_of(const ModelSpec& spec) {
  return encode_archive(to_archive(fit_model(small_data(), spec)));
}

}  // namespace foldout
