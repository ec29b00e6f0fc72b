// SPDX-License-Identifier: Apache-2.0
#include "foldout/model/model.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings.h"
#include "convert.h"
#include "foldout/io/files.h"
#include "model/fit_model.h"
#include "model/model_archive.h"

namespace foldout::python {
namespace {

using Texts = std::vector<std::string>;
/// A component as the package gives it: "name:key=value" and further keys with their values.
using Given = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>;

template <class Row>
Component<Row> component(const Given& given, const std::optional<std::uint64_t>& seed) {
  Component<Row> made(given.first);
  for (const auto& [key, value] : given.second) made.set(key, value);
  if (made && seed) made.set_default("seed", std::to_string(*seed));
  return made;
}

ModelSpec make_spec(const py::dict& given) {
  const auto seed = given["seed"].cast<std::optional<std::uint64_t>>();
  ModelSpec spec;
  for (const auto& step : given["preprocess"].cast<std::vector<Given>>())
    spec.preprocess.push_back(component<PreprocessRow>(step, seed));
  spec.method = component<MethodRow>(given["method"].cast<Given>(), seed);
  spec.extension = component<ExtensionRow>(given["extension"].cast<Given>(), seed);
  spec.dictionary = component<DictionaryRow>(given["dictionary"].cast<Given>(), seed);
  spec.classifier = component<ClassifierRow>(given["classifier"].cast<Given>(), seed);
  return spec;
}

Dataset about(const Texts& labels, const Texts& feature_names) {
  Dataset data;
  if (!labels.empty()) data.labels = make_labels(labels);
  data.columns = feature_names;
  if (!feature_names.empty())
    data.table = {std::vector<ColumnRole>(feature_names.size(), ColumnRole::kFeature), feature_names};
  return data;
}

Model fit(const Array& samples, const Texts& labels, const Texts& feature_names, const py::dict& given, int n_threads,
          const py::object& progress) {
  const ModelSpec spec = make_spec(given);
  const Dataset rest = about(labels, feature_names);
  const auto X = view(samples);
  return run(n_threads, progress, [&](const RunContext& context) {
    if (!learns_from_batches(spec)) return fit_samples(X, rest, spec, context);
    return fit_streamed(*stream_over(X, "X"), labels, spec, context);
  });
}

Model extend(const Array& samples, const Array& coordinates, const Texts& labels, const Texts& feature_names,
             const py::dict& given, int n_threads, const py::object& progress) {
  const ModelSpec spec = make_spec(given);
  const Dataset rest = about(labels, feature_names);
  const auto X = view(samples);
  const Matrix Y = view(coordinates);
  return run(n_threads, progress, [&](const RunContext& context) { return extend_samples(X, rest, Y, spec, context); });
}

Model fit_file(const std::string& path, const Texts& labels, const py::dict& given, int n_threads,
               const py::object& progress) {
  const ModelSpec spec = make_spec(given);
  return run(n_threads, progress,
             [&](const RunContext& context) { return fit_streamed(*open_stream(path), labels, spec, context); });
}

py::list notes_of(const Report& report) {
  py::list notes;
  for (const auto& note : report.notes) notes.append(py::make_tuple(note.code, note.text));
  return notes;
}

// (the coordinates, the notes of fallbacks)
py::tuple transform(const Model& model, const Array& samples, int n_threads, const py::object& progress) {
  const auto X = view(samples);
  Report report;
  Matrix Y = run(n_threads, progress, [&](const RunContext& context) { return model.transform(X, context, report); });
  return py::make_tuple(to_numpy(std::move(Y)), notes_of(report));
}

py::tuple explain(const Model& model, const Array& samples, int n_threads, const py::object& progress) {
  const auto X = view(samples);
  const Explanation found =
      run(n_threads, progress, [&](const RunContext& context) { return model.explain(X, context); });
  return py::make_tuple(to_numpy(found.confidence), to_numpy(found.residuals));
}

py::tuple codes(const Model& model, const Array& samples, int n_threads, const py::object& progress) {
  const auto X = view(samples);
  return to_numpy(run(n_threads, progress, [&](const RunContext& context) { return model.codes(X, context); }));
}

// (the labels, the notes of fallbacks)
py::tuple classify(const Model& model, const Array& samples, const std::string& classifier, int n_threads,
                   const py::object& progress) {
  const auto X = view(samples);
  const Component<ClassifierRow> by(classifier);
  Report report;
  const Texts found =
      run(n_threads, progress, [&](const RunContext& context) { return model.classify(X, by, context, report); });
  return py::make_tuple(found, notes_of(report));
}

py::dict spec_texts(const Model& model) {
  Texts steps;
  for (const auto& step : model.spec.preprocess) steps.push_back(step.text());
  return py::dict(py::arg("preprocess") = steps, py::arg("method") = model.spec.method.text(),
                  py::arg("extension") = model.spec.extension.text(),
                  py::arg("dictionary") = model.spec.dictionary.text(),
                  py::arg("classifier") = model.spec.classifier.text());
}

py::dict report(const Model& model) {
  py::dict seconds, figures, facts;
  for (const auto& [name, value] : model.report.phases)
    seconds[name.c_str()] = value + (seconds.contains(name) ? seconds[name.c_str()].cast<double>() : 0.0);
  for (const auto& [name, value] : model.report.figures) figures[name.c_str()] = value;
  for (const auto& [name, value] : model.report.facts) facts[name.c_str()] = value;
  return py::dict(py::arg("seconds") = seconds, py::arg("figures") = figures, py::arg("facts") = facts,
                  py::arg("notes") = notes_of(model.report));
}

// A read-only view that keeps the model alive.
py::array coordinates(const py::object& self) {
  const Matrix& Y = self.cast<const Model&>().coordinates;
  Array array({Y.rows(), Y.cols()}, Y.data(), self);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// (the distinct labels, the index of each sample's, whether they are integers), or None
py::object labels(const Model& model) {
  if (!model.labels) return py::none();
  return py::make_tuple(model.labels->names, model.labels->index, model.labels->integers);
}

py::bytes to_bytes(const Model& model) {
  const std::vector<std::uint8_t> bytes = encode_archive(to_archive(model));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Model from_bytes(const py::bytes& bytes) {
  const std::string_view text = bytes;
  const py::gil_scoped_release release;
  return from_archive(
      decode_archive(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), "the model"));
}

}  // namespace

void bind_model(py::module_& module) {
  const auto X = py::arg("X").noconvert();
  const auto n_threads = py::arg("n_threads") = 1;
  const auto progress = py::arg("progress") = py::none();
  py::class_<Model>(module, "Model")
      .def_readonly("n_features", &Model::n_features)
      .def_readonly("n_samples", &Model::n_samples)
      .def_readonly("n_atoms", &Model::n_atoms)
      .def_property_readonly("n_components", [](const Model& m) { return m.map->info().n_components; })
      .def_property_readonly("coordinates", &coordinates)
      .def_property_readonly("eigenvalues", [](const Model& m) { return to_numpy(m.eigenvalues); })
      .def_property_readonly("labels", &labels)
      .def_property_readonly("feature_names", [](const Model& m) { return m.table.feature_names(); })
      .def_property_readonly("spec", &spec_texts)
      .def_property_readonly("report", &report)
      .def_property_readonly("placed_by", [](const Model& m) { return m.map->info().name; })
      .def_property_readonly("promise", [](const Model& m) { return name_of(m.map->info().promise); })
      .def("transform", &transform, X, n_threads, progress)
      .def("explain", &explain, X, n_threads, progress)
      .def("codes", &codes, X, n_threads, progress)
      .def("classify", &classify, X, py::arg("classifier") = "", n_threads, progress)
      .def(
          "save", [](const Model& m, const std::string& path) { save_model(path, m); }, py::arg("path"),
          py::call_guard<py::gil_scoped_release>())
      .def("to_bytes", &to_bytes)
      .def(py::pickle(&to_bytes, &from_bytes));
  module.def("fit", &fit, X, py::arg("labels"), py::arg("feature_names"), py::arg("spec"), n_threads, progress);
  module.def("extend", &extend, X, py::arg("Y").noconvert(), py::arg("labels"), py::arg("feature_names"),
             py::arg("spec"), n_threads, progress);
  module.def("fit_file", &fit_file, py::arg("path"), py::arg("labels"), py::arg("spec"), n_threads, progress);
  module.def(
      "load", [](const std::string& path) { return load_model(path); }, py::arg("path"),
      py::call_guard<py::gil_scoped_release>());
  module.def("from_bytes", &from_bytes, py::arg("bytes"));
}

}  // namespace foldout::python
