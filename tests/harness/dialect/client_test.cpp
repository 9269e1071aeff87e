#include <gtest/gtest.h>

#include <string>

#include "harness/dialect/registry.hpp"

namespace splitproof::dialect::client_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

Answer message(const std::string& protocol, const std::string& body) {
  return client_of(protocol)->assemble(read_trace(body, DataKind::json));
}

std::string event(const std::string& data) { return "data: " + data + "\n\n"; }

struct Block {
  std::string kind, said, id;
};

std::string anthropic(const std::vector<Block>& blocks, const std::string& end) {
  std::string body =
      event(R"({"type":"message_start","message":{"id":"m","model":"x","usage":{"input_tokens":1}}})");
  int index = 0;
  for (const Block& block : blocks) {
    const std::string at = "\"index\":" + std::to_string(index++);
    if (block.kind == "tool_use") {
      body +=
          event(R"({"type":"content_block_start",)" + at + R"(,"content_block":{"type":"tool_use","id":")" +
                block.id + R"(","name":"f","input":{}}})");
      body += event(R"({"type":"content_block_delta",)" + at +
                    R"(,"delta":{"type":"input_json_delta","partial_json":")" + block.said + R"("}})");
    } else {
      body += event(R"({"type":"content_block_start",)" + at + R"(,"content_block":{"type":")" + block.kind +
                    R"(",")" + block.kind + R"(":""}})");
      body += event(R"({"type":"content_block_delta",)" + at + R"(,"delta":{"type":")" + block.kind +
                    R"(_delta",")" + block.kind + R"(":")" + block.said + R"("}})");
      if (!block.id.empty())
        body += event(R"({"type":"content_block_delta",)" + at +
                      R"(,"delta":{"type":"signature_delta","signature":")" + block.id + R"("}})");
    }
    body += event(R"({"type":"content_block_stop",)" + at + "}");
  }
  return body + end;
}

const std::string kEnd =
    event(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}})") +
    event(R"({"type":"message_stop"})");

std::string between(const std::string& a, const std::string& b,
                    const std::string& protocol = "anthropic.messages") {
  return describe_difference(canonical_form(message(protocol, a)), canonical_form(message(protocol, b)));
}

TEST(CanonicalForm, TakesProseForOneHoweverManyBlocks) {
  const std::string whole =
      anthropic({{"text", "abcd", ""}, {"tool_use", "1", "a"}, {"text", "e", ""}}, kEnd);
  EXPECT_EQ(
      between(whole,
              anthropic({{"text", "ab", ""}, {"text", "cd", ""}, {"tool_use", "1", "a"}, {"text", "e", ""}},
                        kEnd)),
      "");
  EXPECT_EQ(
      between(whole,
              anthropic({{"text", "", ""}, {"text", "abcd", ""}, {"tool_use", "1", "z"}, {"text", "e", ""}},
                        kEnd)),
      "");
  EXPECT_NE(
      between(whole, anthropic({{"text", "abc", ""}, {"tool_use", "1", "a"}, {"text", "de", ""}}, kEnd)), "")
      << "text moved behind the call";
  EXPECT_NE(between(whole, anthropic({{"text", "abcde", ""}, {"tool_use", "1", "a"}}, kEnd)), "");
  EXPECT_NE(
      between(whole, anthropic({{"text", "abcd", ""}, {"tool_use", "2", "a"}, {"text", "e", ""}}, kEnd)), "");
  EXPECT_NE(
      between(whole, anthropic({{"thinking", "abcd", ""}, {"tool_use", "1", "a"}, {"text", "e", ""}}, kEnd)),
      "");
  EXPECT_NE(describe_difference(
                message("anthropic.messages", anthropic({{"text", "ab", ""}}, kEnd)),
                message("anthropic.messages", anthropic({{"text", "a", ""}, {"text", "b", ""}}, kEnd))),
            "")
      << "in this process the blocks count";
}

TEST(CanonicalForm, TakesIdsForTheirPlaces) {
  const auto calls = [](const std::string& a, const std::string& b) {
    return anthropic({{"tool_use", "1", a}, {"tool_use", "2", b}}, kEnd);
  };
  EXPECT_EQ(between(calls("a", "b"), calls("c", "d")), "");
  EXPECT_NE(between(calls("a", "b"), calls("c", "c")), "");
  EXPECT_NE(between(calls("a", "b"), calls("c", "")), "");
  const std::string signed_one = anthropic({{"thinking", "hm", "123"}}, kEnd);
  EXPECT_EQ(between(signed_one, anthropic({{"thinking", "hm", "456"}}, kEnd)), "");
  EXPECT_NE(between(signed_one, anthropic({{"thinking", "hm", ""}}, kEnd)), "");
}

TEST(CanonicalForm, ComparesErrorsByType) {
  const auto failing = [](const std::string& type, const std::string& text) {
    return anthropic({{"text", "a", ""}}, event(R"({"type":"error","error":{"type":")" + type +
                                                R"(","message":")" + text + R"("}})"));
  };
  EXPECT_EQ(between(failing("api_error", "at 10:01"), failing("api_error", "at 10:02")), "");
  EXPECT_NE(between(failing("api_error", "x"), failing("overloaded_error", "x")), "");
  EXPECT_NE(between(failing("api_error", "x"), anthropic({{"text", "a", ""}}, kEnd)), "");
}

TEST(CanonicalForm, KeepsEndingAndUsage) {
  const std::string plain = anthropic({{"text", "a", ""}}, kEnd);
  std::string other = plain;
  other.replace(other.find("end_turn"), 8, "max_toks");
  EXPECT_NE(between(plain, other), "");
  other = plain;
  other.replace(other.find("output_tokens\":2"), 16, "output_tokens\":3");
  EXPECT_NE(between(plain, other), "");
  EXPECT_NE(between(plain, anthropic({{"text", "a", ""}}, "")), "");
}

TEST(ClientOfChat, MeaningOfChunksIsRead) {
  const auto chunk = [](const std::string& delta, const std::string& finish = "null") {
    return event(R"({"id":"i","model":"m","choices":[{"index":0,"delta":{)" + delta +
                 R"(},"finish_reason":)" + finish + "}]}");
  };
  const std::string done = chunk("", "\"stop\"") + event("[DONE]");
  const std::string whole = chunk(R"("content":"abc")") + done;
  const std::string chat = "openai.chat";
  EXPECT_EQ(between(whole, chunk(R"("content":"a")") + chunk(R"("content":"bc")") + done, chat), "");
  const auto call = [&](const std::string& id, const std::string& arguments) {
    return chunk(R"("tool_calls":[{"index":0,"id":")" + id + R"(","function":{"name":"f","arguments":")" +
                 arguments + R"("}}])") +
           done;
  };
  EXPECT_EQ(between(call("a", "{}"), call("b", "{}"), chat), "");
  EXPECT_NE(describe_difference(message(chat, call("a", "{}")), message(chat, call("b", "{}"))), "");
  for (const std::string& other :
       {chunk(R"("content":"abd")") + done, chunk(R"("reasoning_content":"abc")") + done, call("a", "{}"),
        chunk(R"("content":"abc")") + chunk("", "\"length\"") + event("[DONE]"),
        chunk(R"("content":"abc")") + chunk("", "\"stop\""), event(R"({"error":{"message":"x"}})"),
        std::string()}) {
    EXPECT_NE(between(whole, other, chat), "") << other;
  }
}

TEST(Registry, ReadAndPlayedProtocolsAreListed) {
  EXPECT_EQ(find("no.protocol"), nullptr);
  for (const Dialect& dialect : all()) EXPECT_EQ(find(dialect.protocol), &dialect);
  EXPECT_EQ(client_of("kiro.eventstream"), nullptr);
  EXPECT_NE(upstream_of("kiro.eventstream"), nullptr);
  EXPECT_EQ(upstream_of("sse"), nullptr);
  EXPECT_NE(upstream_of("openai.chat"), nullptr);
}

}  // namespace
}  // namespace splitproof::dialect::client_test
