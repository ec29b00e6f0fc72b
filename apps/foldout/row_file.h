// SPDX-License-Identifier: Apache-2.0
// Output of rows whose number is not known before.
#pragma once

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "io/atomic_file.h"
#include "io/csv.h"

namespace foldout::cli {

[[nodiscard]] inline char separator_of(const std::string& path) { return path.ends_with(".tsv") ? '\t' : ','; }

/// A format that is written row by row.
[[nodiscard]] inline bool is_text(const std::string& path) {
  return path == "-" || path.ends_with(".csv") || path.ends_with(".tsv") || path.ends_with(".txt");
}

/// Rows that are written as they come, and appear under their name when all of them have.
class RowFile {
 public:
  RowFile(const std::string& path, const std::vector<std::string>& columns) {
    if (path != "-") file_.emplace(path);
    writer_.emplace(file_ ? file_->stream() : std::cout, path, columns, separator_of(path));
  }
  void write(const Matrix& rows) {
    writer_->write(rows);
    writer_->flush();
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
  std::optional<CsvWriter> writer_;
};

}  // namespace foldout::cli
