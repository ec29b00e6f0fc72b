// SPDX-License-Identifier: Apache-2.0
// The pictures of the documentation: foldout_pictures FOLDER
// One swiss roll through every method, coloured by the true arc length, and a contact sheet of rendered faces.
#include <fmt/format.h>
#include <foldout/foldout.h>
#include <foldout/load/atomic_file.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using foldout::Index;
using foldout::Matrix;

struct Picture {
  std::string_view name;  // of the method and of the file
  std::string_view spec;
  bool keeps_distances = false;  // then one unit is as long on both axes
};

constexpr Picture kPictures[] = {
    {"laplacian_eigenmaps", "laplacian_eigenmaps:n_neighbors=8"},
    {"lle", "lle:n_neighbors=12"},
    {"hessian_lle", "hessian_lle:n_neighbors=8"},
    {"ltsa", "ltsa:n_neighbors=8"},
    {"isomap", "isomap:n_neighbors=8", true},
    {"landmark_isomap", "landmark_isomap:n_neighbors=8", true},
    {"mds", "mds", true},
    {"kpca", "kpca"},
    {"diffusion_maps", "diffusion_maps:n_neighbors=8"},
    {"pca", "pca", true},
};

void write(const std::string& path, std::string_view bytes) {
  foldout::AtomicFile file(path);
  file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.commit();
}

void draw_roll(const Picture& picture, const foldout::SyntheticData& roll, const std::string& folder) {
  foldout::Dataset data;
  data.samples = roll.samples;
  const foldout::Model model = foldout::fit_model(data, {.method = std::string(picture.spec)});
  const foldout::Vector arc_length = roll.truth.col(0);
  foldout::ScatterOptions look;
  look.title = picture.spec;
  look.x_label = "first coordinate";
  look.y_label = "second coordinate";
  look.values.assign(arc_length.begin(), arc_length.end());
  look.values_label = "arc length";
  look.equal_scale = picture.keeps_distances;
  look.width = 560;
  look.height = 400;
  write(fmt::format("{}/{}.svg", folder, picture.name), foldout::svg_scatter(model.coordinates, look));
}

// A row of views per person.
void draw_faces(const std::string& folder) {
  constexpr Index kPeople = 4, kViews = 8, kSize = 48, kGap = 2;
  foldout::FacesOptions options;
  options.size = static_cast<int>(kSize);
  options.n_people = static_cast<int>(kPeople);
  const foldout::SyntheticData faces = foldout::make_faces(kPeople * kViews, 0, options);
  Matrix sheet = Matrix::Constant(kPeople * (kSize + kGap) - kGap, kViews * (kSize + kGap) - kGap, 255);
  for (Index i = 0; i < faces.samples.rows(); ++i) {
    const Index person = i % kPeople, view = i / kPeople;
    sheet.block(person * (kSize + kGap), view * (kSize + kGap), kSize, kSize) =
        Eigen::Map<const Matrix>(faces.samples.row(i).data(), kSize, kSize);
  }
  write(folder + "/faces.png", foldout::encode_png(sheet));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: foldout_pictures FOLDER\n";
    return 2;
  }
  try {
    const std::string folder = argv[1];
    const foldout::SyntheticData roll = foldout::make_swiss_roll(1000);  // fewer leave short cuts between the turns
    for (const Picture& picture : kPictures) draw_roll(picture, roll, folder);
    draw_faces(folder);
  } catch (const std::exception& error) {
    std::cerr << "foldout_pictures: " << error.what() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
