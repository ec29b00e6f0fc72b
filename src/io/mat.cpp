// SPDX-License-Identifier: Apache-2.0
#include "io/mat.h"

#include <algorithm>
#include <filesystem>

#include "core/check.h"
#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/file_bytes.h"
#include "io/location.h"
#include "io/mat_format.h"
#include "io/unicode.h"

namespace foldout {
namespace {

constexpr std::size_t kHeaderSize = 128;
constexpr std::size_t kSuperblock = 512;  // where HDF5 starts in a version 7.3 file
constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// HDF5's first block: its signature, and the length that the file must have.
void check_superblock(std::span<const std::byte> bytes, const std::string& path) {
  ByteReader reader(bytes, path);
  reader.take(std::min(kSuperblock, bytes.size()), "the header");
  const std::string_view rest = as_text(bytes.subspan(reader.position()));
  if (!rest.starts_with(kHdf5Magic) || rest.size() < 52)
    bad_file(path, "is a .mat file of version 7.3 without its HDF5 part: it is damaged or cut off");
  const auto version = static_cast<unsigned char>(rest[8]);
  if (version > 3) bad_file(path, "has an HDF5 part of version {}; up to 3 can be read", version);
  reader.take(version == 0 ? 40 : version == 1 ? 44 : 28, "the HDF5 header");
  const auto length = reader.integer<std::uint64_t>("the length of the file");
  if (length > bytes.size()) bad_file(path, "has {} bytes, but should have {}: it is cut off", bytes.size(), length);
}

bool is_hdf5(std::span<const std::byte> bytes, const std::string& path) {
  if (bytes.size() < kHeaderSize) bad_file(path, "is not a .mat file, or cut off: it has only {} bytes", bytes.size());
  const std::string_view text = as_text(bytes);
  const std::string_view order = text.substr(126, 2);
  if (order != "IM" && order != "MI")
    bad_file(path,
             "is not a .mat file of version 5 to 7.3 (bytes 126 and 127 must be IM or MI): save it in MATLAB with "
             "-v7, or in scipy with savemat");
  const auto major = static_cast<unsigned char>(order == "IM" ? text[125] : text[124]);
  if (major != 1 && major != 2) bad_file(path, "has .mat version {}; versions 5 to 7.3 can be read", major);
  if (major == 2) check_superblock(bytes, path);
  return major == 2;
}

}  // namespace

MatReader::MatReader(std::span<const std::byte> bytes, std::string path, const ReadOptions& options)
    : bytes_(bytes), path_(std::move(path)), hdf5_(is_hdf5(bytes_, path_)) {
  if (hdf5_ && !options.trusted)
    bad_file(path_,
             "is a .mat file of version 7.3, whose library (HDF5) damaged files can crash: save it in MATLAB with -v7, "
             "or, in C++, set ReadOptions::trusted if you trust where it comes from");
  variables_ = hdf5_ ? list_mat73(path_) : list_mat5(bytes_, path_);
}

bool is_mat73(const std::string& path) {
  try {
    const Location location = locate_input(path);
    return location.format == Format::kMat && std::filesystem::is_regular_file(location.file) &&
           is_hdf5(open_file(location.file)->bytes(), path);
  } catch (const IoError&) {
    return false;  // reading it reports why
  }
}

const MatVariable& MatReader::find(const std::string& key) const {
  const auto found = std::ranges::find(variables_, key, &MatVariable::name);
  if (found != variables_.end()) return *found;
  std::vector<std::string> known;
  for (const MatVariable& variable : variables_) known.push_back(variable.name + " " + shape_text(variable.shape));
  bad_file(path_, "has no variable '{}'; it has: {}", key, fmt::join(known, ", "));
}

Array MatReader::read(const std::string& key) const {
  using Kind = MatVariable::Kind;
  const MatVariable& variable = find(key);
  const std::string name = fmt::format("{}:{}", path_, key);
  if (variable.kind == Kind::kComplex)
    bad_file(name, "is complex, but samples are real: save its real and imaginary parts as separate columns");
  if (variable.kind != Kind::kNumbers && variable.kind != Kind::kSparse)
    bad_file(name, "is not a matrix of numbers: name one that is");
  return hdf5_ ? read_mat73(variable, bytes_.size(), path_) : read_mat5(bytes_, path_, key);
}

std::vector<std::string> MatReader::read_labels(const std::string& key) const {
  using Kind = MatVariable::Kind;
  const MatVariable& variable = find(key);
  const std::string name = fmt::format("{}:{}", path_, key);
  if (variable.kind != Kind::kText && variable.kind != Kind::kTexts) return to_label_texts(read(key), name);
  std::vector<std::string> texts = hdf5_ ? read_mat73_texts(variable, path_) : read_mat5_texts(bytes_, path_, key);
  if (texts.empty()) bad_file(name, "has no labels in it");
  return texts;
}

std::vector<std::string> text_rows(const MatText& text) {
  std::vector<std::string> rows(text.rows);
  const std::size_t columns = text.rows == 0 ? 0 : text.units.size() / text.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      std::uint32_t unit = text.units[i + rows.size() * j];
      const std::uint32_t low = j + 1 < columns ? text.units[i + rows.size() * (j + 1)] : 0;
      if (unit >= 0xD800 && unit < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        ++j;
      }
      append_utf8(rows[i], unit);
    }
    rows[i].erase(rows[i].find_last_not_of(std::string_view(" \0", 2)) + 1);
  }
  return rows;
}

Array make_dense(const SparseColumns& sparse, const std::string& name) {
  constexpr double kAlwaysAllowed = 64e6;
  constexpr double kMaxRatio = 1000;
  const std::uint64_t size = byte_count({sparse.rows, sparse.columns}, sizeof(double), name);
  const double stored = 8.0 * static_cast<double>(sparse.values.size() + sparse.starts.size());
  if (static_cast<double>(size) > std::max(kAlwaysAllowed, kMaxRatio * stored))
    bad_file(name,
             "is a sparse matrix of {} by {}, of which {} values are stored; dense it would take {}: reduce its "
             "features first",
             sparse.rows, sparse.columns, sparse.values.size(), format_bytes(static_cast<double>(size)));
  require_memory(static_cast<double>(size), name, "reduce its features first");
  auto dense = std::make_shared<std::vector<double>>(size / sizeof(double));
  const bool sound = sparse.starts.size() == sparse.columns + 1 && sparse.starts.back() <= sparse.values.size() &&
                     sparse.row_indices.size() >= sparse.starts.back() && std::ranges::is_sorted(sparse.starts);
  if (!sound) bad_file(name, "is a sparse matrix whose column starts are damaged");
  for (std::uint64_t j = 0; j < sparse.columns; ++j)
    for (std::uint64_t k = sparse.starts[j]; k < sparse.starts[j + 1]; ++k) {
      const std::uint64_t i = sparse.row_indices[k];
      if (i >= sparse.rows) bad_file(name, "is a sparse matrix with row {} of {}: it is damaged", i, sparse.rows);
      (*dense)[i * sparse.columns + j] += sparse.values[k];
    }
  Array array;
  array.shape = {sparse.rows, sparse.columns};
  array.bytes = std::as_bytes(std::span(*dense));
  array.owner = std::move(dense);
  return array;
}

}  // namespace foldout
