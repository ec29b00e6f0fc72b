// SPDX-License-Identifier: Apache-2.0
// Samples and labels, from and to files of every format; the format follows the file's name:
//
//   .npy   .npz (file.npz:key)   .mat (file.mat:key)   .csv .tsv .txt   .idx .gz (IDX)   an image folder   - (CSV)
//
// A file with another ending is recognised by its first bytes. Whatever is wrong with a file becomes an
// IoError: the file, the place, the rule and a remedy. No file, however damaged, makes these functions crash
// or allocate more than its own size justifies, unless ReadOptions::trusted says that it is not damaged. Every output
// appears whole under its name or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/sample_stream.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// Which columns of a table to take for what: names from its header, or positions counted from 1 (negative: from the
/// end). Other formats have no columns to choose from.
struct ColumnChoice {
  std::string label = {};                  ///< "none": no column; empty: recognised
  std::string id = {};                     ///< likewise
  std::vector<std::string> drop = {};      ///< columns to leave out
  std::vector<std::string> features = {};  ///< the only features; empty: all other columns

  [[nodiscard]] bool empty() const { return label.empty() && id.empty() && drop.empty() && features.empty(); }
};

/// What to do with cells that are empty, "NA" or the like, and with NaN: refuse the file, leave out the sample, or
/// replace them by the mean of the feature.
enum class MissingValues : std::uint8_t { kError, kDrop, kMean };

struct ReadOptions {
  /// Also read .mat files of version 7.3. They go through HDF5, which damaged files can make crash or loop: set it for
  /// files from a source you trust, or in a process that may crash, as the tool does.
  bool trusted = false;
  /// For open_stream() on standard input: a block ends where the next row has not arrived yet, and the rows before a
  /// bad one are delivered. Otherwise blocks are full.
  bool as_they_arrive = false;
  ColumnChoice columns = {};
  TableLayout like = {};  ///< columns of the same names (or positions) have the same role and order as here
  MissingValues missing = MissingValues::kError;
  Vector fill = {};        ///< the means for kMean; load_dataset() computes them if empty, open_stream() needs them
  bool skip_bad = false;   ///< leave out rows and images that cannot be read; the stream lists them
  ImageShape resize = {};  ///< scale images (not other samples) to this size; zero: they must be of one size
};

/// Samples, with their labels where the file has them: a CSV's label column, the folders of images, an array
/// named y, labels, label, gnd or target in the same .npz or .mat file (unless a key was given).
[[nodiscard]] Dataset load_dataset(const std::string& path, const ReadOptions& options = {});

/// The same in blocks. Memory is bounded by a block, except that .mat files and Fortran-order arrays in .npz
/// files are unpacked into memory first. Throws IoError.
[[nodiscard]] std::unique_ptr<SampleStream> open_stream(const std::string& path, const ReadOptions& options = {});

/// A 1-D array, or one label a line (.txt, .csv, .tsv; a first line "label" or alike is a header).
[[nodiscard]] Labels load_labels(const std::string& path, const ReadOptions& options = {});

/// Numbers only, such as coordinates: a 1-D array becomes one column, and no CSV column is taken for labels.
[[nodiscard]] Matrix load_matrix(const std::string& path, const ReadOptions& options = {});

/// Writes .npy, .npz (key "data"), .csv, .tsv, .txt, .mat (variable "data") or, for "-", CSV on standard output.
/// `columns` is the header of the text formats.
void save_matrix(const std::string& path, const MatrixRef& values, const std::vector<std::string>& columns = {});

/// Writes one label per sample: int64 or text arrays in .npy, .npz and .mat (named "labels"), else one a line.
/// The text formats except .txt have a header and, if there are ids, a column of them.
void save_labels(const std::string& path, const Labels& labels, const std::vector<std::string>& ids = {});

/// Writes a matrix as scipy.sparse.load_npz reads it (compressed sparse rows).
void save_sparse_npz(const std::string& path, const SparseMatrix& values);

/// Whether save_matrix and save_labels know the ending; throws InvalidArgument that lists the formats if not.
/// For checking a request before the work starts.
void require_output_format(const std::string& path);

}  // namespace foldout
