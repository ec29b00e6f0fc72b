// SPDX-License-Identifier: Apache-2.0
// Eigenpairs of the many small symmetric matrices of local neighbourhoods, without the overhead of LAPACK.
#pragma once

#include "foldout/core/types.h"

namespace foldout {

/// Replaces the symmetric A by its eigenvectors; `values` ascending. For matrices up to some tens of rows.
void small_eigen(ColMatrix& A, Vector& values);

}  // namespace foldout
