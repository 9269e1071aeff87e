#include "harness/campaign/mishaps.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "harness/campaign/meta.hpp"

namespace splitproof::campaign::mishaps_test {

using results::RecordingResult;
using results::Row;
namespace {

using contract::Verdict;
using testee::Ending;
using testee::UnattributedFailure;

// Results of an external target, for two recordings each. In the recordings in `violated`, a case violates RUN-01.
struct Ran {
  std::vector<RecordingResult> results;

  Ran() {
    for (const char* target : {"other", "mine"}) {
      for (const char* id : {"a", "b"}) {
        RecordingResult& result = results.emplace_back();
        result.target = target;
        result.recording.id = id;
        result.cases = 9;
        for (const std::string_view run : {kCrashed, kHung, kGarbage}) {
          Row& row = result.rows.emplace_back();
          row.rule = run;
          row.verdict = Verdict::met;
          row.cases = 9;
        }
      }
    }
  }

  Row& crash(std::size_t result) { return results[result].rows[0]; }
  std::size_t violated() const {
    std::size_t count = 0;
    for (const RecordingResult& result : results)
      for (const Row& row : result.rows) count += row.verdict == Verdict::violated ? 1 : 0;
    return count;
  }

 private:
  std::deque<recording::Recording> recordings_;
};

void violate_by_a_case(Row& row) {
  row.verdict = Verdict::violated;
  row.violating = 2;
  row.first.emplace();
  row.first->message = "it crashed";
}

const std::vector<UnattributedFailure> kTwoDeaths{
    {Ending::crashed, "exit code 3", "", "b?client=openai.chat&gen=whole"},
    {Ending::crashed, "signal 11", "ouch", "a?client=openai.chat&gen=whole"}};

TEST(Mishaps, AreOneFindingAtTheFirstOccurrence) {
  Ran ran;
  add_mishaps(ran.results, "mine", kTwoDeaths);
  EXPECT_EQ(ran.violated(), 1U);
  const Row& row = ran.crash(3);
  EXPECT_EQ(row.verdict, Verdict::violated);
  EXPECT_EQ(row.violating, 1U);
  ASSERT_TRUE(row.first);
  EXPECT_FALSE(row.first->alone);
  EXPECT_EQ(row.first->case_id, "b?client=openai.chat&gen=whole");
  EXPECT_EQ(
      row.first->message,
      "the target crashed 2 times (exit code 3, signal 11), first in b?client=openai.chat&gen=whole; its last output: "
      "ouch");
}

TEST(Mishaps, HideNoCaseThatDoesItByItself) {
  Ran ran;
  violate_by_a_case(ran.crash(3));
  add_mishaps(ran.results, "mine", kTwoDeaths);
  EXPECT_EQ(ran.violated(), 2U);
  EXPECT_EQ(ran.crash(3).first->message, "it crashed");
  ASSERT_TRUE(ran.crash(2).first);
  EXPECT_FALSE(ran.crash(2).first->alone);
  EXPECT_TRUE(ran.crash(2).first->message.starts_with("the target crashed 2 times"));

  Ran both;
  violate_by_a_case(both.crash(2));
  violate_by_a_case(both.crash(3));
  add_mishaps(both.results, "mine", kTwoDeaths);
  EXPECT_TRUE(both.crash(3).first->message.starts_with("it crashed; besides, the target crashed 2 times"));
  EXPECT_TRUE(both.crash(3).first->alone);
}

TEST(Mishaps, EachKindViolatesItsOwnObligation) {
  Ran ran;
  add_mishaps(ran.results, "mine",
              {{Ending::hung, "", "", "a"}, {Ending::garbage, "after an exchange", "", "a"}});
  EXPECT_EQ(ran.violated(), 2U);
  EXPECT_EQ(ran.results[2].rows[1].first->message, "the target hung once, in a");
  EXPECT_EQ(ran.results[2].rows[2].first->message, "the target sent garbage once (after an exchange), in a");
  EXPECT_EQ(ran.crash(2).verdict, Verdict::met);
}

TEST(Mishaps, WithoutARecordingOfTheirsGoToAnother) {
  Ran ran;
  add_mishaps(ran.results, "mine", {{Ending::crashed, "", "", "gone?client=openai.chat&gen=whole"}});
  EXPECT_EQ(ran.crash(2).verdict, Verdict::violated);
  add_mishaps(ran.results, "nobody", kTwoDeaths);
  add_mishaps(ran.results, "other", {});
  EXPECT_EQ(ran.violated(), 1U);
}

}  // namespace
}  // namespace splitproof::campaign::mishaps_test
