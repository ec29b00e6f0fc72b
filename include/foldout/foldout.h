// SPDX-License-Identifier: Apache-2.0
// foldout: out-of-sample extension for every embedding. A complete program:
//
//   #include <foldout/foldout.h>
//   int main() {
//     const auto roll = foldout::make_swiss_roll(2000);
//     const auto fit = foldout::fit_laplacian_eigenmaps(roll.samples, {.n_components = 2, .n_neighbors = 10});
//     const auto place = foldout::extend_lle(roll.samples, fit.coordinates);  // or extend_sparse, extend_elm, …
//     const foldout::Matrix y = place->transform(foldout::make_swiss_roll(100, /*seed=*/1).samples);
//   }
//
// The includes follow the path of the data.
#pragma once

// clang-format off
#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/core/report.h"
#include "foldout/core/spec.h"
#include "foldout/core/types.h"
#include "foldout/core/version.h"
#include "foldout/io/files.h"
#include "foldout/io/row_writer.h"
#include "foldout/core/sample_stream.h"
#include "foldout/data/faces.h"
#include "foldout/data/synthetic.h"
#include "foldout/preprocess/preprocess.h"
#include "foldout/l1/l1_coding.h"
#include "foldout/dictionary/kmeans.h"
#include "foldout/dictionary/ksvd.h"
#include "foldout/dictionary/lcc.h"
#include "foldout/dictionary/lcdl.h"
#include "foldout/dictionary/llc.h"
#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/hessian_lle.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/kpca.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/embed/ltsa.h"
#include "foldout/embed/mds.h"
#include "foldout/project/cea.h"
#include "foldout/project/lda.h"
#include "foldout/project/lpp.h"
#include "foldout/project/lsda.h"
#include "foldout/project/npe.h"
#include "foldout/project/nppe.h"
#include "foldout/project/olpp.h"
#include "foldout/project/onpp.h"
#include "foldout/project/pca.h"
#include "foldout/extend/codes.h"
#include "foldout/extend/confidence.h"
#include "foldout/extend/elm.h"
#include "foldout/extend/extension.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/kernel_extrapolation.h"
#include "foldout/extend/linear.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/lvm.h"
#include "foldout/extend/mode.h"
#include "foldout/extend/nystrom.h"
#include "foldout/extend/rbf.h"
#include "foldout/extend/sparse.h"
#include "foldout/evaluate/metrics.h"
#include "foldout/components/component.h"
#include "foldout/components/model_spec.h"
#include "foldout/model/compare.h"
#include "foldout/model/model.h"
// clang-format on
