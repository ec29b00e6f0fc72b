// SPDX-License-Identifier: Apache-2.0
#include "io/location.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "io/bad_file.h"
#include "io/csv_records.h"
#include "io/image.h"
#include "io/text_source.h"

namespace foldout {
namespace {

namespace fs = std::filesystem;

struct Ending {
  std::string_view text;
  Format format;
};
constexpr Ending kEndings[] = {{".npy", Format::kNpy},  {".npz", Format::kNpz},  {".mat", Format::kMat},
                               {".csv", Format::kText}, {".tsv", Format::kText}, {".txt", Format::kText},
                               {".idx", Format::kIdx},  {".gz", Format::kIdx},   {".jsonl", Format::kJsonLines}};

std::string extension_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

std::optional<Format> format_by_name(const std::string& path) {
  if (is_packed_text(path)) return path.ends_with(".jsonl.gz") ? Format::kJsonLines : Format::kText;
  const std::string extension = extension_of(path);
  const auto found = std::ranges::find(kEndings, extension, &Ending::text);
  return found == std::end(kEndings) ? std::nullopt : std::optional(found->format);
}

Format format_by_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(512, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  if (start.starts_with("\x93NUMPY")) return Format::kNpy;
  if (start.starts_with("PK\x03\x04")) return Format::kNpz;
  if (start.starts_with("MATLAB ")) return Format::kMat;
  if (start.starts_with("\x1f\x8b") || start.starts_with(std::string_view("\0\0", 2))) return Format::kIdx;
  const auto is_text = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  };
  if (std::ranges::all_of(start, is_text)) return Format::kText;
  bad_file(
      path,
      "is of no known format: give a .npy, .npz, .mat, .csv, .tsv, .txt, .jsonl or IDX file (.idx, .gz), an image, or "
      "a folder of images");
}

constexpr std::array<std::string_view, 4> kSampleKeys = {"X", "data", "fea", "samples"};
constexpr std::array<std::string_view, 5> kLabelKeys = {"y", "labels", "label", "gnd", "target"};

template <std::size_t N>
std::optional<std::string> first_of(const std::array<std::string_view, N>& wanted,
                                    const std::vector<std::string>& keys) {
  for (const std::string_view key : wanted)
    if (std::ranges::find(keys, key) != keys.end()) return std::string(key);
  return std::nullopt;
}

[[noreturn]] void ask_which(const std::vector<std::string>& keys, const std::string& name) {
  if (keys.empty()) bad_file(name, "has no array in it that could be meant: is it the right file?");
  bad_file(name, "has several arrays: say which one, as {}:{}; it has: {}", name, keys[0], fmt::join(keys, ", "));
}

}  // namespace

Location locate_input(const std::string& path) {
  Location location{path, path, "", Format::kText};
  std::error_code error;
  if (path == "-") {
    location.format = Format::kStandardStream;
    return location;
  }
  if (fs::is_directory(path, error)) {
    location.format = Format::kFolder;
    return location;
  }
  const std::size_t colon = path.rfind(':');
  if (colon != std::string::npos && !fs::exists(path, error)) {
    const std::string file = path.substr(0, colon);
    const auto format = format_by_name(file);
    if (format == Format::kNpz || format == Format::kMat) return {path, file, path.substr(colon + 1), *format};
  }
  if (!fs::exists(path, error)) bad_file(path, "does not exist: check the path");
  if (has_image_name(path)) return {path, path, "", Format::kImage};
  const auto format = format_by_name(path);
  // A pipe can be read only once, and is not looked into: it brings text.
  if (!format && !fs::is_regular_file(path, error)) return location;
  location.format = format ? *format : format_by_content(path);
  return location;
}

Location locate_output(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return {path, path, "", Format::kStandardStream};
  const auto format = format_by_name(path);
  std::error_code error;
  const auto kind = fs::status(path, error).type();
  const bool device = kind == fs::file_type::character || kind == fs::file_type::fifo || kind == fs::file_type::socket;
  if (!format && device) return {path, path, "", Format::kText};  // /dev/null, /dev/stdout, a named pipe
  if (!format || format == Format::kIdx || format == Format::kJsonLines || is_packed_text(path))
    throw InvalidArgument(fmt::format(
        "{}: its ending says no format that can be written: use .npy, .npz, .csv, .tsv, .txt or .mat, or - for CSV on "
        "standard output",
        path));
  return {path, path, "", *format};
}

char separator_of(const std::string& file) {
  const std::string extension = extension_of(is_packed_text(file) ? file.substr(0, file.size() - 3) : file);
  return extension == ".tsv" ? '\t' : extension == ".txt" ? kNoSeparator : ',';
}

std::string choose_samples(const std::vector<std::string>& keys, const std::string& name) {
  if (const auto key = first_of(kSampleKeys, keys)) return *key;
  std::vector<std::string> candidates;
  for (const std::string& key : keys)
    if (std::ranges::find(kLabelKeys, key) == kLabelKeys.end()) candidates.push_back(key);
  if (candidates.size() == 1) return candidates[0];
  if (keys.size() == 1) return keys[0];
  ask_which(keys, name);
}

std::optional<std::string> find_labels(const std::vector<std::string>& keys) { return first_of(kLabelKeys, keys); }

std::string choose_labels(const std::vector<std::string>& keys, const std::string& name) {
  if (const auto key = find_labels(keys)) return *key;
  if (keys.size() == 1) return keys[0];
  ask_which(keys, name);
}

}  // namespace foldout
