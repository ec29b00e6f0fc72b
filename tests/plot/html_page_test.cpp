// SPDX-License-Identifier: Apache-2.0
#include "plot/html_page.h"

#include <gtest/gtest.h>

#include "foldout/core/error.h"
#include "plot/markup.h"

namespace foldout {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string encoded(std::string_view text) {
  return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(Base64, PassesTheTestVectorsOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xff\xfe\xfd"), "//79");
}

TEST(Escape, LeavesNoMarkupAndNoControlCharacters) {
  EXPECT_EQ(escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escape(std::string("a\0b\x1b\tc", 6)), "ab\tc");
  EXPECT_EQ(escape("λ ≤ 1"), "λ ≤ 1");
}

TEST(HtmlPage, ContainsWhatWasAdded) {
  HtmlPage page("Faces & <light>");
  page.heading("Result");
  page.paragraph("1 < 2");
  page.figure("<svg></svg>", "a & b");
  const std::string text = page.text();
  EXPECT_TRUE(text.starts_with("<!doctype html>"));
  EXPECT_TRUE(has(text, "<title>Faces &amp; &lt;light&gt;</title>"));
  EXPECT_TRUE(has(text, "<h1>Faces &amp; &lt;light&gt;</h1>"));
  EXPECT_TRUE(has(text, "<h2>Result</h2>"));
  EXPECT_TRUE(has(text, "<p>1 &lt; 2</p>"));
  EXPECT_TRUE(has(text, "<svg></svg><figcaption>a &amp; b</figcaption>"));
  EXPECT_TRUE(text.ends_with("</html>\n"));
}

TEST(HtmlPage, ColumnsOfNumbersAreRightAligned) {
  HtmlPage page("t");
  page.table({"method", "rate"}, {{"lle", "92.5 %"}, {"pca", "1e-3"}});
  const std::string text = page.text();
  EXPECT_TRUE(has(text, "<tr><th>method</th><th class=\"number\">rate</th></tr>"));
  EXPECT_TRUE(has(text, "<tr><td>lle</td><td class=\"number\">92.5 %</td></tr>"));
  EXPECT_THROW(page.table({"a", "b"}, {{"only one"}}), InvalidArgument);
}

TEST(HtmlPage, ImagesAreInThePage) {
  HtmlPage page("t");
  page.image_grid({{.png = {'f', 'o', 'o'}, .caption = "person \"0\""}}, "People", 64);
  EXPECT_TRUE(has(page.text(), "<img width=\"64\" alt=\"person &quot;0&quot;\" src=\"data:image/png;base64,Zm9v\">"));
  EXPECT_THROW(page.image_grid({}, "", 0), InvalidArgument);
}

TEST(HtmlPage, ForbidsScriptsAndTheNetwork) {
  const std::string text = HtmlPage("t").text();
  EXPECT_TRUE(has(text, "Content-Security-Policy\" content=\"default-src 'none';"));
  EXPECT_FALSE(has(text, "<script"));
  EXPECT_FALSE(has(text, "script-src"));
}

TEST(HtmlPage, SectionsEndWithTheNextHeading) {
  HtmlPage page("t");
  page.section("one");
  page.paragraph("inside");
  page.heading("two");
  EXPECT_TRUE(has(page.text(), "<details>\n<summary>one</summary>\n<p>inside</p>\n</details>\n<h2>two</h2>"));
  page.section("three");
  EXPECT_TRUE(has(page.text(), "<summary>three</summary>\n</details>\n</main>"));
}

TEST(HtmlPage, HasOneExplorerWithEscapedData) {
  HtmlPage page("t");
  MapView view;
  view.coordinates = Matrix::Zero(2, 2);
  view.labels = {"</script>", "b"};
  page.explorer(view);
  const std::string text = page.text();
  EXPECT_TRUE(has(text, "\\u003c/script>"));
  EXPECT_TRUE(has(text, "script-src 'sha256-"));
  EXPECT_THROW(page.explorer(view), InvalidArgument);
}

}  // namespace
}  // namespace foldout
