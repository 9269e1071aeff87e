#include "harness/evidence/stream_marks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::evidence::stream_marks_test {
namespace {

constexpr const char* kMessages = "anthropic.messages";
constexpr const char* kChat = "openai.chat";
constexpr const char* kResponses = "openai.responses";

std::string frames(const std::vector<std::string>& data) {
  std::string body;
  for (const std::string& one : data) body += "data: " + one + "\n\n";
  return body;
}

TEST(StreamMarks, OutputIsTheFirstPieceOfAnAnswer) {
  struct Case {
    const char* client;
    std::string before;
    std::string output;
  };
  const std::vector<Case> cases = {
      {kMessages, R"({"type":"message_start","message":{}})", R"({"type":"content_block_delta","delta":{}})"},
      {kMessages, R"({"type":"content_block_start","content_block":{"type":"text","text":""}})",
       R"({"type":"content_block_start","content_block":{"type":"tool_use"}})"},
      {kMessages, R"({"type":"ping"})",
       R"({"type":"content_block_start","content_block":{"type":"server_tool_use"}})"},
      {kChat, R"({"choices":[{"delta":{"role":"assistant","content":""}}]})",
       R"({"choices":[{"delta":{"content":"x"}}]})"},
      {kChat, R"({"choices":[]})", R"({"choices":[{"delta":{"tool_calls":[{}]}}]})"},
      {kChat, R"({"choices":[{"delta":{"content":null}}]})", R"({"choices":[{"delta":{"reasoning":"x"}}]})"},
      {kResponses, R"({"type":"response.created"})", R"({"type":"response.output_text.delta"})"},
  };
  for (const Case& tried : cases) {
    EXPECT_EQ(stream_marks(frames({tried.before}), tried.client).output, std::nullopt) << tried.before;
    const std::string both = frames({tried.before, tried.output});
    EXPECT_EQ(stream_marks(both + frames({tried.output}), tried.client).output, both.size()) << tried.output;
  }
}

TEST(StreamMarks, TellHowTheAnswerEnded) {
  struct Case {
    const char* client;
    std::string data;
    bool success;
    bool error;
  };
  const std::vector<Case> cases = {
      {kMessages, R"({"type":"message_stop"})", true, false},
      {kMessages, R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})", false, false},
      {kMessages, R"({"type":"error","error":{}})", false, true},
      {kMessages, "[DONE]", false, false},
      {kChat, "[DONE]", true, false},
      {kChat, R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", true, false},
      {kChat, R"({"choices":[{"delta":{},"finish_reason":null}]})", false, false},
      {kChat, R"({"error":{"message":"x"}})", false, true},
      {kChat, R"({"error":null,"choices":[]})", false, false},
      {kResponses, R"({"type":"response.completed"})", true, false},
      {kResponses, R"({"type":"response.incomplete"})", true, false},
      {kResponses, R"({"type":"response.failed"})", false, true},
      {kResponses, R"({"type":"error"})", false, true},
      {"sse", R"({"type":"error"})", false, false},
  };
  for (const Case& tried : cases) {
    const StreamMarks marks = stream_marks(frames({tried.data}), tried.client);
    EXPECT_EQ(marks.success, tried.success) << tried.client << " " << tried.data;
    EXPECT_EQ(marks.error, tried.error) << tried.client << " " << tried.data;
    EXPECT_EQ(marks.events, 1u);
    EXPECT_FALSE(stream_marks("data: " + tried.data, tried.client).success) << "never dispatched";
  }
}

// Other values in place of the expected ones are accepted.
TEST(StreamMarks, TakeAnyJson) {
  const std::vector<std::string> values = {"null", "1", "\"x\"", "[]", "{}", "[1]", "{\"type\":1}", "broken"};
  for (const char* client : {kMessages, kChat, kResponses, "sse"}) {
    for (const std::string& value : values) {
      for (const std::string& data :
           std::vector<std::string>{value, "{\"choices\":" + value + "}", "{\"choices\":[" + value + "]}",
                                    "{\"choices\":[{\"delta\":" + value + "}]}",
                                    "{\"type\":\"content_block_start\",\"content_block\":" + value + "}"}) {
        const StreamMarks marks = stream_marks(frames({data}), client);
        EXPECT_EQ(marks.events, 1u);
        EXPECT_FALSE(marks.success || marks.error || marks.output) << client << " " << data;
      }
    }
  }
}

}  // namespace
}  // namespace splitproof::evidence::stream_marks_test
