// SPDX-License-Identifier: Apache-2.0
// A model of samples that do not fit into memory: its dictionary is learnt batch by batch.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/io/sample_stream.h"
#include "foldout/pipeline/model.h"

namespace foldout {

/// Whether the dictionary of a spec is to be learnt from batches: it has a batch_size.
[[nodiscard]] bool learns_from_batches(const ModelSpec& spec);

/// Memory is bounded by a batch, the atoms and 20 samples for each atom. These are drawn from all in a first pass (of
/// standard input, which can be read once: the first ones); preprocessing is learnt from them, number of atoms and
/// locality of the codes are validated on them before the others are read, and the coordinates and labels of the model
/// are theirs. `labels`: one for every sample of the stream, or empty for those that the stream has. Throws
/// InvalidArgument where a component needs all samples at once.
[[nodiscard]] Model fit_streamed(SampleStream& stream, const std::vector<std::string>& labels, const ModelSpec& spec,
                                 const RunContext& context = {});

}  // namespace foldout
