// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/files.h"

#include <iostream>

#include "io/array_file.h"
#include "io/bad_file.h"
#include "io/csv.h"
#include "io/open_samples.h"
#include "io/text_source.h"

namespace foldout {
namespace {

/// The mean of the values that are there, for each feature.
Vector means_of(const Matrix& samples, const Dataset& data, const std::string& path) {
  Vector means(samples.cols());
  for (Index j = 0; j < samples.cols(); ++j) {
    const auto present = !samples.col(j).array().isNaN();
    const auto count = present.count();
    const std::string name = data.columns.empty() ? std::to_string(j + 1) : data.columns[static_cast<std::size_t>(j)];
    if (count == 0)
      bad_file(path, "feature {} has no values at all: leave it out (columns.drop={})", quoted(name), name);
    means[j] = present.select(samples.col(j).array(), 0).sum() / static_cast<double>(count);
  }
  return means;
}

/// Missing values were read as NaN.
void fill_missing(Dataset& data, const std::string& path, Index count) {
  data.fill = means_of(data.samples, data, path);
  for (Index j = 0; j < data.samples.cols(); ++j)
    data.samples.col(j) = data.samples.col(j).array().isNaN().select(data.fill[j], data.samples.col(j));
  if (count > 0)
    data.warnings.push_back(fmt::format("{} missing values were replaced by the means of their features", count));
}

Dataset load(const std::string& path, ReadOptions options, Content content) {
  options.as_they_arrive = false;
  const auto stream = open_samples(locate_input(path), options, content);
  Dataset data = read_all(*stream);
  const auto& skipped = stream->skipped();
  if (data.samples.rows() == 0)
    bad_file(path, "has no sample that can be used: the first was left out because {}", skipped.front().reason);
  if (!skipped.empty())
    data.warnings.push_back(fmt::format("{} samples were left out, the first ({}): {}", skipped.size(),
                                        skipped.front().place, skipped.front().reason));
  if (options.missing == MissingValues::kMean) {
    if (options.fill.size() == 0)
      fill_missing(data, path, stream->n_filled());
    else
      data.fill = options.fill;
  }
  return data;
}

}  // namespace

Dataset load_dataset(const std::string& path, const ReadOptions& options) {
  return load(path, options, Content::kSamples);
}

Matrix load_matrix(const std::string& path, const ReadOptions& options) {
  return load(path, options, Content::kNumbers).samples;
}

Labels load_labels(const std::string& path, const ReadOptions& options) {
  const Location location = locate_input(path);
  switch (location.format) {
    case Format::kFolder:
    case Format::kImage:
      bad_file(path, "is a directory or an image, but labels come in a file: a 1-D array, or one label a line");
    case Format::kStandardStream:
      return make_labels(read_label_lines(std::cin, "standard input", kNoSeparator));
    case Format::kJsonLines:
      bad_file(path, "is JSON, but labels come in a 1-D array, or one label a line");
    case Format::kText:
      return make_labels(read_label_lines(*open_text(location), location.file, separator_of(location.file)));
    default:
      return make_labels(read_label_array(location, options));
  }
}

}  // namespace foldout
