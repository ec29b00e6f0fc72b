// SPDX-License-Identifier: Apache-2.0
// Arrays between numpy and Eigen, and calls that release the interpreter lock.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <string>

#include "foldout/core/context.h"
#include "foldout/core/error.h"
#include "foldout/core/types.h"

namespace foldout::python {

namespace py = pybind11;

/// Samples or coordinates: C-ordered float64. Arguments are declared with noconvert(): copies are made by the package.
using Array = py::array_t<double, py::array::c_style>;

/// A view; throws ValueError unless the array has two dimensions.
[[nodiscard]] Eigen::Map<const Matrix> view(const Array& array);
/// An array that owns the matrix.
[[nodiscard]] py::array to_numpy(Matrix matrix);
[[nodiscard]] py::array to_numpy(const Vector& vector);
/// (data, indices, indptr, shape), the arguments of scipy.sparse.csr_matrix.
[[nodiscard]] py::tuple to_numpy(const SparseMatrix& matrix);

/// The progress hook of one call: lets Python handle signals and calls `callback(phase, fraction)`, unless it is None,
/// at most every 50 ms and at the start of each phase. What either raises cancels the call.
class ProgressHook {
 public:
  explicit ProgressHook(const py::object& callback) : callback_(callback), wants_phases_(!callback.is_none()) {}
  [[nodiscard]] bool keep_going(const Progress& progress);
  /// Raises what cancelled the call, if it was Python.
  void rethrow() const;

 private:
  const py::object& callback_;
  bool wants_phases_;
  std::string phase_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::exception_ptr raised_;
};

/// fn(context) without the interpreter lock.
template <class Fn>
auto run(int n_threads, const py::object& progress, const Fn& fn) {
  ProgressHook hook(progress);
  const RunContext context{.n_threads = n_threads,
                           .progress = [&hook](const Progress& state) { return hook.keep_going(state); }};
  try {
    const py::gil_scoped_release release;
    return fn(context);
  } catch (const Cancelled&) {
    hook.rethrow();
    throw;
  }
}

}  // namespace foldout::python
