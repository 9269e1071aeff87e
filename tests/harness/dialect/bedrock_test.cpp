#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/framing.hpp"
#include "harness/recording/base64.hpp"
#include "tests/harness/aws_frame_bodies.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/sanitized.hpp"

// Meaning of Bedrock's streams: Converse's own events, and Anthropic events inside the chunks of an invocation.

namespace splitproof::dialect::bedrock_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

Answer meaning_of(const char* protocol, const std::string& body) {
  return read(*upstream_of(protocol), body);
}

bool fails(const Answer& meaning, recording::End end = recording::End::complete) {
  return expected_of(meaning, end, Choices()).failure.has_value();
}

std::string converse(const std::vector<std::pair<std::string, std::string>>& events) {
  std::string body;
  for (const auto& [type, payload] : events) body += event_frame(type, payload);
  return body;
}

std::string chunk(const std::string& event) {
  return event_frame("chunk", R"({"bytes":")" + recording::to_base64(event) + R"(","p":"abc"})");
}

TEST(Converse, ReadsEveryFormOfAnEvent) {
  const Answer answer = meaning_of(
      "bedrock.converse",
      converse(
          {{"messageStart", R"({"role":"assistant"})"},
           {"contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Hm."}}})"},
           {"contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"s"}}})"},
           {"contentBlockDelta", R"({"contentBlockIndex":1,"delta":{"text":"a \ud83d"}})"},
           {"contentBlockDelta", R"({"contentBlockIndex":1,"delta":{"text":"\ude00"}})"},
           {"contentBlockStop", R"({"contentBlockIndex":1})"},
           {"contentBlockStart",
            R"({"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"i","name":"f"}}})"},
           {"contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"a\""}}})"},
           {"contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":":1}"}}})"},
           {"messageStop", R"({"stopReason":"tool_use"})"},
           {"metadata", R"({"usage":{"inputTokens":3,"outputTokens":4,"cacheReadInputTokens":5}})"},
           {"riddle", "no JSON"}}));
  EXPECT_EQ(in_short(answer), "thinking[Hm.|s] text[a \U0001F600] call[i|f|{\"a\":1}] =tool_use");
  EXPECT_EQ(tokens_in_short(answer.usage), "8/5/4");
  EXPECT_FALSE(fails(answer));
  EXPECT_EQ(
      in_short(meaning_of("bedrock.converse",
                          converse({{"contentBlockDelta",
                                     R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}})"}}))),
      "!a piece of a call comes in block 2, where no call began");
}

const std::string kStart =
    R"({"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],)"
    R"("stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":4,"output_tokens":1}}})";
const std::string kStop = R"({"type":"message_stop"})";

TEST(Invoke, ReadsTheEventsInItsChunks) {
  const std::string body =
      chunk(kStart) +
      chunk(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})") +
      chunk(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Ebb"}})") +
      chunk(R"({"type":"content_block_stop","index":0})") +
      chunk(
          R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}})") +
      chunk(kStop);
  const Answer whole = meaning_of("bedrock.invoke", body);
  EXPECT_EQ(in_short(whole), "text[Ebb] =end_turn done");
  EXPECT_FALSE(fails(whole));
  EXPECT_TRUE(fails(meaning_of("bedrock.invoke", body.substr(0, body.size() - 1))));
  EXPECT_TRUE(fails(meaning_of("bedrock.invoke", body + "x"))) << "a torn frame behind the end";
  for (const char* bad : {R"({"bytes":"%%"})", R"({"p":"a"})", "no JSON", R"({"bytes":"e3t7"})"})
    EXPECT_TRUE(meaning_of("bedrock.invoke", chunk(kStart) + event_frame("chunk", bad) + chunk(kStop)).error)
        << bad;
  const std::string exception = write_aws_frame(
      {{":exception-type", kAwsText, "throttlingException"}, {":message-type", kAwsText, "exception"}},
      R"({"message":"Slow down."})");
  const Answer failed = meaning_of("bedrock.invoke", chunk(kStart) + exception + chunk(kStop));
  EXPECT_EQ(failed.error, "Slow down.");
  EXPECT_TRUE(failed.error_classes.limit);
}

/// Protocol of a real body with a reader, and whether it has an end; no protocol without a reader.
struct Real {
  const char* protocol = nullptr;
  bool ends = false;
};

Real about(const std::vector<SseEvent>& frames) {
  Real real;
  for (const SseEvent& frame : frames) {
    if (frame.event == "messageStart") real.protocol = "bedrock.converse";
    if (frame.event == "messageStop") real.ends = true;
    if (frame.event != "chunk") continue;
    constexpr std::string_view kBytes = R"("bytes":")";
    const std::size_t begin = frame.data.find(kBytes) + kBytes.size();
    const auto inner = recording::from_base64(frame.data.substr(begin, frame.data.find('"', begin) - begin));
    if (!inner) continue;
    if (inner->find(R"("type":"message_start")") != inner->npos) real.protocol = "bedrock.invoke";
    if (inner->find(R"("type":"message_stop")") != inner->npos) real.ends = true;
  }
  return real;
}

std::vector<SseEvent> frames_of(std::string_view body) {
  FrameReader reader(Framing::aws_frames);
  reader.feed(body);
  reader.finish();
  return std::move(reader).take_events();
}

/// Any damaged byte of any frame makes the frame unreadable. Any unreadable frame of a body with a reader makes its
/// answer fail.
TEST(BedrockStreams, AnyDamagedByteIsAnErrorAndNoFinish) {
  std::size_t bodies = 0, answers = 0, bytes = 0;
  for (const std::string& body : aws_frame_bodies()) {
    const std::vector<SseEvent> frames = frames_of(body);
    const Real real = about(frames);
    ++bodies;
    if (real.protocol != nullptr) {
      ++answers;
      const Answer meaning = meaning_of(real.protocol, body);
      EXPECT_EQ(fails(meaning), !real.ends) << in_short(meaning);
    }
    for (const SseEvent& frame : frames) {
      std::string bad = body.substr(frame.begin, frame.end - frame.begin);
      for (std::size_t at = 0; at < bad.size(); at += kSanitized ? 7 : 1, ++bytes) {
        bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
        const std::vector<SseEvent> read = frames_of(bad);
        EXPECT_TRUE(read.size() == 1 && read.front().terminated && !read.front().broken.empty()) << at;
        bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
      }
      if (real.protocol == nullptr) continue;
      std::string damaged = body;
      damaged[frame.begin + bytes % bad.size()] ^= 4;
      EXPECT_TRUE(fails(meaning_of(real.protocol, damaged)));
    }
  }
  std::cout << bodies << " bodies, " << answers << " of them with a reader, " << bytes << " damaged bytes\n";
  if (answers == 0) GTEST_SKIP() << "../shared is absent";
  EXPECT_GT(bodies, 62U);
  EXPECT_EQ(answers, 37U);
}

}  // namespace
}  // namespace splitproof::dialect::bedrock_test
