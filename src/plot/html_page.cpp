// SPDX-License-Identifier: Apache-2.0
#include "plot/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/check.h"
#include "core/numbers.h"
#include "foldout/core/error.h"
#include "plot/map_json.h"
#include "plot/markup.h"
#include "plot/page_script.h"
#include "plot/page_style.h"

namespace foldout {
namespace {

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

std::vector<std::uint8_t> bytes_of_hex(std::string_view digits) {
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, bytes[i], 16);
  return bytes;
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title) : title_(escape(title)) {}

void HtmlPage::heading(std::string_view text) {
  close_section();
  body_ += fmt::format("<h2>{}</h2>\n", escape(text));
}

void HtmlPage::section(std::string_view title) {
  close_section();
  body_ += fmt::format("<details>\n<summary>{}</summary>\n", escape(title));
  in_section_ = true;
}

void HtmlPage::close_section() {
  if (std::exchange(in_section_, false)) body_ += "</details>\n";
}

void HtmlPage::explorer(const MapView& view) {
  if (!map_.empty()) throw InvalidArgument("page: it has an explorer already: one per page");
  close_section();
  map_ = map_json(view);
  body_ +=
      "<section id=\"explorer\" aria-label=\"Map of the samples\"><noscript>The map needs scripts, which this browser "
      "does not run.</noscript></section>\n";
}

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
  body_ += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>\n";
  put_row(header, "th");
  for (const auto& row : rows) put_row(row, "td");
  body_ += "</table></div>\n";
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
  std::string script, policy = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'";
  if (!map_.empty()) {
    script = fmt::format("<script type=\"application/json\" id=\"map-data\">{}</script>\n<script>{}</script>\n", map_,
                         page_script());
    policy += fmt::format("; script-src 'sha256-{}'", base64(bytes_of_hex(page_script_sha256())));
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n{}{}</main>\n{}</body>\n</html>\n",
      policy, title_, kPageStyle, title_, body_, in_section_ ? "</details>\n" : "", script);
}

}  // namespace foldout
