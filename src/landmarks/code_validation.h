// SPDX-License-Identifier: Apache-2.0
// Private: the codes by which samples are placed, chosen by validation.
#pragma once

#include "foldout/components/model_spec.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/extend/codes.h"
#include "landmarks/atoms.h"

namespace foldout {

/// `asked` with values for what is auto: those with which held-out samples are placed best by a dictionary of so many
/// atoms; how they were found is in the report. As asked, with a note, where the samples do not allow it.
[[nodiscard]] CodesOptions validated_codes(const TrainingPart& whole, Index n_atoms, const ModelSpec& spec,
                                           const CodesOptions& asked, const RunContext& context, Report& report);

}  // namespace foldout
