// SPDX-License-Identifier: Apache-2.0
// Thousands of damaged files: each is either read or refused with IoError or InvalidArgument, never worse.
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <sstream>

#include "core/random.h"
#include "foldout/core/sample_stream.h"
#include "io/csv.h"
#include "io/idx.h"
#include "io/image.h"
#include "io/io_support.h"
#include "io/mat.h"
#include "io/mutate.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/sample_files.h"

namespace foldout {
namespace {

using io_test::as_span;

struct Outcome {
  int read = 0;
  int refused = 0;
};

Outcome try_mutations(const std::string& original, int count, const std::function<void(const std::string&)>& parse) {
  Outcome outcome;
  parse(original);
  for (int i = 0; i < count; ++i) {
    Rng rng = Rng(7).stream(static_cast<std::uint64_t>(i));
    const std::string bytes = mutate(original, rng);
    try {
      parse(bytes);
      ++outcome.read;
    } catch (const IoError&) {
      ++outcome.refused;
    } catch (const InvalidArgument&) {
      ++outcome.refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "mutation " << i << ": " << error.what();
    }
  }
  return outcome;
}

void parse_labels_or_matrix(const Array& array) {
  if (array.type == ElementType::kBytes || array.type == ElementType::kUnicode)
    (void)to_label_texts(array, "file");
  else
    (void)to_matrix(array, "file");
}

TEST(Mutations, OfNpy) {
  for (const std::string& file :
       {sample_files::kNpyFortran, sample_files::kNpyVersion3, sample_files::kNpyImages, sample_files::kNpyUnicode}) {
    const Outcome outcome =
        try_mutations(file, 3000, [](const std::string& b) { parse_labels_or_matrix(parse_npy(as_span(b), "file")); });
    EXPECT_GT(outcome.refused, 1000);
  }
}

TEST(Mutations, OfNpz) {
  const auto parse = [](const std::string& bytes) {
    const NpzReader npz(as_span(bytes), "file");
    for (const std::string& key : npz.keys()) parse_labels_or_matrix(npz.read(key));
  };
  EXPECT_GT(try_mutations(sample_files::kNpzCompressed, 5000, parse).refused, 3000);
  EXPECT_GT(try_mutations(sample_files::kNpzZip64, 5000, parse).refused, 2000);
}

TEST(Mutations, OfCsv) {
  const std::string text = "a,\"b \"\"c\"\"\",label\n1,2.5,x\r\n# hm\n-3e2,4,\"y\nz\"\n5,6,x\n7,8,x";
  const Outcome outcome = try_mutations(text, 10000, [](const std::string& bytes) {
    for (const bool as_they_arrive : {false, true}) {
      std::istringstream in(bytes);
      CsvReader reader(in, "file", {.as_they_arrive = as_they_arrive});
      for (Matrix block; reader.next(block, 3);)
        if (!block.allFinite() || block.size() == 0) throw std::logic_error("an unsound block");
    }
  });
  EXPECT_GT(outcome.refused, 1000);
  EXPECT_GT(outcome.read, 1000);
}

TEST(Mutations, OfIdx) {
  std::string plain("\0\0\x0d\x02\0\0\0\x03\0\0\0\x04", 12);
  plain.append(48, '\x01');
  for (const std::string& file : {plain, io_test::gzipped(plain)})
    try_mutations(file, 5000, [](const std::string& b) { parse_labels_or_matrix(parse_idx(as_span(b), "file")); });
}

// In blocks or all at once, a damaged file is read as the same samples, or refused.
TEST(Mutations, AreReadInBlocksAsTheyAreReadAtOnce) {
  const io_test::Folder folder;
  const auto read_in_blocks = [](const std::string& path) {
    const auto stream = open_stream(path);
    Matrix all(0, stream->info().n_features), block;
    while (stream->next(block, 2)) {
      all.conservativeResize(all.rows() + block.rows(), all.cols());
      all.bottomRows(block.rows()) = block;
    }
    return all;
  };
  const std::string idx("\0\0\x08\x02\0\0\0\x03\0\0\0\x02\x01\x02\x03\x04\x05\x06", 18);
  for (const auto& [name, file] :
       std::vector<std::pair<std::string, std::string>>{{"a.npy", sample_files::kNpyFortran},
                                                        {"b.npy", sample_files::kNpyVersion3},
                                                        {"c.npy", sample_files::kNpyBytes},
                                                        {"a.npz", sample_files::kNpzCompressed},
                                                        {"a.mat", sample_files::kMatMixed},
                                                        {"a.idx", idx},
                                                        {"a.jsonl", "[1, 2.5]\n{\"x\": [3, 4]}\n[5, 6]\n[7, 8]\n"},
                                                        {"a.csv.gz", io_test::gzipped("a,b\n1,2.5\n3,4\n5,6\n")},
                                                        {"a.csv", "a,b,label\n1,2.5,x\n3,4,y\n5,6,x\n7,8,y\n"}})
    for (int i = 0; i < 300; ++i) {
      Rng rng = Rng(9).stream(static_cast<std::uint64_t>(i));
      std::filesystem::remove(folder / name);  // to write over a file is slow on some file systems
      const std::string path = folder.write(name, mutate(file, rng));
      std::optional<Matrix> whole, blocks;
      try {
        whole = load_dataset(path).samples;
      } catch (const IoError&) {
      }
      try {
        blocks = read_in_blocks(path);
      } catch (const IoError&) {
      }
      EXPECT_EQ(whole.has_value(), blocks.has_value()) << name << " " << i;
      if (whole && blocks) {
        EXPECT_TRUE(*whole == *blocks) << name << " " << i;
      }
    }
}

TEST(Mutations, OfImages) {
  for (const std::string& file :
       {sample_files::kPngGrey, sample_files::kPngColour, sample_files::kPng16, sample_files::kPngPalette,
        sample_files::kPngColour16, sample_files::kJpeg, sample_files::kJpegProgressive, sample_files::kJpegInks,
        std::string("P2\n# x\n3 2\n255\n1 2 3\n4 5 255\n"), std::string("P6 2 1 255\nabcdef"),
        sample_files::tiff(3, 2, "abcdef")})
    try_mutations(file, 2000, [](const std::string& b) { (void)decode_image(as_span(b), "file"); });
}

void parse_mat(const std::string& bytes, const std::string& path) {
  const MatReader mat(as_span(bytes), path);
  for (const MatVariable& variable : mat.variables())
    if (variable.kind == MatVariable::Kind::kText || variable.kind == MatVariable::Kind::kTexts)
      (void)mat.read_labels(variable.name);
    else if (variable.kind == MatVariable::Kind::kNumbers || variable.kind == MatVariable::Kind::kSparse)
      (void)to_matrix(mat.read(variable.name), path);
}

TEST(Mutations, OfMat) {
  std::ostringstream cells;
  write_mat(cells, "labels", make_labels({"cat", "", "dog"}));
  for (const std::string& file :
       {sample_files::kMatCompressed, sample_files::kMatMixed, sample_files::kMatBigEndian, cells.str()}) {
    const Outcome outcome = try_mutations(file, 3000, [](const std::string& b) { parse_mat(b, "file"); });
    EXPECT_GT(outcome.refused, 500);
  }
}

}  // namespace
}  // namespace foldout
