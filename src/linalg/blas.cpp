// SPDX-License-Identifier: Apache-2.0
#include "linalg/blas.h"

#include <mutex>

namespace foldout {
namespace {

std::mutex mutex;
int guards = 0;
int threads_before = 1;

}  // namespace

BlasGuard::BlasGuard() {
  const std::lock_guard lock(mutex);
  if (guards++ == 0) {
    threads_before = openblas_get_num_threads();
    if (threads_before != 1) openblas_set_num_threads(1);
  }
}

BlasGuard::~BlasGuard() {
  const std::lock_guard lock(mutex);
  if (--guards == 0 && threads_before != 1) openblas_set_num_threads(threads_before);
}

}  // namespace foldout
