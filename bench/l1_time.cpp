// SPDX-License-Identifier: Apache-2.0
// l1_time ATOMS.npy SAMPLES.npy [REPEATS] [exactly]: one JSON line per sample: objective, error, gap, status, pivots,
// multiply-adds, atoms used, and the thread's CPU microseconds of one solve (the median of REPEATS passes).
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/io/files.h"
#include "foldout/l1/l1_coding.h"

namespace {

double thread_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

std::string_view name_of(foldout::L1Status status) {
  if (status == foldout::L1Status::kSolved) return "solved";
  return status == foldout::L1Status::kInexact ? "inexact" : "infeasible";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const foldout::L1Dictionary dictionary(foldout::load_dataset(argv[1]).samples);
  const foldout::Matrix samples = foldout::load_dataset(argv[2]).samples;
  const int repeats = argc > 3 ? std::max(1, std::stoi(argv[3])) : 1;
  const bool exactly = argc > 4 && std::string_view(argv[4]) == "exactly";
  const auto solve = [&](foldout::Index i) {
    const std::span<const double> x(samples.row(i).data(), static_cast<std::size_t>(samples.cols()));
    return exactly ? dictionary.code_exactly(x) : dictionary.code(x);
  };
  // Passes over all samples, so that none is solved twice in a row; the first is not timed.
  std::vector<std::vector<double>> times(static_cast<std::size_t>(samples.rows()));
  for (int pass = 0; pass <= repeats; ++pass)
    for (foldout::Index i = 0; i < samples.rows(); ++i) {
      const double start = thread_microseconds();
      const foldout::L1Code code = solve(i);
      if (pass > 0) times[i].push_back(thread_microseconds() - start);
    }
  for (foldout::Index i = 0; i < samples.rows(); ++i) {
    const foldout::L1Code code = solve(i);
    std::ranges::sort(times[i]);
    fmt::print(
        "{{\"objective\": {:.17g}, \"error\": {:.17g}, \"gap\": {:.3g}, \"status\": \"{}\", \"pivots\": {}, "
        "\"multiply_adds\": {}, \"atoms\": {}, \"microseconds\": {:.1f}}}\n",
        code.objective, code.error, code.gap, name_of(code.status), code.pivots, code.multiply_adds, code.atoms.size(),
        times[i][times[i].size() / 2]);
  }
}
