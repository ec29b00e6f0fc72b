// SPDX-License-Identifier: Apache-2.0
// Tables and images as users have them: columns, names, ids, missing values, outputs.
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "cli.h"
#include "core/random.h"
#include "foldout/io/files.h"
#include "io/image.h"

namespace foldout::cli_test {
namespace {

class Tables : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("flowers.csv", flowers(60, "row,width,height,digit,when"));
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  // Two classes of flowers; columns as in `header`, of: row (a running number), width, height, digit (the class), when
  // (a text of its own for every row).
  static std::string flowers(int n, const std::string& header) {
    std::string text = header + "\n";
    Rng rng(1);
    for (int i = 0; i < n; ++i) {
      const double size = i % 2 ? 5.25 : 1.25;
      const std::string width = std::to_string(size + rng.uniform()), height = std::to_string(size - rng.uniform());
      std::stringstream names(header);
      std::string line;
      for (std::string name; std::getline(names, name, ',');) {
        line += line.empty() ? "" : ",";
        line += name == "row"      ? std::to_string(i)
                : name == "width"  ? width
                : name == "height" ? height
                : name == "digit"  ? std::to_string(i % 2)
                : name == "when"   ? "day " + std::to_string(i)
                                   : "0.5";
      }
      text += line + "\n";
    }
    return text;
  }
  [[nodiscard]] nlohmann::json reported(const std::string& arguments) {
    const Result result = run(arguments + " --json");
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.err;
    return result.status == 0 ? nlohmann::json::parse(result.out) : nlohmann::json();
  }
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
  static std::string fit(const std::string& flags) { return "fit flowers.csv -o m --method pca " + flags; }
};

TEST_F(Tables, FitSaysWhatItTookForFeaturesLabelsAndIds) {
  const Result plain = run(fit(""));
  ASSERT_EQ(plain.status, 0) << plain.err;
  EXPECT_NE(plain.err.find("columns: features row, width, height, digit; labels none; ids when"), std::string::npos)
      << plain.err;
  EXPECT_NE(plain.err.find("--id-column row"), std::string::npos) << "a running number is reported";
  EXPECT_NE(plain.err.find("--label-column digit"), std::string::npos) << "what looks like labels is reported";
  const auto chosen = reported(fit("--label-column digit --id-column when --drop row"));
  EXPECT_EQ(chosen["columns"]["features"], (std::vector<std::string>{"width", "height"}));
  EXPECT_EQ(chosen["columns"]["label"], "digit");
  EXPECT_EQ(chosen["columns"]["id"], "when");
  EXPECT_EQ(chosen["columns"]["dropped"], (std::vector<std::string>{"row"}));
  EXPECT_TRUE(chosen["notes"].empty()) << chosen["notes"];
  EXPECT_EQ(reported(fit("--columns width,height --label-column none"))["n_features"], 2);
  EXPECT_EQ(reported(fit("--columns 2,3"))["n_features"], 2);
}

TEST_F(Tables, TheFileOfTheFitIsAcceptedByEveryVerb) {
  expect_done(fit("--label-column digit --drop row --embedding y.csv"));
  expect_done("transform m flowers.csv -o z.csv");
  EXPECT_EQ(slurp(path("y.csv")), slurp(path("z.csv")));
  EXPECT_EQ(reported("classify m flowers.csv -o c.csv")["accuracy"], 1) << "the truth is the label column";
  EXPECT_EQ(reported("cluster m flowers.csv -n 2 -o k.csv")["clustering_error"], 0);
  expect_done("score trustworthiness flowers.csv y.csv --drop row,digit");
  expect_refused("score trustworthiness flowers.csv y.csv --drop row,digit --resize 8x8",
                 {"--resize 8x8", "no images"});
  expect_refused("score accuracy c.csv c.csv --drop row", {"accuracy compares labels", "omit"});
  expect_done("compare flowers.csv --method pca --extension lle --repeats 2 --label-column digit --drop row");
  expect_done("extend flowers.csv y.csv -o m2 --extension lle --label-column digit --drop row");
}

TEST_F(Tables, NewTablesAreMatchedByName) {
  expect_done(fit("--label-column digit --drop row"));
  expect_done("transform m flowers.csv -o a.npy");
  write("other.csv", flowers(60, "height,width"));
  expect_done("transform m other.csv -o b.npy");
  EXPECT_EQ(slurp(path("a.npy")), slurp(path("b.npy"))) << "another order of the columns";
  std::string bare = flowers(60, "width,height");
  write("bare.csv", bare.substr(bare.find('\n') + 1));
  expect_done("transform m bare.csv -o b.npy");
  EXPECT_EQ(slurp(path("a.npy")), slurp(path("b.npy"))) << "no names to compare";
  write("less.csv", flowers(9, "width,digit"));
  expect_refused("transform m less.csv -o c.npy", {"less.csv", "no column 'height'"});
  write("more.csv", flowers(9, "width,height,depth"));
  expect_refused("transform m more.csv -o c.npy", {"more.csv", "('depth')", "--drop depth"});
  expect_done("transform m more.csv -o c.npy --drop depth");
}

TEST_F(Tables, RowsKeepTheirIds) {
  expect_done(fit("--label-column digit --drop row"));
  expect_done("transform m flowers.csv -o y.csv --with label,confidence,residual --confidence c.csv");
  const std::string text = slurp(path("y.csv"));
  EXPECT_EQ(first_line(text), "id,y1,y2,confidence,residual,label");
  EXPECT_NE(text.find("\nday 17,"), std::string::npos);
  EXPECT_EQ(first_line(slurp(path("c.csv"))), "id,confidence,residual");
  expect_done("classify m flowers.csv -o l.csv --with second,confidence");
  EXPECT_EQ(first_line(slurp(path("l.csv"))), "id,confidence,label,second");
  EXPECT_NE(slurp(path("l.csv")).find(",1,0\n"), std::string::npos) << "label 1, second 0";
  expect_done("classify m flowers.csv -o l.csv");
  EXPECT_EQ(slurp(path("l.csv")).substr(0, 20), "id,label\nday 0,0\nday");
  expect_done("classify m flowers.csv -o l.txt");
  EXPECT_EQ(slurp(path("l.txt")).substr(0, 4), "0\n1\n");
  expect_done("transform m flowers.csv -o bare.csv --no-header");
  EXPECT_EQ(load_matrix(path("bare.csv")), load_matrix(path("y.csv")).leftCols(2));
  EXPECT_EQ(slurp(path("bare.csv")).find("day"), std::string::npos);
  expect_refused("transform m flowers.csv -o y.npy --with label", {"--with label", ".csv"});
  expect_refused("transform m flowers.csv -o y.csv --with labels", {"--with labels", "label, confidence, residual"});
}

TEST_F(Tables, EveryTableThatIsWrittenIsReadBackAsTheSameMatrix) {
  expect_done(fit("--label-column digit --drop row"));
  expect_done("transform m flowers.csv -o y.npy");
  for (const char* name : {"y.csv", "y.tsv", "y.txt"}) {
    expect_done(std::string("transform m flowers.csv -o ") + name);
    EXPECT_EQ(load_matrix(path(name)), load_matrix(path("y.npy"))) << name;
    EXPECT_EQ(load_dataset(path(name)).samples, load_matrix(path("y.npy"))) << name;
    EXPECT_EQ(run(std::string("score rmse y.npy ") + name).out.find("\"value\":0"),
              run("score rmse y.npy y.npy").out.find("\"value\":0"));
  }
  expect_done("data swiss_roll -n 20 -o r.npy");
  expect_done("data swiss_roll -n 20 -o r.csv");
  EXPECT_EQ(load_dataset(path("r.csv")).samples, load_matrix(path("r.npy")));
}

TEST_F(Tables, AnOutputThatIsAlsoAnInputIsRefused) {
  const std::string before = slurp(path("flowers.csv"));
  fs::create_symlink("flowers.csv", path("link.csv"));
  fs::create_hard_link(path("flowers.csv"), path("hard.csv"));
  for (const char* name : {"flowers.csv", "./flowers.csv", "link.csv", "hard.csv"}) {
    expect_refused(std::string("fit flowers.csv --method pca -o ") + name, {name, "also the input", "another name"});
    expect_refused(fit("--embedding ") + name, {name, "also the input"});
  }
  expect_done(fit(""));
  expect_refused("transform m flowers.csv -o flowers.csv", {"flowers.csv", "also the input"});
  expect_refused("transform m flowers.csv -o y.csv --confidence ./y.csv", {"y.csv", "one file"});
  expect_refused(fit("--embedding m"), {"ending"});
  expect_refused("fit flowers.csv --method pca -o e.npy --embedding e.npy", {"e.npy", "one file"});
  expect_refused("classify m flowers.csv -o flowers.csv", {"also the input"});
  expect_refused("transform m flowers.csv -o - --confidence /dev/stdout", {"standard output"});
  EXPECT_EQ(slurp(path("flowers.csv")), before);
}

TEST_F(Tables, OutputsAreCheckedBeforeWorkStarts) {
  expect_refused(fit("--embedding nowhere/y.npy"), {"nowhere", "does not exist"});
  EXPECT_FALSE(fs::exists(path("m"))) << "nothing was fitted";
  expect_done(fit(""));
  expect_refused("transform m flowers.csv -o y.npy --confidence nowhere/c.csv", {"nowhere"});
  EXPECT_FALSE(fs::exists(path("y.npy")));
  if (geteuid() != 0) {
    fs::create_directory(path("locked"));
    ::chmod(path("locked").c_str(), 0555);
    expect_refused("transform m flowers.csv -o locked/y.npy", {"locked", "permissions"});
  }
}

TEST_F(Tables, DevicesAndPipesAreOutputsToo) {
  expect_done(fit("--embedding /dev/null"));
  expect_done("fit flowers.csv --method pca -o /dev/null");
  expect_done("transform m flowers.csv -o /dev/null --confidence /dev/null");
  const Result shown = run("transform m flowers.csv -o /dev/stdout -q");
  EXPECT_EQ(first_line(shown.out), "id,y1,y2");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int status =
      std::system(("cd '" + path("").string() +
                   "' && (cat pipe > got & '" FOLDOUT_TOOL "' transform m flowers.csv -o pipe -q && wait)")
                      .c_str());
  EXPECT_EQ(status, 0);
  EXPECT_EQ(first_line(slurp(path("got"))), "id,y1,y2");
}

TEST_F(Tables, MissingValuesAreDroppedOrReplacedAndCounted) {
  write("gaps.csv", "a,b\n1,2\n2,\nNA,5\n4,8\n6,1\n");
  expect_refused("fit gaps.csv -o m --method pca:n_components=1", {"line 3", "--missing"});
  const auto dropped = reported("fit gaps.csv -o m --method pca:n_components=1 --missing drop");
  EXPECT_EQ(dropped["n_samples"], 3);
  EXPECT_NE(dropped["notes"].dump().find("2 samples were left out"), std::string::npos) << dropped["notes"];
  const auto filled = reported("fit gaps.csv -o m --method pca:n_components=1 --missing mean");
  EXPECT_EQ(filled["n_samples"], 5);
  EXPECT_NE(filled["notes"].dump().find("2 missing values were replaced"), std::string::npos);
  write("new.csv", "a,b\n,5\n");
  write("same.csv", "a,b\n3.25,5\n");
  const auto placed = reported("transform m new.csv -o y.npy");
  EXPECT_EQ(placed["figures"]["n_filled"], 1) << "by the means of the training samples";
  expect_done("transform m same.csv -o z.npy");
  EXPECT_EQ(slurp(path("y.npy")), slurp(path("z.npy")));
  expect_refused("transform m new.csv -o y.npy --missing error", {"line 2"});
  expect_refused("fit gaps.csv -o m --method pca --missing median", {"--missing median", "drop or mean"});
}

TEST_F(Tables, BadRowsCanBeSkippedAndAreListed) {
  expect_done(fit("--columns width,height --label-column digit"));
  write("new.csv", "width,height\n1,2\n1,x\n5\n5,6\n");
  expect_refused("transform m new.csv -o y.csv", {"line 3"});
  const Result placed = run("transform m new.csv -o y.csv --skip-bad");
  EXPECT_EQ(placed.status, 0);
  EXPECT_NE(placed.err.find("line 3: "), std::string::npos) << placed.err;
  EXPECT_NE(placed.err.find("line 4: "), std::string::npos) << placed.err;
  EXPECT_EQ(load_matrix(path("y.csv")).rows(), 2);
  EXPECT_EQ(reported("classify m new.csv -o l.txt --skip-bad")["figures"]["n_skipped"], 2);
}

TEST_F(Tables, StandardInputMayBeNpyOrJson) {
  write("x.csv", "1,2\n3,5\n9,1\n4,4\n");
  expect_done("fit x.csv -o m --method pca");
  expect_done("transform m x.csv -o y.npy");
  save_matrix(path("x.npy"), load_matrix(path("x.csv")));
  expect_done("transform m - -o a.npy", slurp(path("x.npy")));
  EXPECT_EQ(slurp(path("a.npy")), slurp(path("y.npy")));
  expect_done("transform m - -o a.npy", "[1,2]\n[3,5]\n[9,1]\n[4,4]\n");
  EXPECT_EQ(slurp(path("a.npy")), slurp(path("y.npy")));
  EXPECT_EQ(run("transform m - -o -", "{\"id\": \"seven\", \"x\": [1, 2]}\n").out.substr(0, 15), "id,y1,y2\nseven,");
}

class Images : public Cli {
 protected:
  void save(const std::string& name, Index height, Index width, int seed) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    save_png(path(name), 127 * (Rng(seed).normal_matrix(height, width).array().tanh() + 1).matrix());
  }
  void SetUp() override {
    Cli::SetUp();
    for (int i = 0; i < 12; ++i) save((i % 2 ? "train/anna/" : "train/bob/") + std::to_string(i) + ".png", 6, 8, i);
  }
};

TEST_F(Images, ResultsCarryTheNamesOfTheFiles) {
  expect_done("fit train -o m --method pca --embedding y.csv");
  const std::string text = slurp(path("y.csv"));
  EXPECT_EQ(text.substr(0, text.find(',', 9)), "id,y1,y2\nanna/1.png");
  const Result found = run("classify m train -o l.csv --json");
  EXPECT_EQ(nlohmann::json::parse(found.out)["accuracy"], 1) << "the truth is in the names of the folders";
  EXPECT_NE(slurp(path("l.csv")).find("bob/10.png,bob\n"), std::string::npos);
  expect_done("transform m train/anna/1.png -o one.csv");
  EXPECT_EQ(load_matrix(path("one.csv")).row(0), load_matrix(path("y.csv")).row(0));
}

TEST_F(Images, OfAnotherSizeAreRefusedAndCanBeResized) {
  expect_done("fit train -o m --method pca");
  save("new/1.png", 12, 16, 99);
  save("turned/1.png", 8, 6, 99);
  expect_refused("transform m new -o y.npy", {"16×12", "8×6", "--resize 8x6"});
  expect_refused("transform m turned -o y.npy", {"--resize 8x6"});
  expect_done("transform m new -o y.npy --resize 8x6");
  save("train/anna/99.png", 9, 9, 5);
  expect_refused("fit train -o m2 --method pca", {"99.png", "--resize"});
  expect_done("fit train -o m2 --method pca --resize 4x3 --embedding e.npy");
  expect_done("transform m2 new -o y.npy");
  expect_done("transform m2 train -o z.npy");
  EXPECT_LT((load_matrix(path("e.npy")) - load_matrix(path("z.npy"))).norm(), 1e-9) << "the size is replayed";
  expect_refused("fit train -o m2 --method pca --resize 4", {"--resize 4", "WIDTHxHEIGHT"});
  save_matrix(path("flat.npy"), Rng(1).normal_matrix(2, 12));
  expect_done("transform m2 flat.npy -o y.npy");
}

}  // namespace
}  // namespace foldout::cli_test
