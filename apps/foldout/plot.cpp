// SPDX-License-Identifier: Apache-2.0
// A map as a page to explore, or as a figure.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/check.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/model/model.h"
#include "input.h"
#include "io/atomic_file.h"
#include "io/location.h"
#include "model/model_page.h"
#include "model/model_view.h"
#include "outputs.h"
#include "plot/figure.h"
#include "plot/html_page.h"
#include "session.h"

namespace foldout::cli {
namespace {

enum class Kind { kPage, kSvg, kPng };

struct PlotRequest : CommonOptions, InputOptions {
  std::string input, fresh, data, labels, report, output, image, theme = "auto";
  FigureOptions figure;
};

Kind kind_of(const std::string& output) {
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".html") return Kind::kPage;
  if (ending == ".svg") return Kind::kSvg;
  if (ending == ".png") return Kind::kPng;
  throw InvalidArgument(fmt::format("-o {}: a plot is written to a file that ends in .html, .svg or .png", output));
}

// A safetensors file begins with the length of its header, which is a JSON object.
bool is_model(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  std::uint64_t length = 0;
  char first = 0;
  if (error || !file.read(reinterpret_cast<char*>(&length), sizeof length) || !file.get(first)) return false;
  return length < size && first == '{';
}

// Seconds per phase, from the report that `fit --json` printed.
std::vector<std::pair<std::string, double>> read_phases(const std::string& path) {
  std::vector<std::pair<std::string, double>> phases;
  if (path.empty()) return phases;
  std::ifstream file(path);
  if (!file) throw IoError(fmt::format("{}: cannot be opened: give the file to which `fit --json` was written", path));
  try {
    const auto report = nlohmann::json::parse(file);
    for (const auto& [phase, seconds] : report.at("seconds").items()) phases.emplace_back(phase, seconds.get<double>());
  } catch (const nlohmann::json::exception&) {
    throw IoError(fmt::format("{}: is not a report with times per phase: give the output of `fit --json`", path));
  }
  return phases;
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// The size of images that were read as plain rows of pixels.
ImageShape image_size(const PlotRequest& o, ImageShape known, Index n_features) {
  if (o.image.empty()) return known;
  const ImageShape size = parse_image_size("--image", o.image);
  if (size.height * size.width != n_features)
    throw InvalidArgument(fmt::format("--image {}: has {} pixels, but the samples have {} features", o.image,
                                      size.height * size.width, n_features));
  return size;
}

// Coordinates that any program computed; values, images and ids come from --data.
MapView view_coordinates(const PlotRequest& o) {
  if (!o.fresh.empty())
    throw InvalidArgument(fmt::format(
        "--new {}: {} contains coordinates, and only a model places new samples: make one with `foldout extend`",
        o.fresh, o.input));
  if (!o.report.empty()) throw InvalidArgument("--report: coordinates have no fit: omit it, or give a model");
  MapView view;
  view.coordinates = read_matrix(o.input);
  view.title = file_name(o.input);
  const Index n = view.coordinates.rows();
  if (!o.data.empty()) {
    Dataset data = read_dataset(o.data, read_options(o));
    if (data.samples.rows() != n)
      throw InvalidArgument(fmt::format("{} has {} samples, {} has {} rows of coordinates: one per sample is needed",
                                        o.data, data.samples.rows(), o.input, n));
    if (data.labels) view.labels = data.labels->texts();
    view.ids = std::move(data.ids);
    view.image = image_size(o, data.image, data.samples.cols());
    if (view.image.height == 0) view.value_names = std::move(data.columns);
    view.values = std::move(data.samples);
  }
  if (!o.labels.empty()) view.labels = read_labels_of(o.labels, o.input, n).texts();
  return view;
}

struct Shown {
  std::optional<Model> model;
  std::optional<Dataset> train, fresh;
  MapView view;
};

Shown show(const PlotRequest& o, const RunContext& context) {
  Shown shown;
  if (!is_model(o.input)) {
    shown.view = view_coordinates(o);
    return shown;
  }
  Model& model = shown.model.emplace(load_model(o.input));
  model.image = image_size(o, model.image, model.n_features);
  if (!o.data.empty()) {
    const Dataset& train = shown.train.emplace(read_dataset(o.data, read_options(o, model)));
    require_image_size(train.image, o.data, model);
  }
  if (!o.fresh.empty()) {
    const Dataset& fresh = shown.fresh.emplace(read_dataset(o.fresh, read_options(o, model)));
    require_image_size(fresh.image, o.fresh, model);
  }
  shown.view = view_model(
      model, {.train = shown.train ? &*shown.train : nullptr, .fresh = shown.fresh ? &*shown.fresh : nullptr}, context);
  if (!o.labels.empty()) {
    const std::vector<std::string> labels = read_labels_of(o.labels, o.input, model.coordinates.rows()).texts();
    shown.view.labels.resize(static_cast<std::size_t>(shown.view.size()));
    std::ranges::copy(labels, shown.view.labels.begin());
  }
  return shown;
}

std::string page(const PlotRequest& o, const Shown& shown, const RunContext& context) {
  std::string title = o.figure.title;
  if (title.empty())
    title = shown.model ? fmt::format("{}: {}", file_name(o.input), shown.view.title) : shown.view.title;
  HtmlPage page(title);
  page.explorer(shown.view);
  if (shown.model)
    describe_model(page, *shown.model, shown.train ? &*shown.train : nullptr, read_phases(o.report), context);
  return page.text();
}

void check_request(PlotRequest& o) {
  const Kind kind = kind_of(o.output);
  check_model_output({{"MODEL", o.input}, {"--new", o.fresh}, {"--data", o.data}, {"--labels", o.labels}},
                     {"-o", o.output});
  o.figure.theme = parse_theme(o.theme, kind == Kind::kPng);
  if (kind == Kind::kPage && (o.figure.thumbnails || !o.figure.coordinates.empty() || o.theme != "auto"))
    throw InvalidArgument(
        "--thumbnails, --coordinates and --theme are for a figure (.svg, .png): a page lets its reader choose them");
  if (kind != Kind::kPage && !o.report.empty())
    throw InvalidArgument("--report: times are shown by a page: write to a file that ends in .html");
}

void run_plot(PlotRequest o) {
  check_request(o);
  const RunContext context = make_context(o);
  const Shown shown = show(o, context);
  const Kind kind = kind_of(o.output);
  const std::string text = kind == Kind::kPage  ? page(o, shown, context)
                           : kind == Kind::kSvg ? svg_map(shown.view, o.figure)
                                                : png_map(shown.view, o.figure);
  AtomicFile file(o.output);
  file.stream().write(text.data(), static_cast<std::streamsize>(text.size()));
  file.commit();
  const MapView& view = shown.view;
  print_result(o,
               {{"verb", "plot"},
                {"output", o.output},
                {"bytes", text.size()},
                {"n_samples", view.n_train()},
                {"n_new", view.n_new},
                {"n_components", view.coordinates.cols()}},
               fmt::format("{} samples{} drawn; {} ({})\n", view.n_train(),
                           view.n_new > 0 ? fmt::format(" and {} new ones", view.n_new) : "", o.output,
                           format_bytes(static_cast<double>(text.size()))));
}

}  // namespace

void add_plot(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("plot", "Draw a map: a page to explore, or a figure");
  const auto o = std::make_shared<PlotRequest>();
  verb->add_option("MODEL", o->input, "A model file, or coordinates in any format")->required();
  verb->add_option("-o,--output", o->output, "A page (.html) or a figure (.svg, .png)")->required()->type_name("FILE");
  verb->add_option("--new", o->fresh,
                   "New samples: placed on the map, each with the training samples it is placed from")
      ->type_name("DATA");
  verb->add_option("--data", o->data, "The training samples as they were fitted, to show their images, values and ids")
      ->type_name("DATA");
  verb->add_option("--labels", o->labels, "Labels of the training samples, if the model has none or others are wanted")
      ->type_name("FILE");
  verb->add_option("--image", o->image, "The samples are images of this size, if their file does not say so")
      ->type_name("WxH");
  verb->add_option("--report", o->report, "The output of `fit --json`: the page then shows the time of each phase")
      ->type_name("FILE");
  verb->add_option("--title", o->figure.title, "The title (default: the name of the input)")->type_name("TEXT");
  verb->add_option("--coordinates", o->figure.coordinates,
                   "Which two or three coordinates a figure shows, counted from 1 (default: the first two)")
      ->type_name("I,J[,K]")
      ->delimiter(',');
  verb->add_option("--width", o->figure.width, "Width of a figure in pixels")->type_name("N")->capture_default_str();
  verb->add_option("--theme", o->theme,
                   "Colours of a figure: light or dark (default: as the page around it; .png: light)")
      ->type_name("light|dark");
  verb->add_flag("--thumbnails", o->figure.thumbnails, "Draw images on a figure where there is room");
  add_input_options(*verb, *o);
  add_common_options(*verb, *o);
  verb->callback([o] { run_plot(*o); });
}

}  // namespace foldout::cli
