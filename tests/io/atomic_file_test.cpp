// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io_support.h"

namespace foldout {
namespace {

using io_test::expect_error;
using io_test::Folder;
using io_test::read_bytes;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const Folder folder;
  const std::string path = folder / "out.txt";
  AtomicFile file(path);
  file.stream() << "hello";
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(folder.n_files(), 1U);
  file.commit();
  EXPECT_EQ(read_bytes(path), "hello");
  EXPECT_EQ(folder.n_files(), 1U);
}

TEST(AtomicFile, LeavesTheOldFileWhenNotCommitted) {
  const Folder folder;
  const std::string path = folder.write("out.txt", "old");
  {
    AtomicFile file(path);
    file.stream() << "new";
  }
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.n_files(), 1U);
}

TEST(AtomicFile, KeepsPermissionsAndSymbolicLinks) {
  const Folder folder;
  const std::string path = folder.write("out.txt", "old");
  ::chmod(path.c_str(), 0640);
  std::filesystem::create_symlink(path, folder / "link");
  AtomicFile file(folder / "link");
  file.stream() << "new";
  file.commit();
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
  EXPECT_EQ(read_bytes(path), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

TEST(AtomicFile, WritesDevicesDirectly) {
  AtomicFile file("/dev/null");
  file.stream() << "gone";
  file.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, SaysWhatIsWrongWithTheTarget) {
  const Folder folder;
  expect_error([&] { AtomicFile file(folder / "no/out.txt"); }, {"no/out.txt", "directory does not exist"});
  expect_error([&] { AtomicFile file(folder / "."); }, {"is a directory"});
  expect_error([&] { AtomicFile file(""); }, {"needs a name"});
}

TEST(AtomicFile, SaysWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  AtomicFile file("/dev/full");
  file.stream() << std::string(100000, 'x');
  expect_error([&] { file.commit(); }, {"/dev/full", "disk full"});
}

TEST(AtomicFile, CanBeRemovedByASignalHandler) {
  const Folder folder;
  AtomicFile first(folder / "a");
  AtomicFile second(folder / "b");
  EXPECT_EQ(folder.n_files(), 2U);
  remove_temporary_files();
  EXPECT_EQ(folder.n_files(), 0U);
}

}  // namespace
}  // namespace foldout
