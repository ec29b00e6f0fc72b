// SPDX-License-Identifier: Apache-2.0
// Input files of all verbs. The library reads them, except for .mat files of version 7.3: damaged ones can make HDF5
// crash or loop. These are read by a child process, `foldout --read-isolated KIND PATH`, which writes their contents to
// its standard output.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/sample_stream.h"
#include "foldout/core/types.h"

namespace foldout::cli {

[[nodiscard]] Dataset read_dataset(const std::string& path);
[[nodiscard]] Labels read_labels(const std::string& path);
[[nodiscard]] Matrix read_matrix(const std::string& path);
[[nodiscard]] std::unique_ptr<SampleStream> open_input(const std::string& path, bool as_they_arrive = false);

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
