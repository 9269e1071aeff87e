#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/dialect/anthropic_messages/message.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::dialect::anthropic_message_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

using nlohmann::json;

std::string frames(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) body += "data: " + event + "\n\n";
  return body;
}

AnthropicMessage assemble(const std::vector<std::string>& events) {
  return assemble_anthropic_message(read_trace(frames(events), DataKind::json));
}

const std::string kStart =
    R"({"type":"message_start","message":{"model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1,"cache_read_input_tokens":3}}})";
const std::string kStop = R"({"type":"message_stop"})";

std::string start(int index, const std::string& block) {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" +
         block + "}";
}
std::string delta(int index, const std::string& delta) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + delta + "}";
}
std::string stop(int index) {
  return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}";
}

const std::vector<std::string> kWhole = {
    kStart,
    R"({"type":"ping"})",
    start(0, R"({"type":"thinking","thinking":"a","signature":""})"),
    delta(0, R"({"type":"thinking_delta","thinking":"b"})"),
    delta(0, R"({"type":"signature_delta","signature":"S"})"),
    stop(0),
    start(1, R"({"type":"text","text":""})"),
    delta(1, R"({"type":"text_delta","text":"Hi "})"),
    delta(1, R"({"type":"citations_delta","citation":{}})"),
    delta(1, R"({"type":"text_delta","text":"there"})"),
    stop(1),
    start(2, R"({"type":"tool_use","id":"t1","name":"f","input":{}})"),
    delta(2, R"({"type":"input_json_delta","partial_json":""})"),
    delta(2, R"({"type":"input_json_delta","partial_json":"{\"a\":"})"),
    delta(2, R"({"type":"input_json_delta","partial_json":" 1}"})"),
    stop(2),
    start(3, R"({"type":"server_tool_use","id":"s1","name":"g","input":{"q":1}})"),
    stop(3),
    R"({"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END"},"usage":{"output_tokens":9}})",
    R"({"type":"novelty"})",
    kStop};

TEST(AnthropicMessage, AssemblesWhatWasSaid) {
  const AnthropicMessage message = assemble(kWhole);
  EXPECT_EQ(message.model, "m");
  ASSERT_EQ(message.blocks.size(), 4u);
  const MessageBlock& thinking = message.blocks[0];
  EXPECT_EQ(thinking.kind(), BlockKind::thinking);
  EXPECT_EQ(thinking.text, "ab");
  EXPECT_EQ(thinking.signature, "S");
  const MessageBlock& text = message.blocks[1];
  EXPECT_EQ(text.kind(), BlockKind::text);
  EXPECT_EQ(text.text, "Hi there");
  const MessageBlock& tool = message.blocks[2];
  EXPECT_EQ(tool.kind(), BlockKind::tool_use);
  EXPECT_EQ(tool.id, "t1");
  EXPECT_EQ(tool.name, "f");
  EXPECT_EQ(tool.arguments, "{\"a\": 1}");
  const MessageBlock& server = message.blocks[3];
  EXPECT_EQ(server.kind(), BlockKind::other);
  EXPECT_EQ(server.type, "server_tool_use");
  EXPECT_EQ(server.arguments, "{\"q\":1}");
  for (const MessageBlock& block : message.blocks) EXPECT_TRUE(block.stopped);
  EXPECT_EQ(message.stop_reason, "stop_sequence");
  EXPECT_EQ(message.stop_sequence, "END");
  EXPECT_EQ(message.usage, (MessageUsage{7, 9, 3}));
  EXPECT_EQ(message.error, std::nullopt);
  EXPECT_TRUE(message.stopped);
  EXPECT_EQ(message.refused, 0u);
}

TEST(AnthropicMessage, CountsWhatAStrictClientRefuses) {
  const std::string text = R"({"type":"text","text":""})";
  const std::string hi = R"({"type":"text_delta","text":"hi"})";
  struct Case {
    const char* what;
    std::vector<std::string> events;
    std::size_t refused;
    std::string first_text;  ///< of the first block, "-" without one
  };
  const std::vector<Case> cases = {
      {"nothing", {}, 0, "-"},
      {"lone error", {R"({"type":"error","error":{"type":"overloaded_error","message":"m"}})"}, 0, "-"},
      {"no start", {start(0, text), delta(0, hi), stop(0)}, 3, "hi"},
      {"second message_start", {kStart, kStart}, 1, "-"},
      {"delta without block", {kStart, delta(0, hi)}, 1, "-"},
      {"stop without block", {kStart, stop(0)}, 1, "-"},
      {"delta after stop", {kStart, start(0, text), stop(0), delta(0, hi)}, 1, "hi"},
      {"second stop", {kStart, start(0, text), stop(0), stop(0)}, 1, ""},
      {"second start", {kStart, start(0, text), delta(0, hi), start(0, text), delta(0, hi)}, 1, "hi"},
      {"wrong delta",
       {kStart, start(0, text), delta(0, R"({"type":"input_json_delta","partial_json":"x"})")},
       1,
       ""},
      {"delta without text", {kStart, start(0, text), delta(0, R"({"type":"text_delta"})")}, 1, ""},
      {"delta without type", {kStart, start(0, text), delta(0, "{}")}, 1, ""},
      {"no delta", {kStart, start(0, text), delta(0, "[]")}, 1, ""},
      {"index is no number",
       {kStart, R"({"type":"content_block_start","index":"0","content_block":{"type":"text"}})"},
       1,
       "-"},
      {"start without block", {kStart, R"({"type":"content_block_start","index":0})"}, 1, "-"},
      {"after message_stop", {kStart, kStop, start(0, text), kStart}, 2, "-"},
      {"broken JSON", {kStart, "{"}, 1, "-"},
      {"no object", {kStart, "[1]", "\"x\"", "null"}, 3, "-"},
      {"no type", {kStart, "{}"}, 1, "-"},
      {"done", {kStart, "[DONE]"}, 1, "-"},
      {"empty message_delta", {kStart, R"({"type":"message_delta"})"}, 1, "-"},
      {"message_start without message", {R"({"type":"message_start"})"}, 1, "-"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const AnthropicMessage message = assemble(c.events);
    EXPECT_EQ(message.refused, c.refused);
    EXPECT_EQ(message.blocks.empty() ? "-" : message.blocks[0].text, c.first_text);
  }
  EXPECT_EQ(assemble(cases[1].events).error, (MessageError{"overloaded_error", "m"}));
}

TEST(AnthropicMessage, UnterminatedTailMeansNothing) {
  const AnthropicMessage message =
      assemble_anthropic_message(read_trace(frames({kStart}) + "data: " + kStop + "\n", DataKind::json));
  EXPECT_FALSE(message.stopped);
  EXPECT_EQ(message.refused, 0u);
}

TEST(AnthropicMessage, LaterNullTakesTheStopReasonBack) {
  const std::string tool = R"({"type":"message_delta","delta":{"stop_reason":"tool_use"}})";
  EXPECT_EQ(assemble({kStart, tool, R"({"type":"message_delta","delta":{}})"}).stop_reason, "tool_use");
  EXPECT_EQ(assemble({kStart, tool, R"({"type":"message_delta","delta":{"stop_reason":null}})"}).stop_reason,
            std::nullopt);
}

TEST(AnthropicMessage, EveryDifferenceIsNamed) {
  const AnthropicMessage whole = assemble(kWhole);
  const std::vector<std::pair<std::string, void (*)(AnthropicMessage&)>> changes = {
      {"part 0's signature is \"S\" on one side and \"T\"",
       [](AnthropicMessage& m) { m.blocks[0].signature = "T"; }},
      {"part 1's text is \"Hi there\" on one side and \"Hi, there\" on the other, first at byte 2",
       [](AnthropicMessage& m) { m.blocks[1].text = "Hi, there"; }},
      {"part 1's kind", [](AnthropicMessage& m) { m.blocks[1].type = "thinking"; }},
      {"part 2's name", [](AnthropicMessage& m) { m.blocks[2].name = "g"; }},
      {"part 2's id", [](AnthropicMessage& m) { m.blocks[2].id = ""; }},
      {"part 2's arguments", [](AnthropicMessage& m) { m.blocks[2].arguments += " "; }},
      {"part 3's end is seen on one side and missing",
       [](AnthropicMessage& m) { m.blocks[3].stopped = false; }},
      {"number of parts is 4 on one side and 3", [](AnthropicMessage& m) { m.blocks.pop_back(); }},
      {"the error is absent", [](AnthropicMessage& m) { m.error = MessageError{}; }},
      {"the finish", [](AnthropicMessage& m) { m.stop_reason.reset(); }},
      {"stop_sequence", [](AnthropicMessage& m) { m.stop_sequence = "X"; }},
      {"the model", [](AnthropicMessage& m) { m.model = "n"; }},
      {"count of input tokens is 7 on one side and absent",
       [](AnthropicMessage& m) { m.usage.input.reset(); }},
      {"count of output tokens", [](AnthropicMessage& m) { m.usage.output = 10; }},
      {"count of cached tokens", [](AnthropicMessage& m) { m.usage.cache_read = 0; }},
      {"the closing mark", [](AnthropicMessage& m) { m.stopped = false; }},
      {"strict client refuses", [](AnthropicMessage& m) { m.refused = 1; }},
  };
  EXPECT_EQ(describe_difference(answer_of(whole), answer_of(whole)), "");
  for (const auto& change : changes) {
    SCOPED_TRACE(change.first);
    AnthropicMessage other = whole;
    change.second(other);
    EXPECT_NE(describe_difference(answer_of(whole), answer_of(other)).find(change.first), std::string::npos)
        << describe_difference(answer_of(whole), answer_of(other));
    EXPECT_NE(describe_difference(answer_of(other), answer_of(whole)), "");
  }
  AnthropicMessage a, b;
  a.error = MessageError{
      "t",
      "long \u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713\u2713 "
      "tail"};
  b.error = MessageError{"t", a.error->message + "!"};
  const std::string sentence = describe_difference(answer_of(a), answer_of(b));
  EXPECT_NE(sentence.find("the error"), std::string::npos);
  EXPECT_NO_THROW((void)json(sentence).dump()) << "the excerpt cut a character in two";
}

/// Returns the same stream with other deltas: each is split in two, between characters.
std::vector<std::string> recut(const Trace& trace, std::mt19937& random) {
  std::vector<std::string> events;
  for (const Event& event : trace.events) {
    if (!event.json) continue;
    json whole = *event.json;
    bool split = false;
    for (const char* key : {"text", "thinking", "partial_json"}) {
      if (!whole.contains("delta") || !whole["delta"].contains(key) || !whole["delta"][key].is_string())
        continue;
      const auto text = whole["delta"][key].get<std::string>();
      std::size_t at = random() % (text.size() + 1);
      while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
      whole["delta"][key] = text.substr(0, at);
      events.push_back(whole.dump());
      whole["delta"][key] = text.substr(at);
      events.push_back(whole.dump());
      split = true;
    }
    if (!split) events.push_back(whole.dump());
  }
  return events;
}

TEST(AnthropicMessage, RecordedMeaningSurvivesRecutsAndDisorder) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  std::mt19937 random(9);
  std::size_t streams = 0, disorders = 0, told_apart = 0;
  for (const SharedStream& stream : shared_streams("anthropic-messages")) {
    SCOPED_TRACE(stream.name);
    const Trace trace = read_trace(stream.body, DataKind::json);
    const AnthropicMessage message = assemble_anthropic_message(trace);
    ++streams;
    // Recorded streams are only refused for several responses in one file, a `[DONE]`, or a missing last blank line.
    const bool odd = stream.meta.find("\"several_message_start\"") != std::string::npos ||
                     stream.meta.find("\"has_DONE\"") != std::string::npos;
    EXPECT_EQ(message.refused > 0, odd) << message.refused;
    if (!odd) {
      const AnthropicMessage again = assemble(recut(trace, random));
      EXPECT_EQ(describe_difference(answer_of(message), answer_of(again)), "");
      EXPECT_TRUE(message == again);
    }
    for (int i = 0; i < 40; ++i) {
      Trace disorder = trace;
      for (int k = 0; k < 3 && disorder.events.size() > 1; ++k) {
        const std::size_t at = random() % disorder.events.size();
        if (random() % 2 == 0) {
          disorder.events.erase(disorder.events.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
          std::swap(disorder.events[at], disorder.events[random() % disorder.events.size()]);
        }
      }
      const AnthropicMessage other = assemble_anthropic_message(disorder);
      ASSERT_EQ(describe_difference(answer_of(message), answer_of(other)).empty(), message == other);
      ++disorders;
      told_apart += !(message == other);
    }
  }
  std::printf("%zu streams, %zu disorders, %zu told apart\n", streams, disorders, told_apart);
  EXPECT_GT(streams, 80u);
  EXPECT_GT(told_apart, disorders / 2);
}

TEST(AnthropicMessage, HalvesOfACharacterDealtOverTwoDeltasAreOne) {
  const auto delta = [](std::string_view type, std::string_view key, std::string_view text) {
    return R"({"type":"content_block_delta","index":0,"delta":{"type":")" + std::string(type) + R"(",")" +
           std::string(key) + R"(":")" + std::string(text) + R"("}})";
  };
  const auto body = [&](std::string_view start, std::string_view type, std::string_view key,
                        const std::vector<std::string>& texts) {
    std::vector<std::string> events = {
        kStart, R"({"type":"content_block_start","index":0,"content_block":)" + std::string(start) + "}"};
    for (const std::string& text : texts) events.push_back(delta(type, key, text));
    return assemble_anthropic_message(read_trace(frames(events), DataKind::json));
  };
  const std::string_view text = R"({"type":"text","text":""})";
  const std::string_view call = R"({"type":"tool_use","id":"t","name":"n","input":{}})";
  EXPECT_EQ(body(text, "text_delta", "text", {"a\\ud83d", "\\ude00b"}).blocks.at(0).text, "a\U0001F600b");
  EXPECT_EQ(body(text, "text_delta", "text", {"a\\ud83d", "b"}).blocks.at(0).text, "a\uFFFDb");
  EXPECT_EQ(body(call, "input_json_delta", "partial_json", {"{\\\"a\\\":\\\"\\ud83d", "\\ude00\\\"}"})
                .blocks.at(0)
                .arguments,
            "{\"a\":\"\U0001F600\"}");
}

}  // namespace
}  // namespace splitproof::dialect::anthropic_message_test
