// SPDX-License-Identifier: Apache-2.0
// Private: the codes by which samples are placed, selected by validation.
#pragma once

#include "foldout/components/model_spec.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/extend/codes.h"
#include "landmarks/atoms.h"

namespace foldout {

/// `asked` with values for what is auto: those that place held-out samples best by a dictionary of `n_atoms` atoms. The
/// report states how they were selected. Unchanged, with a note, if validation is not possible.
[[nodiscard]] CodesOptions validated_codes(const TrainingPart& whole, Index n_atoms, const ModelSpec& spec,
                                           const CodesOptions& asked, const RunContext& context, Report& report);

}  // namespace foldout
