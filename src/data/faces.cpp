// SPDX-License-Identifier: Apache-2.0
#include "foldout/data/faces.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "core/parallel.h"
#include "core/random.h"
#include "data/face_render.h"
#include "foldout/core/dataset.h"

namespace foldout {
namespace {

constexpr Key kSize{.name = "size", .meaning = "images are size × size pixels", .min = 8, .max = 512};
constexpr Key kPeople{.name = "n_people", .meaning = "number of identities", .min = 1};
constexpr Key kPan{.name = "pan", .meaning = "largest turn to the left or right, in degrees", .min = 0, .max = 60};
constexpr Key kTilt{.name = "tilt", .meaning = "largest turn up or down, in degrees", .min = 0, .max = 40};
constexpr Key kLight{.name = "light",
                     .meaning = "largest angle of the light beside the viewer, in degrees; half of it above or below",
                     .min = 0,
                     .max = 80};
constexpr Key kExpression{.name = "expression", .meaning = "strongest frown and smile", .min = 0, .max = 1};
constexpr Key kNoise{.name = "noise", .meaning = "standard deviation of the pixel noise, in grey levels", .min = 0};

constexpr Index kImagesPerTask = 64;

faces::View draw_view(const FacesOptions& o, Rng& rng) {
  const auto within = [&](double limit) { return limit * rng.uniform(-1, 1); };
  faces::View view;
  view.pan = within(o.pan);
  view.tilt = within(o.tilt);
  view.light_azimuth = within(o.light);
  view.light_elevation = within(0.5 * o.light);
  view.expression = within(o.expression);
  return view;
}

void draw_sample(SyntheticData& data, const faces::Head& head, Index i, Index person, Rng rng, const FacesOptions& o) {
  const faces::View view = draw_view(o, rng);
  data.truth.row(i) << static_cast<double>(person), view.pan, view.tilt, view.light_azimuth, view.light_elevation,
      view.expression;
  faces::render_face(head, view, o.size, data.samples.row(i).data());
  if (o.noise > 0)
    for (double& grey : data.samples.row(i)) grey = std::clamp(grey + o.noise * rng.normal(), 0.0, 255.0);
}

// Allocates n images and sets their labels.
SyntheticData blank(Index n, const FacesOptions& o, const RunContext& context) {
  if (n < 1) reject("n", static_cast<double>(n), "must be at least 1: ask for one sample or more");
  const Index n_pixels = Index{o.size} * o.size;
  require_memory(static_cast<double>(n) * static_cast<double>(n_pixels) * sizeof(double), "faces",
                 "ask for fewer or smaller images", context.memory_limit);
  SyntheticData data;
  data.samples.resize(n, n_pixels);
  data.image = {o.size, o.size};
  data.truth.resize(n, 6);
  data.truth_columns = {"identity", "pan", "tilt", "light_azimuth", "light_elevation", "expression"};
  const std::size_t digits = std::max<std::size_t>(2, fmt::formatted_size("{}", o.n_people - 1));
  std::vector<std::string> labels;
  for (Index i = 0; i < n; ++i) labels.push_back(fmt::format("person_{:0{}}", i % o.n_people, digits));
  data.labels = make_labels(labels);
  return data;
}

}  // namespace

Fields fields(FacesOptions& o) {
  return {{kSize, o.size},   {kPeople, o.n_people},       {kPan, o.pan},    {kTilt, o.tilt},
          {kLight, o.light}, {kExpression, o.expression}, {kNoise, o.noise}};
}

SyntheticData make_faces(Index n, std::uint64_t seed, const FacesOptions& options, const RunContext& context) {
  FacesOptions o = options;
  check_fields(fields(o), "faces");
  SyntheticData data = blank(n, o, context);
  // A task renders up to 64 images of one person: the head is modelled once for many images and then discarded.
  const Rng root(seed), identities = root.stream(0), views = root.stream(1);
  const Index people = std::min<Index>(o.n_people, n), most = (n + people - 1) / people;
  const Index tasks_per_person = (most + kImagesPerTask - 1) / kImagesPerTask;
  const double detail = std::clamp(0.8 * o.size / 32, 0.8, 3.2);
  parallel_for(
      people * tasks_per_person, context,
      [&](Index task) {
        const Index person = task % people, first = task / people * kImagesPerTask;
        if (person + first * people >= n) return;
        const faces::Head head =
            faces::build_head(faces::draw_identity(identities.stream(static_cast<std::uint64_t>(person))), detail);
        for (Index k = first; k < first + kImagesPerTask && person + k * people < n; ++k) {
          const Index i = person + k * people;
          draw_sample(data, head, i, person, views.stream(static_cast<std::uint64_t>(i)), o);
        }
      },
      "faces");
  return data;
}

}  // namespace foldout
