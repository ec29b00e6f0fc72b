// SPDX-License-Identifier: Apache-2.0
// seeds_io PARSER FOLDER: writes the sample files of the tests of one parser into the folder: the seeds of the fuzzer.
// It has no coverage of libpng, libjpeg and libzip, and would not get far without seeds.
#include <fstream>
#include <iostream>
#include <map>
#include <vector>

#include "io/sample_files.h"

int main(int argc, char** argv) {
  using namespace foldout::sample_files;
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " PARSER FOLDER\n";
    return 2;
  }
  std::map<std::string, std::vector<std::string>> seeds{
      {"npy", {kNpyFortran, kNpyVersion2, kNpyVersion3, kNpyImages, kNpyUnicode, kNpyBytes, kNpyObject, kNpyRecords}},
      {"npz", {kNpzCompressed, kNpzZip64}},
      {"csv", {"a,b,label\n1,2.5,x\n-3e2,4,\"y\"\n", "1\t2\n3\t4\n", "# c\ntime;2010\n1;2\n"}},
      {"json_lines", {"[1, 2.5]\n{\"x\": [3, 4], \"id\": \"a\", \"label\": 7}\n", "{\"x\": [1e3]}\n\n[-2]\n"}},
      {"idx", {std::string("\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x03\x01\x02\x03\x04\x05\x06", 22)}},
      {"image",
       {kPngGrey, kPngColour, kPng16, kPngPalette, kPngGreyAlpha, kPngColour16, kPngTwoBits, kPngTransparent, kJpeg,
        kJpegProgressive, kJpegInks, "P2\n# c\n3 2\n255\n1 2 3\n4 5 255\n", "P6 2 1 255\nabcdef",
        tiff(3, 2, "abcdef")}},
      {"mat", {kMatCompressed, kMatMixed, kMatBigEndian}}};
  for (const char* format : {"npy", "npz", "csv", "idx", "mat"})
    seeds["stream"].insert(seeds["stream"].end(), seeds[format].begin(), seeds[format].end());
  int number = 0;
  for (const std::string& bytes : seeds.at(argv[1]))
    std::ofstream(std::string(argv[2]) + "/seed_" + std::to_string(number++), std::ios::binary) << bytes;
}
