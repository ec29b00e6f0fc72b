// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <iostream>
#include <sstream>

#include "foldout/io/files.h"
#include "io/atomic_file.h"
#include "io/bad_file.h"
#include "io/csv.h"
#include "io/location.h"
#include "io/mat.h"
#include "io/npy.h"
#include "io/npz.h"

namespace foldout {
namespace {

template <class... Values>
std::string npy_bytes(const Values&... values) {
  std::ostringstream out;
  write_npy(out, values...);
  return std::move(out).str();
}

/// `values` is a matrix, integers or texts: whatever the array formats have an overload for.
template <class Values>
void write_array(std::ostream& out, Format format, const std::string& key, const Values& values) {
  if (format == Format::kNpy)
    write_npy(out, values);
  else if (format == Format::kNpz)
    write_npz(out, {{key, npy_bytes(values)}});
  else
    write_mat(out, key, values);
}

std::vector<std::int64_t> integers_of(const std::vector<std::string>& labels) {
  std::vector<std::int64_t> values(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const char* end = labels[i].data() + labels[i].size();
    if (std::from_chars(labels[i].data(), end, values[i]).ptr != end || labels[i].empty())
      throw InvalidArgument(fmt::format("labels: row {} is {}, which is not an integer", i, quoted(labels[i])));
  }
  return values;
}

}  // namespace

void require_output_format(const std::string& path) { (void)locate_output(path); }

void save_matrix(const std::string& path, const MatrixRef& values, const std::vector<std::string>& columns) {
  const Location location = locate_output(path);
  if (location.format == Format::kStandardStream) {
    CsvWriter writer(std::cout, "standard output", columns);
    writer.write(values);
    return writer.flush();
  }
  AtomicFile file(path);
  if (location.format == Format::kText) {
    const char separator = separator_of(path) == '\t' ? '\t' : ',';
    CsvWriter writer(file.stream(), path, columns, separator);
    writer.write(values);
    writer.flush();
  } else {
    write_array(file.stream(), location.format, "data", values);
  }
  file.commit();
}

void save_labels(const std::string& path, const std::vector<std::string>& labels, bool integers) {
  const Location location = locate_output(path);
  if (location.format == Format::kStandardStream) {
    CsvWriter writer(std::cout, "standard output");
    for (const std::string& label : labels) writer.write_label(label);
    return writer.flush();
  }
  AtomicFile file(path);
  if (location.format == Format::kText) {
    CsvWriter writer(file.stream(), path);
    for (const std::string& label : labels) writer.write_label(label);
    writer.flush();
  } else if (integers) {
    write_array(file.stream(), location.format, "labels", integers_of(labels));
  } else {
    write_array(file.stream(), location.format, "labels", labels);
  }
  file.commit();
}

void save_sparse_npz(const std::string& path, const SparseMatrix& values) {
  SparseMatrix compressed = values;
  compressed.makeCompressed();
  const auto count = static_cast<std::size_t>(compressed.nonZeros());
  const auto rows = static_cast<std::size_t>(compressed.rows());
  const std::vector<std::int64_t> shape = {compressed.rows(), compressed.cols()};
  std::ostringstream format;
  write_npy_bytes_scalar(format, "csr");
  AtomicFile file(path);
  write_npz(file.stream(),
            {{"indices", npy_bytes(std::span<const int>(compressed.innerIndexPtr(), count))},
             {"indptr", npy_bytes(std::span<const int>(compressed.outerIndexPtr(), rows + 1))},
             {"format", std::move(format).str()},
             {"shape", npy_bytes(std::span<const std::int64_t>(shape))},
             {"data", npy_bytes(std::span<const double>(compressed.valuePtr(), count))}},
            Packing::kDeflated);
  file.commit();
}

}  // namespace foldout
