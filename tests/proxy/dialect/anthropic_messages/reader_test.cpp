#include "proxy/dialect/anthropic_messages/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/dialect/notation.hpp"

namespace splitproof::proxy::dialect::anthropic_messages::reader_test {
namespace {

// Returns the events of a stream with these data.
std::string read(const std::vector<std::string>& data, Limits limits = {}) {
  AnthropicReader reader(limits);
  std::vector<turn::Event> events;
  for (const std::string& event : data) reader.read(wire::Frame{"", event}, events);
  return notation(events);
}

std::string read_frame(const wire::Frame& frame) {
  AnthropicReader reader({});
  std::vector<turn::Event> events;
  reader.read(frame, events);
  return notation(events);
}

std::string start(const std::string& index, const std::string& block) {
  return R"({"type":"content_block_start","index":)" + index + R"(,"content_block":)" + block + "}";
}

std::string delta(const std::string& index, const std::string& members) {
  return R"({"type":"content_block_delta","index":)" + index + R"(,"delta":)" + members + "}";
}

std::string text(const std::string& index, const std::string& said) {
  return delta(index, R"({"type":"text_delta","text":")" + said + "\"}");
}

std::string thinking(const std::string& index, const std::string& said) {
  return delta(index, R"({"type":"thinking_delta","thinking":")" + said + "\"}");
}

std::string input(const std::string& index, const std::string& said) {
  return delta(index, R"({"type":"input_json_delta","partial_json":")" + said + "\"}");
}

std::string stop(const std::string& index) {
  return R"({"type":"content_block_stop","index":)" + index + "}";
}

std::string reason(const std::string& said) {
  return R"({"type":"message_delta","delta":{"stop_reason":)" + said + "}}";
}

const std::string kText = R"({"type":"text","text":""})";
const std::string kThinking = R"({"type":"thinking","thinking":""})";
const std::string kEnd = R"({"type":"message_stop"})";

std::string call(const std::string& id, const std::string& name, const std::string& given = "{}") {
  return R"({"type":"tool_use","id":")" + id + R"(","name":")" + name + R"(","input":)" + given + "}";
}

TEST(AnthropicReader, EachBlockIsAPartOfItsOwn) {
  EXPECT_EQ(read({R"({"type":"message_start","message":{"model":"m"}})", start("0", kThinking),
                  thinking("0", "t"), stop("0"), start("1", kText), text("1", "a"), text("1", "b"), stop("1"),
                  start("2", kText), text("2", "c"), stop("2")}),
            "begin(m) thinking(t) close0 text1(a) text1(b) close1 text2(c) close2");
}

TEST(AnthropicReader, ContentOfTheStartComesFirst) {
  EXPECT_EQ(read({start("0", R"({"type":"text","text":"a"})"), text("0", "b")}), "text(a) text(b)");
  EXPECT_EQ(read({start("0", R"({"type":"thinking","thinking":"a"})"), thinking("0", "b")}),
            "thinking(a) thinking(b)");
}

TEST(AnthropicReader, ContentOfTheStartIsBlocksBeforeAllOthers) {
  EXPECT_EQ(read({R"({"type":"message_start","message":{"model":"m","content":[{"type":"text","text":"a"},)" +
                      call("i", "f", R"({"n":1})") + "]}}",
                  start("2", kText), text("2", "b")}),
            R"(begin(m) text(a) close0 call0(i,f,) call0(,,{"n":1}) close1 text2(b))");
}

TEST(AnthropicReader, ArgumentsAreTheDeltasOrOtherwiseTheStartsInput) {
  EXPECT_EQ(read({start("3", call("i", "f")), input("3", ""), input("3", R"({\"a\":)"), input("3", "1}"),
                  stop("3")}),
            R"(call0(i,f,) call0(,,{"a":) call0(,,1}) close0)");
  EXPECT_EQ(read({start("0", call("i", "f", R"({"a": 1})")), stop("0")}),
            R"(call0(i,f,) call0(,,{"a": 1}) close0)");
  EXPECT_EQ(read({start("0", call("i", "f", R"("{\"a\":1}")")), stop("0")}),
            R"(call0(i,f,) call0(,,{"a":1}) close0)");
  EXPECT_EQ(read({start("0", call("i", "f", R"({"a":1})")), input("0", "{}"), stop("0")}),
            "call0(i,f,) call0(,,{}) close0");
  for (const char* none : {"{}", "null"})
    EXPECT_EQ(read({start("0", call("i", "f", none)), stop("0")}), "call0(i,f,) close0") << none;
}

// Only later content shows that it has none and was not cut off.
TEST(AnthropicReader, CallWithoutArgumentsHasNoneOnceTheMessageGoesOn) {
  EXPECT_EQ(read({start("0", call("i", "f")), stop("0"), start("1", kText)}),
            "call0(i,f,) close0 call0(,,{})");
  EXPECT_EQ(read({start("0", call("i", "f")), start("1", kText)}), "call0(i,f,)");
  EXPECT_EQ(read({start("0", call("", "")), stop("0"), start("1", kText)}), "call0(,,) close0");
}

TEST(AnthropicReader, ArgumentsOfTheStartComeAtEveryEndOfTheirBlock) {
  const std::string begun = start("0", call("i", "f", "[1]"));
  EXPECT_EQ(read({begun, start("1", kText)}), "call0(i,f,) call0(,,[1])");
  EXPECT_EQ(read({begun, kEnd}), "call0(i,f,) call0(,,[1]) usage(-,-,-) done");
  EXPECT_EQ(read({begun, R"({"type":"error","error":{"message":"no"}})"}),
            "call0(i,f,) call0(,,[1]) failure(api,no)");
  EXPECT_EQ(read({begun, "x"}), "call0(i,f,) call0(,,[1]) failure(api,an event of the upstream is not JSON)");
}

TEST(AnthropicReader, ArgumentsOfTheStartComeIfTheBodyEnds) {
  AnthropicReader reader({});
  std::vector<turn::Event> events;
  reader.read(wire::Frame{"", start("0", call("i", "f", "[1]"))}, events);
  reader.finish(turn::BodyEnd::complete, events);
  EXPECT_EQ(notation(events), "call0(i,f,) call0(,,[1])");
}

TEST(AnthropicReader, BlocksAreKnownByTheirIndex) {
  EXPECT_EQ(read({start("7", call("i", "f")), start("2", call("j", "g")), input("7", "1"), input("2", "2")}),
            "call0(i,f,) call1(j,g,) call0(,,1) call1(,,2)");
  EXPECT_EQ(read({start("0", kText), text("0", "a"), stop("0"), start("0", kText), text("0", "b")}),
            "text(a) close0 text1(b)");
  EXPECT_EQ(read({start("0", kText), text("0", "a"), start("0", kText), text("0", "b"), stop("0")}),
            "text(a) close0 text1(b) close1")
      << "nothing can go on with the first";
  EXPECT_EQ(read({start("0", kText), text("0", "a"), start("1", kText), text("0", "b")}), "text(a) text(b)");
  EXPECT_EQ(read({start("0", kText), stop("0"), text("0", "b")}), "close0 text(b)");
}

const std::string kUnknown = "unplaced(content of an unknown kind)";

TEST(AnthropicReader, DeltasOfAnotherKindThanTheirBlockAreUnplaced) {
  EXPECT_EQ(read({start("0", kText), thinking("0", "a"), input("0", "a"),
                  delta("0", R"({"type":"text_delta","text":7})"),
                  delta("0", R"({"type":"tide_delta","text":"a"})")}),
            kUnknown + " " + kUnknown + " " + kUnknown);
}

TEST(AnthropicReader, DeltaForABlockThatNeverStartedIsAnError) {
  const std::string failure = "failure(api,the upstream went on with a block that never started)";
  for (const std::string& stray : {text("1", "a"), thinking("1", "a"), input("1", "a"), text("null", "a"),
                                   delta("1", R"({"type":"signature_delta","signature":"s"})")}) {
    EXPECT_EQ(read({stray, stop("1")}), failure) << stray;
    EXPECT_EQ(read({start("0", kText), stray}), failure) << stray;
  }
  EXPECT_EQ(read({start("0", R"({"type":"tool_use","id":"i","name":"f","input":{"a":1}})"), text("1", "a")}),
            R"(call0(i,f,) call0(,,{"a":1}) )" + failure);
  EXPECT_EQ(read({text("1", ""), delta("1", R"({"type":"tide_delta","text":"a"})"), stop("1")}), "");
}

TEST(AnthropicReader, BlocksOfTheProviderGiveNoContent) {
  for (const char* block : {R"({"type":"redacted_thinking","data":"x"})",
                            R"({"type":"server_tool_use","id":"i","name":"f","input":{"a":1}})",
                            R"({"type":"web_search_tool_result","content":[]})",
                            R"({"type":"mcp_tool_use","id":"i","name":"f","input":{}})"}) {
    EXPECT_EQ(read({start("0", block), input("0", "{}"), text("0", "a"), stop("0")}), "close0") << block;
  }
  for (const char* block : {R"({"type":"tide"})", "7"})
    EXPECT_EQ(read({start("0", block), input("0", "{}"), text("0", "a"), stop("0")}), kUnknown + " close0")
        << block;
  EXPECT_EQ(read({start("0", kText), delta("0", R"({"type":"citations_delta","citation":{}})"),
                  delta("0", R"({"type":"signature_delta","signature":"s"})")}),
            "");
  EXPECT_EQ(read({R"({"type":"ping"})", R"({"type":"tide"})", "{}", "[DONE]", " ", ""}), "");
}

TEST(AnthropicReader, LastSignatureEndsItsThinking) {
  const std::string first = delta("0", R"({"type":"signature_delta","signature":"r"})");
  const std::string last = delta("0", R"({"type":"signature_delta","signature":"s"})");
  EXPECT_EQ(read({start("0", kThinking), thinking("0", "t"), first, last, stop("0")}),
            "thinking(t) last-signature(s) close0");
  const std::string none = delta("0", R"({"type":"signature_delta"})");
  EXPECT_EQ(read({start("0", kThinking), last, none, stop("0")}), "last-signature(s) close0");
  EXPECT_EQ(read({start("0", kThinking), last, start("1", kText), text("1", "a")}),
            "last-signature(s) text1(a)");
  EXPECT_EQ(read({start("0", R"({"type":"thinking","thinking":"t","signature":"s"})"), stop("0")}),
            "thinking(t) last-signature(s) close0");
}

TEST(AnthropicReader, OnlyTheStopEndsAMessage) {
  EXPECT_EQ(read({reason(R"("end_turn")")}), "");
  EXPECT_EQ(read({reason(R"("end_turn")"), kEnd}), "usage(-,-,-) finished(stop) done");
  EXPECT_EQ(read({kEnd}), "usage(-,-,-) done");
}

TEST(AnthropicReader, LastReasonCountsAndNullTakesItBack) {
  const std::vector<std::pair<std::string, std::string>> words = {
      {"end_turn", "stop"},          {"stop_sequence", "stop"},
      {"pause_turn", "stop"},        {"tide", "unknown: tide"},
      {"tool_use", "tool_calls"},    {"max_tokens", "length"},
      {"refusal", "content_filter"}, {"model_context_window_exceeded", "length"}};
  for (const auto& [word, meant] : words) {
    EXPECT_EQ(read({reason(R"("end_turn")"), reason("\"" + word + "\""), kEnd}),
              "usage(-,-,-) finished(" + meant + ") done");
  }
  EXPECT_EQ(read({reason(R"("max_tokens")"), R"({"type":"message_delta","delta":{}})", kEnd}),
            "usage(-,-,-) finished(length) done");
  EXPECT_EQ(read({reason(R"("max_tokens")"), reason("null"), kEnd}), "usage(-,-,-) done");
}

TEST(AnthropicReader, LastValueOfEachCountIsUsed) {
  const std::string begun =
      R"({"type":"message_start","message":{"model":"m","usage":{"input_tokens":5,"cache_read_input_tokens":2,)"
      R"("cache_creation_input_tokens":3,"output_tokens":1}}})";
  const auto counted = [](const std::string& usage) {
    return R"({"type":"message_delta","delta":{},"usage":)" + usage + "}";
  };
  EXPECT_EQ(read({begun, kEnd}), "begin(m) usage(10,2,1) done");
  EXPECT_EQ(read({begun, counted(R"({"output_tokens":9,"input_tokens":null})"), kEnd}),
            "begin(m) usage(10,2,9) done");
  EXPECT_EQ(
      read({begun, counted(R"({"input_tokens":0,"output_tokens":0,"cache_read_input_tokens":1})"), kEnd}),
      "begin(m) usage(4,1,0) done");
  EXPECT_EQ(read({counted(R"({"output_tokens":9,"output_tokens_details":{"thinking_tokens":4}})"), kEnd}),
            "usage(-,-,9,4) done");
}

TEST(AnthropicReader, MessageStartsOnce) {
  EXPECT_EQ(
      read({R"({"type":"message_start","message":{"model":"m"}})",
            R"({"type":"message_start","message":{"model":"n","content":[{"type":"text","text":"a"}]}})"}),
      "begin(m)");
  EXPECT_EQ(read({R"({"type":"message_start"})"}), "begin()");
}

TEST(AnthropicReader, Errors) {
  const std::vector<std::pair<std::string, std::string>> types = {
      {"invalid_request_error", "invalid_request"},
      {"authentication_error", "authentication"},
      {"permission_error", "permission"},
      {"not_found_error", "not_found"},
      {"request_too_large", "request_too_large"},
      {"rate_limit_error", "rate_limit"},
      {"billing_error", "billing"},
      {"timeout_error", "timeout"},
      {"overloaded_error", "overloaded"},
      {"api_error", "api"},
      {"insufficient_quota", "billing"},  // of another API
      {"tide_error", "api"}};
  for (const auto& [type, kind] : types) {
    const std::string error = R"("error":{"type":")" + type + R"(","message":"no"}})";
    EXPECT_EQ(read({R"({"type":"error",)" + error}), "failure(" + kind + ",no)");
    EXPECT_EQ(read({"{" + error}), "failure(" + kind + ",no)");
  }
  EXPECT_EQ(read_frame(wire::Frame{"error", R"({"type":"ping","error":"no"})"}), "failure(api,no)");
  EXPECT_EQ(read_frame(wire::Frame{"error", "{}"}), "failure(api,the upstream reported an error)");
  EXPECT_EQ(read_frame(wire::Frame{"error", ""}), "failure(api,an event of the upstream is not JSON)");
}

TEST(AnthropicReader, UnreadableEventIsAnError) {
  for (const char* data : {"{", "x", "\"\xff\"", R"({"a":1}{})"})
    EXPECT_EQ(read({data}), "failure(api,an event of the upstream is not JSON)") << data;
  EXPECT_EQ(read({"[]"}), "failure(api,an event of the upstream is not a JSON object)");
  Limits limits;
  limits.json_depth = 2;
  EXPECT_EQ(read({R"({"a":[[]]})"}, limits),
            "failure(api,an event of the upstream nests deeper than 2 levels)");
  wire::Frame large;
  large.oversized = true;
  EXPECT_EQ(read_frame(large), "failure(api,an event of the upstream is larger than 16777216 bytes)");
}

TEST(AnthropicReader, UnterminatedEventCountsOnlyIfItIsWhole) {
  EXPECT_EQ(read_frame(wire::Frame{"", "{", false}), "");
  EXPECT_EQ(read_frame(wire::Frame{"", kEnd, false}), "usage(-,-,-) done");
}

TEST(AnthropicReader, PlainJsonBodyIsReadOnlyIfItIsAnError) {
  wire::Frame body;
  body.bare = true;
  body.data = R"( {"type":"error","error":{"type":"rate_limit_error","message":"slow"}})";
  EXPECT_EQ(read_frame(body), "failure(rate_limit,slow)");
  body.data = R"({"type":"message","content":[{"type":"text","text":"a"}]})";
  EXPECT_EQ(read_frame(body), "");
}

TEST(AnthropicReader, BlocksAreLimited) {
  Limits limits;
  limits.parts = 2;
  const std::string failure = "failure(api,the upstream sent more blocks than one message may hold)";
  EXPECT_EQ(read({start("0", kText), start("1", kText), start("1", kText)}, limits), failure);
  EXPECT_EQ(read({R"({"type":"message_start","message":{"content":[{"type":"text"},{"type":"text"},3,4]}})"},
                 limits),
            "begin() close0 close1 " + failure);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::anthropic_messages::reader_test
