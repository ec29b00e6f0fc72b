// SPDX-License-Identifier: Apache-2.0
// Named arrays and texts: what a fitted component writes itself to, and is read back from.
// The model file (model/model_file.cpp) is one Archive on disk.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// A raw little-endian array; `dtype` as safetensors names it: F64, F32, I64, I32, U8.
struct Tensor {
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint8_t> bytes;
};

class Archive {
 public:
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> texts;

  void put(const std::string& name, const Matrix& value);
  void put(const std::string& name, const Vector& value);
  void put(const std::string& name, const SparseMatrix& value);  ///< three arrays under the name
  void put(const std::string& name, const std::vector<std::int64_t>& value);
  void put(const std::string& name, double value);
  void put_text(const std::string& name, std::string_view value);

  // The getters throw IoError when the name is missing, or the type, the shape or a value is not what
  // such an array can hold: an archive may come from a damaged file.
  [[nodiscard]] Matrix matrix(const std::string& name) const;
  [[nodiscard]] Vector vector(const std::string& name) const;
  [[nodiscard]] SparseMatrix sparse(const std::string& name) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;

  /// Copies everything of `part` in under "prefix.", and takes such a part out again.
  void put_part(const std::string& prefix, const Archive& part);
  [[nodiscard]] Archive part(const std::string& prefix) const;

 private:
  [[nodiscard]] const Tensor& tensor(const std::string& name, std::string_view dtype, std::size_t rank) const;
};

}  // namespace foldout
