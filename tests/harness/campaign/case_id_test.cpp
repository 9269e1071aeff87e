#include "harness/campaign/case_id.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/campaign/variations.hpp"
#include "project.hpp"

namespace splitproof::campaign {
namespace {

TEST(CaseId, EveryPlannedCaseRoundTrips) {
  for (const recording::Recording& recording : project().corpus.recordings) {
    std::set<std::string> ids;
    std::size_t cases = 0;
    for_each_variation(recording, {{2, true, 7}, 2, recording.body.size() < 600},
                       [&](const Variation& variation) {
                         for (const split::Split& split : variation.splits) {
                           const CaseId id{recording.id, "anthropic.messages", split.label, variation.recut,
                                           variation.fault};
                           const auto again = parse_case_id(to_string(id));
                           EXPECT_TRUE(again) << to_string(id);
                           EXPECT_EQ(again.value_or(CaseId()), id);
                           ids.insert(to_string(id));
                           ++cases;
                         }
                         return !testing::Test::HasFailure();
                       });
    EXPECT_EQ(ids.size(), cases) << "two cases have one id";
  }
}

// A sample of the cases, since making one anew from its id costs as much as making them all.
TEST(CaseId, MeansTheUpstreamThatWasPlanned) {
  std::size_t checked = 0;
  for (const recording::Recording& recording : project().corpus.recordings) {
    std::size_t number = 0;
    for_each_variation(recording, {{2, false, 7}, 2, true}, [&](const Variation& variation) {
      if (!variation.fault.empty() && ++number % 97 != 0) return true;
      for (const split::Split& split : variation.splits) {
        const CaseId id{recording.id, "anthropic.messages", split.label, variation.recut, variation.fault};
        const auto upstream = upstream_of(parse_case_id(to_string(id)).value(), recording);
        EXPECT_TRUE(upstream) << to_string(id);
        if (!upstream) return false;
        EXPECT_EQ(upstream->body, variation.as_arrived.body) << to_string(id);
        EXPECT_EQ(upstream->end, variation.as_arrived.end) << to_string(id);
        EXPECT_EQ(upstream->cuts, split.cuts) << to_string(id);
        ++checked;
      }
      return !testing::Test::HasFailure();
    });
  }
  EXPECT_GT(checked, 10000U);
}

TEST(CaseId, WhatIsLeftOutHasDefaults) {
  EXPECT_EQ(parse_case_id("a/b"), (CaseId{"a/b", "anthropic.messages", "gen=recorded"}));
  EXPECT_EQ(parse_case_id("a?cuts=3"), (CaseId{"a", "anthropic.messages", "cuts=3"}));
  EXPECT_EQ(parse_case_id("a?client=sse"), (CaseId{"a", "sse", "gen=recorded"}));
  EXPECT_EQ(parse_case_id("a?gen=seam:1&client=sse"), (CaseId{"a", "sse", "gen=seam:1"}));
  EXPECT_EQ(parse_case_id("a?recut=char"), (CaseId{"a", "anthropic.messages", "gen=recorded", "char", ""}));
  EXPECT_EQ(parse_case_id("a?fault=reset@118&gen=whole"),
            (CaseId{"a", "anthropic.messages", "gen=whole", "", "reset@118"}));
}

TEST(CaseId, WhatNoCaseHasIsRefused) {
  for (const char* broken : {"",
                             "?",
                             "?gen=whole",
                             "a?",
                             "a?&",
                             "a?client",
                             "a?client=",
                             "a?gen",
                             "a?gen=",
                             "a?cuts",
                             "a?cuts=",
                             "a?gen=whole&",
                             "a?&gen=whole",
                             "a?gen=whole&&client=sse",
                             "a?gen=whole&gen=whole",
                             "a?gen=whole&cuts=1",
                             "a?client=sse&client=sse",
                             "a?Gen=whole",
                             "a? gen=whole",
                             "a?seam=3",
                             "a?=",
                             "a?recut=",
                             "a?fault=",
                             "a?recut=char&recut=char",
                             "a?fault=reset@118&fault=reset@118",
                             "a?gen=whole?cuts=1&x"}) {
    SCOPED_TRACE(broken);
    const auto id = parse_case_id(broken);
    ASSERT_FALSE(id);
    EXPECT_NE(id.error().what.find(broken), std::string::npos);
    EXPECT_FALSE(id.error().mend.empty());
  }
}

}  // namespace
}  // namespace splitproof::campaign
