#include "harness/campaign/asked_judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "project.hpp"

namespace splitproof::campaign::asked_judge_test {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr const char* kAsked =
    R"({"model":"m","max_tokens":64,"stream":true,"messages":[{"role":"user","content":"Hi"}]})";
constexpr const char* kSound =
    R"({"model":"m","max_tokens":64,"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hi"}]})";

// Judges requests of a target between these protocols.
class AskedJudgeTest : public testing::Test {
 protected:
  std::vector<Judged> judge(const testee::Observation& seen) const {
    return AskedJudge(project().contracts, project().profile, traits, recording).judge(seen);
  }
  Judged of(const char* id, const testee::Observation& seen) const {
    const std::vector<Judged> all = judge(seen);
    const auto found =
        std::find_if(all.begin(), all.end(), [id](const Judged& one) { return one.obligation->id == id; });
    EXPECT_NE(found, all.end()) << id;
    return found == all.end() ? Judged() : *found;
  }
  static testee::Observation asking(const std::vector<std::string>& bodies) {
    testee::Observation seen;
    seen.request = kAsked;
    for (const std::string& body : bodies) {
      testee::UpstreamCall& call = seen.calls.emplace_back();
      call.method = "POST";
      call.target = "/v1/chat/completions";
      call.body = body;
    }
    return seen;
  }

  testee::Traits traits{"t", "anthropic.messages", "openai.chat", true, true, {}};
  recording::Recording recording;
};

TEST_F(AskedJudgeTest, ViolationShowsTheViolatingCallOfSeveral) {
  EXPECT_EQ(of("REQ-42", asking({kSound, kSound})).verdict, Verdict::met);
  std::string other = kSound;
  other.replace(other.find("Hi"), 2, "Ho");
  for (const auto& bodies : {std::vector<std::string>{kSound, other}, {other, kSound}}) {
    const Judged judged = of("REQ-42", asking(bodies));
    EXPECT_EQ(judged.verdict, Verdict::violated);
    EXPECT_EQ(judged.shown, other);
  }
}

TEST_F(AskedJudgeTest, MarkOfAnExchangeMakesNoDifference) {
  testee::Observation seen = asking({kSound});
  const Digest unmarked = AskedJudge::key(seen);
  const auto mark = [](std::string& text, const char* token) { text.insert(text.find("Hi") + 2, token); };
  mark(seen.request, " [sp-0000000100000002]");
  mark(seen.calls.front().body, " [sp-0000000100000002]");
  const Digest first = AskedJudge::key(seen);
  EXPECT_NE(first, unmarked);
  EXPECT_EQ(of("REQ-42", seen).verdict, Verdict::met);
  testee::Observation later = asking({kSound});
  mark(later.request, " [sp-0000000100000003]");
  mark(later.calls.front().body, " [sp-0000000100000003]");
  EXPECT_EQ(AskedJudge::key(later), first);
}

TEST_F(AskedJudgeTest, NothingIsJudgedWithoutACallAndTheReasonIsGiven) {
  testee::Observation seen = asking({});
  EXPECT_EQ(of("REQ-42", seen).reason, "the target did not call its upstream");
  seen = asking({kSound});
  seen.calls.front().target = "/v1/embeddings";
  EXPECT_EQ(of("REQ-42", seen).reason, "the call goes to /v1/embeddings");
  traits.upstream = "ollama.chat";
  EXPECT_EQ(of("REQ-42", {}).reason, "splitproof cannot read requests of ollama.chat");
}

TEST_F(AskedJudgeTest, CallOfAnotherPathOnlyIsFound) {
  testee::Observation seen = asking({kSound});
  EXPECT_EQ(of("REQ-60", seen).verdict, Verdict::met);
  for (const char* path : {"/v1/completions", "/v1/chat/completions/", "/"}) {
    seen.calls.front().target = path;
    EXPECT_EQ(of("REQ-60", seen).verdict, Verdict::violated) << path;
    EXPECT_EQ(of("REQ-42", seen).verdict, Verdict::not_judged) << path;
  }
  seen.calls.front().method = "GET";
  EXPECT_NE(of("REQ-60", seen).verdict, Verdict::violated);
  seen = asking({kSound, kSound});
  seen.calls.front().target = "/v1/messages/count_tokens";
  EXPECT_EQ(of("REQ-60", seen).verdict, Verdict::met);
}

TEST_F(AskedJudgeTest, HasNoRowsIfTheTesteeReportsNoRequests) {
  traits.over_http = false;
  EXPECT_TRUE(judge({}).empty());
  EXPECT_FALSE(judge(asking({kSound})).empty());
}

TEST_F(AskedJudgeTest, RefusalIsOneByItsStatus) {
  recording.features = {"request"};
  testee::Observation seen = asking({});
  for (const auto& [status, verdict] : {std::pair(400, Verdict::met),
                                        {422, Verdict::met},
                                        {200, Verdict::violated},
                                        {502, Verdict::violated}}) {
    seen.http.emplace().status = status;
    EXPECT_EQ(of("REQ-56", seen).verdict, verdict) << status;
  }
  EXPECT_EQ(of("REQ-42", seen).verdict, Verdict::not_exercised);
  recording.features.clear();  // a target that does not retry for a while does not refuse
  EXPECT_EQ(of("REQ-56", seen).verdict, Verdict::not_judged);
}

TEST_F(AskedJudgeTest, ViolationOfTheClientThroughARelayIsPassedOn) {
  traits.client = "openai.chat";
  std::string odd = kSound;
  odd.insert(1, R"("stop_sequences":["x"],)");
  testee::Observation seen = asking({odd});
  EXPECT_EQ(of("REQ-28", seen).verdict, Verdict::violated);
  seen.request = odd;
  EXPECT_EQ(of("REQ-28", seen).verdict, Verdict::passed_on);
}

TEST_F(AskedJudgeTest, ChoiceOfTheRelayIsItsOwnViolation) {
  traits.client = "openai.chat";
  testee::Observation seen = asking({kSound});
  seen.request = kSound;
  seen.calls.front().headers = {{"authorization", "Bearer k"}, {"x-api-key", "k"}};
  EXPECT_EQ(of("REQ-57", seen).verdict, Verdict::violated);
  seen.calls.front().target = "/v1/v1/chat/completions";
  EXPECT_EQ(of("REQ-60", seen).verdict, Verdict::violated);
}

TEST_F(AskedJudgeTest, DeeplyNestedArgumentsDoNotOverflowTheStack) {
  const std::string deep = R"({\"a\":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  const std::string call = R"({"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"},
    {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":")" +
                           deep + R"("}}]},{"role":"tool","tool_call_id":"a","content":"x"}]})";
  EXPECT_FALSE(judge(asking({call})).empty());
}

TEST_F(AskedJudgeTest, SurvivesAnyBytes) {
  for (const char* bytes : {"", "{", "[]", "null", "\xff", R"({"messages":7})", R"({"model":{}})"}) {
    testee::Observation seen = asking({bytes});
    EXPECT_FALSE(judge(seen).empty());
    seen.request = bytes;
    EXPECT_FALSE(judge(seen).empty());
  }
}

}  // namespace
}  // namespace splitproof::campaign::asked_judge_test
