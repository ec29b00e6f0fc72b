// SPDX-License-Identifier: Apache-2.0
// PNG from SVG, by librsvg and cairo.
#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

#include "foldout/core/error.h"
#include "plot/figure.h"

namespace foldout {
namespace {

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

cairo_status_t append(void* out, const unsigned char* bytes, unsigned int n) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), n);
  return CAIRO_STATUS_SUCCESS;
}

[[noreturn]] void fail(GError* error) {
  const std::string reason = error ? error->message : "unknown reason";
  g_clear_error(&error);
  throw NumericalError(fmt::format("the figure cannot be rasterised ({}): write it as .svg", reason));
}

}  // namespace

std::string rasterise(const std::string& svg, double scale) {
  GError* error = nullptr;
  const Owned<RsvgHandle> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!handle) fail(error);
  double width = 0, height = 0;
  rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height);
  const Owned<cairo_surface_t> surface(cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(scale * width)), static_cast<int>(std::lround(scale * height))));
  const Owned<cairo_t> context(cairo_create(surface.get()));
  const RsvgRectangle page{0, 0, scale * width, scale * height};
  if (!rsvg_handle_render_document(handle.get(), context.get(), &page, &error)) fail(error);
  std::string png;
  if (cairo_surface_write_to_png_stream(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS) fail(nullptr);
  return png;
}

}  // namespace foldout
