// SPDX-License-Identifier: Apache-2.0
#include "foldout/preprocess/preprocess.h"

#include <fmt/format.h>

#include "core/archive.h"
#include "core/check.h"
#include "core/parallel.h"
#include "foldout/core/error.h"
#include "linalg/products.h"
#include "preprocess/load_preprocessor.h"

namespace foldout {

Matrix Preprocessor::apply(const MatrixRef& samples, const RunContext& context) const {
  require_width(samples, n_inputs(), "preprocessing");
  require_finite(samples, "preprocessing");
  Matrix prepared(samples.rows(), n_outputs());
  parallel_blocks(
      samples.rows(), kBlockRows, context,
      [&](Index begin, Index end) {
        prepared.middleRows(begin, end - begin) = apply_block(samples.middleRows(begin, end - begin), begin);
      },
      "preprocessing");
  for (Index i = 0; i < prepared.rows(); ++i)
    if (!prepared.row(i).allFinite())
      throw NumericalError(
          fmt::format("preprocessing: row {} is beyond the range of double precision: scale it like the "
                      "training samples",
                      i));
  return prepared;
}

std::shared_ptr<const Preprocessor> load_preprocessor(const Archive& archive) {
  const std::string& step = archive.text("step");
  if (step == "scaling" || step == "unit_norm") return load_scaling(archive);
  if (step == "histogram_equalization") return load_histogram_equalization(archive);
  if (step == "linear") return load_linear_step(archive);
  if (step == "kernel") return load_kernel_step(archive);
  throw IoError(fmt::format("the preprocessing step '{}' is not known to this version", step));
}

}  // namespace foldout
