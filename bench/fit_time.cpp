// SPDX-License-Identifier: Apache-2.0
// fit_time DATA METHOD REPEATS: the median CPU seconds of an embedding on one thread, in a process that has fitted
// before, as for its peers. The extension and the confidence of a model are not counted: the peers have neither.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "components/rows.h"
#include "foldout/core/dataset.h"
#include "foldout/foldout.h"
#include "foldout/io/files.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const foldout::Dataset data = foldout::load_dataset(argv[1]);
  const int repeats = std::stoi(argv[3]);
  const foldout::Component<foldout::MethodRow> method(argv[2]);
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    const std::clock_t start = std::clock();
    const foldout::FittedMethod fitted = method.row().fit(data.samples, {}, method, {});
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    if (!fitted.embedding->coordinates.allFinite()) return 1;
  }
  std::ranges::sort(seconds);
  fmt::print("{}\n", seconds[seconds.size() / 2]);
}
