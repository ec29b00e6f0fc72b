// SPDX-License-Identifier: Apache-2.0
// What the verbs that learn from samples share: fit, extend, compare.
#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <string>

#include "foldout/core/dataset.h"
#include "foldout/io/files.h"
#include "foldout/pipeline/model.h"
#include "session.h"

namespace foldout::cli {

struct LearnOptions : CommonOptions {
  std::string data, labels;
  ModelSpec spec;
};

/// DATA, --preprocess, --labels.
void add_learn_options(CLI::App& verb, LearnOptions& options);

/// --classifier, of the verbs that write a model.
void add_classifier_option(CLI::App& verb, LearnOptions& options);

/// Fills --seed into every component and checks the specs: what is wrong with the request should be told before the
/// data are read.
void resolve_specs(LearnOptions& options);

/// An extension's spec with --seed filled in.
[[nodiscard]] std::string resolved_extension(const std::string& spec, const CommonOptions& options);

/// The samples, with the labels of --labels where that is given.
[[nodiscard]] Dataset load_labelled(const LearnOptions& options);

/// Writes the model and tells what it is. `started` is when the verb began, `cpu_seconds` what the work took.
void save_and_tell(std::string_view verb, const LearnOptions& options, const std::string& path, const Model& model,
                   std::chrono::steady_clock::time_point started, double cpu_seconds);

}  // namespace foldout::cli
