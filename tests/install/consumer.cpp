// SPDX-License-Identifier: Apache-2.0
// The README's C++ example, as a stranger would build it.
#include <foldout/foldout.h>

#include <iostream>

int main() {
  const auto roll = foldout::make_swiss_roll(2000);
  const auto later = foldout::make_swiss_roll(500, /*seed=*/1);
  const auto fit = foldout::fit_ltsa(roll.samples, {.n_components = 2, .n_neighbors = 12});
  const auto place = foldout::extend_lle(roll.samples, fit.coordinates);
  const foldout::Matrix y = place->transform(later.samples);
  std::cout << y.rows() << " samples placed, trustworthiness " << foldout::trustworthiness(later.samples, y) << "\n";
  return y.rows() == 500 && y.allFinite() ? 0 : 1;
}
