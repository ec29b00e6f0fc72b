// SPDX-License-Identifier: Apache-2.0
// Named arrays and texts: the serialised form of a fitted component.
// The model file (model/model_file.cpp) is one Archive on disk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// Bytes that this object owns together with its copies, or a view of bytes that must outlive it.
class ByteBlock {
 public:
  ByteBlock() = default;
  explicit ByteBlock(std::vector<std::uint8_t> owned);
  explicit ByteBlock(std::span<const std::uint8_t> viewed, std::shared_ptr<const void> owner = {})
      : view_(viewed), owner_(std::move(owner)) {}

  [[nodiscard]] const std::uint8_t* data() const { return view_.data(); }
  [[nodiscard]] std::size_t size() const { return view_.size(); }
  [[nodiscard]] bool empty() const { return view_.empty(); }
  [[nodiscard]] std::vector<std::uint8_t> copy() const { return {view_.begin(), view_.end()}; }

 private:
  std::span<const std::uint8_t> view_;
  std::shared_ptr<const void> owner_;
};

/// A raw little-endian array; `dtype` as safetensors names it: F64, F32, I64, I32, U8.
struct Tensor {
  std::string dtype;
  std::vector<std::uint64_t> shape;
  ByteBlock bytes;
};

/// Copies of an archive share its arrays.
class Archive {
 public:
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> texts;

  // Matrices and vectors are not copied: what is not a temporary must outlive the archive.
  void put(const std::string& name, const Matrix& value);
  void put(const std::string& name, Matrix&& value);
  void put(const std::string& name, const Vector& value);
  void put(const std::string& name, Vector&& value);
  void put(const std::string& name, const SparseMatrix& value);  ///< four arrays under the name
  void put(const std::string& name, const std::vector<std::int64_t>& value);
  void put(const std::string& name, double value);
  void put_text(const std::string& name, std::string_view value);

  // The getters throw IoError if the name is missing or the type, the shape or a value is invalid: an archive may come
  // from a damaged file.
  [[nodiscard]] Matrix matrix(const std::string& name) const;
  [[nodiscard]] Vector vector(const std::string& name) const;
  [[nodiscard]] SparseMatrix sparse(const std::string& name) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;

  /// Puts all entries of `part` under "prefix.", and extracts them again.
  void put_part(const std::string& prefix, const Archive& part);
  [[nodiscard]] Archive part(const std::string& prefix) const;

 private:
  [[nodiscard]] const Tensor& tensor(const std::string& name, std::string_view dtype, std::size_t rank) const;
};

}  // namespace foldout
