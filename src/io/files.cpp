// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/files.h"

#include <fstream>
#include <iostream>

#include "io/array_file.h"
#include "io/bad_file.h"
#include "io/csv.h"
#include "io/open_samples.h"

namespace foldout {
namespace {

Dataset load(const std::string& path, ReadOptions options, Content content) {
  options.as_they_arrive = false;
  return read_all(*open_samples(locate_input(path), options, content));
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
      bad_file(path, "is a directory, but labels come in a file: a 1-D array, or one label a line");
    case Format::kStandardStream:
      return make_labels(read_label_lines(std::cin, "standard input", kNoSeparator));
    case Format::kText: {
      std::ifstream file(location.file, std::ios::binary);
      if (!file) bad_file(path, "cannot be opened: check its permissions");
      return make_labels(read_label_lines(file, location.file, separator_of(location.file)));
    }
    default:
      return make_labels(read_label_array(location, options));
  }
}

}  // namespace foldout
