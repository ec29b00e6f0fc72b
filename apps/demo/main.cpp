// SPDX-License-Identifier: Apache-2.0
// The demonstration behind `make demo`: renders faces, fits a map to some of them, embeds the others, and reports the
// accuracy.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iostream>
#include <set>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "io/atomic_file.h"
#include "io/image.h"
#include "page.h"

namespace foldout::demo {
namespace {

const RunContext kAllCores{.n_threads = 0};

// The first part is for training, the rest is new. Samples cycle through the people, so both parts contain all of them.
Split split(const SyntheticData& data, double part) {
  const auto n = static_cast<Index>(part * static_cast<double>(data.samples.rows()));
  const Index rest = data.samples.rows() - n;
  Split split{data.samples.topRows(n),
              data.samples.bottomRows(rest),
              data.truth.topRows(n),
              data.truth.bottomRows(rest),
              {},
              {}};
  const std::vector<std::string> labels = data.labels->texts();
  split.train_labels.assign(labels.begin(), labels.begin() + n);
  split.fresh_labels.assign(labels.begin() + n, labels.end());
  return split;
}

// The deviation of the new faces from their coordinates in an embedding of all faces.
double placement_error(const SyntheticData& data, const LaplacianEigenmapsOptions& options, const Matrix& train_map,
                       const Matrix& fresh_map) {
  const Matrix batch = fit_laplacian_eigenmaps(data.samples, options, kAllCores).coordinates;
  return placement(train_map, fresh_map, batch.topRows(train_map.rows()), batch.bottomRows(fresh_map.rows()));
}

PoseMap learn_poses() {
  const SyntheticData data =
      make_faces(900, 2, {.n_people = 1, .pan = 20, .tilt = 0, .light = 60, .expression = 0}, kAllCores);
  PoseMap pose;
  pose.faces = split(data, 2.0 / 3);
  const LaplacianEigenmapsOptions options{.n_components = 2, .n_neighbors = 12};
  pose.train_map = fit_laplacian_eigenmaps(pose.faces.train, options, kAllCores).coordinates;
  pose.fresh_map = extend_lle(pose.faces.train, pose.train_map)->transform(pose.faces.fresh, kAllCores);
  pose.placement_error = placement_error(data, options, pose.train_map, pose.fresh_map);
  return pose;
}

Matrix with_noise(const Matrix& faces, double part) {
  Matrix damaged = faces;
  const Rng rng(7);
  for (Index i = 0; i < faces.rows(); ++i) {
    Rng own = rng.stream(static_cast<std::uint64_t>(i));
    for (Index j = 0; j < faces.cols(); ++j)
      if (own.uniform() < part) damaged(i, j) = own.uniform(faces.minCoeff(), faces.maxCoeff());
  }
  return damaged;
}

double median(Vector values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// All new faces, and half of them with more and more of their pixels replaced by noise, which sparse codes separate
// from the face.
void try_damage(Recognition& result) {
  const Split& faces = result.faces;
  const Matrix& map = result.model.coordinates;
  const auto mean = extend_lvm(faces.train, map);
  for (int percent = 0; percent <= 60; percent += 15) {
    const Index n = percent == 0 ? faces.fresh.rows() : faces.fresh.rows() / 2;
    const Matrix damaged = with_noise(faces.fresh.topRows(n), percent / 100.0);
    const std::vector<std::string> truth(faces.fresh_labels.begin(), faces.fresh_labels.begin() + n);
    const auto rate = [&](const Matrix& train, const Matrix& fresh) {
      return neighbor_accuracy(train, faces.train_labels, fresh, truth);
    };
    result.damage.push_back({percent / 100.0, rate(map, result.model.map->transform(damaged, kAllCores)),
                             rate(faces.train, damaged), rate(map, mean->transform(damaged, kAllCores))});
    if (percent == 30) result.damaged = damaged;
  }
  result.confidence = median(result.model.explain(faces.fresh, kAllCores).confidence);
  result.damaged_confidence = median(result.model.explain(result.damaged, kAllCores).confidence);
}

Recognition recognize() {
  const SyntheticData data = make_faces(1200, 0, {.n_people = 30}, kAllCores);
  Recognition result;
  result.faces = split(data, 0.7);
  const Split& faces = result.faces;
  const LaplacianEigenmapsOptions options{.n_components = 40, .graph = GraphKind::kFull};
  result.model = fit_model(images_of(faces.train, faces.train_labels),
                           {.method = options, .extension = SparseOptions{}, .classifier = "nn"}, kAllCores);
  const auto start = std::chrono::steady_clock::now();
  const Matrix fresh_map = result.model.transform(faces.fresh, kAllCores);
  const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
  result.microseconds_per_face = elapsed.count() / static_cast<double>(faces.fresh.rows());
  result.chance = 1.0 / static_cast<double>(std::set(faces.train_labels.begin(), faces.train_labels.end()).size());
  result.placement_error = placement_error(data, options, result.model.coordinates, fresh_map);
  try_damage(result);
  result.rate = result.damage.front().on_map;
  result.pixel_rate = result.damage.front().by_pixels;
  return result;
}

int run(const std::string& folder) {
  fmt::print("one person turning: rendering, fitting, embedding …\n");
  const PoseMap pose = learn_poses();
  fmt::print("  {} training faces, {} new ones; placement error {:.3f} (0: exact, 1: no better than the mean)\n",
             pose.faces.train.rows(), pose.faces.fresh.rows(), pose.placement_error);
  fmt::print("many people: rendering, fitting, embedding …\n");
  const Recognition recognition = recognize();
  fmt::print("  {} training faces, {} new ones\n", recognition.faces.train.rows(), recognition.faces.fresh.rows());
  fmt::print("  recognised on the map {:.1f} %, by the nearest pixels {:.1f} %, by chance {:.1f} %\n",
             100 * recognition.rate, 100 * recognition.pixel_rate, 100 * recognition.chance);
  fmt::print("  placement error {:.3f}, {:.0f} microseconds per face\n", recognition.placement_error,
             recognition.microseconds_per_face);
  for (const DamageRates& at : recognition.damage)
    fmt::print(
        "  {:2.0f} % of the pixels replaced by noise: map {:.1f} %, nearest pixels {:.1f} %, mean of neighbours {:.1f} "
        "%\n",
        100 * at.part, 100 * at.on_map, 100 * at.by_pixels, 100 * at.by_mean);
  fmt::print("  confidence of new faces {:.2f}, of damaged ones {:.2f} (medians)\n", recognition.confidence,
             recognition.damaged_confidence);
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/index.html";
  AtomicFile page(path);
  page.stream() << make_page(pose, recognition);
  page.commit();
  fmt::print("{}\n", path);
  return 0;
}

}  // namespace
}  // namespace foldout::demo

int main(int argc, char** argv) {
  try {
    return foldout::demo::run(argc > 1 ? argv[1] : "demo");
  } catch (const std::exception& error) {
    std::cerr << "foldout_demo: " << error.what() << "\n";
    return 1;
  }
}
