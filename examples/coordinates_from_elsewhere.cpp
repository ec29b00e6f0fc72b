// SPDX-License-Identifier: Apache-2.0
// Places new samples among coordinates that another program computed: UMAP, t-SNE, a physical measurement. Row i of
// the coordinates belongs to row i of the samples.
//
//   c++ -O2 coordinates_from_elsewhere.cpp $(pkg-config --cflags --libs foldout) -o coordinates_from_elsewhere
//   ./coordinates_from_elsewhere samples.npy umap.npy new.npy placed.npy
#include <foldout/foldout.h>

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: coordinates_from_elsewhere SAMPLES COORDINATES NEW_SAMPLES PLACED\n";
    return 2;
  }
  try {
    const foldout::Dataset known = foldout::load_dataset(argv[1]);
    const foldout::Matrix coordinates = foldout::load_matrix(argv[2]);
    const foldout::Matrix fresh = foldout::load_dataset(argv[3]).samples;

    // auto measures on held-out samples which extension reproduces the given coordinates best. Name one to skip that:
    // "rbf", "lle:n_neighbors=12", foldout::SparseOptions{}.
    const foldout::Model model = foldout::extend_model(known, coordinates, {.extension = "auto"}, {.n_threads = 0});
    std::cout << "placed by " << model.map->info().name << "\n";
    foldout::save_matrix(argv[4], model.transform(fresh, {.n_threads = 0}));

    const foldout::Vector confidence = model.explain(fresh, {.n_threads = 0}).confidence;
    std::cout << (confidence.array() < 0.5).count() << " of " << fresh.rows() << " samples are unlike the known ones\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
