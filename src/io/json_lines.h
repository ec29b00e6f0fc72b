// SPDX-License-Identifier: Apache-2.0
// Samples as JSON, one a line: an array of numbers, or an object {"x": [numbers], "id": …, "label": …}, of which id and
// label may be missing.
#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <string>

#include "foldout/core/sample_stream.h"
#include "foldout/io/files.h"
#include "io/location.h"

namespace foldout {

class JsonLines final : public SampleStream {
 public:
  /// Reads the first line, to know the number of features. Throws IoError.
  JsonLines(const Location& location, const ReadOptions& options);
  bool next(Matrix& block, Index max_rows) override;
  void restart() override;
  [[nodiscard]] double fraction() const override { return 0; }

 private:
  struct Row {
    std::vector<double> x;
    std::string id, label;
    bool has_id = false, has_label = false;
  };
  void open();
  [[nodiscard]] std::optional<Row> read_row();
  [[nodiscard]] Row parse(const std::string& line) const;
  [[nodiscard]] bool at_hand() const;

  Location location_;
  ReadOptions options_;
  std::shared_ptr<std::istream> in_;
  std::optional<Row> first_;  ///< read ahead
  Index line_ = 0;
};

}  // namespace foldout
