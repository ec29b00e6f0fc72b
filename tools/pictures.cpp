// SPDX-License-Identifier: Apache-2.0
// The pictures of the documentation: foldout_pictures FOLDER
// One swiss roll in every embedding, coloured by the true arc length; people in the linear maps; three manifolds
// embedded through dictionaries; a contact sheet of rendered faces, and faces on their map.
#include <fmt/format.h>
#include <foldout/foldout.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/rows.h"
#include "data/data_table.h"
#include "foldout/core/dataset.h"
#include "io/atomic_file.h"
#include "io/image.h"
#include "model/model_view.h"
#include "plot/figure.h"
#include "plot/svg_scatter.h"

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

// Polynomial maps, with new samples of the roll.
constexpr Picture kPolynomials[] = {{"nppe", "nppe:n_neighbors=10"}, {"snppe", "snppe:n_neighbors=10"}};

// Linear maps of faces, with new images of the same people.
constexpr Picture kPeople[] = {
    {"lda", "lda"},   {"lpp", "lpp:supervised=true"},
    {"olpp", "olpp"}, {"npe", "npe"},
    {"onpp", "onpp"}, {"lsda", "lsda"},
    {"cea", "cea"},
};

// As in figure 1 of Zhou and Barner (2013): a manifold, the number of atoms, the method.
struct Manifold {
  std::string_view name, data;
  int n_atoms;
  std::string_view method;
};

constexpr Manifold kManifolds[] = {
    {"roll", "swiss_roll", 500, "hessian_lle:n_neighbors=6"},
    {"sphere", "punctured_sphere:random=true", 200, "laplacian_eigenmaps:n_neighbors=6,weights=binary"},
    {"gaussian", "gaussian", 100, "lle:n_neighbors=12"},
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

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix both(above.rows() + below.rows(), above.cols());
  both << above, below;
  return both;
}

// The first `n_train` samples are used for training, the others are placed.
void draw_map(const Picture& picture, const Matrix& samples, Index n_train, const foldout::ModelSpec& spec,
              const std::optional<foldout::Labels>& labels, foldout::ScatterOptions look, const std::string& folder) {
  foldout::Dataset data;
  data.samples = samples.topRows(n_train);
  if (labels) {
    const std::vector<std::string> texts = labels->texts();
    data.labels = foldout::make_labels({texts.begin(), texts.begin() + n_train});
  }
  const foldout::Model model = foldout::fit_model(data, spec);
  look.title = picture.spec;
  look.x_label = "first coordinate";
  look.y_label = "second coordinate";
  for (Index i = 0; i < samples.rows(); ++i) look.is_new.push_back(i >= n_train);
  look.width = 560;
  look.height = 400;
  const Matrix placed = model.transform(samples.bottomRows(samples.rows() - n_train));
  write(fmt::format("{}/{}.svg", folder, picture.name),
        foldout::svg_scatter(stacked(model.coordinates, placed).leftCols(2), look));
}

void draw_polynomial(const Picture& picture, const std::string& folder) {
  constexpr Index kTrain = 800, kNew = 200;
  const foldout::SyntheticData roll = foldout::make_swiss_roll(kTrain + kNew);
  const foldout::Vector arc_length = roll.truth.col(0);
  foldout::ScatterOptions look;
  look.values.assign(arc_length.begin(), arc_length.end());
  look.values_label = "arc length";
  draw_map(picture, roll.samples, kTrain, {.method = std::string(picture.spec)}, {}, look, folder);
}

void draw_people(const Picture& picture, const std::string& folder) {
  constexpr Index kTrain = 180, kNew = 120;
  foldout::FacesOptions options;
  options.n_people = 6;
  const foldout::SyntheticData faces = foldout::make_faces(kTrain + kNew, 0, options);
  foldout::ScatterOptions look;
  for (Index i = 0; i < kTrain + kNew; ++i) look.classes.push_back(fmt::format("person {}", 1 + i % options.n_people));
  draw_map(picture, faces.samples, kTrain,
           {.preprocess = {"unit_norm", "center", "unit_norm"}, .method = picture.spec, .classifier = ""},
           foldout::make_labels(look.classes), look, folder);
}

// Drawings side by side, in rows of four.
std::string panels(const std::vector<std::string>& drawings, int width, int height) {
  constexpr int kColumns = 4;
  const int rows = (static_cast<int>(drawings.size()) + kColumns - 1) / kColumns;
  std::string all =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
                  kColumns * width, rows * height);
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    const int at = static_cast<int>(i);
    all += fmt::format("<svg x=\"{}\" y=\"{}\"{}", at % kColumns * width, at / kColumns * height,
                       std::string_view(drawings[i]).substr(std::string_view("<svg").size()));
  }
  return all + "</svg>\n";
}

// The embedding of samples coded over two atoms, for each dictionary.
void draw_dictionaries(const Manifold& manifold, const std::string& folder) {
  constexpr Index kSamples = 3000, kShown = 500;
  constexpr int kWidth = 320, kHeight = 260;
  const foldout::SyntheticData made = foldout::make_data(foldout::ComponentSpec::parse(manifold.data), kSamples);
  foldout::Dataset data;
  data.samples = made.samples;
  const foldout::Vector color = made.truth.col(0).head(kShown);
  std::vector<std::string> drawings;
  const auto draw = [&](const std::string& title, const std::string& dictionary) {
    const foldout::Model model =
        foldout::fit_model(data, {.method = std::string(manifold.method), .dictionary = dictionary});
    foldout::ScatterOptions look{.title = title, .width = kWidth, .height = kHeight};
    look.values.assign(color.begin(), color.end());
    drawings.push_back(foldout::svg_scatter(model.coordinates.topRows(kShown), look));
  };
  draw("all samples", "");
  for (const foldout::DictionaryRow& entry : foldout::dictionary_table())
    draw(fmt::format("{}, {} atoms", entry.name, manifold.n_atoms),
         fmt::format("{}:n_atoms={},coding_tau=2,atom_coordinates=samples", entry.name, manifold.n_atoms));
  write(fmt::format("{}/dictionaries_{}.svg", folder, manifold.name), panels(drawings, kWidth, kHeight));
}

// A row of views per person.
void draw_faces(const std::string& folder) {
  constexpr Index kPersons = 4, kViews = 8, kSize = 48, kGap = 2;
  foldout::FacesOptions options;
  options.size = static_cast<int>(kSize);
  options.n_people = static_cast<int>(kPersons);
  const foldout::SyntheticData faces = foldout::make_faces(kPersons * kViews, 0, options);
  Matrix sheet = Matrix::Constant(kPersons * (kSize + kGap) - kGap, kViews * (kSize + kGap) - kGap, 255);
  for (Index i = 0; i < faces.samples.rows(); ++i) {
    const Index person = i % kPersons, view = i / kPersons;
    sheet.block(person * (kSize + kGap), view * (kSize + kGap), kSize, kSize) =
        Eigen::Map<const Matrix>(faces.samples.row(i).data(), kSize, kSize);
  }
  write(folder + "/faces.png", foldout::encode_png(sheet));
}

// One person under varying pose and light: the training faces span the map, new ones are placed on it.
void draw_face_map(const std::string& folder) {
  constexpr Index kTrain = 500, kNew = 60;
  const foldout::FacesOptions options{.n_people = 1, .pan = 20, .tilt = 0, .light = 60, .expression = 0};
  const foldout::SyntheticData faces = foldout::make_faces(kTrain + kNew, 2, options);
  foldout::Dataset train, fresh;
  train.samples = faces.samples.topRows(kTrain);
  fresh.samples = faces.samples.bottomRows(kNew);
  train.image = fresh.image = {options.size, options.size};
  const foldout::Model model =
      foldout::fit_model(train, {.method = "laplacian_eigenmaps:n_neighbors=12", .extension = "lle"});
  foldout::MapView view = foldout::view_model(model, {.train = &train, .fresh = &fresh});
  write(
      folder + "/face_map.png",
      foldout::png_map(view, {.title = "One person under varying pose and light", .width = 1200, .thumbnails = true}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: foldout_pictures FOLDER\n";
    return 2;
  }
  try {
    const std::string folder = argv[1];
    const foldout::SyntheticData roll = foldout::make_swiss_roll(1000);  // fewer give short cuts between the turns
    for (const Picture& picture : kPictures) draw_roll(picture, roll, folder);
    for (const Picture& picture : kPolynomials) draw_polynomial(picture, folder);
    for (const Picture& picture : kPeople) draw_people(picture, folder);
    for (const Manifold& manifold : kManifolds) draw_dictionaries(manifold, folder);
    draw_faces(folder);
    draw_face_map(folder);
  } catch (const std::exception& error) {
    std::cerr << "foldout_pictures: " << error.what() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
