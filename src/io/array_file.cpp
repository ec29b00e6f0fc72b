// SPDX-License-Identifier: Apache-2.0
#include "io/array_file.h"

#include <utility>

#include "io/bad_file.h"
#include "io/idx.h"
#include "io/mat.h"
#include "io/npy.h"
#include "io/npz.h"

namespace foldout {
namespace {

std::vector<std::string> keys_of(const MatReader& mat, bool with_texts) {
  using Kind = MatVariable::Kind;
  std::vector<std::string> keys;
  for (const MatVariable& variable : mat.variables())
    if (variable.kind != Kind::kOther &&
        (with_texts || (variable.kind != Kind::kText && variable.kind != Kind::kTexts)))
      keys.push_back(variable.name);
  return keys;
}

/// Labels that were found by their name: if they are not labels, the remedy is to name the samples.
template <class Read>
std::vector<std::string> labels_beside(const Location& location, const std::string& key, Read&& read) {
  try {
    return read();
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}; or read the samples alone, as {}:{}", error.what(), location.file, key));
  }
}

ArrayFile at_hand(Array array, std::shared_ptr<const FileBytes> file) {
  return {std::move(array), {}, std::move(file), {}};
}

/// Row by row, samples can be unpacked as they are asked for; column by column, only all at once.
ArrayFile packed(std::function<PackedArray()> open, const std::string& name) {
  PackedArray first = open();
  const bool row_by_row = !first.array.column_major || first.array.shape.size() < 2;
  if (row_by_row) return {std::move(first.array), std::move(open), nullptr, {}};
  return at_hand(unpack(std::move(first), name), nullptr);
}

ArrayFile open_idx(const Location& location, std::shared_ptr<const FileBytes> file) {
  const std::string& name = location.file;
  if (!is_gzip(file->bytes())) return at_hand(parse_idx(file->bytes(), name), file);
  const auto release = [file](std::span<const std::byte> passed) { file->release(passed); };
  return packed([file, name, release] { return open_gzipped_idx(file->bytes(), name, release); }, name);
}

ArrayFile open_npz(const Location& location, std::shared_ptr<const FileBytes> file, bool with_labels) {
  const auto npz = std::make_shared<const NpzReader>(std::move(file), location.file);
  const bool choose = location.key.empty();
  const std::string key = choose ? choose_samples(npz->keys(), location.file) : location.key;
  const std::string name = location.file + ":" + key;
  ArrayFile samples = packed([npz, key] { return npz->open(key); }, name);
  const auto labels = choose && with_labels ? find_labels(npz->keys()) : std::nullopt;
  if (labels && *labels != key)
    samples.labels =
        labels_beside(location, key, [&] { return to_label_texts(npz->read(*labels), location.file + ":" + *labels); });
  return samples;
}

ArrayFile open_mat(const Location& location, const std::shared_ptr<const FileBytes>& file, const ReadOptions& options,
                   bool with_labels) {
  const MatReader mat(file->bytes(), location.file, options);
  const bool choose = location.key.empty();
  const std::string key = choose ? choose_samples(keys_of(mat, false), location.file) : location.key;
  ArrayFile samples = at_hand(mat.read(key), file);
  if (samples.array.owner) samples.file = nullptr;
  const auto labels = choose && with_labels ? find_labels(keys_of(mat, true)) : std::nullopt;
  if (labels && *labels != key) samples.labels = labels_beside(location, key, [&] { return mat.read_labels(*labels); });
  return samples;
}

}  // namespace

ArrayFile open_arrays(const Location& location, const ReadOptions& options, bool with_labels) {
  auto file = open_file(location.file);
  switch (location.format) {
    case Format::kNpy:
      return at_hand(parse_npy(file->bytes(), location.file), file);
    case Format::kIdx:
      return open_idx(location, std::move(file));
    case Format::kNpz:
      return open_npz(location, std::move(file), with_labels);
    default:
      return open_mat(location, file, options, with_labels);
  }
}

std::vector<std::string> read_label_array(const Location& location, const ReadOptions& options) {
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
      const MatReader mat(file->bytes(), location.file, options);
      return mat.read_labels(location.key.empty() ? choose_labels(keys_of(mat, true), location.file) : location.key);
    }
  }
}

}  // namespace foldout
