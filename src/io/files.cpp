// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/files.h"

#include <fstream>
#include <iostream>
#include <optional>

#include "io/bad_file.h"
#include "io/choose_key.h"
#include "io/csv.h"
#include "io/csv_records.h"
#include "io/file_bytes.h"
#include "io/idx.h"
#include "io/image.h"
#include "io/location.h"
#include "io/mat.h"
#include "io/npy.h"
#include "io/npz.h"

namespace foldout {
namespace {

const std::string kStandardInput = "standard input";

std::ifstream open_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) bad_file(path, "cannot be opened: check its permissions");
  if (file.peek() == std::ifstream::traits_type::eof()) bad_file(path, "is empty: it has no samples");
  return file;
}

Dataset load_text(const Location& location, LabelColumn label_column) {
  if (location.format == Format::kStandardStream) return read_csv(std::cin, kStandardInput, label_column);
  std::ifstream file = open_text(location.file);
  return read_csv(file, location.file, label_column);
}

/// What an array file holds: the samples, and the labels that lie beside them.
struct Content {
  Array samples;
  std::optional<std::vector<std::string>> labels;
};

std::vector<std::string> keys_of(const MatReader& mat, bool with_texts) {
  using Kind = MatVariable::Kind;
  std::vector<std::string> keys;
  for (const MatVariable& variable : mat.variables())
    if (variable.kind != Kind::kOther &&
        (with_texts || (variable.kind != Kind::kText && variable.kind != Kind::kTexts)))
      keys.push_back(variable.name);
  return keys;
}

/// Labels that nobody asked for by name: if they are none, the way out is to name the samples.
template <class Read>
std::vector<std::string> labels_beside(const Location& location, const std::string& key, Read&& read) {
  try {
    return read();
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}; or read the samples alone, as {}:{}", error.what(), location.file, key));
  }
}

Content read_mat(const Location& location, std::span<const std::byte> bytes) {
  const MatReader mat(bytes, location.file);
  if (!location.key.empty()) return {mat.read(location.key), std::nullopt};
  const std::string key = choose_samples(keys_of(mat, false), location.file);
  Content content{mat.read(key), std::nullopt};
  const auto labels = find_labels(keys_of(mat, true));
  if (labels && *labels != key) content.labels = labels_beside(location, key, [&] { return mat.read_labels(*labels); });
  return content;
}

Content read_npz(const Location& location, const std::shared_ptr<const FileBytes>& file) {
  const NpzReader npz(file, location.file);
  if (!location.key.empty()) return {npz.read(location.key), std::nullopt};
  const std::string key = choose_samples(npz.keys(), location.file);
  Content content{npz.read(key), std::nullopt};
  const auto labels = find_labels(npz.keys());
  if (labels && *labels != key) {
    const std::string name = location.file + ":" + *labels;
    content.labels = labels_beside(location, key, [&] { return to_label_texts(npz.read(*labels), name); });
  }
  return content;
}

Content read_arrays(const Location& location, const std::shared_ptr<const FileBytes>& file) {
  switch (location.format) {
    case Format::kNpy:
      return {parse_npy(file->bytes(), location.file), std::nullopt};
    case Format::kIdx:
      return {parse_idx(file->bytes(), location.file), std::nullopt};
    case Format::kNpz:
      return read_npz(location, file);
    default:
      return read_mat(location, file->bytes());
  }
}

Dataset load_arrays(const Location& location) {
  const auto file = open_file(location.file);
  const Content content = read_arrays(location, file);
  Dataset dataset = to_dataset(content.samples, location.path);
  if (content.labels) {
    dataset.labels = make_labels(*content.labels);
    if (dataset.labels->size() != dataset.samples.rows())
      bad_file(location.file, "has {} samples but {} labels: name the array of samples to read it alone, as {}:key",
               dataset.samples.rows(), dataset.labels->size(), location.file);
  }
  return dataset;
}

std::vector<std::string> load_label_texts(const Location& location) {
  const auto file = open_file(location.file);
  switch (location.format) {
    case Format::kNpy:
      return to_label_texts(parse_npy(file->bytes(), location.file), location.file);
    case Format::kIdx:
      return to_label_texts(parse_idx(file->bytes(), location.file), location.file);
    case Format::kNpz: {
      const NpzReader npz(file, location.file);
      const std::string key = location.key.empty() ? choose_labels(npz.keys(), location.file) : location.key;
      return to_label_texts(npz.read(key), location.file + ":" + key);
    }
    default: {
      const MatReader mat(file->bytes(), location.file);
      return mat.read_labels(location.key.empty() ? choose_labels(keys_of(mat, true), location.file) : location.key);
    }
  }
}

}  // namespace

Dataset load_dataset(const std::string& path) {
  const Location location = locate_input(path);
  switch (location.format) {
    case Format::kFolder:
      return load_image_folder(path).dataset;
    case Format::kText:
    case Format::kStandardStream:
      return load_text(location, LabelColumn::kRecognised);
    default:
      return load_arrays(location);
  }
}

Labels load_labels(const std::string& path) {
  const Location location = locate_input(path);
  switch (location.format) {
    case Format::kFolder:
      bad_file(path, "is a directory, but labels come in a file: a 1-D array, or one label a line");
    case Format::kStandardStream:
      return make_labels(read_label_lines(std::cin, kStandardInput, kNoSeparator));
    case Format::kText: {
      std::ifstream file = open_text(location.file);
      return make_labels(read_label_lines(file, location.file, separator_of(location.file)));
    }
    default:
      return make_labels(load_label_texts(location));
  }
}

Matrix load_matrix(const std::string& path) {
  const Location location = locate_input(path);
  switch (location.format) {
    case Format::kFolder:
      return load_image_folder(path).dataset.samples;
    case Format::kText:
    case Format::kStandardStream:
      return load_text(location, LabelColumn::kNone).samples;
    default: {
      const auto file = open_file(location.file);
      return to_matrix(read_arrays(location, file).samples, location.path);
    }
  }
}

}  // namespace foldout
