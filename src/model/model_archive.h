// SPDX-License-Identifier: Apache-2.0
// Private: a model as an archive, and an archive as the bytes of a file.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/archive.h"
#include "foldout/model/model.h"

namespace foldout {

/// The model must outlive its archive, which has views of its arrays.
[[nodiscard]] Archive to_archive(const Model& model);
/// Throws IoError if the archive is not that of a model.
[[nodiscard]] Model from_archive(const Archive& archive);

void write_archive(std::ostream& out, const Archive& archive);
[[nodiscard]] std::vector<std::uint8_t> encode_archive(const Archive& archive);
/// `name` is for messages. The arrays are views of `bytes`, which must outlive the archive, unless it takes them over.
[[nodiscard]] Archive decode_archive(std::span<const std::uint8_t> bytes, const std::string& name);
[[nodiscard]] Archive decode_archive(std::vector<std::uint8_t>&& bytes, const std::string& name);

}  // namespace foldout
