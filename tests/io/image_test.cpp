// SPDX-License-Identifier: Apache-2.0
#include "io/image.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "io/io_support.h"
#include "io/sample_files.h"

namespace foldout {
namespace {

using load_test::as_span;
using load_test::expect_error;
using load_test::Folder;
using load_test::matrix;
using Texts = std::vector<std::string>;

Matrix decode(const std::string& bytes) { return decode_image(as_span(bytes), "a.png"); }

TEST(Image, ReadsPortableGreymapsPlainAndRaw) {
  const Matrix expected = matrix({{1, 2, 3}, {4, 5, 255}});
  EXPECT_EQ(decode("P2\n# a comment\n3 2\n255\n1 2 3\n4 5 255\n"), expected);
  EXPECT_EQ(decode("P5 3 2 255\n\x01\x02\x03\x04\x05\xff"), expected);
}

TEST(Image, ScalesTheMaximumOfAGreymapTo255) {
  EXPECT_EQ(decode("P2 2 1 3\n0 3\n"), matrix({{0, 255}}));
  EXPECT_EQ(decode(std::string("P5 1 1 65535\n\xff\xff", 15)), matrix({{255}}));
}

TEST(Image, TurnsColoursIntoGrey) {
  const Matrix pixmap = decode(std::string("P6 2 1 255\n\xff\0\0\0\0\xff", 17));
  EXPECT_DOUBLE_EQ(pixmap(0, 0), 0.299 * 255);
  EXPECT_DOUBLE_EQ(pixmap(0, 1), 0.114 * 255);
  EXPECT_EQ(decode(sample_files::kPngColour), pixmap);
}

TEST(Image, ReadsPngAndJpeg) {
  EXPECT_EQ(decode(sample_files::kPngGrey), matrix({{10, 20}, {30, 255}}));
  EXPECT_EQ(decode(sample_files::kPng16), matrix({{255}, {128}}));
  const Matrix jpeg = decode(sample_files::kJpeg);
  EXPECT_EQ(jpeg.rows(), 8);
  EXPECT_LE((jpeg.array() - 200).abs().maxCoeff(), 1);
}

TEST(Image, RefusesDamagedImages) {
  expect_error([] { (void)decode(""); }, {"a.png", "empty"});
  expect_error([] { (void)decode("GIF89a and so on"); }, {"a.png", "no PGM, PPM, PNG or JPEG"});
  expect_error([] { (void)decode(sample_files::kPngGrey.substr(0, 50)); }, {"cut off"});
  expect_error([] { (void)decode("P5 3 2 255\n123"); }, {"3×2", "6 bytes", "has 3", "cut off"});
  expect_error([] { (void)decode("P5 60000 60000 255\n123"); }, {"cut off"});
  expect_error([] { (void)decode("P5 999999999999999999999 1 255\n123"); }, {"width", "over 65536"});
  expect_error([] { (void)decode("P2 1 1 7\n9"); }, {"over 7"});
  expect_error([] { (void)decode("P5 0 1 255\n"); }, {"width", "0"});
}

TEST(Image, RefusesAPngThatClaimsTooManyPixels) {
  std::string bytes = sample_files::kPngGrey;
  bytes.replace(16, 8, std::string("\x00\x00\x75\x30\x00\x00\x75\x30", 8));
  expect_error([&] { (void)decode(bytes); }, {"'IHDR'", "wrong checksum", "damaged"});
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + 12), 17);
  for (std::size_t i = 0; i < 4; ++i) bytes[29 + i] = static_cast<char>(checksum >> (24 - 8 * i));
  expect_error([&] { (void)decode(bytes); }, {"30000×30000", "damaged"});
}

TEST(Image, RefusesAPngChunkLongerThanTheFile) {
  std::string bytes = sample_files::kPngGrey;
  bytes[33] = '\x30';
  expect_error([&] { (void)decode(bytes); }, {"a chunk at byte 37", "cut off"});
}

TEST(Image, RefusesAJpegWhoseHuffmanTableOverflows) {
  std::string bytes = sample_files::kJpeg;
  const std::size_t table = bytes.find("\xff\xc4");
  bytes.replace(table + 5, 2, "\xff\xff");
  expect_error([&] { (void)decode(bytes); }, {"Huffman table", "256 is the most"});
}

TEST(Image, EncodesPngThatReadsBack) {
  Matrix grey(20, 30);
  for (Index i = 0; i < grey.size(); ++i) grey.data()[i] = static_cast<double>(i * 7 % 256);
  EXPECT_EQ(decode(encode_png(grey)), grey);
  EXPECT_EQ(decode(encode_png(matrix({{-5, 300, 1.4}}))), matrix({{0, 255, 1}}));
  const Folder folder;
  save_png(folder / "a.png", grey);
  EXPECT_EQ(decode(load_test::read_bytes(folder / "a.png")), grey);
  expect_error<InvalidArgument>([] { (void)encode_png(Matrix()); }, {"0×0"});
}

TEST(ImageFolder, TakesSubfoldersForClasses) {
  const Folder folder;
  folder.write("anna/2.pgm", "P2 2 1 255\n1 2\n");
  folder.write("anna/10.PGM", "P2 2 1 255\n3 4\n");
  folder.write("anna/notes.txt", "not an image");
  folder.write("bob/1.pgm", "P2 2 1 255\n5 6\n");
  folder.write(".hidden/1.pgm", "P2 9 9 255\n");
  const ImageFolder images = load_image_folder(folder / "");
  EXPECT_EQ(images.files, (Texts{"anna/2.pgm", "anna/10.PGM", "bob/1.pgm"}));
  EXPECT_EQ(images.dataset.samples, matrix({{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(images.dataset.labels->names, (Texts{"anna", "bob"}));
  EXPECT_EQ(images.dataset.labels->index, (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(images.dataset.image.width, 2);
  EXPECT_EQ(images.n_ignored, 1);
}

TEST(ImageFolder, TakesAFlatFolderWithoutLabels) {
  const Folder folder;
  folder.write("b.png", sample_files::kPngGrey);
  folder.write("a.png", encode_png(matrix({{1, 2}, {3, 4}})));
  const ImageFolder images = load_image_folder(folder / "");
  EXPECT_EQ(images.dataset.samples, matrix({{1, 2, 3, 4}, {10, 20, 30, 255}}));
  EXPECT_FALSE(images.dataset.labels);
}

TEST(ImageFolder, NamesTwoImagesOfDifferentSize) {
  const Folder folder;
  folder.write("a.pgm", "P2 2 1 255\n1 2\n");
  folder.write("b.pgm", "P2 1 3 255\n1 2 3\n");
  expect_error([&] { (void)load_image_folder(folder / ""); }, {"'b.pgm' is 1×3", "'a.pgm' is 2×1", "one size"});
}

TEST(ImageFolder, RefusesFoldersWithoutImagesOrWithBothKinds) {
  const Folder folder;
  folder.write("a.txt", "x");
  expect_error([&] { (void)load_image_folder(folder / ""); }, {"no images", "1 other file"});
  folder.write("a.pgm", "P2 2 1 255\n1 2\n");
  folder.write("c/a.pgm", "P2 2 1 255\n1 2\n");
  expect_error([&] { (void)load_image_folder(folder / ""); }, {"'a.pgm'", "'c/a.pgm'", "sub-folder per class"});
}

}  // namespace
}  // namespace foldout
