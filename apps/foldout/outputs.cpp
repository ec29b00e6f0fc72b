// SPDX-License-Identifier: Apache-2.0
#include "outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/spec_fields.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "io/csv_records.h"
#include "io/location.h"

namespace foldout::cli {
namespace {

namespace fs = std::filesystem;

bool is_device(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// Whether two paths lead to one file, which need not exist yet. Devices may be named twice.
bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-" || is_device(a) || is_device(b)) return false;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(a), error) == fs::weakly_canonical(fs::absolute(b), error);
}

// The file of an input such as faces.npz:X. Errors of inputs are reported when they are read.
std::string file_of(const std::string& input) {
  try {
    return locate_input(input).file;
  } catch (const IoError&) {
    return input;
  }
}

void require_writable(const NamedFile& output) {
  const std::string& path = output.path;
  if (path == "-" || is_device(path)) return;
  std::error_code error;
  if (fs::is_directory(path, error))
    throw IoError(fmt::format("{}: is a directory: give the name of a file in it", path));
  const fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  const fs::path folder = (target.empty() ? fs::absolute(path) : target).parent_path();
  if (!fs::is_directory(folder, error))
    throw IoError(fmt::format("{}: the folder {} does not exist: create it first", path, folder.string()));
  if (::access(folder.c_str(), W_OK) != 0)
    throw IoError(fmt::format("{}: the folder {} cannot be written: check its permissions", path, folder.string()));
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available == 0)
    throw IoError(fmt::format("{}: the disk of {} is full: make room first", path, folder.string()));
}

void check_paths(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) continue;
    for (const NamedFile& input : inputs)
      if (!input.path.empty() && input.path != "-" && same_file(file_of(input.path), path))
        throw InvalidArgument(fmt::format("{} {}: is also the input {}, and would be replaced: give another name",
                                          option, path, input.path));
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[j].path.empty() && same_file(outputs[j].path, path))
        throw InvalidArgument(
            fmt::format("{}: two results cannot be written to one file ({} and {}): give each its own", path,
                        outputs[j].option, option));
    require_writable(outputs[i]);
  }
}

}  // namespace

void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (const NamedFile& output : outputs)
    if (!output.path.empty()) require_output_format(output.path);
  check_paths(inputs, outputs);
}

void check_model_output(const std::vector<NamedFile>& inputs, const NamedFile& model,
                        const std::vector<NamedFile>& outputs) {
  for (const NamedFile& output : outputs)
    if (!output.path.empty()) require_output_format(output.path);
  std::vector<NamedFile> all = outputs;
  all.insert(all.begin(), model);
  check_paths(inputs, all);
}

void check_further_columns(const std::vector<std::string>& with, const std::vector<std::string_view>& known,
                           const std::string& output, bool no_header) {
  for (const std::string& column : with)
    if (std::ranges::find(known, column) == known.end())
      throw InvalidArgument(
          fmt::format("--with {}: must be among {}{}", column, fmt::join(known, ", "), suggest(column, known)));
  const bool table = locate_output(output).format == Format::kStandardStream ||
                     (locate_output(output).format == Format::kText && separator_of(output) != kNoSeparator);
  if (!with.empty() && (!table || no_header))
    throw InvalidArgument(fmt::format(
        "--with {}: further columns need a table with a header: write to .csv, .tsv or -, without --no-header",
        fmt::join(with, ",")));
}

void add_header_option(CLI::App& verb, bool& no_header) {
  verb.add_flag("--no-header", no_header, "Text outputs without a header and without ids: bare numbers or labels");
}

std::vector<std::string> coordinate_names(Index n_components, bool no_header) {
  std::vector<std::string> names;
  for (Index k = 1; k <= n_components && !no_header; ++k) names.push_back(fmt::format("y{}", k));
  return names;
}

}  // namespace foldout::cli
