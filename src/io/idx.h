// SPDX-License-Identifier: Apache-2.0
// IDX, the format of MNIST: plain or gzipped, big-endian, 1-D labels, 2-D samples or 3-D images.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/array.h"

namespace foldout {

[[nodiscard]] bool is_gzip(std::span<const std::byte> bytes);

/// Reads an IDX file; a gzipped one is unpacked as far as its declared shape, and must end there. A plain one is
/// not copied: the result points into `bytes`. Throws IoError.
[[nodiscard]] Array parse_idx(std::span<const std::byte> bytes, const std::string& name);

/// A gzipped IDX file, to be unpacked sequentially; `bytes` must outlive it.
[[nodiscard]] PackedArray open_gzipped_idx(std::span<const std::byte> bytes, const std::string& name,
                                           Inflater::Passed passed = {});

}  // namespace foldout
