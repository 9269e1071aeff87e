#include "harness/report/formats.hpp"

#include <gtest/gtest.h>

#include <set>

#include "constructed.hpp"

namespace splitproof::report::formats_test {
namespace {

TEST(Formats, EachTellsOfEveryFindingAndOfARunThatWasBrokenOff) {
  Constructed all;
  all.recording("first/one", "that-proxy")
      .row("ANT-08", contract::Verdict::violated)
      .behaves("first/one?client=anthropic.messages&gen=whole");
  all.recording("second/one", "this-proxy")
      .row("END-06", contract::Verdict::violated)
      .behaves("second/one?client=anthropic.messages&gen=whole");
  all.heading.targets = {"that-proxy", "this-proxy"};
  std::set<std::string_view> names;
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_TRUE(names.insert(format.name).second) << "the name is taken";
    const std::string whole = format.write(all.results, all.heading, all.summary(), true);
    // A badge has room for the verdict.
    const bool is_badge = format.name == "badge";
    for (const char* word : {"first/one", "second/one", "that-proxy", "this-proxy", "ANT-08", "END-06"})
      EXPECT_NE(whole.find(word) == std::string::npos, !is_badge) << word << " in\n" << whole;
    EXPECT_NE(format.write(all.results, all.heading, all.summary(), false), whole);
  }
}

}  // namespace
}  // namespace splitproof::report::formats_test
