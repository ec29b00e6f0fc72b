// SPDX-License-Identifier: Apache-2.0
#include "cli.h"

namespace foldout::cli_test {
namespace {

class Plot : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    expect_done("data swiss_roll -n 200 -o roll.npy");
    expect_done("data swiss_roll -n 20 -o new.npy --seed 1");
    ASSERT_EQ(
        run("fit roll.npy -o roll.model --method ltsa:n_components=3 --extension lle --embedding y.npy --json").status,
        0);
    fs::copy(folder_ / ".out", folder_ / "report.json");
  }
  [[nodiscard]] bool contains(const std::string& file, const std::string& part) const {
    return slurp(folder_ / file).find(part) != std::string::npos;
  }
};

TEST_F(Plot, WritesAPageThatDescribesTheModel) {
  expect_done("plot roll.model --new new.npy --report report.json -o map.html");
  for (const char* part : {"<title>roll.model: ltsa</title>", "\"n_new\":20", "Quality of the map", "phase of the fit",
                           "Repairs and fallbacks", "\"kind\":\"codes\""})
    EXPECT_TRUE(contains("map.html", part)) << part;
}

TEST_F(Plot, WritesFiguresOfModelsAndCoordinates) {
  expect_done("plot roll.model -o map.svg --coordinates 1,2,3 --theme dark");
  EXPECT_TRUE(contains("map.svg", "coordinate 3"));
  expect_done("plot y.npy -o map.png --width 400");
  EXPECT_EQ(slurp(folder_ / "map.png").substr(1, 3), "PNG");
  expect_done("plot y.npy --data roll.npy -o map.html");
  EXPECT_TRUE(contains("map.html", "\"name\":\"feature 3\""));
}

TEST_F(Plot, ExtensionsWithoutCodesShowTheNearestSamples) {
  expect_done("fit roll.npy -o pca.model --method pca:n_components=2");
  expect_done("plot pca.model --new new.npy -o map.html");
  EXPECT_TRUE(contains("map.html", "\"kind\":\"nearest_on_map\""));
  expect_done("plot pca.model --new new.npy --data roll.npy -o map.html");
  EXPECT_TRUE(contains("map.html", "\"kind\":\"nearest\""));
}

TEST_F(Plot, ComparisonsAreDrawnAgainstTimeAndAgainstAKey) {
  expect_done("compare roll.npy --method ltsa --extension lle --extension rbf --repeats 2 --plot time.html");
  EXPECT_TRUE(contains("time.html", "placement error against time") && contains("time.html", ">rbf<"));
  const Result swept =
      run("compare roll.npy --method ltsa --extension lle --repeats 2 --sweep n_neighbors=8:12:2 --json --plot "
          "sweep.html");
  EXPECT_EQ(swept.status, 0) << swept.err;
  EXPECT_NE(swept.out.find("\"values\":[8.0,10.0,12.0]"), std::string::npos) << swept.out;
  EXPECT_TRUE(contains("sweep.html", "placement error against n_neighbors") && contains("sweep.html", ">best: "));
  expect_done("compare roll.npy --method ltsa --extension elm --repeats 1 --sweep n_nodes=20,50");
  const Result words =
      run("compare roll.npy --method laplacian_eigenmaps --extension lle --repeats 1 --sweep weights=heat,binary "
          "--json --plot words.html");
  EXPECT_NE(words.out.find("\"values\":[\"heat\",\"binary\"]"), std::string::npos) << words.out << words.err;
  EXPECT_TRUE(contains("words.html", ">binary<") && contains("words.html", "seconds to fit against weights"));
  expect_refused("compare roll.npy --method laplacian_eigenmaps --sweep weights=heat,bin", {"bin", "binary"});
  expect_refused("compare roll.npy --method laplacian_eigenmaps --sweep weights=heat,", {"a value is empty"});
  expect_refused("compare roll.npy --method ltsa --sweep n_nodes=20,50", {"n_nodes", "--extension"});
  expect_refused("compare roll.npy --method ltsa --sweep n_neighbors=a:b", {"'a' is not a number"});
  expect_refused("compare roll.npy --method ltsa --sweep n_neighbors=1:5", {"first:last:step"});
  expect_refused("compare roll.npy --method ltsa --plot time.svg", {".html"});
}

TEST_F(Plot, RowsOfPixelsAreShownAsImages) {
  expect_done("data faces:size=16 -n 60 -o faces.csv");
  expect_done("fit faces.csv -o faces.model --method laplacian_eigenmaps --extension sparse");
  expect_done("plot faces.model --new faces.csv --image 16x16 -o map.html");
  EXPECT_TRUE(contains("map.html", "\"full_width\":16") && contains("map.html", "\"errors\":"));
  expect_done("plot faces.model --image 16x16 --thumbnails -o map.svg");
  EXPECT_TRUE(contains("map.svg", "<image"));
  expect_refused("plot faces.model --image 16x17 -o map.html", {"--image 16x17", "256 features"});
}

TEST_F(Plot, WrongRequestsAreRefused) {
  expect_refused("plot roll.model -o map.gif", {"map.gif", ".html, .svg or .png"});
  expect_refused("plot y.npy --new new.npy -o map.html", {"--new", "foldout extend"});
  expect_refused("plot roll.model --data new.npy -o map.html", {"20 samples", "200"});
  expect_refused("plot roll.model --coordinates 1,9 -o map.svg", {"coordinate 9"});
  expect_refused("plot roll.model --theme pink -o map.svg", {"pink", "light or dark"});
  expect_refused("plot roll.model --report y.npy -o map.html", {"y.npy", "fit --json"});
  expect_refused("plot roll.model -o roll.model.html --thumbnails", {"--thumbnails", "figure"});
  EXPECT_FALSE(fs::exists(folder_ / "map.html"));
}

}  // namespace
}  // namespace foldout::cli_test
