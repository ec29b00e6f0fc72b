// SPDX-License-Identifier: Apache-2.0
// Options and steps shared by fit, extend and compare.
#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "foldout/core/dataset.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "input.h"
#include "session.h"

namespace foldout::cli {

struct LearnOptions : CommonOptions, InputOptions {
  std::string data, labels;
  std::vector<std::string> preprocess;
  std::string method, extension, dictionary, classifier;
};

/// DATA, --preprocess, --labels.
void add_learn_options(CLI::App& verb, LearnOptions& options);

/// --classifier, of the verbs that write a model.
void add_classifier_option(CLI::App& verb, LearnOptions& options);

/// The components in the options, with --seed for components whose seed is not given. Throws InvalidArgument for wrong
/// ones, before any data are read.
[[nodiscard]] ModelSpec parse_spec(const LearnOptions& options);

/// The samples, with the labels of --labels if given.
[[nodiscard]] Dataset load_labelled(const LearnOptions& options);

/// What the columns of a table were taken for: as JSON, and in one line (empty if the samples were not in a table).
[[nodiscard]] nlohmann::json columns_json(const TableLayout& table);
[[nodiscard]] std::string columns_line(const TableLayout& table);

/// Writes the model and reports what it is. `started` is when the verb began, `cpu_seconds` the CPU time of the fit.
void save_and_report(std::string_view verb, const LearnOptions& options, const std::string& path, const Model& model,
                     std::chrono::steady_clock::time_point started, double cpu_seconds);

}  // namespace foldout::cli
