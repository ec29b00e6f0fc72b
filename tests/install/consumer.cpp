// SPDX-License-Identifier: Apache-2.0
// The README's C++ example, as a stranger would build it.
#include <foldout/foldout.h>

#include <iostream>

int main() {
  const auto faces = foldout::make_faces(400, /*seed=*/0, {.size = 24, .n_people = 20});
  const foldout::Matrix train = faces.samples.topRows(300), later = faces.samples.bottomRows(100);
  const auto fit = foldout::fit_laplacian_eigenmaps(train, {.n_components = 50, .graph = foldout::GraphKind::kFull});
  const auto place = foldout::extend_sparse(train, fit.coordinates);
  const foldout::Matrix y = place->transform(later);
  std::cout << y.rows() << " samples placed, trustworthiness " << foldout::trustworthiness(later, y) << "\n";
  return y.rows() == 100 && y.allFinite() ? 0 : 1;
}
