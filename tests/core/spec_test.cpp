// SPDX-License-Identifier: Apache-2.0
#include "core/spec_fields.h"

#include <gtest/gtest.h>

#include "core/keys.h"
#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {
namespace {

struct Options {
  int n_components = 2;
  int n_neighbors = 10;
  std::optional<double> width = {};
};
Fields fields(Options& o) {
  return {{key::n_components, o.n_components}, {key::n_neighbors, o.n_neighbors}, {key::width, o.width}};
}

TEST(ComponentSpec, ReadsNamesAndKeys) {
  const ComponentSpec plain = ComponentSpec::parse("isomap");
  EXPECT_EQ(plain.name, "isomap");
  EXPECT_TRUE(plain.values.empty());
  const ComponentSpec full = ComponentSpec::parse("lle:n_neighbors=7,reg=1e-3,name=a=b");
  EXPECT_EQ(full.name, "lle");
  ASSERT_EQ(full.values.size(), 3U);
  EXPECT_EQ(*full.find("n_neighbors"), "7");
  EXPECT_EQ(*full.find("reg"), "1e-3");
  EXPECT_EQ(*full.find("name"), "a=b");
  EXPECT_EQ(full.find("seed"), nullptr);
}

TEST(ComponentSpec, WritesWhatItRead) {
  for (const char* text : {"pca", "lle:n_neighbors=7", "lle:b=2,a=1"})
    EXPECT_EQ(ComponentSpec::parse(text).text(), text);
}

TEST(ComponentSpec, RefusesEveryOtherForm) {
  for (const char* text : {"", ":", ":k=1"})
    EXPECT_TRUE(
        contains(message_of<InvalidArgument>([&] { (void)ComponentSpec::parse(text); }), "does not name a component"))
        << text;
  for (const char* text : {"lle:", "lle:k", "lle:k=", "lle:=3", "lle:k=1,", "lle:,k=1", "lle:k=1,,j=2", "lle:k=1,j"})
    EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)ComponentSpec::parse(text); }), "key=value")) << text;
  EXPECT_EQ(message_of<InvalidArgument>([] { (void)ComponentSpec::parse("lle:k=1,k=1"); }),
            "'lle:k=1,k=1' gives k twice: keep one");
}

TEST(ComponentSpec, ShowsWhereTheColonBelongs) {
  for (const char* text :
       {"lcdl,batch_size=9,n_atoms=4", "lcdl batch_size=9, n_atoms=4", "lcdl(batch_size=9, n_atoms=4)"})
    EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)ComponentSpec::parse(text); }),
                         "write lcdl:batch_size=9,n_atoms=4"))
        << text;
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([] { (void)ComponentSpec::parse("lle,12"); }), "write lle:key=value"));
}

TEST(SameName, IgnoresCaseAndSeparators) {
  EXPECT_TRUE(same_name("Isomap", "isomap"));
  EXPECT_TRUE(same_name("LaplacianEigenmaps", "laplacian_eigenmaps"));
  EXPECT_TRUE(same_name("swiss-roll", "swiss_roll"));
  EXPECT_FALSE(same_name("lle", "lpe"));
  EXPECT_FALSE(same_name("ll", "lle"));
}

TEST(Apply, AssignsTheKeysThatAreGiven) {
  Options options;
  foldout::apply(ComponentSpec::parse("x:n_neighbors=4,width=2.5"), fields(options));
  EXPECT_EQ(options.n_neighbors, 4);
  EXPECT_EQ(options.n_components, 2);
  EXPECT_EQ(options.width, 2.5);
}

TEST(Apply, SuggestsTheNearestKey) {
  Options options;
  const auto failure = [&](const char* text) {
    return message_of<InvalidArgument>([&] { foldout::apply(ComponentSpec::parse(text), fields(options)); });
  };
  EXPECT_EQ(failure("lle:n_neighbours=3"),
            "lle has no key 'n_neighbours', did you mean 'n_neighbors'?; allowed: n_components, n_neighbors, width");
  EXPECT_EQ(failure("lle:q=3"), "lle has no key 'q'; allowed: n_components, n_neighbors, width");
  EXPECT_TRUE(contains(failure("lle:k=3"), "lle has no key 'k', did you mean 'n_neighbors'?"));
  EXPECT_TRUE(contains(failure("lle:dim=3"), "lle has no key 'dim', did you mean 'n_components'?"));
  EXPECT_TRUE(contains(failure("lle:N_Neighbors=3"), "did you mean 'n_neighbors'?"));
  EXPECT_EQ(failure("lle:n_neighbors=0"), "lle: n_neighbors = 0 must be ≥ 1");
  EXPECT_EQ(message_of<InvalidArgument>([] { foldout::apply(ComponentSpec::parse("center:k=3"), {}); }),
            "center has no key 'k': it takes no keys");
}

TEST(SpecText, WritesEveryFieldAndReadsBack) {
  Options options{3, 7, 0.1};
  const std::string text = spec_text("lle", fields(options));
  EXPECT_EQ(text, "lle:n_components=3,n_neighbors=7,width=0.1");
  Options read;
  foldout::apply(ComponentSpec::parse(text), fields(read));
  EXPECT_EQ(read.n_components, 3);
  EXPECT_EQ(read.n_neighbors, 7);
  EXPECT_EQ(read.width, 0.1);
}

TEST(NearestSpelling, RecognisesTyposAndAbbreviations) {
  const std::vector<std::string_view> words{"isomap", "landmark_isomap", "lle", "laplacian_eigenmaps"};
  EXPECT_EQ(nearest_spelling("isomop", words), "isomap");
  EXPECT_EQ(nearest_spelling("ismap", words), "isomap");
  EXPECT_EQ(nearest_spelling("laplacian", words), "laplacian_eigenmaps");
  EXPECT_EQ(nearest_spelling("landmark", words), "landmark_isomap");
  EXPECT_EQ(nearest_spelling("qqqqqqqqqq", words), "");
  EXPECT_EQ(nearest_spelling("x", {}), "");
}

}  // namespace
}  // namespace foldout
