// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>
#include <span>
#include <string_view>

#include "child.h"
#include "foldout/core/error.h"
#include "io/array.h"
#include "io/byte_reader.h"
#include "io/location.h"
#include "io/mat.h"
#include "io/npy.h"
#include "io/resize.h"
#include "io/written.h"
#include "session.h"

namespace foldout::cli {
namespace {

constexpr std::string_view kFlag = "--read-isolated";
constexpr int kAnswered = 0, kRefused = 2;

// An answer consists of parts, each a .npy file preceded by its length.
template <class Values>
void append_part(std::ostream& out, const Values& values) {
  const std::string npy = written([&](std::ostream& part) { write_npy(part, values); });
  std::string length;
  append_value<std::uint64_t>(length, npy.size());
  out << length << npy;
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
  const ReadOptions trusted{.trusted = true};
  if (kind == "dataset") {
    const Dataset data = load_dataset(path, trusted);
    append_part(out, MatrixRef(data.samples));
    append_part(out, std::span<const std::int64_t>(std::array<std::int64_t, 2>{data.image.height, data.image.width}));
    if (data.labels) append_part(out, *data.labels);
  } else if (kind == "labels") {
    append_part(out, load_labels(path, trusted));
  } else {
    append_part(out, MatrixRef(load_matrix(path, trusted)));
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

void add_input_options(CLI::App& verb, InputOptions& o, bool may_skip) {
  verb.add_option("--label-column", o.label_column, "The column of labels: its name or position (from 1), or none")
      ->type_name("NAME");
  verb.add_option("--id-column", o.id_column, "The column of ids, likewise")->type_name("NAME");
  verb.add_option("--drop", o.drop, "Columns to leave out")->type_name("NAME,…")->delimiter(',');
  verb.add_option("--columns", o.columns, "The columns that are features (default: all others)")
      ->type_name("NAME,…")
      ->delimiter(',');
  verb.add_option("--missing", o.missing,
                  "Missing values: error, drop the sample, or mean of the feature (default: error; new samples: as "
                  "the model was fitted)")
      ->type_name("RULE");
  verb.add_option("--resize", o.resize, "Scale images to this size (new samples: as the model was fitted)")
      ->type_name("WxH");
  if (may_skip) verb.add_flag("--skip-bad", o.skip_bad, "Leave out rows and images that cannot be read, and list them");
}

ImageShape parse_image_size(const std::string& option, const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  constexpr int kMost = 30000;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 1 || height < 1 || width > kMost ||
      height > kMost)
    throw InvalidArgument(fmt::format("{} {}: must be WIDTHxHEIGHT in pixels, such as 32x32", option, text));
  return {height, width};
}

namespace {

MissingValues parse_missing(const std::string& text) {
  if (text.empty() || text == "error") return MissingValues::kError;
  if (text == "drop") return MissingValues::kDrop;
  if (text == "mean") return MissingValues::kMean;
  throw InvalidArgument(fmt::format("--missing {}: must be error, drop or mean", text));
}

// A .mat file of version 7.3 is read by another process, which refuses missing values. A model with means for them is
// no reason to refuse the file.
std::unique_ptr<SampleStream> isolated_stream(const std::string& path, const ReadOptions& options) {
  const bool means_at_hand = options.missing == MissingValues::kMean && options.fill.size() > 0;
  if ((options.missing != MissingValues::kError && !means_at_hand) || options.skip_bad || !options.columns.empty())
    throw InvalidArgument(
        fmt::format("{}: columns, missing values and bad rows cannot be chosen in .mat files of version 7.3: save it "
                    "as version 7 or .npy",
                    path));
  auto stream = stream_of(ask_dataset(path), path);
  return options.resize.height > 0 ? resized(std::move(stream), options.resize) : std::move(stream);
}

}  // namespace

ReadOptions read_options(const InputOptions& o) {
  ReadOptions options;
  options.columns = {o.label_column, o.id_column, o.drop, o.columns};
  options.missing = parse_missing(o.missing);
  if (!o.resize.empty()) options.resize = parse_image_size("--resize", o.resize);
  options.skip_bad = o.skip_bad;
  return options;
}

ReadOptions read_options(const InputOptions& o, const Model& model) {
  ReadOptions options = read_options(o);
  options.like = model.table;
  if (o.resize.empty() && model.resized) options.resize = model.image;
  if (o.missing.empty() && model.fill.size() > 0) options.missing = MissingValues::kMean;
  if (options.missing == MissingValues::kMean) {
    if (model.fill.size() == 0)
      throw InvalidArgument("--missing mean: the model has no means for missing values: fit it with --missing mean");
    options.fill = model.fill;
  }
  return options;
}

bool has_requests(const InputOptions& o) {
  return !o.label_column.empty() || !o.id_column.empty() || !o.missing.empty() || !o.resize.empty() ||
         !o.drop.empty() || !o.columns.empty();
}

void require_images(const InputOptions& o, bool resized, const std::string& path) {
  if (!o.resize.empty() && !resized)
    throw InvalidArgument(fmt::format("--resize {}: {} has no images in it: omit --resize", o.resize, path));
}

void require_image_size(ImageShape image, const std::string& path, const Model& model) {
  const auto& [height, width] = model.image;
  if (height == 0 || image.height == 0 || (image.height == height && image.width == width)) return;
  throw InvalidArgument(
      fmt::format("{}: its images are {}×{}, but the model was fitted to images of {}×{}: give "
                  "--resize {}x{} to scale them",
                  path, image.width, image.height, width, height, width, height));
}

void note_reading(const SampleStream& stream, Report& report) {
  for (const std::string& warning : stream.info().warnings) report.note("reading", warning);
  if (const auto& skipped = stream.skipped(); !skipped.empty()) {
    constexpr std::size_t kShown = 20;
    std::string list;
    for (std::size_t i = 0; i < std::min(kShown, skipped.size()); ++i)
      list += fmt::format("\n  {}: {}", skipped[i].place, skipped[i].reason);
    if (skipped.size() > kShown) list += "\n  …";
    report.figure("n_skipped", static_cast<double>(skipped.size()));
    report.note("skipped", fmt::format("{} samples were left out:{}", skipped.size(), list));
  }
  if (stream.n_filled() > 0) {
    report.figure("n_filled", static_cast<double>(stream.n_filled()));
    report.note("filled",
                fmt::format("{} missing values were replaced by the means of the training samples", stream.n_filled()));
  }
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return is_mat73(path) ? read_all(*isolated_stream(path, options)) : load_dataset(path, options);
}

Labels read_labels(const std::string& path) {
  if (!is_mat73(path)) return load_labels(path);
  const std::string bytes = ask_isolated("labels", path);
  ByteReader answer(std::as_bytes(std::span(bytes)), path);
  return make_labels(to_label_texts(take_part(answer, path), path));
}

Matrix read_matrix(const std::string& path, const ReadOptions& options) {
  if (!is_mat73(path)) return load_matrix(path, options);
  const std::string bytes = ask_isolated("matrix", path);
  ByteReader answer(std::as_bytes(std::span(bytes)), path);
  return to_matrix(take_part(answer, path), path);
}

std::unique_ptr<SampleStream> open_input(const std::string& path, const ReadOptions& options) {
  if (is_mat73(path)) return isolated_stream(path, options);
  try {
    return open_stream(path, options);
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
