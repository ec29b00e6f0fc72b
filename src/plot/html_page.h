// SPDX-License-Identifier: Apache-2.0
// A page in one file: no fonts, no external links, readable on light and dark screens. Its Content-Security-Policy
// forbids the network and every script except the explorer, which is allowed by its hash.
//
//   HtmlPage page("Faces");
//   page.paragraph("400 images of 40 people.");
//   page.figure(svg_scatter(coordinates, {.classes = people}), "The first two coordinates.");
//   std::string text = page.text();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plot/map_view.h"

namespace foldout {

struct PageImage {
  std::vector<std::uint8_t> png;  ///< an encoded PNG file
  std::string caption = {};
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title);

  // All texts are escaped; they may contain any characters.
  void heading(std::string_view text);
  void paragraph(std::string_view text);
  /// Columns that contain only numbers are right-aligned. Every row has as many cells as the header.
  void table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);
  /// `svg` is inserted unchanged.
  void figure(std::string_view svg, std::string_view caption);
  /// The images side by side, each `pixels` wide on the screen, without smoothing.
  void image_grid(const std::vector<PageImage>& images, std::string_view caption, int pixels = 96);

  /// The explorer of a map, once per page; needs a browser with WebGL, and lists the samples without it.
  void explorer(const MapView& view);
  /// A section that is closed at first; it ends with the next heading, section or explorer.
  void section(std::string_view title);

  /// The whole document.
  [[nodiscard]] std::string text() const;

 private:
  void close_section();

  std::string title_, body_, map_;
  bool in_section_ = false;
};

}  // namespace foldout
