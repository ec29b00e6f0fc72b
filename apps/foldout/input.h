// SPDX-License-Identifier: Apache-2.0
// Input files of all verbs. The library reads them, except for .mat files of version 7.3: damaged ones can make HDF5
// crash or loop. For these the tool runs itself again, as `foldout --read-isolated KIND PATH`, and takes what that
// process has read from its standard output.
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

/// Calls `work` with every block of a stream, the number of samples before it, and a context that shows the progress of
/// the whole. Returns the number of samples. Memory is bounded by a block, of at most 32 MB. Rows in errors of `work`
/// are counted from the first sample.
using BlockWork = std::function<void(const Matrix& block, Index first_row, const RunContext& context)>;
Index for_each_block(SampleStream& stream, const RunContext& context, const BlockWork& work);

/// Throws InvalidArgument unless the labels of one file are as many as the samples of another.
void require_one_label_each(const Labels& labels, const std::string& path, const std::string& data, Index n_samples);
/// Labels of samples that came from another file.
[[nodiscard]] Labels read_labels_of(const std::string& path, const std::string& data, Index n_samples);

/// Whether the arguments are those with which the tool runs itself.
[[nodiscard]] bool is_isolated_request(int argc, char** argv);
/// Answers them; the exit status of the process.
[[nodiscard]] int answer_isolated(char** argv);

}  // namespace foldout::cli
