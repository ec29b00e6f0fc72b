// SPDX-License-Identifier: Apache-2.0
// A model on disk: a valid safetensors file (8-byte length, JSON header, raw little-endian arrays) that any reader of
// that format opens. Its metadata hold the format's version, the component specs and a checksum over every byte of the
// file but the checksum's own digits. There is no code in it. The same fit writes the same bytes.
#pragma once

#include <string>

#include "foldout/pipeline/model.h"

namespace foldout {

/// The number in the file; a reader refuses higher ones.
inline constexpr int kModelFormat = 1;

void save_model(const std::string& path, const Model& model);
/// Throws IoError for a file that is damaged, truncated, larger than its header says, newer, or no model at all.
[[nodiscard]] Model load_model(const std::string& path);

}  // namespace foldout
