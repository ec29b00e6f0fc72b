// SPDX-License-Identifier: Apache-2.0
// The checks that all entry points share, with uniform messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// Throws InvalidArgument unless every value is finite; names the first bad row and column.
void require_finite(const MatrixRef& samples, std::string_view what);

/// Throws InvalidArgument unless there are at least `least` samples and one feature, and all values are finite.
void require_count(const MatrixRef& samples, Index least, std::string_view what);

/// The same, and the squares of values neither overflow nor underflow: the first line of every fit.
void require_samples(const MatrixRef& samples, Index least, std::string_view what);

/// Throws InvalidArgument unless `samples` has `width` columns.
void require_width(const MatrixRef& samples, Index width, std::string_view what);

/// Throws InvalidArgument if n_components exceeds `rank`, the dimension spanned by `what` ("samples", "features").
void require_rank(Index rank, Index n_components, std::string_view what, std::string_view method);

/// Throws InvalidArgument("<name> = <value> <rule>").
[[noreturn]] void reject(std::string_view name, double value, std::string_view rule);

/// "12.3 GB" and the like.
[[nodiscard]] std::string format_bytes(double bytes);

/// Memory available to a new allocation: the least of machine, control groups and address space (ulimit -v).
[[nodiscard]] double available_memory();

/// Throws InvalidArgument if `bytes` exceed `limit` (0: available_memory()). Called before anything is allocated.
void require_memory(double bytes, std::string_view what, std::string_view remedy, double limit = 0);

}  // namespace foldout
