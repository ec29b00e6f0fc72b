// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <new>
#include <span>
#include <sstream>
#include <string_view>

#include "child.h"
#include "foldout/core/error.h"
#include "io/array.h"
#include "io/byte_reader.h"
#include "io/location.h"
#include "io/mat.h"
#include "io/npy.h"
#include "session.h"

namespace foldout::cli {
namespace {

constexpr std::string_view kFlag = "--read-isolated";
constexpr int kAnswered = 0, kRefused = 2;

// An answer consists of parts, each a .npy file preceded by its length.
template <class Values>
void append_part(std::ostream& out, const Values& values) {
  std::ostringstream npy;
  write_npy(npy, values);
  std::string length;
  append_value<std::uint64_t>(length, npy.view().size());
  out << length << npy.view();
}

Array take_part(ByteReader& answer, const std::string& name) {
  const auto size = answer.integer<std::uint64_t>("the length of an answer");
  return parse_npy(answer.take(size, "an answer"), name);
}

/// The standard output of `--read-isolated KIND PATH`.
std::string ask_isolated(const std::string& kind, const std::string& path) {
  constexpr double kMaxRatio = 1032;  // compression ratio of HDF5, for values of 8 bytes
  constexpr std::size_t kAlways = std::size_t{80} << 20;
  const auto size = static_cast<double>(std::filesystem::file_size(locate_input(path).file));
  ChildResult result = run_child(
      {"/proc/self/exe", std::string(kFlag), kind, path},
      {.cpu_seconds = 20 + size / 5e6, .output_bytes = kAlways + static_cast<std::size_t>(8 * kMaxRatio * size)});
  stop_if_interrupted();
  if (result.finished && result.exit_code == kAnswered) return std::move(result.output);
  if (result.finished && result.exit_code == kRefused) throw IoError(result.output);
  throw IoError(fmt::format("{}: is damaged: its contents cannot be read", path));
}

Dataset ask_dataset(const std::string& path) {
  const std::string bytes = ask_isolated("dataset", path);
  ByteReader answer(std::as_bytes(std::span(bytes)), path);
  Dataset data;
  data.samples = to_matrix(take_part(answer, path), path);
  const Matrix image = to_matrix(take_part(answer, path), path);
  data.image = {static_cast<Index>(image(0)), static_cast<Index>(image(1))};
  if (answer.remaining() > 0) data.labels = make_labels(to_label_texts(take_part(answer, path), path));
  return data;
}

void write_answer(std::ostream& out, std::string_view kind, const std::string& path) {
  constexpr ReadOptions kTrusted{.trusted = true};
  if (kind == "dataset") {
    const Dataset data = load_dataset(path, kTrusted);
    append_part(out, MatrixRef(data.samples));
    append_part(out, std::span<const std::int64_t>(std::array<std::int64_t, 2>{data.image.height, data.image.width}));
    if (data.labels) append_part(out, *data.labels);
  } else if (kind == "labels") {
    append_part(out, load_labels(path, kTrusted));
  } else {
    append_part(out, MatrixRef(load_matrix(path, kTrusted)));
  }
}

/// Progress of a part of the work, from `begin` to `end`.
RunContext part_of(const RunContext& context, double begin, double end) {
  RunContext part = context;
  if (context.progress)
    part.progress = [&progress = context.progress, begin, end](const Progress& p) {
      return progress({"placing", begin + (end - begin) * p.fraction});
    };
  return part;
}

}  // namespace

Dataset read_dataset(const std::string& path) { return is_mat73(path) ? ask_dataset(path) : load_dataset(path); }

Labels read_labels(const std::string& path) {
  if (!is_mat73(path)) return load_labels(path);
  const std::string bytes = ask_isolated("labels", path);
  ByteReader answer(std::as_bytes(std::span(bytes)), path);
  return make_labels(to_label_texts(take_part(answer, path), path));
}

Matrix read_matrix(const std::string& path) {
  if (!is_mat73(path)) return load_matrix(path);
  const std::string bytes = ask_isolated("matrix", path);
  ByteReader answer(std::as_bytes(std::span(bytes)), path);
  return to_matrix(take_part(answer, path), path);
}

std::unique_ptr<SampleStream> open_input(const std::string& path, bool as_they_arrive) {
  if (is_mat73(path)) return stream_of(ask_dataset(path), path);
  try {
    return open_stream(path, {.as_they_arrive = as_they_arrive});
  } catch (const IoError&) {
    stop_if_interrupted();  // interrupted while waiting for the first row
    throw;
  }
}

Index for_each_block(SampleStream& stream, const RunContext& context, const BlockWork& work) {
  constexpr Index kBytes = Index{32} << 20, kRows = 16384;
  const Index most = std::clamp<Index>(kBytes / (8 * stream.info().n_features), 1, kRows);
  Index rows = 0;
  const auto counted = [&](const std::exception& error) {
    return rows == 0 ? error.what() : fmt::format("{}, counted from sample {}: {}", stream.name(), rows, error.what());
  };
  double before = 0;
  for (Matrix block; stream.next(block, most); rows += block.rows(), before = stream.fraction()) {
    try {
      work(block, rows, part_of(context, before, stream.fraction()));
    } catch (const InvalidRow& error) {
      throw error.after(rows);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(counted(error));
    } catch (const NumericalError& error) {
      throw NumericalError(counted(error));
    }
  }
  stop_if_interrupted();  // an interrupt ends a stream that waits for input
  return rows;
}

void require_one_label_each(const Labels& labels, const std::string& path, const std::string& data, Index n_samples) {
  if (labels.size() != n_samples)
    throw InvalidArgument(fmt::format("{} has {} labels, {} has {} samples: one label per sample is needed", path,
                                      labels.size(), data, n_samples));
}

Labels read_labels_of(const std::string& path, const std::string& data, Index n_samples) {
  Labels labels = read_labels(path);
  require_one_label_each(labels, path, data, n_samples);
  return labels;
}

bool is_isolated_request(int argc, char** argv) { return argc == 4 && argv[1] == kFlag; }

int answer_isolated(char** argv) {
  try {
    write_answer(std::cout, argv[2], argv[3]);
  } catch (const std::bad_alloc&) {
    std::cout << argv[3] << ": does not fit into memory: use fewer samples or features at a time";
    return kRefused;
  } catch (const std::exception& error) {
    std::cout << error.what();
    return kRefused;
  }
  return std::cout.flush() ? kAnswered : 1;
}

}  // namespace foldout::cli
