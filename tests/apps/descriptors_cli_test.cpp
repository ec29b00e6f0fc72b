// SPDX-License-Identifier: Apache-2.0
// Closed descriptors, full devices, signals, links and long names.
#include "apps/cli.h"
#include "foldout/io/files.h"

namespace foldout::cli_test {
namespace {

class Descriptors : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    std::ofstream(path("x.csv")) << "1,2\n3,5\n9,1\n4,4\n";
    expect_done("fit x.csv -o m --method pca");
  }
  // Runs a script in the test's folder with the tool as $F; returns its exit status.
  int shell(const std::string& script) {
    const int status =
        std::system(("cd '" + path("").string() + "' && F='" FOLDOUT_TOOL "' && { " + script + "; }").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] bool has_parts() const {
    for (const auto& entry : fs::directory_iterator(path("")))
      if (entry.path().string().ends_with(".part")) return true;
    return false;
  }
  // The tool waits for its second row when the signal arrives.
  int status_after(const std::string& signal) {
    return shell(
        "mkfifo in && { (echo 1,2; sleep 20) > in & w=$!; $F transform m - -o late.csv < in 2> said & p=$!; "
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ls *.part > /dev/null 2>&1 && break; "
        "sleep 0.1; done; ls *.part > were; kill -" +
        signal + " $p; wait $p; s=$?; kill $w; rm in; exit $s; }");
  }
};

TEST_F(Descriptors, ThatAreClosedAreNotTakenByOutputFiles) {
  expect_done("transform m x.csv -o y.npy --confidence c.csv -q");
  const std::string y = slurp(path("y.npy")), c = slurp(path("c.csv"));
  for (const char* closed : {"0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"}) {
    EXPECT_EQ(shell(std::string("$F transform m x.csv -o y.npy --confidence c.csv ") + closed), 0) << closed;
    EXPECT_EQ(slurp(path("y.npy")), y) << closed;
    EXPECT_EQ(slurp(path("c.csv")), c) << closed;
  }
  EXPECT_NE(shell("$F transform m x.csv -o - 1>&- 2> said"), 0) << "results for nobody";
  EXPECT_NE(slurp(path("said")).find("standard output"), std::string::npos);
}

TEST_F(Descriptors, AFullDeviceIsAnError) {
  for (const std::string command : {"info m", "info m --json", "methods", "--help", "transform m x.csv -o -"}) {
    EXPECT_NE(shell("$F " + command + " > /dev/full 2> said"), 0) << command;
    EXPECT_NE(slurp(path("said")).find("standard output"), std::string::npos) << command << slurp(path("said"));
  }
}

TEST_F(Descriptors, SignalsEndAWaitForStandardInputAndLeaveNothing) {
  for (const char* signal : {"TERM", "HUP", "QUIT"}) {
    EXPECT_NE(status_after(signal), 0) << signal;
    EXPECT_NE(slurp(path("were")).find(".part"), std::string::npos) << "the output had been started";
    EXPECT_FALSE(has_parts()) << signal;
    EXPECT_FALSE(fs::exists(path("late.csv"))) << signal;
  }
}

// What a mapped input file sends when another program cuts it off.
TEST_F(Descriptors, ABusErrorIsAMessageAndLeavesNothing) {
  EXPECT_EQ(status_after("BUS"), 2);
  EXPECT_NE(slurp(path("said")).find("became shorter while it was read"), std::string::npos) << slurp(path("said"));
  EXPECT_FALSE(has_parts());
}

TEST_F(Descriptors, EscapeSequencesInFilesDoNotReachTheTerminal) {
  std::ofstream(path("names.csv")) << "\x1b[31mred\x07,b\n1,2\n3,5\n9,1\n4,4\n";
  for (const std::string command :
       {"fit names.csv -o n --method pca", "info n", "transform n x.csv -o y.npy", "fit names.csv -o n --drop c"}) {
    const Result result = run(command);
    const std::string said = result.out + result.err;
    EXPECT_EQ(said.find('\x1b'), std::string::npos) << command;
    EXPECT_EQ(said.find('\x07'), std::string::npos) << command;
  }
  EXPECT_NE(run("info n").out.find("\\x1b[31mred\\x07"), std::string::npos) << run("info n").out;
}

TEST_F(Descriptors, AReaderThatLeavesAndALimitOfSizeAreErrors) {
  expect_done("data swiss_roll -n 20000 -o many.csv");
  expect_done("fit many.csv -o roll --method pca");
  EXPECT_EQ(shell("$F transform roll many.csv -o - 2> said | head -n 1 > one; test -s one"), 0);
  EXPECT_NE(shell("ulimit -f 8; $F transform roll many.csv -o y.csv 2> said"), 0);
  EXPECT_NE(slurp(path("said")).find("y.csv"), std::string::npos) << slurp(path("said"));
  EXPECT_FALSE(has_parts());
}

TEST_F(Descriptors, ALinkToAMissingFileIsFollowed) {
  fs::create_symlink("target.csv", path("link.csv"));
  expect_done("transform m x.csv -o link.csv");
  EXPECT_TRUE(fs::is_symlink(path("link.csv")));
  EXPECT_EQ(load_matrix(path("target.csv")).rows(), 4);
}

TEST_F(Descriptors, NamesMayBeAsLongAsTheFileSystemAllows) {
  for (const std::size_t length : {240, 251}) expect_done("transform m x.csv -o " + std::string(length, 'y') + ".npy");
}

TEST_F(Descriptors, ALimitOfTheAddressSpaceIsRespectedWithoutAHang) {
  if (!kMemoryIsMeasurable) GTEST_SKIP() << "sanitizers reserve terabytes";
  expect_done("data swiss_roll -n 1500 -o roll.npy");
  for (const char* limit : {"150000", "200000", "300000"})
    EXPECT_EQ(shell(std::string("ulimit -v ") + limit + "; timeout -s KILL 20 $F --version > said"), 0) << limit;
  EXPECT_EQ(shell("ulimit -v 500000; timeout -s KILL 60 $F fit roll.npy -o r --method isomap 2> said"), 0)
      << slurp(path("said"));
  for (const char* limit : {"150000", "200000", "250000", "300000", "350000", "400000", "450000"}) {
    const int status =
        shell(std::string("ulimit -v ") + limit + "; timeout -s KILL 60 $F fit roll.npy -o r --method isomap 2> said");
    EXPECT_TRUE(status >= 0 && status <= 2) << limit << " kB ended with " << status;
    EXPECT_NE(slurp(path("said")), "");
  }
  EXPECT_EQ(shell("ulimit -v 300000; timeout -s KILL 60 $F data swiss_roll -n 10000000 -o s.npy 2> said"), 2);
  EXPECT_NE(slurp(path("said")).find("are available"), std::string::npos) << slurp(path("said"));
}

// One call of LAPACK takes more than ten seconds here, and it cannot be asked to stop.
TEST_F(Descriptors, ASignalEndsALongStepWithinASecond) {
  expect_done("data swiss_roll -n 3500 -o roll.npy");
  const int status = shell(
      "$F fit roll.npy -o late --method pca --extension elm:n_nodes=3500 --json > out 2> said & p=$!; sleep 2; "
      "kill -TERM $p; a=$(date +%s); wait $p; s=$?; b=$(date +%s); test $((b - a)) -le 4 && exit $s; exit 99");
  EXPECT_EQ(status, 1);
  EXPECT_EQ(slurp(path("said")), "foldout: cancelled\n");
  EXPECT_NE(slurp(path("out")).find("\"kind\":\"cancelled\""), std::string::npos) << slurp(path("out"));
  EXPECT_FALSE(has_parts() || fs::exists(path("late")));
}

TEST_F(Descriptors, EndlessDevicesAndHolesAreRefusedAtOnce) {
  for (const char* name : {"z.npy", "z.npz", "z.csv", "z.mat", "z.png", "z.model"}) {
    fs::create_symlink("/dev/zero", path(name));
    const std::string verb = std::string(name) == "z.model" ? "info " : "fit --method pca -o no ";
    expect_refused(verb + name, {name});
  }
  std::ofstream(path("hole.model")) << "";
  fs::resize_file(path("hole.model"), std::uintmax_t{2} << 30);
  expect_refused("info hole.model", {"not a foldout model"});
  const std::string header = R"({"__metadata__":{"format":"foldout","format_version":"1"}})";
  std::ofstream(path("hole.model")) << static_cast<char>(header.size()) << std::string(7, '\0') << header;
  fs::resize_file(path("hole.model"), std::uintmax_t{2} << 30);
  expect_refused("info hole.model", {"the checksum is missing"});
}

}  // namespace
}  // namespace foldout::cli_test
