// SPDX-License-Identifier: Apache-2.0
// MATLAB's .mat files, versions 5, 6, 7 and 7.3.
//
// Versions 5 to 7 are read by our own parser, which checks every size against the bytes of the file.
// Version 7.3 is HDF5, read through matio. Damaged files can make both libraries crash or loop: such a file is
// refused unless the caller trusts it. Checked before: the header, the place of the HDF5 part, and, before data are
// read, the shape against the size of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/types.h"
#include "foldout/io/files.h"
#include "io/array.h"

namespace foldout {

struct MatVariable {
  enum class Kind { kNumbers, kText, kTexts, kSparse, kComplex, kOther };  ///< kTexts: a cell array
  std::string name;
  Kind kind = Kind::kOther;
  std::vector<std::uint64_t> shape;
};

class MatReader {
 public:
  /// Lists the variables; `bytes` (versions 5 to 7) or the file (7.3) must stay. Throws IoError.
  MatReader(std::span<const std::byte> bytes, std::string path, const ReadOptions& options = {});

  [[nodiscard]] const std::vector<MatVariable>& variables() const { return variables_; }
  /// A real numeric or logical variable; a sparse one is made dense if that fits into memory. Throws IoError.
  [[nodiscard]] Array read(const std::string& key) const;
  /// Labels: numbers, a character matrix (one row each) or a cell array of texts.
  [[nodiscard]] std::vector<std::string> read_labels(const std::string& key) const;

 private:
  [[nodiscard]] const MatVariable& find(const std::string& key) const;

  std::span<const std::byte> bytes_;
  std::string path_;
  bool hdf5_ = false;
  std::vector<MatVariable> variables_;
};

/// Whether a path is that of a .mat file of version 7.3.
[[nodiscard]] bool is_mat73(const std::string& path);

/// Version 5, one real matrix.
void write_mat(std::ostream& out, const std::string& variable, const MatrixRef& values);
/// Version 5, a column of int64 or a cell array of texts.
void write_mat(std::ostream& out, const std::string& variable, const std::vector<std::int64_t>& values);
void write_mat(std::ostream& out, const std::string& variable, const Labels& labels);

}  // namespace foldout
