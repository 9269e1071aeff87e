#include "harness/coverage/library_coverage.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/testee/library_testee.hpp"

namespace splitproof::coverage::library_coverage_test {
namespace {

using Places = std::vector<std::uint32_t>;

std::unique_ptr<testee::LibraryTestee> opened(const std::string& name) {
  const char* folder = std::getenv("SPLITPROOF_COUNTED_LIBRARIES");
  const std::string path = std::string(folder != nullptr ? folder : ".") + "/" + name + ".so";
  auto library = testee::Library::open(path);
  EXPECT_TRUE(library) << describe(library.error());
  testee::LibraryTarget target;
  target.name = name;
  target.client = target.upstream = "openai.chat";
  target.coverage = coverage_of_library(path);
  return std::make_unique<testee::LibraryTestee>(*library, std::move(target));
}

Places reached_by(const testee::Testee& testee, std::vector<std::string_view> chunks) {
  testee::Exchange exchange;
  exchange.chunks = std::move(chunks);
  EXPECT_EQ(testee.observe(exchange).ending, testee::Ending::complete);
  const auto taken = testee.coverage()->take();
  EXPECT_TRUE(taken) << describe(taken.error());
  return taken.value_or(Places());
}

TEST(LibraryCoverage, HasTheEdgesOfEachCase) {
  const auto testee = opened("counted");
  Coverage* coverage = testee->coverage();
  EXPECT_EQ(coverage->known(), (Places{0, 1, 2}));
  EXPECT_EQ(reached_by(*testee, {"a"}), (Places{0, 2}));
  EXPECT_EQ(reached_by(*testee, {"x"}), (Places{0, 1}));
  EXPECT_EQ(reached_by(*testee, {"x", "b"}), (Places{0, 1, 2}));
  EXPECT_EQ(reached_by(*testee, {"a"}), (Places{0, 2}));
  EXPECT_EQ(coverage->take(), Places());
  EXPECT_TRUE(coverage->name(0).starts_with("counted.so:splitproof_open+0x")) << coverage->name(0);
  EXPECT_NE(coverage->name(1), coverage->name(2));
}

TEST(LibraryCoverage, SaysHowToCompileALibraryWithoutCounters) {
  const auto testee = opened("not-counted");
  const auto taken = testee->coverage()->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().what, "coverage: sancov gives nothing: the library has no counters");
  EXPECT_EQ(taken.error().hint, "compile it with clang -fsanitize-coverage=inline-8bit-counters,pc-table");
  EXPECT_TRUE(testee->coverage()->known().empty());
}

}  // namespace
}  // namespace splitproof::coverage::library_coverage_test
