#include "proxy/dialect/google_gemini/writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "proxy/dialect/google_gemini/answer.hpp"
#include "proxy/dialect/google_gemini/errors.hpp"

namespace splitproof::proxy::dialect::google_gemini::writer_test {
namespace {

using nlohmann::json;
using turn::BlockKind;
using turn::Closing;
using turn::Finish;

using Steps = std::vector<turn::Step>;

request::Reply reply_with(bool array) {
  request::Reply reply{0xabc, 1700000000, "asked", true, {{"short", false, "", "the_long_name"}}};
  reply.array = array;
  return reply;
}

std::string stream_of(const Steps& steps, bool array = false) {
  GeminiWriter writer(reply_with(array));
  std::string out;
  for (const turn::Step& step : steps) writer.write(step, out);
  return out;
}

// Returns the frames of a stream of events.
json frames_in(const std::string& stream) {
  json frames = json::array();
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t end = stream.find("\r\n\r\n", at);
    EXPECT_EQ(stream.substr(at, 6), "data: ");
    EXPECT_NE(end, std::string::npos) << stream;
    if (end == std::string::npos) break;
    frames.push_back(json::parse(stream.substr(at + 6, end - at - 6)));
    at = end + 4;
  }
  return frames;
}

// Returns the parts of all frames, the reason, the usage, and errors. Checks the members that all frames have.
json told(const Steps& steps) {
  const json frames = frames_in(stream_of(steps));
  EXPECT_EQ(json::parse(stream_of(steps, true)), frames) << "the array has the same frames";
  json all = json::array();
  for (const json& frame : frames) {
    if (frame.contains("error")) {
      all.push_back(frame["error"]);
      continue;
    }
    EXPECT_EQ(frame["responseId"], "0000000000000abc");
    EXPECT_EQ(frame["modelVersion"], "m\"1");
    EXPECT_EQ(frame["candidates"].size(), 1U);
    const json& candidate = frame["candidates"][0];
    EXPECT_EQ(candidate["index"], 0);
    EXPECT_EQ(candidate["content"]["role"], "model");
    EXPECT_EQ(candidate["content"]["parts"].size(), 1U);
    all.push_back(candidate["content"]["parts"][0]);
    EXPECT_EQ(candidate.contains("finishReason"), frame.contains("usageMetadata"));
    if (!candidate.contains("finishReason")) continue;
    all.push_back(candidate["finishReason"]);
    all.push_back(frame["usageMetadata"]);
  }
  return all;
}

const turn::StartMessage kStart{"m\"1"};

turn::FinishMessage finished(Finish reason, turn::Usage usage = {}) {
  return {reason, false, false, usage, ""};
}

Steps call_with(const std::vector<std::string>& pieces, Closing how, turn::Step end) {
  Steps steps = {kStart, turn::OpenBlock{0, BlockKind::call, "i", "f"}};
  for (const std::string& piece : pieces) steps.emplace_back(turn::AppendBlock{0, BlockKind::call, piece});
  steps.emplace_back(turn::CloseBlock{0, how});
  steps.push_back(std::move(end));
  return steps;
}

TEST(GeminiWriter, FramesAreEventsWithoutNames) {
  const Steps steps = {kStart, turn::OpenBlock{0, BlockKind::text, "", ""},
                       turn::AppendBlock{0, BlockKind::text, "a\n\r"}, turn::CloseBlock{0},
                       finished(Finish::stop)};
  const std::string head = R"({"candidates":[{"content":{"parts":[{"text":)";
  const std::string tail = R"("modelVersion":"m\"1","responseId":"0000000000000abc"})";
  const std::string first = head + R"("a\n\r"}],"role":"model"},"index":0}],)" + tail;
  const std::string last =
      head + R"(""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{},)" + tail;
  EXPECT_EQ(stream_of(steps), "data: " + first + "\r\n\r\ndata: " + last + "\r\n\r\n");
  EXPECT_EQ(stream_of(steps, true), "[" + first + ",\r\n" + last + "]");
}

TEST(GeminiWriter, PiecesOfProseLeaveAtOnceAndCallsWhole) {
  GeminiWriter writer(reply_with(false));
  std::string out;
  const auto grows = [&](const turn::Step& step) {
    const std::size_t before = out.size();
    writer.write(step, out);
    return out.size() > before;
  };
  EXPECT_FALSE(grows(kStart));
  EXPECT_FALSE(grows(turn::OpenBlock{0, BlockKind::text, "", ""}));
  EXPECT_TRUE(grows(turn::AppendBlock{0, BlockKind::text, "a"}));
  EXPECT_FALSE(grows(turn::CloseBlock{0}));
  EXPECT_FALSE(grows(turn::OpenBlock{1, BlockKind::call, "i", "f"}));
  EXPECT_FALSE(grows(turn::AppendBlock{1, BlockKind::call, "{\"a\":{}"}));
  EXPECT_TRUE(grows(turn::AppendBlock{1, BlockKind::call, "}"})) << "nothing waits for the next block";
  EXPECT_FALSE(grows(turn::AppendBlock{1, BlockKind::call, " "}));
  EXPECT_FALSE(grows(turn::CloseBlock{1}));
}

TEST(GeminiWriter, TextThinkingRefusalAndCalls) {
  EXPECT_EQ(
      told({kStart, turn::OpenBlock{0, BlockKind::thinking, "", ""},
            turn::AppendBlock{0, BlockKind::thinking, "t"}, turn::AppendBlock{0, BlockKind::thinking, "u"},
            turn::CloseBlock{0}, turn::OpenBlock{1, BlockKind::refusal, "", ""},
            turn::AppendBlock{1, BlockKind::refusal, "no"}, turn::CloseBlock{1},
            turn::OpenBlock{2, BlockKind::call, "i", "f"},
            turn::AppendBlock{2, BlockKind::call, "{\"a\" :\n [1.50,"},
            turn::AppendBlock{2, BlockKind::call, "\"x \"]}"}, turn::CloseBlock{2},
            turn::OpenBlock{3, BlockKind::call, "i", "short"}, turn::CloseBlock{3},
            turn::OpenBlock{4, BlockKind::call, "", "f"}, turn::AppendBlock{4, BlockKind::call, "{}"},
            turn::CloseBlock{4}, finished(Finish::calls)}),
      json::parse(
          R"([{"text":"t","thought":true},{"text":"u","thought":true},{"text":"no"},
          {"functionCall":{"id":"i","name":"f","args":{"a":[1.50,"x "]}}},
          {"functionCall":{"id":"call_0000000000000abc_3","name":"the_long_name","args":{}}},
          {"functionCall":{"id":"call_0000000000000abc_4","name":"f","args":{}}},{"text":""},"STOP",{}])"));
}

TEST(GeminiWriter, ArgumentsKeepTheirSpelling) {
  const std::string stream =
      stream_of(call_with({"{\"n\": 1e400,\n", "\"b\":12345678901234567890 , \"u\":\"\\u00e9 \"}"},
                          Closing::whole, finished(Finish::calls)));
  EXPECT_NE(stream.find(R"("args":{"n":1e400,"b":12345678901234567890,"u":"\u00e9 "}}})"), std::string::npos)
      << stream;
}

TEST(GeminiWriter, CutCallIsLeftOut) {
  EXPECT_EQ(told(call_with({"{\"a\":"}, Closing::cut_short, finished(Finish::length))),
            json::parse(R"([{"text":""},"MAX_TOKENS",{}])"));
  EXPECT_EQ(told(call_with({}, Closing::cut_short, finished(Finish::length))).size(), 3U);
  EXPECT_EQ(told(call_with({"{\"a\":"}, Closing::abandoned, turn::FailMessage{turn::ErrorKind::api, "x"})),
            json::parse(R"([{"code":502,"message":"x","status":"INTERNAL"}])"));
}

TEST(GeminiWriter, Reasons) {
  const auto reason = [](const turn::FinishMessage& end) { return told({kStart, end})[1]; };
  EXPECT_EQ(reason(finished(Finish::stop)), "STOP");
  EXPECT_EQ(reason(finished(Finish::calls)), "STOP");
  EXPECT_EQ(reason(finished(Finish::length)), "MAX_TOKENS");
  EXPECT_EQ(reason(finished(Finish::content_filter)), "SAFETY");
  EXPECT_EQ(reason({Finish::stop, false, true, {}, ""}), "SAFETY");
  EXPECT_EQ(reason({Finish::length, false, true, {}, ""}), "MAX_TOKENS");
  EXPECT_EQ(reason({Finish::calls, true, true, {}, ""}), "STOP");
  EXPECT_EQ(reason({Finish::stop, false, false, {}, "END"}), "STOP");
}

TEST(GeminiWriter, Usage) {
  const auto usage = [](const turn::Usage& counts) {
    return told({kStart, finished(Finish::stop, counts)})[2];
  };
  EXPECT_EQ(usage({9, 2, 7, 3}), json::parse(R"({"promptTokenCount":9,"cachedContentTokenCount":2,
      "candidatesTokenCount":4,"thoughtsTokenCount":3,"totalTokenCount":16})"));
  EXPECT_EQ(usage({9, {}, 7}),
            json::parse(R"({"promptTokenCount":9,"candidatesTokenCount":7,"totalTokenCount":16})"));
  EXPECT_EQ(usage({{}, {}, 7}), json::parse(R"({"candidatesTokenCount":7,"totalTokenCount":7})"));
  EXPECT_EQ(usage({1, 2, 3, 4}), json::parse(R"({"promptTokenCount":1,"cachedContentTokenCount":1,
      "candidatesTokenCount":0,"thoughtsTokenCount":3,"totalTokenCount":4})"))
      << "a part is never more than the whole";
}

TEST(GeminiWriter, ErrorIsTheLastFrame) {
  const Steps lone = {turn::FailMessage{turn::ErrorKind::rate_limit, "slow\r\n", "x"}};
  const Steps late = {kStart, turn::OpenBlock{0, BlockKind::text, "", ""},
                      turn::AppendBlock{0, BlockKind::text, "a"}, turn::CloseBlock{0, Closing::abandoned},
                      turn::FailMessage{turn::ErrorKind::overloaded, "busy"}};
  EXPECT_EQ(told(late),
            json::parse(R"([{"text":"a"},{"code":503,"message":"busy","status":"UNAVAILABLE"}])"));
  for (const bool array : {false, true}) {
    EXPECT_EQ(gemini_lone_error(stream_of(late, array)), std::nullopt);
    const auto error = gemini_lone_error(stream_of(lone, array));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->status, 429);
    EXPECT_EQ(json::parse(error->body),
              json::parse(R"({"error":{"code":429,"message":"slow\r\n","status":"RESOURCE_EXHAUSTED"}})"));
  }
}

TEST(GeminiWriter, PingIsNoFrame) {
  std::string ping;
  GeminiWriter(reply_with(false)).write_ping(ping);
  EXPECT_EQ(ping, ": keep-alive\n\n");
  ping.clear();
  GeminiWriter(reply_with(true)).write_ping(ping);
  EXPECT_EQ(ping, "\r\n");
}

TEST(GeminiWholeAnswer, JoinsTheRunsOfAStream) {
  const Answer answer = gemini_whole_answer(stream_of(
      {kStart, turn::OpenBlock{0, BlockKind::thinking, "", ""},
       turn::AppendBlock{0, BlockKind::thinking, "t"}, turn::AppendBlock{0, BlockKind::thinking, "\""},
       turn::CloseBlock{0}, turn::OpenBlock{1, BlockKind::text, "", ""},
       turn::AppendBlock{1, BlockKind::text, "a"}, turn::AppendBlock{1, BlockKind::text, "b"},
       turn::CloseBlock{1}, turn::OpenBlock{2, BlockKind::call, "i", "f"},
       turn::AppendBlock{2, BlockKind::call, "{\"n\":1e400}"}, turn::CloseBlock{2},
       turn::OpenBlock{3, BlockKind::text, "", ""}, turn::AppendBlock{3, BlockKind::text, "c"},
       turn::CloseBlock{3}, finished(Finish::calls, {1, {}, 2})}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(
      answer.body,
      R"({"candidates":[{"content":{"parts":[{"text":"t\"","thought":true},{"text":"ab"},{"functionCall":)"
      R"({"id":"i","name":"f","args":{"n":1e400}}},{"text":"c"}],"role":"model"},"finishReason":"STOP",)"
      R"("index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3},)"
      R"("modelVersion":"m\"1","responseId":"0000000000000abc"})");
}

TEST(GeminiWholeAnswer, HasAPartWithoutContent) {
  const json answer = json::parse(gemini_whole_answer(stream_of({kStart, finished(Finish::length)})).body);
  EXPECT_EQ(answer["candidates"][0]["content"]["parts"], json::parse(R"([{"text":""}])"));
  EXPECT_EQ(answer["candidates"][0]["finishReason"], "MAX_TOKENS");
}

TEST(GeminiWholeAnswer, ErrorOrMissingEndIsAnError) {
  const Answer failed = gemini_whole_answer(stream_of(
      {kStart, turn::OpenBlock{0, BlockKind::text, "", ""}, turn::AppendBlock{0, BlockKind::text, "a"},
       turn::CloseBlock{0, Closing::abandoned}, turn::FailMessage{turn::ErrorKind::timeout, "late"}}));
  EXPECT_EQ(failed.status, 504);
  EXPECT_EQ(json::parse(failed.body),
            json::parse(R"({"error":{"code":504,"message":"late","status":"DEADLINE_EXCEEDED"}})"));
  EXPECT_EQ(gemini_whole_answer("").status, 502);
}

TEST(GeminiErrors, EachKindHasACodeAndAStatus) {
  using turn::ErrorKind;
  const std::vector<std::pair<ErrorKind, std::string>> rows = {
      {ErrorKind::invalid_request, "400 INVALID_ARGUMENT"},
      {ErrorKind::authentication, "401 UNAUTHENTICATED"},
      {ErrorKind::permission, "403 PERMISSION_DENIED"},
      {ErrorKind::not_found, "404 NOT_FOUND"},
      {ErrorKind::request_too_large, "413 INVALID_ARGUMENT"},
      {ErrorKind::rate_limit, "429 RESOURCE_EXHAUSTED"},
      {ErrorKind::billing, "429 RESOURCE_EXHAUSTED"},
      {ErrorKind::api, "502 INTERNAL"},
      {ErrorKind::overloaded, "503 UNAVAILABLE"},
      {ErrorKind::timeout, "504 DEADLINE_EXCEEDED"}};
  for (const auto& [kind, expected] : rows) {
    const Answer answer = gemini_error(kind, "m");
    const json error = json::parse(answer.body)["error"];
    EXPECT_EQ(error["code"].dump() + " " + error["status"].get<std::string>(), expected);
    EXPECT_EQ(error["code"], answer.status);
    EXPECT_TRUE(is_gemini_error(answer.body));
    EXPECT_TRUE(is_gemini_error("[" + answer.body + "]"));
  }
  for (const char* other : {"", "[]", "{}", R"({"error":"m"})", R"({"error":{"message":"m"}})",
                            R"({"error":{"code":"x","message":"m"}})", R"({"error":{"code":400}})"})
    EXPECT_FALSE(is_gemini_error(other)) << other;
}

TEST(GeminiErrors, AnotherStatusIsAlsoInTheBody) {
  Answer answer = gemini_error(turn::ErrorKind::api, "m");
  set_gemini_status(answer, 500);
  EXPECT_EQ(answer, (Answer{500, R"({"error":{"code":500,"message":"m","status":"INTERNAL"}})"}));
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::writer_test
