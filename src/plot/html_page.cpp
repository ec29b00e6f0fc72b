// SPDX-License-Identifier: Apache-2.0
#include "plot/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/check.h"
#include "core/numbers.h"
#include "foldout/core/error.h"
#include "plot/markup.h"

namespace foldout {
namespace {

constexpr std::string_view kStyle = R"(:root { color-scheme: light dark; }
body { margin: 2.5rem auto; max-width: 62rem; padding: 0 1.25rem; font: 16px/1.55 system-ui, sans-serif;
  color: light-dark(#222, #ddd); background: light-dark(#fff, #16181c); }
h1 { font-size: 1.7rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .9rem .3rem 0; text-align: left; border-bottom: 1px solid light-dark(#e2e2e2, #33363d); }
th { font-weight: 600; }
.number { text-align: right; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { font-size: .9rem; color: light-dark(#666, #999); margin-top: .4rem; }
.grid { display: flex; flex-wrap: wrap; gap: .5rem; }
.grid div { text-align: center; font-size: .75rem; color: light-dark(#666, #999); }
.grid img { display: block; image-rendering: pixelated; border-radius: 3px; }
)";

bool is_number(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// A column is right-aligned if all its cells are numbers.
bool is_number_column(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  return !rows.empty() && std::ranges::all_of(rows, [&](const auto& row) { return is_number(row[column]); });
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title) : title_(escape(title)) {}

void HtmlPage::heading(std::string_view text) { body_ += fmt::format("<h2>{}</h2>\n", escape(text)); }

void HtmlPage::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", escape(text)); }

void HtmlPage::table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].size() != header.size())
      throw InvalidArgument(fmt::format("table: row {} has {} cells, but the header has {}: give one per column", i,
                                        rows[i].size(), header.size()));
  std::vector<std::string_view> style;
  for (std::size_t j = 0; j < header.size(); ++j) style.push_back(is_number_column(rows, j) ? " class=\"number\"" : "");
  const auto put_row = [&](const std::vector<std::string>& cells, std::string_view tag) {
    body_ += "<tr>";
    for (std::size_t j = 0; j < cells.size(); ++j)
      body_ += fmt::format("<{0}{1}>{2}</{0}>", tag, style[j], escape(cells[j]));
    body_ += "</tr>\n";
  };
  body_ += "<table>\n";
  put_row(header, "th");
  for (const auto& row : rows) put_row(row, "td");
  body_ += "</table>\n";
}

void HtmlPage::figure(std::string_view svg, std::string_view caption) {
  body_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg, escape(caption));
}

void HtmlPage::image_grid(const std::vector<PageImage>& images, std::string_view caption, int pixels) {
  if (pixels < 1) reject("image grid: pixels", pixels, "must be at least 1");
  body_ += "<figure>\n<div class=\"grid\">\n";
  for (const PageImage& image : images)
    body_ += fmt::format("<div><img width=\"{}\" alt=\"{}\" src=\"data:image/png;base64,{}\">{}</div>\n", pixels,
                         escape(image.caption), base64(image.png), escape(image.caption));
  body_ += fmt::format("</div>\n<figcaption>{}</figcaption>\n</figure>\n", escape(caption));
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n</html>\n",
      title_, kStyle, body_);
}

}  // namespace foldout
