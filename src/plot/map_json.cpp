// SPDX-License-Identifier: Apache-2.0
#include "plot/map_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>

#include "foldout/core/error.h"
#include "foldout/core/version.h"
#include "plot/image_sheet.h"
#include "plot/markup.h"
#include "plot/natural_order.h"

namespace foldout {
namespace {

static_assert(std::endian::native == std::endian::little, "typed arrays of the page are little-endian");

using Json = nlohmann::json;

// Bytes of each part before base64, which adds a third. Coordinates have at least three columns.
constexpr double kCoordinateBytes = 3e6, kValueBytes = 3e6, kTextBytes = 3e6, kImagePixels = 6e6, kErrorPixels = 1.5e6;
constexpr Index kExactRows = 20000;               // more samples have quantised columns
constexpr Index kReasons = 16;                    // the largest weights of a code
constexpr Index kExplained = 20000;               // new samples with reasons
constexpr Index kLeastSide = 16, kMostSide = 96;  // of thumbnails

template <class T>
Json column(std::string_view type, const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return {{"type", type}, {"data", base64(bytes)}};
}

Json number_column(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& values, bool exact) {
  if (exact) {
    constexpr double kMost = std::numeric_limits<float>::max();
    std::vector<float> floats;
    floats.reserve(static_cast<std::size_t>(values.size()));
    for (const double value : values) floats.push_back(static_cast<float>(std::clamp(value, -kMost, kMost)));
    return column("f32", floats);
  }
  const double low = values.minCoeff(), high = values.maxCoeff();
  const double steps = high > low ? 65535 / (high - low) : 0;
  std::vector<std::uint16_t> numbers;
  numbers.reserve(static_cast<std::size_t>(values.size()));
  for (const double value : values) numbers.push_back(static_cast<std::uint16_t>(std::lround((value - low) * steps)));
  Json json = column("q16", numbers);
  json["low"] = low;
  json["high"] = high;
  return json;
}

// As many of the columns as fit, at least `least`.
Index columns_that_fit(Index rows, Index columns, bool exact, double bytes, Index least) {
  const double each = static_cast<double>(rows) * (exact ? 4 : 2);
  return std::min(columns, std::max(least, static_cast<Index>(bytes / each)));
}

class Packing {
 public:
  explicit Packing(const MapView& view) : view_(view), exact_(view.size() <= kExactRows) {}

  Json json() {
    all_ = {{"title", view_.title}, {"version", kVersion}, {"n_train", view_.n_train()}, {"n_new", view_.n_new}};
    put_coordinates();
    put_labels();
    put_ids();
    if (view_.image.height > 0)
      put_images();
    else
      put_values();
    if (view_.confidence.size() > 0) all_["confidence"] = number_column(view_.confidence, true);
    if (view_.residuals.size() > 0) all_["residuals"] = number_column(view_.residuals, true);
    put_reasons();
    all_["left_out"] = left_out_;
    return std::move(all_);
  }

 private:
  void put_coordinates() {
    const Index d = view_.coordinates.cols();
    const Index kept = columns_that_fit(view_.size(), d, exact_, kCoordinateBytes, 3);
    if (kept < d) left_out_.push_back(fmt::format("{} of {} coordinates", d - kept, d));
    Json columns = Json::array();
    for (Index k = 0; k < kept; ++k) columns.push_back(number_column(view_.coordinates.col(k), exact_));
    all_["coordinates"] = columns;
  }

  void put_labels() {
    std::map<std::string, std::uint16_t, NaturalOrder> index;
    for (const auto* texts : {&view_.labels, &view_.predicted})
      for (const std::string& text : *texts)
        if (!text.empty()) index.emplace(text, 0);
    if (index.empty()) return;
    if (index.size() >= std::numeric_limits<std::uint16_t>::max()) {
      left_out_.push_back(fmt::format("labels ({} distinct ones)", index.size()));
      return;
    }
    std::vector<std::string> names;
    for (auto& [name, i] : index) {
      names.push_back(name);
      i = static_cast<std::uint16_t>(names.size());
    }
    const auto indices = [&](const std::vector<std::string>& texts) {
      std::vector<std::uint16_t> numbers;  // 0: no label
      numbers.reserve(texts.size());
      for (const std::string& text : texts) numbers.push_back(text.empty() ? std::uint16_t{0} : index.at(text));
      return column("u16", numbers);
    };
    all_["label_names"] = names;
    if (!view_.labels.empty()) all_["labels"] = indices(view_.labels);
    if (!view_.predicted.empty()) all_["predicted"] = indices(view_.predicted);
  }

  void put_ids() {
    if (view_.ids.empty()) return;
    double bytes = 0;
    for (const std::string& id : view_.ids) bytes += static_cast<double>(id.size()) + 3;
    if (bytes > kTextBytes)
      left_out_.push_back(fmt::format("the ids ({:.0f} MB): samples are named by their row", bytes / 1e6));
    else
      all_["ids"] = view_.ids;
  }

  void put_values() {
    if (view_.values.size() == 0) return;
    const Index d = view_.values.cols();
    const Index kept = columns_that_fit(view_.values.rows(), d, exact_, kValueBytes, 0);
    if (kept < d) left_out_.push_back(fmt::format("{} of {} features", d - kept, d));
    Json columns = Json::array();
    for (Index k = 0; k < kept; ++k) {
      Json one = number_column(view_.values.col(k), exact_);
      one["name"] =
          view_.value_names.empty() ? fmt::format("feature {}", k + 1) : view_.value_names[static_cast<std::size_t>(k)];
      columns.push_back(std::move(one));
    }
    all_["values"] = columns;
    all_["values_from"] = view_.size() - view_.values.rows();
  }

  Json sheets_json(const ImageSheets& sheets) {
    Json pngs = Json::array();
    for (const std::string& png : sheets.pngs)
      pngs.push_back(base64({reinterpret_cast<const std::uint8_t*>(png.data()), png.size()}));
    return {{"width", sheets.shape.width},
            {"height", sheets.shape.height},
            {"columns", sheets.columns},
            {"rows", sheets.rows},
            {"sheets", pngs}};
  }

  // Every new sample, then training samples evenly over their order.
  [[nodiscard]] std::vector<Index> drawn_rows(Index most) const {
    const Index n = view_.values.rows(), first_new = n - view_.n_new;
    std::vector<Index> rows;
    for (Index i = first_new; i < n && std::ssize(rows) < most; ++i) rows.push_back(i);
    const Index left = std::min(most - std::ssize(rows), first_new);
    for (Index i = 0; i < left; ++i) rows.push_back(i * first_new / left);
    std::ranges::sort(rows);
    return rows;
  }

  void put_images() {
    const Index n = view_.values.rows();
    if (n == 0) return;
    const ImageShape shape = thumbnail_shape(view_.image, n, kImagePixels, kLeastSide, kMostSide);
    const auto fit = static_cast<Index>(kImagePixels / static_cast<double>(shape.height * shape.width));
    const std::vector<Index> rows = drawn_rows(std::min(n, fit));
    if (std::ssize(rows) < n)
      left_out_.push_back(fmt::format("the images of {} samples ({} are shown)", n - std::ssize(rows), rows.size()));
    all_["images"] = sheets_json(make_sheets(view_.values, rows, view_.image, shape, grey_scale(view_.values)));
    all_["images"]["full_width"] = view_.image.width;
    all_["images"]["full_height"] = view_.image.height;
    std::vector<std::uint32_t> slots;  // samples with an image, in the order of the sheets
    slots.reserve(rows.size());
    for (const Index row : rows) slots.push_back(static_cast<std::uint32_t>(row + view_.size() - n));
    all_["images"]["samples"] = column("u32", slots);
  }

  // The image of an error is grey where it is 0; black and white are the largest errors of that sample.
  void put_errors(const Matrix& errors, Index n) {
    Matrix scaled = errors.topRows(n);
    for (Index i = 0; i < n; ++i)
      if (const double largest = scaled.row(i).cwiseAbs().maxCoeff(); largest > 0) scaled.row(i) /= largest;
    std::vector<Index> rows(static_cast<std::size_t>(n));
    std::iota(rows.begin(), rows.end(), Index{0});
    const ImageShape shape = thumbnail_shape(view_.image, n, kErrorPixels, kLeastSide, kMostSide);
    const auto fit = static_cast<Index>(kErrorPixels / static_cast<double>(shape.height * shape.width));
    if (fit < n) {
      left_out_.push_back(fmt::format("the error images of {} samples", n - fit));
      rows.resize(static_cast<std::size_t>(fit));
    }
    all_["reasons"]["errors"] = sheets_json(make_sheets(scaled, rows, view_.image, shape, {-1, 1}));
  }

  void put_reasons() {
    const Reasons& reasons = view_.reasons;
    if (reasons.kind == Reasons::Kind::kNone || view_.n_new == 0) return;
    const Index n = std::min(view_.n_new, kExplained);
    if (n < view_.n_new) left_out_.push_back(fmt::format("the reasons of {} new samples", view_.n_new - n));
    const bool codes = reasons.kind == Reasons::Kind::kCodes;
    std::vector<std::uint32_t> counts, totals, anchors;
    std::vector<float> weights;
    for (Index i = 0; i < n; ++i) {
      std::vector<std::pair<double, Index>> row;
      for (SparseMatrix::InnerIterator at(reasons.weights, i); at; ++at) row.emplace_back(at.value(), at.col());
      std::ranges::sort(row, [&](const auto& a, const auto& b) {
        const double x = codes ? -std::abs(a.first) : a.first, y = codes ? -std::abs(b.first) : b.first;
        return x != y ? x < y : a.second < b.second;
      });
      totals.push_back(static_cast<std::uint32_t>(row.size()));
      row.resize(std::min(row.size(), static_cast<std::size_t>(kReasons)));
      counts.push_back(static_cast<std::uint32_t>(row.size()));
      for (const auto& [weight, anchor] : row) {
        weights.push_back(static_cast<float>(weight));
        anchors.push_back(static_cast<std::uint32_t>(anchor));
      }
    }
    constexpr std::string_view kKinds[] = {"none", "codes", "nearest", "nearest_on_map"};
    all_["reasons"] = {{"kind", kKinds[static_cast<std::size_t>(reasons.kind)]},
                       {"atoms", reasons.are_atoms},
                       {"counts", column("u32", counts)},
                       {"totals", column("u32", totals)},
                       {"anchors", column("u32", anchors)},
                       {"weights", column("f32", weights)}};
    if (view_.image.height > 0 && reasons.errors.rows() > 0) put_errors(reasons.errors, n);
    if (view_.image.height > 0 && reasons.atoms.rows() > 0) put_atoms(reasons.atoms);
  }

  void put_atoms(const Matrix& atoms) {
    std::vector<Index> rows(static_cast<std::size_t>(atoms.rows()));
    std::iota(rows.begin(), rows.end(), Index{0});
    const ImageShape shape = thumbnail_shape(view_.image, atoms.rows(), kErrorPixels, 8, kMostSide);
    all_["reasons"]["atom_images"] = sheets_json(make_sheets(atoms, rows, view_.image, shape, grey_scale(atoms)));
  }

  const MapView& view_;
  bool exact_;
  Json all_;
  std::vector<std::string> left_out_;
};

}  // namespace

void check_view(const MapView& view) {
  const auto fits = [](Index size, Index n, std::string_view what) {
    if (size != 0 && size != n)
      throw InvalidArgument(fmt::format("map: {} {} for {} samples: give one per sample, or none", size, what, n));
  };
  if (view.size() < 1 || view.coordinates.cols() < 1)
    throw InvalidArgument("map: no samples to show: give at least one row of coordinates");
  if (!view.coordinates.allFinite()) throw InvalidArgument("map: every coordinate must be finite");
  if (view.n_new < 0 || view.n_new > view.size())
    throw InvalidArgument(fmt::format("map: {} of {} samples cannot be new", view.n_new, view.size()));
  fits(std::ssize(view.ids), view.size(), "ids");
  fits(std::ssize(view.labels), view.size(), "labels");
  fits(std::ssize(view.predicted), view.n_new, "predicted labels");
  fits(view.confidence.size(), view.n_new, "confidences");
  fits(view.residuals.size(), view.n_new, "residuals");
  fits(view.reasons.weights.rows(), view.n_new, "rows of reasons");
  fits(view.reasons.errors.rows(), view.n_new, "rows of errors");
  if (view.values.rows() != view.n_new) fits(view.values.rows(), view.size(), "rows of values");
  if (!view.values.allFinite()) throw InvalidArgument("map: every value must be finite");
  fits(std::ssize(view.value_names), view.values.cols(), "names of features");
  if (view.image.height > 0 && view.values.size() > 0 && view.image.height * view.image.width != view.values.cols())
    throw InvalidArgument(fmt::format("map: images of {}×{} have {} pixels, but the samples {} values",
                                      view.image.width, view.image.height, view.image.height * view.image.width,
                                      view.values.cols()));
}

std::string map_json(const MapView& view) {
  check_view(view);
  const std::string text = Packing(view).json().dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace foldout
