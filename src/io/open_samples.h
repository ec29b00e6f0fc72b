// SPDX-License-Identifier: Apache-2.0
// What open_stream() and the functions that load everything share.
#pragma once

#include <memory>

#include "foldout/io/files.h"
#include "io/location.h"

namespace foldout {

/// kNumbers: no column or array is taken for labels, and a 1-D array is one column.
enum class Content { kSamples, kNumbers };

[[nodiscard]] std::unique_ptr<SampleStream> open_samples(const Location& location, const ReadOptions& options,
                                                         Content content);

}  // namespace foldout
