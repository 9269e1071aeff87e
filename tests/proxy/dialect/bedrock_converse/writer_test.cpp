#include "proxy/dialect/bedrock_converse/writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "proxy/dialect/bedrock_converse/answer.hpp"
#include "proxy/dialect/bedrock_converse/errors.hpp"
#include "tests/proxy/event_stream.hpp"

namespace splitproof::proxy::dialect::bedrock_converse::writer_test {
namespace {

using nlohmann::json;
using turn::BlockKind;
using turn::Closing;
using turn::Finish;

using Steps = std::vector<turn::Step>;

std::string stream_of(const Steps& steps) {
  ConverseWriter writer({0xabc, 1700000000, "asked", true, {{"short", false, "", "the_long_name"}}});
  writer.set_time(1700000003);
  std::string out;
  for (const turn::Step& step : steps) writer.write(step, out);
  writer.write_ping(out);
  return out;
}

std::string event(const std::string& type, const std::string& payload) {
  return event_stream::event(type, payload);
}

std::string delta(const std::string& index, const std::string& of) {
  return event("contentBlockDelta", "{\"contentBlockIndex\":" + index + ",\"delta\":" + of + "}");
}

std::string stop(const std::string& index) {
  return event("contentBlockStop", "{\"contentBlockIndex\":" + index + "}");
}

std::string exception(const std::string& type, const std::string& payload) {
  using event_stream::text_header;
  return event_stream::frame_of(text_header(":exception-type", type) +
                                    text_header(":content-type", "application/json") +
                                    text_header(":message-type", "exception"),
                                payload);
}

const std::string kBegin = event("messageStart", R"({"role":"assistant"})");
const turn::StartMessage kStart{"m"};

turn::FinishMessage finished(Finish reason, turn::Usage usage = {}) {
  return {reason, false, false, usage, ""};
}

std::string end(const std::string& reason) {
  return event("messageStop", "{\"stopReason\":\"" + reason + "\"}");
}

const Steps kEverything = {kStart,
                           turn::OpenBlock{0, BlockKind::thinking, "", ""},
                           turn::AppendBlock{0, BlockKind::thinking, "look\n"},
                           turn::SignBlock{0, "c2ln"},
                           turn::CloseBlock{0},
                           turn::SealedBlock{1, "c2VhbA=="},
                           turn::OpenBlock{2, BlockKind::text, "", ""},
                           turn::AppendBlock{2, BlockKind::text, "\"six\""},
                           turn::AppendBlock{2, BlockKind::text, "."},
                           turn::CloseBlock{2},
                           turn::OpenBlock{3, BlockKind::call, "call_1", "short"},
                           turn::AppendBlock{3, BlockKind::call, "{\"a\":"},
                           turn::AppendBlock{3, BlockKind::call, "\"b\"}"},
                           turn::CloseBlock{3},
                           finished(Finish::calls, {130, 100, 7, 3, 20})};

TEST(ConverseWriter, EveryStepHasItsFrame) {
  EXPECT_EQ(
      stream_of(kEverything),
      kBegin + delta("0", R"({"reasoningContent":{"text":"look\n"}})") +
          delta("0", R"({"reasoningContent":{"signature":"c2ln"}})") + stop("0") +
          delta("1", R"({"reasoningContent":{"redactedContent":"c2VhbA=="}})") + stop("1") +
          delta("2", R"({"text":"\"six\""})") + delta("2", R"({"text":"."})") + stop("2") +
          event(
              "contentBlockStart",
              R"({"contentBlockIndex":3,"start":{"toolUse":{"name":"the_long_name","toolUseId":"call_1"}}})") +
          delta("3", R"({"toolUse":{"input":"{\"a\":"}})") + delta("3", R"({"toolUse":{"input":"\"b\"}"}})") +
          stop("3") + end("tool_use") +
          event(
              "metadata",
              R"({"metrics":{"latencyMs":3000},"usage":{"inputTokens":10,"outputTokens":7,"totalTokens":137,"cacheReadInputTokens":100,"cacheWriteInputTokens":20}})"));
}

TEST(ConverseWriter, ReasonsAndCounts) {
  for (const auto& [step, written] : std::vector<std::pair<turn::FinishMessage, std::string>>{
           {finished(Finish::stop), end("end_turn")},
           {{Finish::stop, false, true, {}, ""}, end("content_filtered")},
           {{Finish::stop, false, false, {}, "END"}, end("stop_sequence")},
           {finished(Finish::length), end("max_tokens")},
           {finished(Finish::content_filter), end("content_filtered")},
           {finished(Finish::stop, {{}, {}, 7}),
            end("end_turn") +
                event("metadata", R"({"metrics":{"latencyMs":3000},"usage":{"outputTokens":7}})")},
           {finished(Finish::stop, {5, 9, {}}),
            end("end_turn") +
                event(
                    "metadata",
                    R"({"metrics":{"latencyMs":3000},"usage":{"inputTokens":0,"cacheReadInputTokens":5}})")}})
    EXPECT_EQ(stream_of({kStart, step}), kBegin + written);
}

TEST(ConverseWriter, IdsOfCallsAreUniqueAndFit) {
  const auto id_of = [](const std::string& id) {
    const std::string stream = stream_of(
        {turn::OpenBlock{0, BlockKind::call, "one", "f"}, turn::OpenBlock{1, BlockKind::call, id, "f"}});
    const std::string mark = "\"toolUseId\":\"";
    const std::size_t at = stream.rfind(mark) + mark.size();
    return stream.substr(at, stream.find('"', at) - at);
  };
  EXPECT_EQ(id_of("Two-2_"), "Two-2_");
  EXPECT_EQ(id_of(std::string(64, 'x')), std::string(64, 'x'));
  EXPECT_EQ(id_of(""), "tooluse_0000000000000abc_1");
  EXPECT_EQ(id_of("one"), "tooluse_0000000000000abc_1");
  for (const std::string& other : {std::string("a:b"), std::string("a b"), std::string(65, 'x')}) {
    EXPECT_TRUE(id_of(other).starts_with("tooluse_")) << other;
    EXPECT_NE(id_of(other), id_of(other + "x"));
  }
}

TEST(ConverseWriter, SealedDataOfAnotherFormIsEncoded) {
  EXPECT_EQ(stream_of({turn::SealedBlock{0, "a b"}}),
            delta("0", R"({"reasoningContent":{"redactedContent":"YSBi"}})") + stop("0"));
}

TEST(ConverseWriter, FailureIsAnException) {
  using turn::ErrorKind;
  struct Row {
    ErrorKind kind;
    std::string type;
    std::string error;
    int status;
  };
  for (const Row& row :
       {Row{ErrorKind::invalid_request, "validationException", "ValidationException", 400},
        Row{ErrorKind::rate_limit, "throttlingException", "ThrottlingException", 429},
        Row{ErrorKind::api, "internalServerException", "InternalServerException", 502},
        Row{ErrorKind::timeout, "modelStreamErrorException", "ModelTimeoutException", 504},
        Row{ErrorKind::overloaded, "serviceUnavailableException", "ServiceUnavailableException", 503}}) {
    const std::string stream = stream_of({turn::FailMessage{row.kind, "a \"b\""}});
    EXPECT_EQ(stream, exception(row.type, R"({"message":"a \"b\""})"));
    const auto answer = converse_lone_error(stream);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, row.status);
    EXPECT_EQ(answer->header, "x-amzn-ErrorType: " + row.error);
    EXPECT_EQ(json::parse(answer->body), json({{"__type", row.error}, {"message", "a \"b\""}}));
    EXPECT_EQ(converse_error(row.kind, "a \"b\""), *answer);
    EXPECT_TRUE(is_converse_error(answer->body));
  }
  EXPECT_FALSE(converse_lone_error(kBegin + exception("throttlingException", "{}")));
  EXPECT_FALSE(is_converse_error(R"({"error":{"message":"m"}})"));
}

TEST(ConverseWriter, ErrorsInPlaceOfAStreamHaveMoreTypes) {
  using turn::ErrorKind;
  for (const auto& [kind, error, status, in_frame] :
       std::vector<std::tuple<ErrorKind, std::string, int, std::string>>{
           {ErrorKind::authentication, "UnrecognizedClientException", 401, "validationException"},
           {ErrorKind::permission, "AccessDeniedException", 403, "validationException"},
           {ErrorKind::not_found, "ResourceNotFoundException", 404, "validationException"},
           {ErrorKind::request_too_large, "ValidationException", 413, "validationException"},
           {ErrorKind::billing, "ServiceQuotaExceededException", 402, "throttlingException"}}) {
    const Answer answer = converse_error(kind, "m");
    EXPECT_EQ(answer.status, status);
    EXPECT_EQ(answer.header, "x-amzn-ErrorType: " + error);
    EXPECT_EQ(stream_of({turn::FailMessage{kind, "m"}}), exception(in_frame, R"({"message":"m"})"));
  }
}

TEST(ConverseAnswer, StreamAsOneObject) {
  const Answer answer = converse_whole_answer(stream_of(kEverything));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body), json::parse(R"({"output":{"message":{"role":"assistant","content":[
      {"reasoningContent":{"reasoningText":{"text":"look\n","signature":"c2ln"}}},
      {"reasoningContent":{"redactedContent":"c2VhbA=="}}, {"text":"\"six\"."},
      {"toolUse":{"toolUseId":"call_1","name":"the_long_name","input":{"a":"b"}}}]}},
      "stopReason":"tool_use","metrics":{"latencyMs":3000},
      "usage":{"inputTokens":10,"outputTokens":7,"totalTokens":137,"cacheReadInputTokens":100,"cacheWriteInputTokens":20}})"));
}

TEST(ConverseAnswer, CallCutOffIsLeftOutAndFailureIsAnError) {
  const Steps cut = {kStart, turn::OpenBlock{0, BlockKind::call, "i", "f"},
                     turn::AppendBlock{0, BlockKind::call, "{\"a\":"},
                     turn::CloseBlock{0, Closing::cut_short}, finished(Finish::length)};
  EXPECT_EQ(json::parse(converse_whole_answer(stream_of(cut)).body)["output"]["message"]["content"],
            json::array());
  Steps failed = cut;
  failed.back() = turn::FailMessage{turn::ErrorKind::overloaded, "busy"};
  EXPECT_EQ(converse_whole_answer(stream_of(failed)), converse_error(turn::ErrorKind::overloaded, "busy"));
  failed.pop_back();
  EXPECT_EQ(converse_whole_answer(stream_of(failed)).status, 502);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::bedrock_converse::writer_test
