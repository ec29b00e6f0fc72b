// SPDX-License-Identifier: Apache-2.0
// Faces whose true parameters are known: a head is modelled for every person (skull, features, hair, sometimes a
// beard or glasses), posed, lit with self-shadowing, and rendered in greyscale. Experiments on recognition, pose and
// lighting run on them without a download. Each image is a smooth function of its pose, lighting and expression.
#pragma once

#include <cstdint>

#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/data/synthetic.h"

namespace [[gnu::visibility("default")]] foldout {

struct FacesOptions {
  int size = 32;      ///< images are size × size pixels, 8 … 512
  int n_people = 40;  ///< number of identities, ≥ 1; sample i shows person i mod n_people
  double pan = 25;    ///< largest turn to the left or right, in degrees, 0 … 60
  double tilt = 10;   ///< largest turn up or down, in degrees, 0 … 40
  double light = 40;  ///< largest angle of the light beside the viewer, in degrees, 0 … 80; half of it above or below
  double expression = 1;  ///< from frown (−expression) to smile (+expression), 0 … 1
  double noise = 0;       ///< standard deviation of pixel noise, in grey levels, ≥ 0
};

[[nodiscard]] Fields fields(FacesOptions& options);

/// n images, one per row, pixels row by row from the top left, 0 (black) to 255 (white). Truth: identity, pan, tilt,
/// light_azimuth, light_elevation, expression (angles in degrees; a positive pan turns the face to the viewer's right,
/// a positive tilt up; light of positive azimuth comes from the viewer's right, of positive elevation from above).
/// Labels: "person_00", … A head depends only on the seed and the person, pose and lighting only on the seed and the
/// sample.
[[nodiscard]] SyntheticData make_faces(Index n, std::uint64_t seed = 0, const FacesOptions& options = {},
                                       const RunContext& context = {});

}  // namespace foldout
