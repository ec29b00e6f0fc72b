// SPDX-License-Identifier: Apache-2.0
// The exceptions, by cause. Every message states a name, its value, the rule and a remedy.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace [[gnu::visibility("default")]] foldout {

/// The request or its data are wrong: shapes, options, values. (Command line: exit status 2.)
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// One row of the samples is invalid. A caller that passes on part of the samples adds the preceding rows by after().
class InvalidRow : public InvalidArgument {
 public:
  InvalidRow(std::ptrdiff_t row, const std::string& rule)
      : InvalidArgument("row " + std::to_string(row) + " " + rule), row_(row), rule_(rule) {}
  [[nodiscard]] InvalidRow after(std::ptrdiff_t rows) const { return {row_ + rows, rule_}; }

 private:
  std::ptrdiff_t row_;
  std::string rule_;
};

/// Labels are required but missing.
class MissingLabels : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// A file cannot be read or written. (Command line: exit status 2.)
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The computation fails numerically: no convergence, rank too low. (Command line: exit status 1.)
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The progress callback asked to stop.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace foldout
