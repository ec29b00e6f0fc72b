// SPDX-License-Identifier: Apache-2.0
// A map of your own data: reads samples, embeds them in two dimensions, writes their coordinates and a model that can
// place new samples.
//
//   c++ -O2 map_my_data.cpp $(pkg-config --cflags --libs foldout) -o map_my_data
//   ./map_my_data samples.csv map.csv my.model
//
// Samples are the rows of a .csv, .npy, .npz, .mat or IDX file, or the images of a folder.
#include <foldout/foldout.h>

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: map_my_data SAMPLES COORDINATES MODEL\n";
    return 2;
  }
  try {
    const foldout::Dataset data = foldout::load_dataset(argv[1]);
    std::cout << data.samples.rows() << " samples of " << data.samples.cols() << " features\n";

    // Try other methods and other numbers of neighbours: `foldout methods` lists all. The text "isomap:n_neighbors=10"
    // in place of the struct means the same.
    const foldout::ModelSpec spec{.method = foldout::IsomapOptions{.n_components = 2, .n_neighbors = 10}};
    const foldout::Model model = foldout::fit_model(data, spec, {.n_threads = 0});

    for (const auto& note : model.report.notes) std::cout << "note: " << note.text << "\n";
    std::cout << "trustworthiness " << foldout::trustworthiness(data.samples, model.coordinates) << "\n";
    foldout::save_matrix(argv[2], model.coordinates);
    foldout::save_model(argv[3], model);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
