// SPDX-License-Identifier: Apache-2.0
// Places samples on a map as they arrive: for each CSV row on standard input a row on standard output, with the
// coordinates, the confidence, and "unusual" if the confidence is below 0.5. (Of samples like the training samples one
// in twenty is.)
//
//   c++ -O2 place_in_a_loop.cpp $(pkg-config --cflags --libs foldout) -o place_in_a_loop
//   ./place_in_a_loop my.model < new.csv
#include <foldout/foldout.h>

#include <exception>
#include <iomanip>
#include <iostream>
#include <limits>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: place_in_a_loop MODEL < SAMPLES\n";
    return 2;
  }
  try {
    const foldout::Model model = foldout::load_model(argv[1]);
    const auto arriving = foldout::open_stream("-", {.as_they_arrive = true});
    std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);  // the same bits when read again

    for (foldout::Matrix sample; arriving->next(sample, /*max_rows=*/1);) {
      const foldout::Matrix place = model.transform(sample);
      const double confidence = model.explain(sample).confidence(0);
      for (foldout::Index k = 0; k < place.cols(); ++k) std::cout << place(0, k) << ",";
      std::cout << confidence << "," << (confidence < 0.5 ? "unusual" : "usual") << std::endl;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
