// SPDX-License-Identifier: Apache-2.0
// Files as all verbs read them: by the library, except for .mat files of version 7.3. These can crash or occupy their
// library where they are damaged, so that the tool starts itself again, as `foldout --read-isolated KIND PATH`, reads
// the file there, and takes the answer from that process' standard output.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/types.h"
#include "foldout/io/sample_stream.h"

namespace foldout::cli {

[[nodiscard]] Dataset read_dataset(const std::string& path);
[[nodiscard]] Labels read_labels(const std::string& path);
[[nodiscard]] Matrix read_matrix(const std::string& path);
[[nodiscard]] std::unique_ptr<SampleStream> open_input(const std::string& path, bool as_they_arrive = false);

/// Calls `work` with every block of a stream, the number of samples before it, and a context that tells the progress of
/// the whole. Returns the number of samples. Memory is bounded by a block, of at most 32 MB. Rows in errors of `work`
/// are counted from the first sample.
using BlockWork = std::function<void(const Matrix& block, Index first_row, const RunContext& context)>;
Index for_each_block(SampleStream& stream, const RunContext& context, const BlockWork& work);

/// Throws InvalidArgument unless the labels of one file are as many as the samples of another.
void require_one_label_each(const Labels& labels, const std::string& path, const std::string& data, Index n_samples);
/// Labels of samples that came from another file.
[[nodiscard]] Labels read_labels_of(const std::string& path, const std::string& data, Index n_samples);

/// Whether the arguments are those by which the tool starts itself.
[[nodiscard]] bool is_isolated_request(int argc, char** argv);
/// Answers them; the exit status of the process.
[[nodiscard]] int answer_isolated(char** argv);

}  // namespace foldout::cli
