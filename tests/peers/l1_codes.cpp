// SPDX-License-Identifier: Apache-2.0
// l1_codes ATOMS.npy SAMPLES.npy [exactly]: objective, error, gap and status of each sample's code, as JSON lines.
#include <fmt/format.h>

#include <string_view>

#include "foldout/io/files.h"
#include "foldout/l1/l1_coding.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const foldout::L1Dictionary dictionary(foldout::load_matrix(argv[1]));
  const foldout::Matrix samples = foldout::load_matrix(argv[2]);
  const bool exactly = argc > 3 && std::string_view(argv[3]) == "exactly";
  for (foldout::Index i = 0; i < samples.rows(); ++i) {
    const std::span<const double> x(samples.row(i).data(), static_cast<std::size_t>(samples.cols()));
    const foldout::L1Code code = exactly ? dictionary.code_exactly(x) : dictionary.code(x);
    const std::string_view status = code.status == foldout::L1Status::kSolved    ? "solved"
                                    : code.status == foldout::L1Status::kInexact ? "inexact"
                                                                                 : "infeasible";
    fmt::print("{{\"objective\": {:.17g}, \"error\": {:.17g}, \"gap\": {:.17g}, \"status\": \"{}\"}}\n", code.objective,
               code.error, code.gap, status);
  }
}
