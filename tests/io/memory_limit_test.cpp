// SPDX-License-Identifier: Apache-2.0
// Small files that would take much memory are refused before it is allocated.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <sstream>

#include "core/available_memory.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "io/image.h"
#include "io/io_support.h"
#include "io/npz.h"
#include "support/errors.h"

// Sanitizers reserve terabytes of the address space.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace foldout {
namespace {

// While it exists, this process may not take more than so many bytes in addition.
class AddressLimit {
 public:
  explicit AddressLimit(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = rlim_t{1} << 50;
    setrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur -= static_cast<rlim_t>(address_space_room()) - bytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;

 private:
  rlimit before_{};
};

constexpr rlim_t kRoom = 100'000'000;

TEST(MemoryLimit, AnImageThatUnpacksToMoreIsRefused) {
  const std::string png = encode_png(Matrix::Zero(4000, 4000));
  const AddressLimit limit(kRoom);
  const auto text =
      message_of<InvalidArgument>([&] { (void)decode_image(std::as_bytes(std::span(png)), "large.png"); });
  EXPECT_TRUE(contains(text, "large.png would take 144.0 MB")) << text;
  EXPECT_TRUE(contains(text, "make the image smaller")) << text;
}

TEST(MemoryLimit, AnArrayThatUnpacksToMoreIsRefused) {
  const io_test::Folder folder;
  for (const std::string order : {"True", "False"}) {
    std::string header = "{'descr': '<f8', 'fortran_order': " + order + ", 'shape': (13000, 1000), }";
    header.resize(117, ' ');
    std::ostringstream npz;
    write_npz(npz,
              {{"X", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(104'000'000, '\0')}},
              Packing::kDeflated);
    const std::string path = folder.write("zeros.npz", npz.str());
    EXPECT_LT(npz.str().size(), 200'000U);
    const AddressLimit limit(kRoom);
    const auto text = message_of<InvalidArgument>([&] { (void)load_dataset(path); });
    EXPECT_TRUE(contains(text, "zeros.npz")) << text;
    EXPECT_TRUE(contains(text, "would take 104.0 MB")) << text;
  }
}

}  // namespace
}  // namespace foldout

#endif
