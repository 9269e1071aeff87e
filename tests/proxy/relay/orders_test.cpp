// Order of events in relayed streams of Anthropic Messages and of Responses.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/translator.hpp"

namespace splitproof::relay::orders_test {
namespace {

using turn::BodyEnd;

std::string relayed(std::string_view protocol, const std::string& body, turn::Rules rules = {},
                    BodyEnd end = BodyEnd::complete, const proxy::dialect::Knobs& knobs = {}) {
  TranslatorOptions options;
  options.dialect = knobs;
  options.upstream = proxy::dialect::find_upstream(protocol);
  options.client = proxy::dialect::find_client(protocol);
  options.rules = std::move(rules);
  options.reply.seed = 10;
  EXPECT_TRUE(options.relays());
  Translator translator(options);
  std::string out;
  translator.feed(body, out);
  translator.finish(end, out);
  return out;
}

// Returns an event of this type; `rest` is the rest of its data.
std::string event(const std::string& type, const std::string& rest = "") {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
}

class AnthropicRelay : public testing::Test {
 protected:
  static std::string passed(const std::string& body, turn::Rules rules = {},
                            BodyEnd end = BodyEnd::complete) {
    return relayed("anthropic.messages", body, std::move(rules), end);
  }

  static std::string start(int index, const std::string& type = "text") {
    return event("content_block_start",
                 ",\"index\":" + std::to_string(index) + ",\"content_block\":{\"type\":\"" + type + "\"}");
  }
  static std::string delta(int index, const std::string& type = "text_delta") {
    return event("content_block_delta", ",\"index\":" + std::to_string(index) + ",\"delta\":{\"type\":\"" +
                                            type + "\",\"text\":\"a\"}");
  }
  static std::string stop(int index) {
    return event("content_block_stop", ",\"index\":" + std::to_string(index));
  }
  static std::string error(const std::string& message, const std::string& type = "api_error") {
    return event("error", R"(,"error":{"type":")" + type + R"(","message":")" + message + "\"}");
  }
  static std::string broken(const std::string& problem) {
    return error("an event of the upstream " + problem);
  }

  const std::string begin_ = event("message_start", R"(,"message":{"content":[]})");
  const std::string block_ = start(0) + delta(0) + stop(0);
  const std::string reason_ = event("message_delta", R"(,"delta":{"stop_reason":"end_turn"})");
  const std::string end_ = event("message_stop");
};

TEST_F(AnthropicRelay, PassesOnWhatIsInOrder) {
  for (const std::string& body :
       {begin_ + reason_ + end_, begin_ + block_ + start(1, "tool_use") + stop(1) + reason_ + reason_ + end_,
        begin_ + event("ping") + start(0, "new") + delta(0, "input_json_delta") + delta(0, "new_delta") +
            stop(0) + event("new") + "data: [DONE]\n\n" + reason_ + end_,
        event("ping") + event("message_start", R"(,"message":{"content":[{"type":"text"}]})") + start(4) +
            stop(4) + start(5, "server_tool_use") + delta(5, "input_json_delta") + stop(5) + reason_ + end_,
        error("no", "overloaded_error"), begin_ + start(0) + error("no", "new_error")}) {
    EXPECT_EQ(passed(body), body);
    EXPECT_EQ(passed(body + block_ + end_, {}, BodyEnd::reset), body) << "nothing leaves behind the end";
  }
}

TEST_F(AnthropicRelay, EndsAMessageStopThatLacksItsBlankLine) {
  const std::string whole = begin_ + block_ + reason_ + end_;
  EXPECT_EQ(passed(whole.substr(0, whole.size() - 1)), whole);
  EXPECT_EQ(passed(whole.substr(0, whole.size() - 2)), whole);
  const std::string early = error("the upstream stream ended before the message did");
  EXPECT_EQ(passed(whole.substr(0, whole.size() - 3)), begin_ + block_ + reason_ + early) << "it is torn";
  EXPECT_EQ(passed(begin_ + start(0) + delta(0).substr(0, delta(0).size() - 2)),
            begin_ + start(0) + delta(0) + stop(0) + early);
}

TEST_F(AnthropicRelay, EndsInAnErrorWhereTheOrderIsBroken) {
  const std::string inside = begin_ + start(0) + delta(0);
  const std::string stopped = inside + stop(0);
  for (const auto& [before, illegal, problem] : std::vector<std::array<std::string, 3>>{
           {begin_, begin_, "starts the message again"},
           {"", block_, "comes before message_start"},
           {"", end_, "comes before message_start"},
           {inside, start(1), "starts a block while another is open"},
           {stopped, start(0), "starts a block out of turn"},
           {stopped, start(2), "starts a block out of turn"},
           {begin_, start(1), "starts a block out of turn"},
           {begin_, event("content_block_start", ",\"content_block\":{}"), "starts a block out of turn"},
           {begin_, delta(0), "is of a block that is not open"},
           {stopped, delta(0), "is of a block that is not open"},
           {inside, delta(1), "is of a block that is not open"},
           {inside, stop(1), "is of a block that is not open"},
           {stopped, stop(0), "is of a block that is not open"},
           {inside, event("content_block_stop"), "is of a block that is not open"},
           {inside, delta(0, "thinking_delta"), "brings what a block of its type does not hold"},
           {inside, delta(0, "input_json_delta"), "brings what a block of its type does not hold"},
           {inside, reason_, "comes while a block is open"},
           {inside, end_, "comes while a block is open"},
           {inside, "event: ping\n" + stop(0).substr(26), "has the name of another"},
           {inside, "data: {\n\n", "is not JSON"},
           {inside, "\xFF\n" + stop(0), "is not UTF-8"},
           {inside, "data: []\n\n", "is not a JSON object"}}) {
    const std::string close = before == inside ? stop(0) : "";
    EXPECT_EQ(passed(before + illegal + reason_ + end_), before + close + broken(problem)) << illegal;
  }
  for (const char* type : {"thinking", "tool_use", "compaction"})
    EXPECT_EQ(passed(begin_ + start(0, type) + delta(0)),
              begin_ + start(0, type) + stop(0) + broken("brings what a block of its type does not hold"));
}

TEST_F(AnthropicRelay, StopsWhatIsOpenButNoEmptyText) {
  const std::string early = error("the upstream stream ended before the message did");
  EXPECT_EQ(passed(begin_ + start(0)), begin_ + start(0) + early);
  EXPECT_EQ(passed(begin_ + block_ + start(1)), begin_ + block_ + start(1) + early);
  EXPECT_EQ(passed(begin_ + start(0) + delta(0)), begin_ + start(0) + delta(0) + stop(0) + early);
  const std::string cited = event("content_block_delta", R"(,"index":0,"delta":{"type":"citations_delta"})");
  EXPECT_EQ(passed(begin_ + start(0) + cited), begin_ + start(0) + cited + early);
  const std::string begun =
      event("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":"a"})");
  EXPECT_EQ(passed(begin_ + begun), begin_ + begun + stop(0) + early);
  EXPECT_EQ(passed(begin_ + start(0, "tool_use")), begin_ + start(0, "tool_use") + stop(0) + early);
  EXPECT_EQ(passed(begin_ + reason_), begin_ + reason_ + early) << "a stop_reason alone is no end";
  EXPECT_EQ(passed(begin_ + reason_ + end_.substr(0, 30)), begin_ + reason_ + early);
  EXPECT_EQ(passed(""), early);
}

TEST_F(AnthropicRelay, LetsBlocksHaveAnyRisingNumbersWhereTheKnobsDo) {
  using namespace proxy::dialect;
  const auto passed = [](const std::string& body) {
    return relayed("anthropic.messages", body, {}, BodyEnd::complete, {.block_index = BlockIndex::rising});
  };
  const std::string late = begin_ + start(2) + delta(2) + stop(2);
  const std::string gap = late + start(5, "tool_use") + stop(5) + reason_ + end_;
  EXPECT_EQ(passed(gap), gap);
  EXPECT_EQ(passed(late + start(2)), late + broken("starts a block out of turn"));
  EXPECT_EQ(passed(late + start(1)), late + broken("starts a block out of turn"));
  EXPECT_EQ(passed(begin_ + start(-1)), begin_ + broken("starts a block out of turn"));
  EXPECT_EQ(passed(begin_ + start(0) + delta(0) + start(1)),
            begin_ + start(0) + delta(0) + stop(0) + broken("starts a block while another is open"));
}

TEST_F(AnthropicRelay, LetsBlocksOverlapWhereTheKnobsDo) {
  using namespace proxy::dialect;
  turn::Rules rules;
  rules.limits.parts = 3;
  const auto passed = [&](const std::string& body) {
    return relayed("anthropic.messages", body, rules, BodyEnd::complete, {.overlap = Overlap::indexed});
  };
  const std::string both = begin_ + start(0, "tool_use") + start(1) + delta(0, "input_json_delta") + delta(1);
  const std::string whole = both + stop(0) + delta(1) + start(2) + stop(1) + stop(2) + reason_ + end_;
  EXPECT_EQ(passed(whole), whole);
  const std::string close = stop(0) + stop(1);
  for (const auto& [illegal, problem] : std::vector<std::array<std::string, 2>>{
           {delta(2), "is of a block that is not open"},
           {start(1), "starts a block out of turn"},
           {start(3), "starts a block out of turn"},
           {delta(1, "input_json_delta"), "brings what a block of its type does not hold"},
           {delta(0), "brings what a block of its type does not hold"},
           {reason_, "comes while a block is open"}})
    EXPECT_EQ(passed(both + illegal), both + close + broken(problem)) << illegal;
  EXPECT_EQ(passed(both + start(2) + start(3)),
            both + start(2) + close + broken("is of more than one message may hold"));
  EXPECT_EQ(passed(both + stop(0) + stop(0)),
            both + stop(0) + stop(1) + broken("is of a block that is not open"));
}

TEST_F(AnthropicRelay, SaysAnErrorOfAnotherFormInThatOfTheProtocol) {
  EXPECT_EQ(passed("{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"no\"}}"),
            error("no", "rate_limit_error"));
  EXPECT_EQ(passed(begin_ + "data: {\"error\":{\"message\":\"no\"}}\n\n" + end_), begin_ + error("no"));
  EXPECT_EQ(passed(begin_ + "event: error\ndata: {\"error\":\"no\"}\n\n"), begin_ + error("no"));
  EXPECT_EQ(passed(begin_ + error("no").substr(13)), begin_ + error("no"))
      << "without its name nobody reads it";
}

TEST_F(AnthropicRelay, TakesAnEndWithoutAReasonAsTheRulesSay) {
  EXPECT_EQ(passed(begin_ + end_), begin_ + end_);
  turn::Rules rules;
  rules.done_without_finish = turn::DoneWithoutFinish::error;
  EXPECT_EQ(passed(begin_ + end_, rules), begin_ + broken("ends the message without saying why it stopped"));
  EXPECT_EQ(passed(begin_ + reason_ + end_, rules), begin_ + reason_ + end_);
}

class ResponsesRelay : public testing::Test {
 protected:
  static std::string passed(const std::string& body, turn::Rules rules = {},
                            BodyEnd end = BodyEnd::complete) {
    return relayed("openai.responses", body, std::move(rules), end);
  }

  static std::string of(const std::string& type, int item, const std::string& rest = "") {
    return event("response." + type, ",\"output_index\":" + std::to_string(item) + rest);
  }
  static std::string part(int number) { return ",\"content_index\":" + std::to_string(number); }

  // The number of the failed event follows the last one.
  static std::string failed(const std::string& message, const std::string& code = "server_error") {
    return "event: response.failed\ndata: {\"type\":\"response.failed\",\"sequence_number\":8,\"response\":{"
           "\"status\":\"failed\",\"error\":{\"code\":\"" +
           code + "\",\"message\":\"" + message +
           "\"},\"id\":\"r\",\"n\":12345678901234567890,\"output\":[]}}\n\n";
  }
  static std::string broken(const std::string& problem) {
    return failed("an event of the upstream " + problem);
  }

  const std::string begin_ = event(
      "response.created",
      R"(,"sequence_number":7,"response":{"id":"r","status":"in_progress","n":12345678901234567890,"error":null,"output":[]})");
  const std::string text_ =
      of("output_item.added", 0) + of("content_part.added", 0, part(0)) + of("output_text.delta", 0, part(0));
  const std::string item_ = text_ + of("content_part.done", 0, part(0)) + of("output_item.done", 0);
  const std::string end_ = event("response.completed");
  const std::string done_ = "data: [DONE]\n\n";
};

TEST_F(ResponsesRelay, PassesOnWhatIsInOrder) {
  const std::string error = event("error", R"(,"message":"no")");
  for (const std::string& body :
       {begin_ + end_, begin_ + item_ + end_ + done_, begin_ + item_ + event("response.incomplete"),
        event("response.queued", ",\"response\":{}") + begin_ + event("keepalive") + event("response.failed"),
        error, begin_ + error + event("response.failed"), begin_ + error + done_,
        begin_ + event("error", R"(,"error":{"message":"no"})"),
        begin_ + of("output_item.added", 3) + of("output_item.added", 1) +
            of("reasoning_summary_part.added", 3, ",\"summary_index\":0") +
            of("reasoning_summary_text.delta", 3, ",\"summary_index\":0") +
            of("reasoning_text.delta", 1, part(0)) + of("reasoning_part.done", 1, part(0)) +
            of("new.delta", 1) + end_}) {
    EXPECT_EQ(passed(body), body);
    EXPECT_EQ(passed(body + begin_ + item_, {}, BodyEnd::stall), body) << "nothing leaves behind the end";
    EXPECT_EQ(passed(body + "data: \xFF\n\n" + done_), body) << "nor an error";
  }
}

TEST_F(ResponsesRelay, EndsALastEventThatLacksItsBlankLine) {
  const std::string whole = begin_ + item_ + end_;
  EXPECT_EQ(passed(whole.substr(0, whole.size() - 1)), whole);
  EXPECT_EQ(passed(whole.substr(0, whole.size() - 2)), whole);
}

TEST_F(ResponsesRelay, EndsInAFailedResponseWhereTheOrderIsBroken) {
  for (const auto& [before, illegal, problem] : std::vector<std::array<std::string, 3>>{
           {begin_, begin_, "begins the response again"},
           {begin_ + text_, of("output_item.added", 0), "adds an item where there is one"},
           {begin_ + text_, of("output_text.delta", 1, part(0)), "is of an item that was not added"},
           {begin_ + text_, of("output_item.done", 1), "is of an item that was not added"},
           {begin_ + item_, of("output_text.delta", 0, part(0)), "is of an item that is done"},
           {begin_ + item_, of("output_item.done", 0), "is of an item that is done"},
           {begin_ + text_, of("output_text.delta", 0, part(1)), "is of a part that was not added"},
           {begin_ + text_, of("reasoning_summary_text.delta", 0, ",\"summary_index\":0"),
            "is of a part that was not added"},
           {begin_ + text_, of("content_part.added", 0, part(0)), "adds a part where there is one"},
           {begin_ + text_, "data: {\n\n", "is not JSON"},
           {begin_ + text_, "event: x\ndata: 7\n\n", "is not a JSON object"}}) {
    EXPECT_EQ(passed(before + illegal + end_), before + broken(problem)) << illegal;
  }
  turn::Rules rules;
  rules.limits.parts = 2;
  EXPECT_EQ(passed(begin_ + text_ + of("output_item.added", 1) + end_, rules),
            begin_ + text_ + broken("is of more than one response may hold"));
  EXPECT_EQ(passed(begin_ + text_ + of("content_part.added", 0, part(1)) + end_, rules),
            begin_ + text_ + broken("is of more than one response may hold"));
}

TEST_F(ResponsesRelay, DemandsNothingThatTheClientDoesNotReadByTheKnobs) {
  using proxy::dialect::ClientReads;
  const auto passed_with = [](const proxy::dialect::Knobs& knobs, const std::string& body) {
    return relayed("openai.responses", body, {}, BodyEnd::complete, knobs);
  };
  const std::string index = ",\"summary_index\":0";
  for (const std::string& body : {item_ + end_, begin_ + begin_ + item_ + end_})
    EXPECT_EQ(passed_with({.response_object = ClientReads::nothing}, body), body);

  const std::string unannounced = begin_ + of("new.delta", 1) + of("output_item.added", 1) +
                                  of("output_item.added", 1) + of("output_item.done", 1);
  EXPECT_EQ(passed_with({.added_items = ClientReads::nothing}, unannounced + end_), unannounced + end_);
  EXPECT_EQ(passed_with({.added_items = ClientReads::nothing}, unannounced + of("output_item.done", 1)),
            unannounced + broken("is of an item that is done"));

  const std::string same_place = begin_ + item_ + item_ + of("new.delta", 9) + end_;
  EXPECT_EQ(passed_with({.output_index = ClientReads::nothing}, same_place), same_place);

  const std::string partless = begin_ + of("output_item.added", 0) + of("output_text.delta", 0, part(0)) +
                               of("reasoning_summary_part.added", 0, index) +
                               of("reasoning_summary_part.added", 0, index) + end_;
  EXPECT_EQ(passed_with({.parts = ClientReads::nothing}, partless), partless);
  EXPECT_EQ(passed_with({.parts = ClientReads::nothing}, begin_ + of("output_text.delta", 0, part(0))),
            begin_ + broken("is of an item that was not added"));
}

TEST_F(ResponsesRelay, NumbersTheFailureBehindAnError) {
  const std::string reported = begin_ + event("error", R"(,"sequence_number":8,"message":"no")");
  const std::string out = passed(reported + "data: {\n\n");
  EXPECT_TRUE(out.starts_with(reported)) << out;
  EXPECT_NE(out.find(R"({"type":"response.failed","sequence_number":9,)"), std::string::npos) << out;
}

TEST_F(ResponsesRelay, EndsInAFailedResponseWhereTheBodyEndsTooEarly) {
  const std::string early = failed("the upstream stream ended before the message did");
  EXPECT_EQ(passed(begin_ + item_), begin_ + item_ + early);
  EXPECT_EQ(passed(begin_ + item_ + end_.substr(0, 40)), begin_ + item_ + early);
  EXPECT_EQ(passed(begin_ + item_ + done_), begin_ + item_ + early);
}

// The response has to begin before it can fail.
TEST_F(ResponsesRelay, BeginsAResponseThatFailsBeforeItBegan) {
  for (const auto& [body, why] : std::vector<std::pair<std::string, std::string>>{
           {"", "the upstream stream ended before the message did"},
           {text_, "an event of the upstream comes before response.created"},
           {event("keepalive"), "an event of the upstream comes before response.created"},
           {event("response.created"), "an event of the upstream begins a response that it does not hold"},
           {"{\"error\":{\"message\":\"no\"}}", "no"}}) {
    const std::string out = passed(body.ends_with("\n") ? body + begin_ : body);
    EXPECT_TRUE(out.starts_with("event: response.created\n")) << out;
    EXPECT_NE(out.find("\"id\":\"resp_000000000000000a\""), std::string::npos) << out;
    EXPECT_NE(out.find("event: response.failed\n"), std::string::npos) << out;
    EXPECT_NE(out.find("\"message\":\"" + why + "\""), std::string::npos) << out;
  }
}

TEST_F(ResponsesRelay, SaysAnErrorOfAnotherFormInThatOfTheProtocol) {
  EXPECT_EQ(
      passed(begin_ + "data: {\"error\":{\"message\":\"no\",\"code\":\"rate_limit_exceeded\"}}\n\n" + end_),
      begin_ + failed("no", "rate_limit_exceeded"));
  EXPECT_EQ(passed(begin_ + "event: error\ndata: {\"detail\":\"no\"}\n\n" + end_), begin_ + failed("no"));
}

}  // namespace
}  // namespace splitproof::relay::orders_test
