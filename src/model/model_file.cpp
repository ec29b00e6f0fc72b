// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/archive.h"
#include "foldout/core/error.h"
#include "foldout/core/version.h"
#include "foldout/model/model.h"
#include "io/atomic_file.h"
#include "io/file_bytes.h"
#include "io/written.h"
#include "model/model_archive.h"
#include "model/seal.h"

namespace foldout {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kDigits = 32;
constexpr std::string_view kChecksumKey = R"("checksum":"xxh3:)";
constexpr std::size_t kLongestHeader = 64 << 20;

std::size_t dtype_size(std::string_view dtype) {
  if (dtype == "F64" || dtype == "I64") return 8;
  if (dtype == "F32" || dtype == "I32") return 4;
  if (dtype == "U8") return 1;
  return 0;
}

// Keys in alphabetical order and no white space: the same archive gives the same bytes.
std::string make_header(const Archive& archive) {
  // Objects from the start: a null that becomes one cannot be destroyed if there is no memory for it.
  nlohmann::json header = nlohmann::json::object(), metadata = nlohmann::json::object();
  metadata["format"] = "foldout";
  metadata["format_version"] = std::to_string(kModelFormat);
  metadata["foldout_version"] = kVersion;
  metadata["checksum"] = fmt::format("xxh3:{}", std::string(kDigits, '0'));
  for (const auto& [name, text] : archive.texts) metadata["text." + name] = text;
  header["__metadata__"] = std::move(metadata);
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : archive.tensors) {
    header[name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // arrays start at a multiple of eight
  return text;
}

// The hash of all bytes except the digits themselves.
class Checksum {
 public:
  Checksum() : state_(XXH3_createState(), &XXH3_freeState) { XXH3_128bits_reset(state_.get()); }
  void add(std::span<const std::uint8_t> bytes) { XXH3_128bits_update(state_.get(), bytes.data(), bytes.size()); }
  [[nodiscard]] std::string digits() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

class Decoder {
 public:
  Decoder(std::span<const std::uint8_t> bytes, const std::string& name, std::shared_ptr<const void> owner)
      : bytes_(bytes), name_(name), owner_(std::move(owner)) {}

  Archive decode() {
    read_header();
    check_format();
    check_sum();
    Archive archive;
    for (const auto& [key, value] : header_.at("__metadata__").items())
      if (key.starts_with("text.")) archive.texts[key.substr(5)] = value.get<std::string>();
    read_tensors(archive);
    return archive;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw IoError(fmt::format("{}: {}: give an undamaged model file, as fit or extend wrote it, or fit the model again",
                              name_, what));
  }

  void read_header() {
    if (bytes_.size() < kLengthBytes + 2) fail("the file is too short to be a model");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), kLengthBytes);
    if (length > kLongestHeader || length > bytes_.size() - kLengthBytes)
      fail("this is not a foldout model, or it is truncated, since the header would be longer than the file");
    header_size_ = static_cast<std::size_t>(length);
    text_ = {reinterpret_cast<const char*>(bytes_.data()) + kLengthBytes, header_size_};
    // The depth is bounded here, because the parser is recursive.
    int depth = 0, deepest = 0;
    for (const char c : text_) {
      depth += (c == '{' || c == '[') ? 1 : (c == '}' || c == ']') ? -1 : 0;
      deepest = std::max(deepest, depth);
    }
    constexpr int kDeepest = 4096;  // generous, because brackets inside strings count too
    header_ = deepest > kDeepest ? nlohmann::json() : nlohmann::json::parse(text_, nullptr, false);
    if (!header_.is_object() || !header_.contains("__metadata__") || !header_["__metadata__"].is_object())
      fail("this is not a foldout model: its header is not that of a safetensors file with metadata");
    for (const auto& [key, value] : header_["__metadata__"].items())
      if (!value.is_string()) fail(fmt::format("metadata entry '{}' is not text", key));
  }

  void check_format() const {
    const auto& metadata = header_.at("__metadata__");
    if (metadata.value("format", "") != "foldout") fail("this is a safetensors file, but not a foldout model");
    const std::string version = metadata.value("format_version", "");
    int number = 0;
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc{} || end != version.data() + version.size() || number < 1)
      fail("the format version is damaged");
    if (number > kModelFormat)
      throw IoError(fmt::format(
          "{}: the model has format version {}, but foldout {} reads versions up to {}: install a newer foldout", name_,
          number, kVersion, kModelFormat));
  }

  void check_sum() const {
    const std::string value = header_.at("__metadata__").value("checksum", "");
    const auto digits = find_checksum_digits(bytes_.first(kLengthBytes + header_size_));
    const bool once = text_.find(kChecksumKey) == text_.rfind(kChecksumKey);
    if (!digits || *digits + kDigits > kLengthBytes + header_size_ || !once) fail("the checksum is missing");
    const std::string expected = checksum_digits(bytes_, *digits);
    if (value != "xxh3:" + expected || text_.substr(*digits - kLengthBytes, kDigits) != expected)
      fail("the file is damaged: its checksum does not match");
  }

  void read_tensors(Archive& archive) const {
    const std::size_t data = kLengthBytes + header_size_;
    const std::uint64_t available = bytes_.size() - data;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const auto& [name, entry] : header_.items()) {
      if (name == "__metadata__") continue;
      try {
        Tensor tensor{entry.at("dtype").get<std::string>(), {}, {}};
        for (const auto& extent : entry.at("shape")) tensor.shape.push_back(whole_number(extent, name));
        const std::uint64_t begin = whole_number(entry.at("data_offsets").at(0), name);
        const std::uint64_t end = whole_number(entry.at("data_offsets").at(1), name);
        if (begin > end || end > available) fail(fmt::format("array '{}' reaches beyond the file", name));
        if (!size_matches(tensor, end - begin))
          fail(fmt::format("the size of array '{}' does not match its shape", name));
        tensor.bytes = ByteBlock(bytes_.subspan(data + begin, end - begin), owner_);
        ranges.emplace_back(begin, end);
        archive.tensors[name] = std::move(tensor);
      } catch (const nlohmann::json::exception&) {
        fail(fmt::format("the entry of array '{}' is damaged", name));
      }
    }
    std::ranges::sort(ranges);  // the arrays must cover the data without holes or overlaps
    std::uint64_t covered = 0;
    for (const auto& [begin, end] : ranges) {
      if (begin != covered) fail("the arrays leave holes or overlap");
      covered = end;
    }
    if (covered != available) fail("the file is longer or shorter than its arrays");
  }

  [[nodiscard]] std::uint64_t whole_number(const nlohmann::json& value, const std::string& name) const {
    if (!value.is_number_unsigned()) fail(fmt::format("the entry of array '{}' is damaged", name));
    return value.get<std::uint64_t>();
  }

  static bool size_matches(const Tensor& tensor, std::uint64_t bytes) {
    std::uint64_t size = dtype_size(tensor.dtype);
    if (size == 0) return false;
    for (const std::uint64_t extent : tensor.shape) {
      if (extent != 0 && size > UINT64_MAX / extent) return false;
      size *= extent;
    }
    return size == bytes;
  }

  std::span<const std::uint8_t> bytes_;
  const std::string& name_;
  std::shared_ptr<const void> owner_;  // of the bytes
  std::size_t header_size_ = 0;
  std::string_view text_;
  nlohmann::json header_;
};

}  // namespace

std::optional<std::size_t> find_checksum_digits(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kLengthBytes) return {};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t at = text.find(kChecksumKey, kLengthBytes);
  if (at == std::string_view::npos || at + kChecksumKey.size() + kDigits > bytes.size()) return {};
  return at + kChecksumKey.size();
}

std::string checksum_digits(std::span<const std::uint8_t> bytes, std::size_t digits_at) {
  Checksum sum;
  sum.add(bytes.first(digits_at));
  sum.add(bytes.subspan(digits_at + kDigits));
  return sum.digits();
}

void write_archive(std::ostream& out, const Archive& archive) {
  std::string start(kLengthBytes, '\0');
  start += make_header(archive);
  const std::uint64_t length = start.size() - kLengthBytes;
  std::memcpy(start.data(), &length, kLengthBytes);
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(start.data()), start.size());
  const std::size_t digits = find_checksum_digits(bytes).value();
  Checksum sum;
  sum.add(bytes.first(digits));
  sum.add(bytes.subspan(digits + kDigits));
  for (const auto& [name, tensor] : archive.tensors) sum.add({tensor.bytes.data(), tensor.bytes.size()});
  start.replace(digits, kDigits, sum.digits());
  out << start;
  for (const auto& [name, tensor] : archive.tensors)
    out.write(reinterpret_cast<const char*>(tensor.bytes.data()), static_cast<std::streamsize>(tensor.bytes.size()));
}

std::vector<std::uint8_t> encode_archive(const Archive& archive) {
  const std::string bytes = written([&](std::ostream& out) { write_archive(out, archive); });
  return {bytes.begin(), bytes.end()};
}

Archive decode_archive(std::span<const std::uint8_t> bytes, const std::string& name) {
  return Decoder(bytes, name, nullptr).decode();
}

Archive decode_archive(std::vector<std::uint8_t>&& bytes, const std::string& name) {
  const auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  return Decoder(*owner, name, owner).decode();
}

namespace {

std::span<const std::uint8_t> bytes_of(const FileBytes& file) {
  return {reinterpret_cast<const std::uint8_t*>(file.bytes().data()), file.bytes().size()};
}

// A model that cannot be read, or places samples differently, must not replace a good one.
void require_readable(const std::string& written, const std::string& path, const Model& model) {
  constexpr Index kRows = 3;
  const auto fail = [&](std::string_view reason) {
    throw NumericalError(
        fmt::format("{}: the model was not written, because it could not be read back ({}): scale the samples, for "
                    "example with the preprocessing step standardize",
                    path, reason));
  };
  try {
    const FileBytes file(written);
    const Model loaded = from_archive(decode_archive(bytes_of(file), path));
    const Matrix* reference = model.confidence->reference();
    if (!reference) return;
    const Matrix rows = reference->topRows(std::min(kRows, reference->rows()));
    const Matrix before = model.map->transform(rows), after = loaded.map->transform(rows);
    if (std::memcmp(before.data(), after.data(), sizeof(double) * static_cast<std::size_t>(before.size())) != 0)
      fail("it places samples differently");
  } catch (const IoError& error) {
    fail(error.what());
  }
}

}  // namespace

void save_model(const std::string& path, const Model& model) {
  AtomicFile file(path);
  write_archive(file.stream(), to_archive(model));
  if (file.can_seek() && file.stream().flush()) require_readable(file.temporary(), path, model);
  file.commit();
}

Model load_model(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw IoError(fmt::format("{}: this is a folder, not a model file", path));
  if (!std::ifstream(path))
    throw IoError(fmt::format("{}: no such model file, or it cannot be read: check the path", path));
  const FileBytes file(path);
  try {
    return from_archive(decode_archive(bytes_of(file), path));
  } catch (const IoError& error) {
    const std::string_view text = error.what();
    if (text.starts_with(path)) throw;
    throw IoError(fmt::format("{}: {}", path, text));
  }
}

}  // namespace foldout
