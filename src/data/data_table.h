// SPDX-License-Identifier: Apache-2.0
// The synthetic data sets by name, for the command line and its help texts.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "foldout/core/context.h"
#include "foldout/core/spec.h"
#include "foldout/data/synthetic.h"

namespace foldout {

struct DataEntry {
  std::string_view name;
  std::string_view summary;
  const Fields& (*fields)();  ///< the keys, with their defaults
  SyntheticData (*make)(const ComponentSpec& spec, Index n, std::uint64_t seed, const RunContext& context);
};

/// swiss_roll, …, faces.
[[nodiscard]] std::span<const DataEntry> data_table();

/// Makes n samples of "name:key=value,…". An unknown name or key is an InvalidArgument with a suggestion.
[[nodiscard]] SyntheticData make_data(const ComponentSpec& spec, Index n, std::uint64_t seed = 0,
                                      const RunContext& context = {});

}  // namespace foldout
