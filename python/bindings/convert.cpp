// SPDX-License-Identifier: Apache-2.0
#include "convert.h"

#include <memory>
#include <utility>

namespace foldout::python {

Eigen::Map<const Matrix> view(const Array& array) {
  if (array.ndim() != 2) throw py::value_error("expected a two-dimensional array: one sample per row");
  return {array.data(), array.shape(0), array.shape(1)};
}

py::array to_numpy(Matrix matrix) {
  auto owned = std::make_unique<Matrix>(std::move(matrix));
  const Matrix& kept = *owned;
  const py::capsule owner(owned.release(), [](void* pointer) { delete static_cast<Matrix*>(pointer); });
  return Array({kept.rows(), kept.cols()}, kept.data(), owner);
}

py::array to_numpy(const Vector& vector) { return py::array_t<double>(vector.size(), vector.data()); }

py::tuple to_numpy(const SparseMatrix& matrix) {
  SparseMatrix codes = matrix;
  codes.makeCompressed();
  return py::make_tuple(py::array_t<double>(codes.nonZeros(), codes.valuePtr()),
                        py::array_t<int>(codes.nonZeros(), codes.innerIndexPtr()),
                        py::array_t<int>(codes.rows() + 1, codes.outerIndexPtr()),
                        py::make_tuple(codes.rows(), codes.cols()));
}

bool ProgressHook::keep_going(const Progress& progress) {
  constexpr std::chrono::milliseconds kInterval{50};
  const auto now = std::chrono::steady_clock::now();
  const bool starts = wants_phases_ && progress.phase != phase_;
  if (!starts && now - last_ < kInterval) return true;
  last_ = now;
  phase_ = progress.phase;
  const py::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (wants_phases_) callback_(progress.phase, progress.fraction);
    return true;
  } catch (const py::error_already_set&) {
    raised_ = std::current_exception();
    return false;
  }
}

void ProgressHook::rethrow() const {
  if (raised_) std::rethrow_exception(raised_);
}

}  // namespace foldout::python
