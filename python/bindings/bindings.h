// SPDX-License-Identifier: Apache-2.0
// The parts of the module foldout._core: plain functions over the library, without logic of their own.
#pragma once

#include <pybind11/pybind11.h>

namespace foldout::python {

void bind_errors(pybind11::module_& module);
void bind_tables(pybind11::module_& module);  ///< components, metrics, synthetic data, plots
void bind_model(pybind11::module_& module);   ///< Model, and how it is fitted and loaded

}  // namespace foldout::python
