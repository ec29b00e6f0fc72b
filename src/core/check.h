// SPDX-License-Identifier: Apache-2.0
// The checks that every entry point shares, with one wording.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// Throws InvalidArgument unless every value is finite; names the first bad row and column.
void require_finite(const MatrixRef& samples, std::string_view what);

/// At least `least` samples and one feature, all of them finite.
void require_count(const MatrixRef& samples, Index least, std::string_view what);

/// The same, and values whose squares are neither infinite nor lost: the first line of every fit.
void require_samples(const MatrixRef& samples, Index least, std::string_view what);

/// Throws InvalidArgument unless `samples` has `width` columns.
void require_width(const MatrixRef& samples, Index width, std::string_view what);

/// As many coordinates as there are dimensions in what they are made of ("samples", "features"), and no more.
void require_rank(Index rank, Index n_components, std::string_view what, std::string_view method);

/// Throws InvalidArgument("<name> = <value> <rule>").
[[noreturn]] void reject(std::string_view name, double value, std::string_view rule);

/// "12.3 GB" and the like.
[[nodiscard]] std::string format_bytes(double bytes);

/// Memory that a new allocation may count on: free memory of the machine or of its control group.
[[nodiscard]] double available_memory();

/// Refuses, before anything is allocated, what would not fit. `limit` in bytes, 0 for available_memory().
void require_memory(double bytes, std::string_view what, std::string_view remedy, double limit = 0);

}  // namespace foldout
