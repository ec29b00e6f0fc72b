// SPDX-License-Identifier: Apache-2.0
#include "core/available_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace foldout {
namespace {

namespace fs = std::filesystem;

// A tree of control groups as the kernel shows them.
class ControlGroups : public testing::Test {
 protected:
  void SetUp() override { root_ = fs::temp_directory_path() / ("foldout-groups-" + std::to_string(getpid())); }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  [[nodiscard]] double room() const { return control_group_room((root_ / "membership").string(), root_.string()); }
  fs::path root_;
};

TEST_F(ControlGroups, WithoutLimitsLeaveEverything) {
  EXPECT_TRUE(std::isinf(room()));
  write("membership", "0::/\n");
  write("memory.max", "max\n");
  write("memory.current", "5000\n");
  EXPECT_TRUE(std::isinf(room()));
}

TEST_F(ControlGroups, OfVersion2CountWithAllAboveThem) {
  write("membership", "0::/user/job\n");
  write("user/job/memory.max", "max\n");
  write("user/job/memory.current", "1000\n");
  write("user/memory.max", "9000\n");
  write("user/memory.current", "2000\n");
  EXPECT_EQ(room(), 7000);
  write("user/memory.stat", "anon 1500\ninactive_file 400\nactive_file 100\n");
  EXPECT_EQ(room(), 7400) << "files that were read make way";
  write("user/job/memory.max", "3000\n");
  EXPECT_EQ(room(), 2000);
  write("user/job/memory.current", "4000\n");
  EXPECT_EQ(room(), 0);
}

TEST_F(ControlGroups, OfVersion1Count) {
  write("membership", "5:cpu,cpuacct:/a\n4:memory:/a/b\n0::/\n");
  write("memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
  write("memory/a/b/memory.usage_in_bytes", "1000\n");
  EXPECT_GT(room(), 1e18);
  write("memory/a/memory.limit_in_bytes", "8000\n");
  write("memory/a/memory.usage_in_bytes", "1000\n");
  EXPECT_EQ(room(), 7000);
}

TEST_F(ControlGroups, OfAContainerAreAtTheMount) {
  write("membership", "0::/somewhere/else\n");
  write("memory.max", "6000\n");
  write("memory.current", "1000\n");
  EXPECT_EQ(room(), 5000);
}

TEST(AddressSpace, LimitsWhatIsAvailable) {
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  if (before.rlim_cur == RLIM_INFINITY) {
    EXPECT_TRUE(std::isinf(address_space_room()));
  }
  struct rlimit limit = before;
  limit.rlim_cur = rlim_t{1} << 50;  // too large to refuse anything
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  EXPECT_LT(address_space_room(), 0x1p50);
  EXPECT_GT(address_space_room(), 0x1p49);
  setrlimit(RLIMIT_AS, &before);
}

}  // namespace
}  // namespace foldout
