#include "harness/campaign/case_id.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/campaign/judgement.hpp"
#include "harness/split/plan.hpp"
#include "project.hpp"

namespace splitproof::campaign {
namespace {

TEST(CaseId, EveryPlannedCaseRoundTrips) {
  for (const recording::Recording& recording : project().corpus.recordings) {
    for (const split::Split& split : split::plan(subject_of(recording), {2, true, 7})) {
      const CaseId id{recording.id, "anthropic.messages", split.label};
      const auto again = parse_case_id(to_string(id));
      ASSERT_TRUE(again) << to_string(id);
      ASSERT_EQ(*again, id);
      ASSERT_EQ(to_string(*again), to_string(id));
    }
  }
}

TEST(CaseId, WhatIsLeftOutHasDefaults) {
  EXPECT_EQ(parse_case_id("a/b"), (CaseId{"a/b", "anthropic.messages", "gen=recorded"}));
  EXPECT_EQ(parse_case_id("a?cuts=3"), (CaseId{"a", "anthropic.messages", "cuts=3"}));
  EXPECT_EQ(parse_case_id("a?client=sse"), (CaseId{"a", "sse", "gen=recorded"}));
  EXPECT_EQ(parse_case_id("a?gen=seam:1&client=sse"), (CaseId{"a", "sse", "gen=seam:1"}));
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
                             "a?recut=char",
                             "a?fault=reset@118",
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
