// SPDX-License-Identifier: Apache-2.0
#include "io/image.h"

#include <gtest/gtest.h>

#include <zlib.h>
#include "foldout/io/files.h"
#include "io/io_support.h"
#include "io/sample_files.h"

namespace foldout {
namespace {

using io_test::as_span;
using io_test::expect_error;
using io_test::Folder;
using io_test::matrix;
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

// The values were read by another decoder (stb_image).
TEST(Image, ReadsEveryKindOfPng) {
  EXPECT_EQ(decode(sample_files::kPngGreyAlpha), matrix({{86, 227, 175}, {188, 34, 228}}));
  EXPECT_EQ(decode(sample_files::kPngTwoBits),
            matrix({{170, 85, 170, 85, 85}, {0, 85, 0, 0, 0}, {255, 85, 170, 0, 85}}));
  EXPECT_EQ(decode(sample_files::kPngPalette), matrix({{216.161, 52.254000000000005, 37.650999999999996},
                                                       {186.83099999999999, 156.64199999999997, 37.650999999999996}}));
  EXPECT_EQ(decode(sample_files::kPngTransparent),
            matrix({{154.06299999999999, 192.43199999999996, 167.523},
                    {152.58200000000002, 50.939999999999998, 95.733000000000004}}));
  EXPECT_EQ(decode(sample_files::kPngColour16), matrix({{160.43620622568093, 108.06165758754865},
                                                        {165.06216731517506, 183.34538521400776},
                                                        {188.07220233463033, 99.87055642023347}}));
}

TEST(Image, ReadsProgressiveJpegsAndInks) {
  const Matrix progressive = matrix({{135, 132, 128, 124, 120, 117, 115, 114, 108, 109},
                                     {119, 117, 114, 111, 109, 107, 106, 106, 105, 106},
                                     {109, 108, 107, 106, 105, 105, 106, 106, 108, 109},
                                     {99, 99, 99, 100, 101, 103, 105, 107, 110, 112},
                                     {94, 95, 98, 100, 103, 107, 111, 114, 121, 123},
                                     {95, 98, 102, 106, 111, 117, 123, 127, 134, 137}});
  EXPECT_LE((decode(sample_files::kJpegProgressive) - progressive).cwiseAbs().maxCoeff(), 2);
  const Matrix inks =
      matrix({{41, 44, 46, 46, 48, 48, 48, 48}, {38, 40, 42, 42, 43, 43, 42, 42}, {34, 35, 36, 36, 36, 35, 34, 31}});
  EXPECT_LE((decode(sample_files::kJpegInks) - inks).cwiseAbs().maxCoeff(), 2);
}

TEST(Image, RefusesDamagedImages) {
  expect_error([] { (void)decode(""); }, {"a.png", "empty"});
  expect_error([] { (void)decode("GIF89a and so on"); }, {"a.png", "not a PGM, PPM, PNG, JPEG or TIFF"});
  expect_error([] { (void)decode("P5 3 2 255\n123"); }, {"3×2", "6 bytes", "has 3", "cut off"});
  expect_error([] { (void)decode("P5 60000 60000 255\n123"); }, {"cut off"});
  expect_error([] { (void)decode("P5 999999999999999999999 1 255\n123"); }, {"width", "over 65536"});
  expect_error([] { (void)decode("P2 1 1 7\n9"); }, {"over 7"});
  expect_error([] { (void)decode("P5 0 1 255\n"); }, {"width", "0"});
}

/// Writes the checksum of the chunk at `begin`, whose data are `size` bytes.
void reseal(std::string& png, std::size_t begin, std::size_t size) {
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(png.data() + begin + 4), static_cast<uInt>(size + 4));
  for (std::size_t i = 0; i < 4; ++i) png[begin + 8 + size + i] = static_cast<char>(checksum >> (24 - 8 * i));
}

TEST(Image, RefusesAPngThatClaimsTooManyPixels) {
  std::string bytes = sample_files::kPngGrey;
  bytes.replace(16, 8, std::string("\x00\x00\x75\x30\x00\x00\x75\x30", 8));
  expect_error([&] { (void)decode(bytes); }, {"damaged PNG", "CRC"});
  reseal(bytes, 8, 13);
  expect_error([&] { (void)decode(bytes); }, {"30000×30000", "damaged"});
}

TEST(Image, RefusesAPngWithAWrongChecksumInAChunkThatIsNotUsed) {
  std::string bytes = sample_files::kPngGreyAlpha;
  const std::size_t chunk = bytes.find("sBIT");
  ++bytes[chunk + 4];
  expect_error([&] { (void)decode(bytes); }, {"a.png", "CRC"});
}

TEST(Image, RefusesAPngChunkLongerThanTheFile) {
  std::string bytes = sample_files::kPngGrey;
  bytes[33] = '\x30';
  expect_error([&] { (void)decode(bytes); }, {"a.png", "cut off"});
}

TEST(Image, RefusesAPngWithoutItsEnd) {
  const std::string& bytes = sample_files::kPngGrey;
  for (std::size_t size = 9; size < bytes.size(); ++size)
    expect_error([&] { (void)decode(bytes.substr(0, size)); }, {"damaged PNG"});
}

TEST(Image, RefusesJpegsThatAreCutOff) {
  for (const std::string& bytes : {sample_files::kJpeg, sample_files::kJpegProgressive, sample_files::kJpegInks})
    for (std::size_t size = 4; size + 2 <= bytes.size(); size += 7)
      expect_error([&] { (void)decode(bytes.substr(0, size)); }, {"damaged JPEG"});
}

TEST(Image, RefusesAJpegThatClaimsTooManyPixels) {
  std::string bytes = sample_files::kJpeg;
  bytes.replace(bytes.find("\xff\xc0") + 5, 4, "\x75\x30\x75\x30");
  expect_error([&] { (void)decode(bytes); }, {"30000×30000", "damaged"});
}

TEST(Image, RefusesAJpegWhoseHuffmanTableOverflows) {
  std::string bytes = sample_files::kJpeg;
  const std::size_t table = bytes.find("\xff\xc4");
  bytes.replace(table + 5, 2, "\xff\xff");
  expect_error([&] { (void)decode(bytes); }, {"damaged JPEG", "Huffman"});
}

TEST(Image, RefusesAJpegWithScansWithoutEnd) {
  std::string bytes = sample_files::kJpegProgressive;
  const std::size_t scan = bytes.find("\xff\xda"), end = bytes.find("\xff\xc4", scan);
  const std::string first = bytes.substr(scan, end - scan);
  for (int i = 0; i < 200; ++i) bytes.insert(end, first);
  expect_error([&] { (void)decode(bytes); }, {"damaged JPEG", "100 scans"});
}

TEST(Image, EncodesPngThatReadsBack) {
  Matrix grey(20, 30);
  for (Index i = 0; i < grey.size(); ++i) grey.data()[i] = static_cast<double>(i * 7 % 256);
  EXPECT_EQ(decode(encode_png(grey)), grey);
  EXPECT_EQ(decode(encode_png(matrix({{-5, 300, 1.4}}))), matrix({{0, 255, 1}}));
  const Folder folder;
  save_png(folder / "a.png", grey);
  EXPECT_EQ(decode(io_test::read_bytes(folder / "a.png")), grey);
  expect_error<InvalidArgument>([] { (void)encode_png(Matrix()); }, {"0×0"});
}

TEST(Tiff, IsDecoded) {
  EXPECT_EQ(decode(sample_files::tiff(3, 2, "abcdef")), matrix({{'a', 'b', 'c'}, {'d', 'e', 'f'}}));
}

TEST(Tiff, ThatIsDamagedIsRefused) {
  const std::string whole = sample_files::tiff(3, 2, "abcdef");
  for (std::size_t size = 8; size < whole.size(); size += 3)
    expect_error([&] { (void)decode(whole.substr(0, size)); }, {"TIFF"});
  expect_error([] { (void)decode(sample_files::tiff(60000, 60000, "abcdef")); }, {"60000×60000"});
  expect_error([] { (void)decode("BM123456789012345678901234567890"); },
               {"not a PGM, PPM, PNG, JPEG or TIFF", "convert"});
}

TEST(ImageFolder, TakesSubfoldersForClasses) {
  const Folder folder;
  folder.write("anna/2.pgm", "P2 2 1 255\n1 2\n");
  folder.write("anna/10.PGM", "P2 2 1 255\n3 4\n");
  folder.write("anna/notes.txt", "not an image");
  folder.write("bob/1.pgm", "P2 2 1 255\n5 6\n");
  folder.write(".hidden/1.pgm", "P2 9 9 255\n");
  ImageFolder images(folder / "");
  EXPECT_EQ(images.files(), (Texts{"anna/10.PGM", "anna/2.pgm", "bob/1.pgm"})) << "in the order of bytes";
  EXPECT_EQ(images.n_ignored(), 1);
  const Dataset dataset = read_all(images);
  EXPECT_EQ(dataset.samples, matrix({{3, 4}, {1, 2}, {5, 6}}));
  EXPECT_EQ(dataset.ids, images.files());
  EXPECT_EQ(dataset.labels->names, (Texts{"anna", "bob"}));
  EXPECT_EQ(dataset.labels->index, (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(dataset.image.width, 2);
}

TEST(ImageFolder, TakesAFlatFolderWithoutLabels) {
  const Folder folder;
  folder.write("b.png", sample_files::kPngGrey);
  folder.write("a.png", encode_png(matrix({{1, 2}, {3, 4}})));
  const Dataset dataset = load_dataset(folder / "");
  EXPECT_EQ(dataset.samples, matrix({{1, 2, 3, 4}, {10, 20, 30, 255}}));
  EXPECT_FALSE(dataset.labels);
}

TEST(ImageFolder, NamesTwoImagesOfDifferentSize) {
  const Folder folder;
  folder.write("a.pgm", "P2 2 1 255\n1 2\n");
  folder.write("b.pgm", "P2 1 3 255\n1 2 3\n");
  expect_error([&] { (void)load_dataset(folder / ""); }, {"'b.pgm' is 1×3", "'a.pgm' is 2×1", "one size"});
}

TEST(ImageFolder, RefusesFoldersWithoutImagesOrWithBothKinds) {
  const Folder folder;
  folder.write("a.txt", "x");
  expect_error([&] { (void)load_dataset(folder / ""); }, {"no images", "1 other file"});
  folder.write("a.pgm", "P2 2 1 255\n1 2\n");
  folder.write("c/a.pgm", "P2 2 1 255\n1 2\n");
  expect_error([&] { (void)load_dataset(folder / ""); }, {"'a.pgm'", "'c/a.pgm'", "sub-folder per class"});
}

TEST(ImageFolder, SaysWhereImagesOneLevelDeeperAre) {
  const Folder folder;
  folder.write("all/anna/1.pgm", "P2 2 1 255\n1 2\n");
  expect_error([&] { (void)load_dataset(folder / ""); }, {"one level deeper", "all"});
  EXPECT_EQ(load_dataset(folder / "all").labels->names, (Texts{"anna"}));
}

TEST(ImageFolder, ReadsASingleImage) {
  const Folder folder;
  folder.write("a.pgm", "P2 2 1 255\n1 2\n");
  const Dataset dataset = load_dataset(folder / "a.pgm");
  EXPECT_EQ(dataset.samples, matrix({{1, 2}}));
  EXPECT_EQ(dataset.image.width, 2);
  EXPECT_EQ(dataset.ids, (Texts{folder / "a.pgm"}));
}

TEST(ImageFolder, ScalesImagesOfAnySizeToOne) {
  const Folder folder;
  folder.write("a.pgm", "P2 4 2 255\n0 0 8 8  0 0 8 8\n");
  folder.write("b.pgm", "P2 2 1 255\n3 5\n");
  const Dataset dataset = load_dataset(folder / "", {.resize = {1, 2}});
  EXPECT_TRUE(dataset.resized);
  EXPECT_EQ(dataset.samples.row(1), (Eigen::RowVector2d(3, 5)));
  // The triangles of the two new pixels are 4 wide, around 0.5 and 2.5 of the old ones.
  EXPECT_NEAR(dataset.samples(0, 0), 8 * 0.25 / 1.75, 1e-12);
  EXPECT_NEAR(dataset.samples.row(0).sum(), 8, 1e-12);
  folder.write("a.csv", "1,2,3\n");
  EXPECT_EQ(open_stream(folder / "a.csv", {.resize = {1, 2}})->info().n_features, 3) << "no images";
}

TEST(ImageFolder, LeavesOutDamagedImagesOnRequest) {
  const Folder folder;
  folder.write("a.pgm", "P2 2 1 255\n1");
  folder.write("b.pgm", "P2 2 1 255\n1 2\n");
  expect_error([&] { (void)load_dataset(folder / ""); }, {"a.pgm"});
  const auto stream = open_stream(folder / "", {.skip_bad = true});
  EXPECT_EQ(read_all(*stream).ids, (Texts{"b.pgm"}));
  ASSERT_EQ(stream->skipped().size(), 1U);
  EXPECT_EQ(stream->skipped()[0].place, "a.pgm");
}

}  // namespace
}  // namespace foldout
