// SPDX-License-Identifier: Apache-2.0
// The verbs of foldout-mpi: each adds itself to the command line.
#pragma once

#include <CLI/App.hpp>

#include "ranks.h"
#include "session.h"

namespace foldout::mpi {

void add_fit(CLI::App& app, const Ranks& ranks);
void add_transform(CLI::App& app, const Ranks& ranks);

/// Threads of this rank, its share of the host's cores unless --threads is given; progress on rank 0; failures of other
/// ranks and signals end the work.
[[nodiscard]] RunContext make_context(cli::CommonOptions options, const Ranks& ranks);

}  // namespace foldout::mpi
