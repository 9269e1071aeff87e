// The example of docs/without-http.md, compiled as C: the recordings on which it conforms, and the findings on others.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "harness/testee/library_testee.hpp"
#include "harness/testee/target_file.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/docs/example_page.hpp"

namespace splitproof::campaign::library_example_test {
namespace {

testee::LibraryTestee example(const contract::Profile& profile) {
  const char* path = std::getenv("SPLITPROOF_EXAMPLE_LIBRARY");
  const auto library = testee::Library::open(path != nullptr ? path : "translate.so");
  EXPECT_TRUE(library) << describe(library.error());
  const auto file =
      testee::load_target_file((source_root() / "docs" / "examples" / "c.yaml").string()).value();
  EXPECT_EQ(file.library, "translate.so");
  testee::LibraryTarget target;
  target.name = file.name;
  target.client = file.client;
  target.upstream = file.upstream;
  target.knobs = profile.knobs;
  target.max_concurrency = file.max_concurrency;
  return testee::LibraryTestee(library.value(), target);
}

class LibraryExample : public testing::Test {
 protected:
  Ids findings(const std::string& name) const {
    Trials trials;
    trials.recuts = 8;
    return page_.findings(example(page_.profile()), name, trials, 2);
  }

  const ExamplePage page_{"without-http.md", "## A shared library"};
};

TEST_F(LibraryExample, ConformsAsThePageStates) {
  page_.expect_to_conform("conforms on these recordings",
                          [&](const std::string& name) { return findings(name); });
}

TEST_F(LibraryExample, ViolatesAsThePageStates) {
  const auto colon = [](const std::string& row) { return row.find(':'); };
  page_.expect_to_be_found_out(colon, [&](const std::string& name) { return findings(name); });
}

}  // namespace
}  // namespace splitproof::campaign::library_example_test
