// SPDX-License-Identifier: Apache-2.0
// A model file of any bytes is refused with IoError or is usable: a model that loads must also embed and explain
// samples, with finite results or a named error. Most mutations keep the form of the file and change one of its arrays
// or texts, so that they reach the loaders of maps and steps.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/archive.h"
#include "foldout/core/error.h"
#include "foldout/model/model.h"
#include "model/classify.h"
#include "model/model_archive.h"
#include "model/seal.h"
#include "neighbors/neighbors.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace foldout;
using Random = std::minstd_rand;

void change_entry(Tensor& tensor, Random& random) {
  static constexpr double kOdd[] = {0, -1, 1, 1e300, -1e300, 1e154, 1e-320, 0.5, 2, 3, 12, 1e9};
  const std::size_t slot = 8 * (random() % (tensor.bytes.size() / 8));
  const double value = kOdd[random() % std::size(kOdd)];
  const auto integer = static_cast<std::int64_t>(random() % 40) - 10;
  std::vector<std::uint8_t> bytes = tensor.bytes.copy();
  std::memcpy(bytes.data() + slot, tensor.dtype == "F64" ? static_cast<const void*>(&value) : &integer, 8);
  tensor.bytes = ByteBlock(std::move(bytes));
}

/// One row more or less, rows and columns exchanged, or no columns.
void change_shape(Tensor& tensor, Random& random) {
  if (tensor.shape.empty()) return;
  const std::uint64_t rows = tensor.shape[0];
  std::vector<std::uint8_t> bytes = tensor.bytes.copy();
  switch (random() % 3) {
    case 0:
      if (rows == 0) return;
      tensor.shape[0] = random() % 2 == 0 ? rows - 1 : rows + 1;
      bytes.resize(bytes.size() / rows * tensor.shape[0]);
      tensor.bytes = ByteBlock(std::move(bytes));
      return;
    case 1:
      std::ranges::reverse(tensor.shape);
      return;
    default:
      tensor.shape.back() = 0;
      tensor.shape.front() = tensor.shape.size() > 1 ? std::uint64_t{1} << (random() % 41) : 0;
      tensor.bytes = {};
  }
}

void change_text(std::string& text, Random& random) {
  static constexpr const char* kWords[] = {"identity",
                                           "none",
                                           "dct",
                                           "haar",
                                           "rotation",
                                           "columns",
                                           "kernel",
                                           "lle",
                                           "graph",
                                           "sparse",
                                           "local",
                                           "plain_kernel",
                                           "cosine_distances",
                                           "distances",
                                           "precomputed_kernel",
                                           "random_nodes",
                                           "coded",
                                           "linear",
                                           "rbf",
                                           "polynomial",
                                           "explicit",
                                           "hadamard",
                                           "unit_identity",
                                           "unit_kernel",
                                           "unit_polynomial"};
  if (random() % 2 == 0) {
    text = kWords[random() % std::size(kWords)];
    return;
  }
  const std::size_t size = text.size();
  text.resize(size + 8);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  for (char& c : text) c = static_cast<char>(c & 0x7f);  // stays UTF-8
}

void change(Archive& archive, Random& random) {
  if (random() % 4 == 0 && !archive.texts.empty()) {
    change_text(std::next(archive.texts.begin(), static_cast<std::ptrdiff_t>(random() % archive.texts.size()))->second,
                random);
    return;
  }
  if (archive.tensors.empty()) return;
  Tensor& tensor =
      std::next(archive.tensors.begin(), static_cast<std::ptrdiff_t>(random() % archive.tensors.size()))->second;
  if (random() % 4 == 0)
    change_shape(tensor, random);
  else if (tensor.bytes.size() >= 8)
    change_entry(tensor, random);
}

// Sets a valid checksum, so that mutations reach the code behind it.
std::vector<std::uint8_t> with_checksum(std::span<const std::uint8_t> data) {
  std::vector<std::uint8_t> bytes(data.begin(), data.end());
  if (const auto digits = find_checksum_digits(bytes)) {
    const std::string sum = checksum_digits(bytes, *digits);
    std::copy(sum.begin(), sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(*digits));
  }
  return bytes;
}

void require(bool holds) {
  if (!holds) std::abort();
}

void use(const Model& model) {
  if (model.n_features > 1000) return;
  Matrix samples = Matrix::Constant(3, model.n_features, 0.5);
  samples.row(1) *= 40;
  samples(2, 0) = 30;
  require(model.transform(samples).allFinite());
  const Explanation explanation = model.explain(samples);
  require(explanation.residuals.allFinite());
  if (model.classifier) require(model.classify(samples).size() == 3);
  require((explanation.confidence.array() >= 0).all() && (explanation.confidence.array() <= 1).all());
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed);
  if (random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  try {
    Archive archive = decode_archive(with_checksum({data, size}), "fuzz");
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) change(archive, random);
    const std::vector<std::uint8_t> bytes = encode_archive(archive);
    if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::copy(bytes.begin(), bytes.end(), data);
    return bytes.size();
  } catch (const std::exception&) {  // not a model file before the mutation
    return LLVMFuzzerMutate(data, size, max_size);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    use(from_archive(decode_archive(with_checksum({data, size}), "fuzz")));
  } catch (const IoError&) {
  } catch (const InvalidArgument&) {
  } catch (const NumericalError&) {
  }
  return 0;
}
