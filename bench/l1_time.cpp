// SPDX-License-Identifier: Apache-2.0
// l1_time ATOMS.npy SAMPLES.npy [REPEATS] [exactly]: one JSON line per sample: objective, error, gap, status, pivots,
// multiply-adds, atoms used, and the thread's CPU microseconds of one solve (the least of REPEATS).
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>

#include "foldout/dictionary/l1_coding.h"
#include "foldout/load/dataset.h"

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
  const int repeats = argc > 3 ? std::stoi(argv[3]) : 1;
  const bool exactly = argc > 4 && std::string_view(argv[4]) == "exactly";
  const auto solve = [&](foldout::Index i) {
    const std::span<const double> x(samples.row(i).data(), static_cast<std::size_t>(samples.cols()));
    return exactly ? dictionary.code_exactly(x) : dictionary.code(x);
  };
  if (samples.rows() > 0) (void)solve(0);  // a process that has solved before
  for (foldout::Index i = 0; i < samples.rows(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    foldout::L1Code code;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const double start = thread_microseconds();
      code = solve(i);
      least = std::min(least, thread_microseconds() - start);
    }
    fmt::print(
        "{{\"objective\": {:.17g}, \"error\": {:.17g}, \"gap\": {:.3g}, \"status\": \"{}\", \"pivots\": {}, "
        "\"multiply_adds\": {}, \"atoms\": {}, \"microseconds\": {:.1f}}}\n",
        code.objective, code.error, code.gap, name_of(code.status), code.pivots, code.multiply_adds, code.atoms.size(),
        least);
  }
}
