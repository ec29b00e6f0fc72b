// SPDX-License-Identifier: Apache-2.0
// Input files of all verbs. The library reads them, except for .mat files of version 7.3: damaged ones can make HDF5
// crash or loop. These are read by a child process, `foldout --read-isolated KIND PATH`, which writes their contents to
// its standard output.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/sample_stream.h"
#include "foldout/core/types.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"

namespace foldout::cli {

/// How samples are read: of all verbs that read them.
struct InputOptions {
  std::string label_column, id_column, missing, resize;
  std::vector<std::string> drop, columns;
  bool skip_bad = false;
};

/// --label-column, --id-column, --drop, --columns, --missing, --resize; with `may_skip` also --skip-bad.
void add_input_options(CLI::App& verb, InputOptions& options, bool may_skip = false);

/// Whether any of these was given (--skip-bad apart).
[[nodiscard]] bool has_requests(const InputOptions& options);

/// Of training samples. Throws InvalidArgument for wrong values.
[[nodiscard]] ReadOptions read_options(const InputOptions& options);
/// Of new samples: as the training samples of the model were read, where the options do not say otherwise.
[[nodiscard]] ReadOptions read_options(const InputOptions& options, const Model& model);

[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});
[[nodiscard]] Labels read_labels(const std::string& path);
[[nodiscard]] Matrix read_matrix(const std::string& path, const ReadOptions& options = {});
[[nodiscard]] std::unique_ptr<SampleStream> open_input(const std::string& path, const ReadOptions& options = {});

/// "WIDTHxHEIGHT"; throws InvalidArgument that names the option for anything else.
[[nodiscard]] ImageShape parse_image_size(const std::string& option, const std::string& text);

/// Throws InvalidArgument if --resize was given for samples that are not images.
void require_images(const InputOptions& options, bool resized, const std::string& path);
/// Throws InvalidArgument if these are images of another size than those of the model.
void require_image_size(ImageShape image, const std::string& path, const Model& model);

/// Notes on how the samples were read: warnings, skipped rows and replaced values.
void note_reading(const SampleStream& stream, Report& report);

/// Calls `work` with every block of a stream, the number of samples before it, and a context that shows the overall
/// progress. Returns the number of samples. Memory is bounded by a block of at most 32 MB. Row numbers in errors of
/// `work` refer to the whole stream.
using BlockWork = std::function<void(const Matrix& block, Index first_row, const RunContext& context)>;
Index for_each_block(SampleStream& stream, const RunContext& context, const BlockWork& work);

/// Throws InvalidArgument unless the numbers of labels and samples agree.
void require_one_label_each(const Labels& labels, const std::string& path, const std::string& data, Index n_samples);
/// Labels of the samples in another file.
[[nodiscard]] Labels read_labels_of(const std::string& path, const std::string& data, Index n_samples);

/// Whether the arguments are those of the child process.
[[nodiscard]] bool is_isolated_request(int argc, char** argv);
/// Runs as the child process; returns the exit status.
[[nodiscard]] int answer_isolated(char** argv);

}  // namespace foldout::cli
