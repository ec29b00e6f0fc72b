// SPDX-License-Identifier: Apache-2.0
// What the verbs that learn from samples share: fit, extend, compare.
#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <string>

#include "foldout/core/dataset.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "session.h"

namespace foldout::cli {

struct LearnOptions : CommonOptions {
  std::string data, labels;
  std::vector<std::string> preprocess;
  std::string method, extension, dictionary, classifier;
};

/// DATA, --preprocess, --labels.
void add_learn_options(CLI::App& verb, LearnOptions& options);

/// --classifier, of the verbs that write a model.
void add_classifier_option(CLI::App& verb, LearnOptions& options);

/// The components that the options name, with --seed filled in where a component has a seed that is not given. What is
/// wrong with them is an InvalidArgument, before any data are read.
[[nodiscard]] ModelSpec parse_spec(const LearnOptions& options);

/// The samples, with the labels of --labels where that is given.
[[nodiscard]] Dataset load_labelled(const LearnOptions& options);

/// Writes the model and tells what it is. `started` is when the verb began, `cpu_seconds` what the work took.
void save_and_tell(std::string_view verb, const LearnOptions& options, const std::string& path, const Model& model,
                   std::chrono::steady_clock::time_point started, double cpu_seconds);

}  // namespace foldout::cli
