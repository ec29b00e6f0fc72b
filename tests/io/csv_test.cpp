// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <sstream>

#include "foldout/core/dataset.h"
#include "io/io_support.h"

namespace foldout {
namespace {

using io_test::expect_error;
using io_test::matrix;
using Texts = std::vector<std::string>;

Dataset read(const std::string& text, LoneColumn lone = LoneColumn::kLabel) {
  std::istringstream in(text);
  CsvReader reader(in, "a.csv", {}, lone);
  Dataset dataset;
  reader.next(dataset.samples, std::numeric_limits<Index>::max());
  dataset.columns = reader.layout().feature_names();
  if (!reader.labels().empty()) dataset.labels = make_labels(reader.labels());
  return dataset;
}

const Matrix kExample = matrix({{1, 2.5}, {-3e2, 4}});

TEST(Csv, RecognisesEverySeparator) {
  for (const char* text : {"1,2.5\n-3e2,4\n", "1;2.5\n-3e2;4\n", "1\t2.5\n-3e2\t4\n", "1 2.5\n-3e2   4\n",
                           " 1 , 2.5\n-3e2,4 ", "  1 \t 2.5 \n -3e2\t4\n", "+1,2.5\r\n-3E+2,4\r\n"})
    EXPECT_EQ(read(text).samples, kExample) << text;
}

TEST(Csv, SkipsBlankLinesCommentsAndTheByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF# made by hand, \"oddly\n\n1,2.5\n   \n#x\n-3e2,4").samples, kExample);
}

TEST(Csv, RecognisesAHeader) {
  const Dataset dataset = read("width,height\n1,2.5\n-3e2,4\n");
  EXPECT_EQ(dataset.samples, kExample);
  EXPECT_EQ(dataset.columns, (Texts{"width", "height"}));
  EXPECT_FALSE(dataset.labels);
  EXPECT_EQ(read("time,2010\n1,2.5\n-3e2,4\n").columns, (Texts{"time", "2010"}));
  EXPECT_EQ(read("x\n1\n2\n").samples, matrix({{1}, {2}}));
}

TEST(Csv, FollowsRfc4180Quotes) {
  const Dataset dataset = read("\"a \"\"b\"\"\",\"c,\nd\",label\n\"1\",2.5,\"x, y\"\n-3e2,4,\"two\nlines\"\n");
  EXPECT_EQ(dataset.samples, kExample);
  EXPECT_EQ(dataset.columns, (Texts{"a \"b\"", "c,\nd"}));
  EXPECT_EQ(dataset.labels->names, (Texts{"two\nlines", "x, y"}));
}

TEST(Csv, RecognisesALabelColumnByItsName) {
  for (const char* name : {"label", "Class", "TARGET", "y", "species"}) {
    const Dataset dataset = read(std::string("a,") + name + ",b\n1,7,2.5\n-3e2,10,4\n");
    ASSERT_TRUE(dataset.labels) << name;
    EXPECT_EQ(dataset.samples, kExample);
    EXPECT_EQ(dataset.labels->names, (Texts{"7", "10"}));
    EXPECT_TRUE(dataset.labels->integers);
    EXPECT_EQ(dataset.columns, (Texts{"a", "b"}));
  }
}

TEST(Csv, TakesYBesideXForACoordinate) {
  EXPECT_EQ(read("x,y,z\n1,2,3\n").samples, matrix({{1, 2, 3}}));
  EXPECT_FALSE(read("x,y\n1,2\n").labels);
}

TEST(Csv, RecognisesALabelColumnByItsTexts) {
  const Dataset dataset = read("1,setosa,2.5\n-3e2,virginica,4\n");
  EXPECT_EQ(dataset.samples, kExample);
  EXPECT_EQ(dataset.labels->names, (Texts{"setosa", "virginica"}));
  EXPECT_EQ(dataset.labels->text(1), "virginica");
}

TEST(Csv, TakesALoneColumnCalledLabelForNumbersWhereNumbersAreExpected) {
  EXPECT_EQ(read("label\n1\n2\n", LoneColumn::kFeature).samples, matrix({{1}, {2}}));
  EXPECT_EQ(read("a,label\n1,2\n", LoneColumn::kFeature).samples, matrix({{1}}));
}

TEST(Csv, SkipsAFirstColumnWithoutAName) {
  const Dataset dataset = read(",a,b\n0,1,2.5\n1,-3e2,4\n");
  EXPECT_EQ(dataset.samples, kExample);
  EXPECT_EQ(dataset.columns, (Texts{"a", "b"}));
}

TEST(Csv, NamesLineAndCountsOfARaggedRow) {
  expect_error([] { (void)read("# c\n1,2\n3\n"); }, {"a.csv", "line 3", "1 column", "2"});
  expect_error([] { (void)read("a,b\n1,2,3\n"); }, {"line 2", "3 columns", "2"});
  expect_error([] { (void)read("\"a\nb\",c\n1,2\n3,4,5\n"); }, {"line 4", "3 columns"});
}

TEST(Csv, NamesLineAndColumnOfWhatIsNoFiniteNumber) {
  expect_error([] { (void)read("a,b\n1,nan\n"); }, {"line 2, column 2 ('b')", "'nan'", "finite"});
  expect_error([] { (void)read("1,2\n3,-inf\n"); }, {"line 2, column 2", "'-inf'", "finite"});
  expect_error([] { (void)read("1,2\n3,1e999\n"); }, {"line 2, column 2", "'1e999'", "finite"});
  expect_error([] { (void)read("1,2\n,4\n"); }, {"line 2, column 1", "empty", "remove"});
  expect_error([] { (void)read("1,2\n3,4x\n"); }, {"line 2, column 2", "'4x'", "not a number"});
  expect_error([] { (void)read("1,NA\n3,4\n"); }, {"line 1, column 2", "'NA'"});
  expect_error([] { (void)read("1,2,a\n3,4,\n"); }, {"line 2, column 3", "missing label"});
  expect_error([] { (void)read("a;b\n1,5;2,5\n"); }, {"line 2, column 1", "decimal point"});
}

TEST(Csv, RefusesTwoColumnsOfText) {
  expect_error([] { (void)read("a,b,c\n1,cat,red\n"); }, {"line 2, column 2 ('b') and column 3", "'cat'", "'red'"});
}

TEST(Csv, RefusesWhatHasNoSamples) {
  for (const char* text : {"", "\n\n", "# nothing\n", "a,b\n"})
    expect_error([&] { (void)read(text); }, {"a.csv", "no samples"});
  expect_error([] { (void)read("label\n1\n"); }, {"at least one feature"});
}

TEST(Csv, RefusesAnOpenQuoteAndUtf16) {
  expect_error([] { (void)read("1,2\n\"3,4\n5,6\n"); }, {"line 2", "never closed"});
  expect_error(
      [] {
        (void)read(
            "\xFF\xFE"
            "1");
      },
      {"UTF-16", "UTF-8"});
}

TEST(Csv, RefusesALineWithoutEnd) {
  expect_error([] { (void)read("1,2\n" + std::string(std::size_t{65} << 20, '1')); }, {"line 2", "64 MB"});
}

TEST(Csv, TakesTooSmallNumbersForZero) {
  EXPECT_EQ(read("1e-999,-1e-400," + ("0." + std::string(400, '0')) + "1\n").samples, matrix({{0, 0, 0}}));
}

/// Gives out its text in pieces; says that nothing is at hand between them.
class Drip : public std::streambuf {
 public:
  explicit Drip(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
  [[nodiscard]] std::size_t taken() const { return next_; }

 protected:
  int_type underflow() override {
    if (next_ == pieces_.size()) return traits_type::eof();
    std::string& piece = pieces_[next_++];
    setg(piece.data(), piece.data(), piece.data() + piece.size());
    return traits_type::to_int_type(piece[0]);
  }

 private:
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
};

TEST(CsvReader, DeliversARowAsSoonAsItsLineIsThere) {
  Drip drip({"1,2\n", "3,", "4\n5,6\n", "7,8"});
  std::istream in(&drip);
  CsvReader reader(in, "pipe", {.as_they_arrive = true});
  Matrix block;
  ASSERT_TRUE(reader.next(block, 64));
  EXPECT_EQ(block, matrix({{1, 2}}));
  EXPECT_EQ(drip.taken(), 1U);
  ASSERT_TRUE(reader.next(block, 64));
  EXPECT_EQ(block, matrix({{3, 4}, {5, 6}}));
  EXPECT_EQ(drip.taken(), 3U);
  ASSERT_TRUE(reader.next(block, 64));
  EXPECT_EQ(block, matrix({{7, 8}}));
  EXPECT_FALSE(reader.next(block, 64));
  EXPECT_EQ(block.rows(), 0);
}

TEST(CsvReader, KeepsToMaxRowsAndGivesLabels) {
  std::istringstream in("a,b,label\n1,2,x\n3,4,y\n5,6,x\n");
  CsvReader reader(in, "pipe", {.as_they_arrive = true});
  Matrix block;
  ASSERT_TRUE(reader.next(block, 2));
  EXPECT_EQ(block, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(reader.labels(), (Texts{"x", "y"}));
  EXPECT_EQ(reader.layout().feature_names(), (Texts{"a", "b"}));
  EXPECT_EQ(reader.width(), 2);
  ASSERT_TRUE(reader.next(block, 2));
  EXPECT_EQ(reader.labels(), (Texts{"x"}));
  EXPECT_FALSE(reader.next(block, 2));
}

TEST(CsvReader, DeliversGoodRowsBeforeTheBadOne) {
  std::istringstream in("1,2\n3,4\n5\n");
  CsvReader reader(in, "pipe", {.as_they_arrive = true});
  Matrix block;
  ASSERT_TRUE(reader.next(block, 10));
  EXPECT_EQ(block, matrix({{1, 2}, {3, 4}}));
  expect_error([&] { reader.next(block, 10); }, {"pipe", "line 3"});
}

TEST(CsvReader, FillsBlocksAndFindsTheBadRowInThem) {
  Drip drip({"1,2\n", "3,", "4\n5,6\n", "7,8"});
  std::istream in(&drip);
  CsvReader reader(in, "pipe");
  Matrix block;
  ASSERT_TRUE(reader.next(block, 3));
  EXPECT_EQ(block, matrix({{1, 2}, {3, 4}, {5, 6}}));
  ASSERT_TRUE(reader.next(block, 3));
  EXPECT_EQ(block, matrix({{7, 8}}));
  EXPECT_FALSE(reader.next(block, 3));
  std::istringstream bad("1,2\n3,4\n5\n");
  CsvReader other(bad, "file");
  expect_error([&] { other.next(block, 10); }, {"file", "line 3"});
}

TEST(CsvReader, TellsHowMuchOfTheStreamItHasPassed) {
  std::istringstream in("1,2\n3,4\n5,6\n");
  CsvReader reader(in, "file");
  Matrix block;
  ASSERT_TRUE(reader.next(block, 2));
  EXPECT_EQ(reader.consumed(), 8U);
  ASSERT_TRUE(reader.next(block, 2));
  EXPECT_EQ(reader.consumed(), 12U);
}

// A time that grows with the square of the size would take minutes here.
TEST(CsvReader, TakesTimeInProportionToTheSizeOfQuotedCells) {
  const std::size_t n = 400'000;
  const std::string many(n, '\n');
  for (const std::string& text : {std::string(n, ' ') + '"' + many + "\",1\n", '"' + many + "\",1\n",
                                  std::string(n, ' ') + "# \"" + many + "a,1\n", "a,\"" + std::string(n, '"') + "\"\n",
                                  std::string(n, '\r') + "\"a" + many + "\",1\n"}) {
    std::istringstream in(text + "b,2\n");
    RecordSource records(in, "x.csv");
    const auto start = std::chrono::steady_clock::now();
    Index lines = 0;
    for (Record record; records.next(record);) lines = record.line;
    EXPECT_GT(lines, 1);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
}

TEST(CsvWriter, WritesNumbersThatReadBackAsTheSameBits) {
  Matrix values(2, 3);
  values << 0.1, -1.0 / 3, 1e300, std::numeric_limits<double>::denorm_min(), 12345678901234567, -0.0;
  std::ostringstream out;
  CsvWriter writer(out, "a.csv", {"a", "b,c", "d"});
  writer.write(values);
  writer.flush();
  EXPECT_EQ(out.str().substr(0, 12), "a,\"b,c\",d\n0.");
  EXPECT_EQ(read(out.str()).samples, values);
}

TEST(LabelLines, ReadsOneLabelALine) {
  const auto lines = [](const std::string& text, char separator) {
    std::istringstream in(text);
    return read_label_lines(in, "y.txt", separator);
  };
  EXPECT_EQ(lines("cat\nbig dog, grey\n\"say \"\"hi\"\"\"\n", '\0'), (Texts{"cat", "big dog, grey", "say \"hi\""}));
  EXPECT_EQ(lines("label\n3\n1\n", ','), (Texts{"3", "1"}));
  EXPECT_EQ(lines("y\nn\ny\n", ','), (Texts{"y", "n", "y"}));
  expect_error([&] { (void)lines("1\n2,3\n", ','); }, {"y.txt", "line 2", "2 columns", "quotes"});
  expect_error([&] { (void)lines("", ','); }, {"no labels"});
}

}  // namespace
}  // namespace foldout
