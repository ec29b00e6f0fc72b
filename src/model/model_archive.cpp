// SPDX-License-Identifier: Apache-2.0
// A model as an archive, and back.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "classify/classifier.h"
#include "core/archive.h"
#include "extend/load_map.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "model/classify.h"
#include "model/model_archive.h"
#include "model/references.h"
#include "model/report_json.h"
#include "preprocess/load_preprocessor.h"

namespace foldout {

namespace {

constexpr std::string_view kRoleLetters = "flid";  // in the order of ColumnRole: feature, label, id, dropped

nlohmann::json to_json(const TableLayout& table) {
  std::string roles;
  for (const ColumnRole role : table.roles) roles += kRoleLetters[static_cast<std::size_t>(role)];
  return {{"roles", roles}, {"names", table.names}};
}

TableLayout table_from_json(const nlohmann::json& about, Index n_features) {
  TableLayout table;
  for (const char letter : about.at("roles").get<std::string>()) {
    const std::size_t role = kRoleLetters.find(letter);
    if (role == std::string_view::npos) throw IoError("a column of the training table has an unknown role");
    table.roles.push_back(static_cast<ColumnRole>(role));
  }
  table.names = about.at("names").get<std::vector<std::string>>();
  if (std::ranges::count(table.roles, ColumnRole::kFeature) != n_features ||
      (!table.names.empty() && table.names.size() != table.roles.size()))
    throw IoError("the columns of the training table do not match the samples");
  return table;
}

}  // namespace

Archive to_archive(const Model& model) {
  std::vector<std::string> preprocess;
  for (const auto& step : model.spec.preprocess) preprocess.push_back(step.text());
  nlohmann::json about{{"preprocess", preprocess},
                       {"method", model.spec.method.text()},
                       {"extension", model.spec.extension.text()},
                       {"dictionary", model.spec.dictionary.text()},
                       {"classifier", model.spec.classifier.text()},
                       {"n_features", model.n_features},
                       {"image", {model.image.height, model.image.width}}};
  if (model.resized) about["resized"] = true;
  if (!model.table.empty()) about["table"] = to_json(model.table);
  if (model.labels) about["labels"] = {{"names", model.labels->names}, {"integers", model.labels->integers}};
  Report untimed = model.report;
  untimed.phases.clear();
  about["report"] = report_to_json(untimed);
  Archive archive;
  try {
    archive.put_text("model", about.dump());
  } catch (const nlohmann::json::exception&) {  // JSON is UTF-8
    throw InvalidArgument(
        "a label or the name of a column is not valid UTF-8, and the model cannot be written: convert the file");
  }
  archive.put("coordinates", model.coordinates);
  archive.put("eigenvalues", model.eigenvalues);
  if (model.fill.size() > 0) archive.put("fill", model.fill);
  if (model.labels)
    archive.put("labels", std::vector<std::int64_t>(model.labels->index.begin(), model.labels->index.end()));
  for (std::size_t i = 0; i < model.steps.size(); ++i) {
    Archive part;
    model.steps[i]->save(part);
    archive.put_part(fmt::format("preprocess.{}", i), part);
  }
  Archive map;
  model.map->save(map);
  archive.put_part("map", map);
  if (model.classifier) {
    Archive part;
    model.classifier->save(part);
    archive.put_part("classifier", part);
  }
  const ConfidenceScale& scale = model.confidence->scale();
  archive.put("confidence", Vector{{scale.typical, scale.rare}});
  if (const Matrix* reference = model.confidence->reference()) {
    const auto held = reference_of(model.map, model.coordinates.rows(), static_cast<bool>(model.spec.dictionary));
    if (!held || held->rows() != reference->rows() || *held != *reference)
      archive.put("confidence_samples", *reference);
  } else {
    archive.put("confidence_gaps", model.confidence->gaps());
  }
  return archive;
}

namespace {

Labels read_labels(const nlohmann::json& about, const std::vector<std::int64_t>& index, Index n_samples) {
  Labels labels{about.at("names").get<std::vector<std::string>>(), {}, about.at("integers").get<bool>()};
  if (static_cast<Index>(index.size()) != n_samples) throw IoError("labels and coordinates differ in number");
  for (const std::int64_t i : index) {
    if (i < 0 || i >= std::ssize(labels.names)) throw IoError("a label is out of range");
    labels.index.push_back(static_cast<int>(i));
  }
  return labels;
}

Index whole_number(const nlohmann::json& value) {
  constexpr std::uint64_t kMost = 1 << 30;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
    throw IoError("the description of the model is damaged: a size is not a whole number");
  return value.get<Index>();
}

// These counts are figures of the report, which a file may set to any value.
std::optional<Index> count_in(const Report& report, std::string_view figure) {
  const double* count = report.find_figure(figure);
  if (!count || !(*count >= 0 && *count < 1e15)) return std::nullopt;
  return static_cast<Index>(*count);
}

// The input width of every step must equal the output width of the previous one.
void check_chain(const Model& model) {
  Index width = model.n_features;
  for (const auto& step : model.steps) {
    if (step->n_inputs() != width) throw IoError("the preprocessing steps do not fit together");
    width = step->n_outputs();
  }
  const MapInfo info = model.map->info();
  if (info.n_features != width || info.n_components != model.coordinates.cols() || model.coordinates.rows() < 1)
    throw IoError("the map does not fit the preprocessing or the coordinates");
}

std::shared_ptr<const Confidence> read_confidence(const Archive& archive, const Model& model) {
  const auto& map = model.map;
  const bool atoms = static_cast<bool>(model.spec.dictionary);
  const Index n_samples = model.coordinates.rows();
  const Vector scale = archive.vector("confidence");
  if (const RowMeaning rows = row_meaning(model.spec.method); rows != RowMeaning::kSamples) {
    Vector gaps = archive.vector("confidence_gaps");
    const Index n_gaps = rows == RowMeaning::kDistances ? map->info().n_features : 0;
    if (scale.size() != 2 || (scale.array() < 0).any() || gaps.size() != n_gaps || (gaps.array() < 0).any())
      throw IoError("the confidence does not fit the map");
    return std::make_shared<Confidence>(std::move(gaps), ConfidenceScale{scale[0], scale[1]});
  }
  auto reference = archive.has("confidence_samples")
                       ? std::make_shared<const Matrix>(archive.matrix("confidence_samples"))
                       : reference_of(map, n_samples, atoms);
  if (!reference) throw IoError("the reference samples of the confidence are missing");
  if (scale.size() != 2 || (scale.array() < 0).any() || reference->rows() < 1 ||
      reference->cols() != map->info().n_features)
    throw IoError("the confidence does not fit the map");
  return std::make_shared<Confidence>(reference, ConfidenceScale{scale[0], scale[1]});
}

}  // namespace

Model from_archive(const Archive& archive) {
  Model model;
  try {
    const auto about = nlohmann::json::parse(archive.text("model"));
    for (const auto& step : about.at("preprocess").get<std::vector<std::string>>())
      model.spec.preprocess.emplace_back(step);
    model.spec.method = about.at("method").get<std::string>();
    model.spec.extension = about.at("extension").get<std::string>();
    model.spec.dictionary = about.value("dictionary", std::string());
    model.spec.classifier = about.at("classifier").get<std::string>();
    (void)completed(model.spec);  // refuses incompatible components
    model.n_features = whole_number(about.at("n_features"));
    model.image = {whole_number(about.at("image").at(0)), whole_number(about.at("image").at(1))};
    if (model.image.height != 0 && model.image.height * model.image.width != model.n_features)
      throw IoError("the size of the images does not match the samples");
    model.resized = about.value("resized", false);
    if (about.contains("table")) model.table = table_from_json(about.at("table"), model.n_features);
    if (archive.has("fill")) model.fill = archive.vector("fill");
    if (model.fill.size() != 0 && model.fill.size() != model.n_features)
      throw IoError("the means for missing values do not match the samples");
    model.report = report_from_json(about.at("report"));
    model.coordinates = archive.matrix("coordinates");
    model.eigenvalues = archive.vector("eigenvalues");
    model.n_samples = count_in(model.report, "n_samples_streamed").value_or(model.coordinates.rows());
    model.n_atoms = model.spec.dictionary ? count_in(model.report, "n_atoms").value_or(0) : 0;
    if (about.contains("labels"))
      model.labels = read_labels(about.at("labels"), archive.integers("labels"), model.coordinates.rows());
  } catch (const nlohmann::json::exception& error) {
    throw IoError(fmt::format("the description of the model is damaged: {}", error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(error.what());
  }
  for (std::size_t i = 0; i < model.spec.preprocess.size(); ++i)
    model.steps.push_back(load_preprocessor(archive.part(fmt::format("preprocess.{}", i))));
  model.map = load_map(archive.part("map"));
  check_chain(model);
  model.confidence = read_confidence(archive, model);
  load_classifier(archive, model);
  return model;
}

}  // namespace foldout
