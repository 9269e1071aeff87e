#include "proxy/dialect/openai_chat/writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "proxy/dialect/openai_chat/answer.hpp"

namespace splitproof::proxy::dialect::openai_chat::writer_test {
namespace {

using nlohmann::json;
using turn::BlockKind;
using turn::Closing;
using turn::Finish;

std::string stream_of(const std::vector<turn::Step>& steps, bool usage = true) {
  ChatWriter writer({0xabc, 1700000000, "asked", usage, {{"patch", true, "", "patch"}}});
  std::string out;
  for (const turn::Step& step : steps) writer.write(step, out);
  return out;
}

// Returns the data of its frames; [DONE] is a string.
std::vector<json> frames_in(const std::string& stream) {
  std::vector<json> frames;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t end = stream.find("\n\n", at);
    EXPECT_EQ(stream.substr(at, 6), "data: ");
    const std::string data = stream.substr(at + 6, end - at - 6);
    frames.push_back(data == "[DONE]" ? json(data) : json::parse(data));
    at = end + 2;
  }
  return frames;
}

// Returns the deltas of all chunks, and the end.
json told(const std::string& stream) {
  json all = json::array();
  for (const json& frame : frames_in(stream)) {
    if (!frame.is_object() || frame.contains("error")) {
      all.push_back(frame);
    } else if (frame.contains("usage")) {
      EXPECT_EQ(frame["choices"], json::array());
      all.push_back(frame["usage"]);
    } else {
      const json& choice = frame["choices"][0];
      EXPECT_EQ(choice["index"], 0);
      all.push_back(choice["finish_reason"].is_null() ? choice["delta"] : choice["finish_reason"]);
    }
  }
  return all;
}

turn::FinishMessage finished(Finish reason, turn::Usage usage = {}) {
  return {reason, false, false, usage, ""};
}

TEST(ChatWriter, EveryChunkHasTheSameHead) {
  const std::string stream =
      stream_of({turn::StartMessage{"m\"1"}, turn::OpenBlock{0, BlockKind::text, "", ""},
                 turn::AppendBlock{0, BlockKind::text, "a\n"}, turn::CloseBlock{0}, finished(Finish::stop)});
  EXPECT_EQ(
      stream.substr(0, stream.find("\n\n")),
      R"(data: {"id":"chatcmpl-0000000000000abc","object":"chat.completion.chunk","created":1700000000,)"
      R"("model":"m\"1","choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]})");
  EXPECT_EQ(told(stream), json::parse(R"([{"role":"assistant"},{"content":"a\n"},"stop","[DONE]"])"));
}

TEST(ChatWriter, TextThinkingRefusalAndCalls) {
  EXPECT_EQ(
      told(stream_of(
          {turn::StartMessage{"m"}, turn::OpenBlock{0, BlockKind::thinking, "", ""},
           turn::AppendBlock{0, BlockKind::thinking, "t"}, turn::SignBlock{0, "s"}, turn::CloseBlock{0},
           turn::OpenBlock{1, BlockKind::refusal, "", ""}, turn::AppendBlock{1, BlockKind::refusal, "no"},
           turn::CloseBlock{1}, turn::OpenBlock{2, BlockKind::call, "i", "f"},
           turn::AppendBlock{2, BlockKind::call, "{\"a\":"},
           turn::OpenBlock{3, BlockKind::call, "i", "patch"},
           turn::AppendBlock{3, BlockKind::call, R"({"input":"x\ny"})"},
           turn::AppendBlock{2, BlockKind::call, "1}"}, turn::CloseBlock{2}, turn::CloseBlock{3},
           turn::OpenBlock{4, BlockKind::call, "", "h"}, turn::CloseBlock{4}, finished(Finish::calls)})),
      json::parse(R"([{"role":"assistant"},{"reasoning_content":"t"},{"refusal":"no"},
        {"tool_calls":[{"index":0,"id":"i","type":"function","function":{"name":"f","arguments":""}}]},
        {"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]},
        {"tool_calls":[{"index":1,"id":"call_0000000000000abc_3","type":"custom","custom":{"name":"patch","input":""}}]},
        {"tool_calls":[{"index":1,"custom":{"input":"x\ny"}}]},
        {"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},
        {"tool_calls":[{"index":2,"id":"call_0000000000000abc_4","type":"function","function":{"name":"h","arguments":""}}]},
        {"tool_calls":[{"index":2,"function":{"arguments":"{}"}}]},"tool_calls","[DONE]"])"));
}

TEST(ChatWriter, UsageIsAChunkOfItsOwnForWhoAsked) {
  const turn::Usage usage{9, 2, 4, 1};
  EXPECT_EQ(told(stream_of({turn::StartMessage{"m"}, finished(Finish::length, usage)})),
            json::parse(
                R"([{"role":"assistant"},"length",{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,
              "prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}},"[DONE]"])"));
  EXPECT_EQ(told(stream_of({turn::StartMessage{"m"}, finished(Finish::content_filter, usage)}, false)),
            json::parse(R"([{"role":"assistant"},"content_filter","[DONE]"])"));
  EXPECT_EQ(told(stream_of({turn::StartMessage{"m"}, finished(Finish::stop)})).size(), 3U)
      << "nothing was counted";
}

TEST(ChatWriter, NothingFollowsAnError) {
  const std::string stream = stream_of(
      {turn::StartMessage{"m"}, turn::OpenBlock{0, BlockKind::call, "i", "f"},
       turn::CloseBlock{0, Closing::abandoned}, turn::FailMessage{turn::ErrorKind::rate_limit, "slow", "x"}});
  EXPECT_EQ(told(stream).back(),
            json::parse(R"({"error":{"message":"slow","type":"rate_limit_error","param":null,
      "code":"rate_limit_exceeded"}})"));
  EXPECT_EQ(told(stream).size(), 3U) << "no arguments are made up for the call";
  EXPECT_EQ(chat_lone_error(stream), std::nullopt);
  const auto lone = chat_lone_error(stream_of({turn::FailMessage{turn::ErrorKind::permission, "no", ""}}));
  ASSERT_TRUE(lone);
  EXPECT_EQ(lone->status, 403);
  EXPECT_EQ(json::parse(lone->body)["error"]["message"], "no");
}

TEST(ChatWriter, AWholeAnswerIsWhatTheChunksAddUpTo) {
  const Answer answer = chat_whole_answer(stream_of(
      {turn::StartMessage{"m"}, turn::OpenBlock{0, BlockKind::thinking, "", ""},
       turn::AppendBlock{0, BlockKind::thinking, "t"}, turn::CloseBlock{0},
       turn::OpenBlock{1, BlockKind::text, "", ""}, turn::AppendBlock{1, BlockKind::text, "a\n"},
       turn::AppendBlock{1, BlockKind::text, "b"}, turn::CloseBlock{1},
       turn::OpenBlock{2, BlockKind::call, "i", "f"}, turn::OpenBlock{3, BlockKind::call, "j", "patch"},
       turn::AppendBlock{2, BlockKind::call, "{\"a\":"},
       turn::AppendBlock{3, BlockKind::call, R"({"input":"x"})"}, turn::AppendBlock{2, BlockKind::call, "1}"},
       turn::CloseBlock{2}, turn::CloseBlock{3}, finished(Finish::calls, {9, std::nullopt, 4})}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body),
            json::parse(R"({"id":"chatcmpl-0000000000000abc","object":"chat.completion",
      "created":1700000000,"model":"m","choices":[{"index":0,"logprobs":null,"finish_reason":"tool_calls","message":{
        "role":"assistant","content":"a\nb","refusal":null,"reasoning_content":"t","tool_calls":[
          {"id":"i","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},
          {"id":"j","type":"custom","custom":{"name":"patch","input":"x"}}]}}],
      "usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}})"));
  EXPECT_EQ(chat_whole_answer(stream_of({turn::StartMessage{"m"}})).status, 502);
  EXPECT_EQ(chat_whole_answer(
                stream_of({turn::StartMessage{"m"}, turn::FailMessage{turn::ErrorKind::overloaded, "b", ""}}))
                .status,
            503);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_chat::writer_test
