// SPDX-License-Identifier: Apache-2.0
// A file with any byte changed, cut anywhere, or grown is refused, always as IoError.
#include <gtest/gtest.h>

#include <cstring>

#include "core/random.h"
#include "foldout/core/error.h"
#include "model/model_archive.h"
#include "model/models.h"

namespace foldout {
namespace {

using Bytes = std::vector<std::uint8_t>;

testing::AssertionResult refused(const Bytes& bytes) {
  try {
    (void)from_archive(decode_archive(bytes, "m.fold"));
  } catch (const IoError& error) {
    return std::strlen(error.what()) > 10 ? testing::AssertionSuccess() : testing::AssertionFailure() << "no message";
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "not an IoError: " << error.what();
  }
  return testing::AssertionFailure() << "accepted";
}

TEST(ModelFileDamage, EveryFlippedBitIsSeen) {
  Bytes bytes = file_of({.method = "pca:n_components=1"});
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= static_cast<std::uint8_t>(1 << bit);
      ASSERT_TRUE(refused(bytes)) << "byte " << i << ", bit " << bit;
      bytes[i] ^= static_cast<std::uint8_t>(1 << bit);
    }
  EXPECT_NO_THROW((void)from_archive(decode_archive(bytes, "m.fold")));
}

TEST(ModelFileDamage, ThousandsOfChangedBytesAreSeen) {
  Rng rng(1);
  for (const ModelSpec& spec : small_specs()) {
    const Bytes good = file_of(spec);
    for (int round = 0; round < 1500; ++round) {
      Bytes bytes = good;
      for (std::uint64_t changes = 1 + rng.below(4); changes > 0; --changes)
        bytes[rng.below(bytes.size())] = static_cast<std::uint8_t>(rng.below(256));
      if (bytes == good) continue;
      ASSERT_TRUE(refused(bytes)) << spec.method.text() << ", round " << round;
    }
  }
}

TEST(ModelFileDamage, EveryTruncationIsSeen) {
  for (const ModelSpec& spec : {small_specs()[0], small_specs()[3]}) {
    const Bytes good = file_of(spec);
    for (std::size_t size = 0; size < good.size(); ++size)
      ASSERT_TRUE(refused(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)))) << size;
  }
}

TEST(ModelFileDamage, MissingAndRepeatedPiecesAreSeen) {
  Rng rng(2);
  const Bytes good = file_of(small_specs()[1]);
  for (int round = 0; round < 1000; ++round) {
    Bytes bytes = good;
    const auto from = static_cast<std::ptrdiff_t>(rng.below(good.size() - 64));
    const auto length = static_cast<std::ptrdiff_t>(1 + rng.below(60));
    if (round % 2 == 0)
      bytes.erase(bytes.begin() + from, bytes.begin() + from + length);
    else
      bytes.insert(bytes.begin() + from, good.begin() + from, good.begin() + from + length);
    ASSERT_TRUE(refused(bytes)) << round;
  }
}

TEST(ModelFileDamage, AppendedBytesAreSeen) {
  for (const std::size_t extra : {1, 7, 8, 64, 4096}) {
    Bytes bytes = file_of(small_specs()[0]);
    bytes.resize(bytes.size() + extra, extra % 2 == 0 ? 0 : ' ');
    EXPECT_TRUE(refused(bytes)) << extra;
  }
}

TEST(ModelFileDamage, LyingHeaderLengthsAreSeen) {
  const Bytes good = file_of(small_specs()[0]);
  std::uint64_t honest = 0;
  std::memcpy(&honest, good.data(), 8);
  const std::uint64_t size = good.size();
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, honest - 8, honest - 1, honest + 1, honest + 8, size - 9,
        size - 8, size - 7, size, size * 2, std::uint64_t{1} << 31, std::uint64_t{1} << 32, std::uint64_t{1} << 63,
        ~std::uint64_t{0}, ~std::uint64_t{0} - 7}) {
    if (length == honest) continue;
    Bytes bytes = good;
    std::memcpy(bytes.data(), &length, 8);
    EXPECT_TRUE(refused(bytes)) << length;
  }
}

TEST(ModelFileDamage, OtherFilesAreNotModels) {
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused(Bytes(100, 0)));
  EXPECT_TRUE(refused(Bytes(100, 0xff)));
  Rng rng(3);
  for (int round = 0; round < 500; ++round) {
    Bytes bytes(8 + rng.below(300));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(rng.below(256));
    const std::uint64_t length = rng.below(bytes.size());
    if (round % 2 == 0) std::memcpy(bytes.data(), &length, 8);
    ASSERT_TRUE(refused(bytes)) << round;
  }
}

TEST(ModelFileDamage, DeepNestingIsRefused) {
  for (const std::string& piece : {std::string("["), std::string("{\"a\":"), std::string("\"[\",")}) {
    std::string text;
    while (text.size() < 3000000) text += piece;
    Bytes bytes(8);
    const std::uint64_t length = text.size();
    std::memcpy(bytes.data(), &length, 8);
    bytes.insert(bytes.end(), text.begin(), text.end());
    EXPECT_TRUE(refused(bytes)) << piece;
  }
}

}  // namespace
}  // namespace foldout
