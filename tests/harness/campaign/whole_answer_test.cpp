#include "harness/campaign/whole_answer.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::campaign::whole_answer_test {
namespace {

using contract::Verdict;
using nlohmann::json;

TEST(PartThatDiffers, IsWhatTheTextNamesFirst) {
  EXPECT_EQ(part_that_differs(R"(in one piece, usage is "1", and in the stream it is "2")"), "usage");
  EXPECT_EQ(part_that_differs(R"(in one piece, finish is "stop", and in the stream it is "length")"),
            "finish");
  for (const char* part : {"text", "thinking", "kinds"})
    EXPECT_EQ(part_that_differs("in one piece, " + std::string(part) + " is 1"), "content");
  EXPECT_EQ(part_that_differs("the answer in one piece does not follow the protocol: x"), "");
}

struct Way {
  const char* client;
  const char* upstream;
  json whole;  ///< An answer with thinking, text and a call.
  const char* text;
  const char* calls;
  const char* arguments;  ///< Arguments of the call.
  const char* finish;
  json other_finish;
  const char* usage;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> kWays = {
      {"anthropic.messages", "openai.chat",
       json::parse(R"({"id":"msg_1","type":"message","role":"assistant","model":"m",
        "content":[{"type":"thinking","thinking":"Hm.","signature":"S"},{"type":"text","text":"I look."},
          {"type":"tool_use","id":"toolu_1","name":"look","input":{"at":"the sea"}}],
        "stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":4,"output_tokens":9}})"),
       "/content/1/text", "/content/2", "/content/2/input/at", "/stop_reason", "max_tokens",
       "/usage/output_tokens"},
      {"openai.chat", "anthropic.messages",
       json::parse(R"({"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m",
        "choices":[{"index":0,"message":{"role":"assistant","content":"I look.","reasoning_content":"Hm.","tool_calls":
          [{"id":"call_1","type":"function","function":{"name":"look","arguments":"{\"at\": \"the sea\"}"}}]},
          "finish_reason":"tool_calls"}],
        "usage":{"prompt_tokens":4,"completion_tokens":9,"total_tokens":13}})"),
       "/choices/0/message/content", "/choices/0/message/tool_calls/0",
       "/choices/0/message/tool_calls/0/function/arguments", "/choices/0/finish_reason", "length",
       "/usage/completion_tokens"},
      {"openai.responses", "openai.chat",
       json::parse(R"({"id":"resp_1","object":"response","created_at":1,"status":"completed",
        "model":"m","error":null,"incomplete_details":null,
        "output":[{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}]},
          {"id":"msg_1","type":"message","status":"completed","role":"assistant",
           "content":[{"type":"output_text","text":"I look.","annotations":[]}]},
          {"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"look",
           "arguments":"{\"at\": \"the sea\"}"}],
        "usage":{"input_tokens":4,"output_tokens":9,"total_tokens":13}})"),
       "/output/1/content/0/text", "/output/2", "/output/2/arguments", "/status", "incomplete",
       "/usage/output_tokens"}};
  return kWays;
}

observe::NormalisedAnswer side_of(const Way& way, const std::string& stream) {
  return dialect::client_of(way.client)->side(observe::read_trace(stream, observe::DataKind::json));
}

StreamedCounterpart streamed(const Way& way) {
  return {side_of(way, dialect::client_of(way.client)->as_stream(way.whole)), {}, {}, {}};
}

testee::Observation answered(const std::string& body, int status = 200, bool asks_for_a_stream = true) {
  testee::Observation seen;
  seen.body = body;
  seen.http.emplace();
  seen.http->status = status;
  seen.http->headers = {{"content-type", "application/json"}};
  seen.calls.emplace_back();
  seen.calls.back().body = json{{"stream", asks_for_a_stream}}.dump();
  return seen;
}

contract::Judged judged(const Way& way, const StreamedCounterpart& before, const testee::Observation& seen,
                        Judgeability judgeability = {}) {
  testee::Traits traits;
  traits.client = way.client;
  traits.upstream = way.upstream;
  traits.over_http = traits.outside = true;
  if (judgeability.no_stream.empty() && judgeability.unjudged.empty())
    judgeability.no_stream = "application/json";
  return judge_whole(before, seen, judgeability, traits, observe::DataKind::json);
}

TEST(WholeAnswer, IsReadAsAClientReadsIt) {
  for (const Way& way : ways()) {
    SCOPED_TRACE(way.client);
    const observe::NormalisedAnswer side = streamed(way).side;
    EXPECT_EQ(side.prose(observe::NormalisedAnswer::Kind::text), "I look.");
    EXPECT_EQ(side.prose(observe::NormalisedAnswer::Kind::thinking), "Hm.");
    ASSERT_EQ(side.calls.size(), 1U);
    EXPECT_EQ(side.calls[0].name, "look");
    EXPECT_EQ(side.calls[0].input, json({{"at", "the sea"}}));
    EXPECT_FALSE(side.error);
    EXPECT_EQ(side.output, 9);
    for (const json& other : {json(), json::object(), json::array(), json{{"error", {{"message", "no"}}}}})
      EXPECT_EQ(dialect::client_of(way.client)->as_stream(other), "") << other;
  }
}

TEST(WholeAnswer, HasTheContentOfTheStreamedAnswer) {
  for (const Way& way : ways()) {
    SCOPED_TRACE(way.client);
    EXPECT_EQ(judged(way, streamed(way), answered(way.whole.dump())).verdict, Verdict::met);
    const std::vector<std::pair<std::string, std::function<void(json&)>>> bugs = {
        {"text", [&](json& whole) { whole[json::json_pointer(way.text)] = "I loo"; }},
        {"names",
         [&](json& whole) {
           whole = whole.patch({{{"op", "remove"}, {"path", way.calls}}});
         }},
        {"inputs",
         [&](json& whole) {
           json& said = whole[json::json_pointer(way.arguments)];
           said = said == "the sea" ? "the sky" : "{\"at\": \"the sky\"}";
         }},
        {"finish", [&](json& whole) { whole[json::json_pointer(way.finish)] = way.other_finish; }},
        {"usage", [&](json& whole) { whole[json::json_pointer(way.usage)] = 8; }}};
    for (const auto& [what, put] : bugs) {
      json wrong = way.whole;
      put(wrong);
      const contract::Judged found = judged(way, streamed(way), answered(wrong.dump()));
      EXPECT_EQ(found.verdict, Verdict::violated) << what;
      StreamedCounterpart wrong_too = streamed(way);
      wrong_too.wrong = differing(observe::documents_of_two(
          streamed(way).side, side_of(way, dialect::client_of(way.client)->as_stream(wrong))));
      EXPECT_EQ(judged(way, wrong_too, answered(wrong.dump())).verdict, Verdict::met)
          << what << " is wrong in the stream, too";
      EXPECT_EQ(found.obligation->id, "META-01");
    }
    EXPECT_EQ(judged(way, streamed(way), answered("Bad gateway")).verdict, Verdict::violated);
    EXPECT_EQ(judged(way, streamed(way), answered("{}", 502)).verdict, Verdict::violated);
  }
}

TEST(WholeAnswer, FailsIfTheStreamedAnswerFails) {
  for (const Way& way : ways()) {
    SCOPED_TRACE(way.client);
    const StreamedCounterpart failed{
        side_of(way, dialect::client_of(way.client)->lone_error(502)), {}, {}, {}};
    StreamedCounterpart refused;
    refused.judgeability.no_stream = "status 502";
    refused.judgeability.refused = true;
    for (const StreamedCounterpart& before : {failed, refused}) {
      EXPECT_EQ(judged(way, before, answered("{}", 502)).verdict, Verdict::met);
      EXPECT_EQ(judged(way, before, answered(way.whole.dump())).verdict, Verdict::violated);
    }
  }
}

TEST(WholeAnswer, IsNotJudgedIfItIsNotOffered) {
  for (const Way& way : ways()) {
    SCOPED_TRACE(way.client);
    const std::string whole = json::object().dump();
    EXPECT_EQ(judged(way, streamed(way), answered(whole, 400)).verdict, Verdict::not_judged);
    EXPECT_EQ(judged(way, streamed(way), answered(whole, 502, false)).verdict, Verdict::not_judged);
    StreamedCounterpart both_ways = streamed(way);
    both_ways.whole = "{}";  // the upstream's answer
    EXPECT_EQ(judged(way, both_ways, answered(whole, 502, false)).verdict, Verdict::violated);
    both_ways.side.error = true;
    EXPECT_EQ(judged(way, both_ways, answered(whole, 502, false)).verdict, Verdict::not_judged);
    Judgeability crashed;
    crashed.unjudged = "the testee crashed";
    EXPECT_EQ(judged(way, streamed(way), answered(whole), crashed).verdict, Verdict::not_judged);
    StreamedCounterpart unseen = streamed(way);
    unseen.judgeability.unjudged = "the testee crashed";
    EXPECT_EQ(judged(way, unseen, answered(whole)).verdict, Verdict::not_judged);
  }
}

}  // namespace
}  // namespace splitproof::campaign::whole_answer_test
