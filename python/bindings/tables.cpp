// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <vector>

#include "bindings.h"
#include "components/rows.h"
#include "convert.h"
#include "data/data_table.h"
#include "evaluate/metric_table.h"
#include "plot/svg_scatter.h"

namespace foldout::python {
namespace {

py::list keys(const Fields& fields) {
  py::list list;
  for (const Field& field : fields) {
    const Key& key = field.key();
    list.append(py::dict(py::arg("name") = key.name, py::arg("type") = field.type(), py::arg("default") = field.text(),
                         py::arg("range") = field.range(), py::arg("choices") = field.choices(),
                         py::arg("meaning") = key.meaning, py::arg("symbol") = key.symbol, py::arg("min") = key.min,
                         py::arg("max") = key.max, py::arg("min_excluded") = key.min_excluded));
  }
  return list;
}

void append(py::list& list, std::string_view kind, const Row& row) {
  std::any options = row.defaults();
  list.append(py::dict(py::arg("kind") = kind, py::arg("name") = row.name, py::arg("summary") = row.summary,
                       py::arg("reference") = row.reference, py::arg("keys") = keys(row.fields(options))));
}

py::list components() {
  py::list list;
  for (const auto& row : preprocess_table()) append(list, "preprocess", row);
  for (const auto& row : method_table()) append(list, row.kind == MethodKind::kMap ? "map" : "embedding", row);
  for (const auto& row : extension_table()) append(list, "extension", row);
  for (const auto& row : dictionary_table()) append(list, "dictionary", row);
  for (const auto& row : classifier_table()) append(list, "classifier", row);
  for (const auto& entry : data_table())
    list.append(py::dict(py::arg("kind") = "data", py::arg("name") = entry.name, py::arg("summary") = entry.summary,
                         py::arg("reference") = "", py::arg("keys") = keys(entry.fields())));
  return list;
}

py::list metrics() {
  py::list list;
  for (const MetricEntry& entry : metric_table())
    list.append(py::dict(py::arg("name") = entry.name, py::arg("summary") = entry.summary,
                         py::arg("inputs") = std::vector<std::string_view>(entry.inputs.begin(), entry.inputs.end()),
                         py::arg("uses_neighbors") = entry.uses_neighbors,
                         py::arg("n_neighbors") = NeighborhoodOptions{}.n_neighbors,
                         py::arg("of_labels") = entry.of_labels != nullptr));
  return list;
}

double score_matrices(const std::string& name, const std::vector<Array>& inputs, int n_neighbors, int n_threads) {
  std::vector<Matrix> matrices;
  for (const Array& input : inputs) matrices.emplace_back(view(input));
  return run(n_threads, py::none(), [&](const RunContext& context) {
    return score(find_metric(name), matrices, {.n_neighbors = n_neighbors}, context);
  });
}

double score_labels(const std::string& name, const std::vector<std::string>& predicted,
                    const std::vector<std::string>& truth) {
  return find_metric(name).of_labels(predicted, truth);
}

// (samples, truth, names of the columns of truth, labels or None)
py::tuple synthetic(const std::string& spec, Index n_samples, std::uint64_t seed, int n_threads) {
  SyntheticData data = run(n_threads, py::none(), [&](const RunContext& context) {
    return make_data(ComponentSpec::parse(spec), n_samples, seed, context);
  });
  const py::object labels = data.labels ? py::cast(data.labels->texts()) : py::none();
  return py::make_tuple(to_numpy(std::move(data.samples)), to_numpy(std::move(data.truth)), data.truth_columns, labels);
}

std::string scatter_svg(const Array& coordinates, const std::vector<std::string>& classes, const std::string& title) {
  return svg_scatter(view(coordinates), {.title = title, .classes = classes});
}

}  // namespace

void bind_tables(py::module_& module) {
  module.def("components", &components, "All components of all kinds, with their keys.");
  module.def("metrics", &metrics, "All metrics.");
  module.def("score_matrices", &score_matrices, py::arg("name"), py::arg("inputs"),
             py::arg("n_neighbors") = NeighborhoodOptions{}.n_neighbors, py::arg("n_threads") = 1);
  module.def("score_labels", &score_labels, py::arg("name"), py::arg("predicted"), py::arg("truth"));
  module.def("scatter_svg", &scatter_svg, py::arg("coordinates").noconvert(), py::arg("classes"), py::arg("title"));
  module.def("synthetic", &synthetic, py::arg("spec"), py::arg("n_samples"), py::arg("seed"), py::arg("n_threads"));
}

}  // namespace foldout::python
