// SPDX-License-Identifier: Apache-2.0
#include "bindings.h"
#include "foldout/core/error.h"
#include "foldout/core/version.h"

namespace foldout::python {

namespace py = pybind11;

// Later registrations are tried first: classes after their bases.
void bind_errors(py::module_& module) {
  py::register_exception<Cancelled>(module, "Cancelled", PyExc_RuntimeError);
  const auto invalid = py::register_exception<InvalidArgument>(module, "InvalidArgument", PyExc_ValueError);
  py::register_exception<MissingLabels>(module, "MissingLabels", invalid.ptr());
  py::register_exception<IoError>(module, "FileError", PyExc_ValueError);
  py::register_exception<NumericalError>(module, "NumericalError", PyExc_ValueError);
}

}  // namespace foldout::python

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ library foldout, as plain functions. The package foldout is built on it.";
  module.attr("__version__") = foldout::kVersion;
  foldout::python::bind_errors(module);
  foldout::python::bind_tables(module);
  foldout::python::bind_model(module);
}
