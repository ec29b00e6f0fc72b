// SPDX-License-Identifier: Apache-2.0
// Runs the tool in a separate folder, as users do.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace foldout::cli_test {

namespace fs = std::filesystem;

// Sanitizers keep freed memory for a while: how much a process holds says nothing then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsMeasurable = false;
#else
inline constexpr bool kMemoryIsMeasurable = true;
#endif

struct Result {
  int status;
  std::string out, err;
};

inline std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / (std::string("foldout-cli-") + info->name() + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Runs "foldout ARGUMENTS" in the test's own folder.
  Result run(const std::string& arguments, const std::string& input = "") {
    std::ofstream(folder_ / ".in") << input;
    const std::string command =
        "cd '" + folder_.string() + "' && '" FOLDOUT_TOOL "' " + arguments + " < .in > .out 2> .err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(folder_ / ".out"), slurp(folder_ / ".err")};
  }
  void expect_done(const std::string& arguments, const std::string& input = "") {
    const Result result = run(arguments, input);
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.err;
  }
  // Wrong requests end with status 2 and a message with these words in it.
  void expect_refused(const std::string& arguments, const std::vector<std::string>& words) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << result.err;
    for (const std::string& word : words)
      EXPECT_NE((result.err + result.out).find(word), std::string::npos) << arguments << "\n"
                                                                         << result.err << "\nlacks: " << word;
  }
  // Peak memory of the tool in bytes; includes that of this process.
  [[nodiscard]] double peak_memory(const std::vector<std::string>& arguments) const {
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> argv{const_cast<char*>(FOLDOUT_TOOL)};
      for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      if (chdir(folder_.c_str()) == 0) execv(FOLDOUT_TOOL, argv.data());
      _exit(127);
    }
    int status = 0;
    struct rusage usage {};
    wait4(child, &status, 0, &usage);
    EXPECT_EQ(status, 0);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::size_t count_files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) count += entry.path().filename().string()[0] != '.';
    return count;
  }

  fs::path folder_;
};

}  // namespace foldout::cli_test
