#include "harness/campaign/normal_form.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"

namespace splitproof::campaign::normal_form_test {
namespace {

std::string normal(const std::string& protocol, const std::string& body,
                   KeepAlives keep_alives = KeepAlives::left_out) {
  return normal_form(body, dialect::client_of(protocol)->chosen(), keep_alives).bytes;
}

std::string anthropic(const std::string& body) { return normal("anthropic.messages", body); }
std::string chat(const std::string& body) { return normal("openai.chat", body); }

std::string message(const std::string& id, const std::string& call, const std::string& other) {
  const auto start = [](int index, const std::string& block) {
    return "event: content_block_start\r\ndata: {\"type\":\"content_block_start\",\"index\":" +
           std::to_string(index) + ",\"content_block\": {\"type\":\"tool_use\" , \"id\" : \"" + block +
           "\",\"input\":{\"id\":\"A7\"}}}\r\n\r\n";
  };
  return "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"" + id +
         "\",\"role\":\"assistant\"}}\n\n" + start(0, call) + start(1, other) + start(2, call);
}

TEST(NormalForm, PutsOrderOfAppearanceInPlaceOfIds) {
  EXPECT_EQ(anthropic(message("msg_1", "toolu_9", "x")), message("id-1", "id-2", "id-3"));
  EXPECT_EQ(anthropic(message("msg_1", "toolu_9", "toolu_9")), message("id-1", "id-2", "id-2"));
  EXPECT_EQ(anthropic(message("same", "same", "x")), message("id-1", "id-1", "id-2"));
  EXPECT_EQ(anthropic(message("q\\\"}", "\\u00e9", "x")), message("id-1", "id-2", "id-3"));
  EXPECT_EQ(anthropic(message("", "", "x")), message("", "", "id-1")) << "an empty id is none";
  EXPECT_NE(anthropic(message("a", "b", "c")), anthropic(message("a", "b", "b")));
}

TEST(NormalForm, ReplacesIdsAndTimesOfChunks) {
  const auto chunk = [](const std::string& id, const std::string& created, const std::string& call) {
    return "data: {\"id\":\"" + id + "\",\"created\":" + created +
           ",\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"" + call +
           "\",\"function\":{\"arguments\":\"{\\\"id\\\":\\\"5\\\"}\"}}],\"id\":\"left\"}}]}\n\n";
  };
  EXPECT_EQ(chat(chunk("c-1", "1700000001", "t") + chunk("c-1", "1700000002", "u") +
                 chunk("c-2", "1700000001", "t")),
            chunk("id-1", "1", "id-2") + chunk("id-1", "2", "id-3") + chunk("id-4", "1", "id-2"));
  EXPECT_EQ(chat("data: {\"created\":null,\"id\":null}\n\ndata: [DONE]\n\n"),
            "data: {\"created\":null,\"id\":null}\n\ndata: [DONE]\n\n");
}

TEST(NormalForm, OtherContentStaysUnchanged) {
  for (const char* body :
       {"", "\n", "\r", "\r\n", "data", "data:", "data: {", "data: {\"id\"", "data: {\"id\":\"a",
        "data: }]}{[\n\n", "data: {\"message\":{\"ID\":\"a\"},\"id\":\"b\"}\n\n",
        "data: {\"content_block\":[{\"id\":\"a\"}]}\n\n",
        "data: {\"message\":{\"content\":[{\"id\":\"a\"}],\"usage\":{\"id\":\"b\"}}}\n\n",
        "data: {\"delta\":{\"text\":\"{\\\"message\\\":{\\\"id\\\":\\\"a\\\"}}\"}}\n\n",
        "id: 5\nretry: 10\nevent: x\rdata: \xFF\r\rdata: {\"a\":\"\\", "event: pingpong\ndata: {}\n\n"}) {
    EXPECT_EQ(anthropic(body), body);
  }
}

TEST(NormalForm, LeavesOutKeepAlivesIfAsked) {
  const std::string said = "event: a\ndata: {}\n\n";
  const std::string ping = "event: ping\ndata: {\"type\": \"ping\"}\n\n";
  const std::string body = ": hello\n\n" + said + ping + ":\r\n\r\nevent: a\n: inside\ndata: {}\n\n: tail";
  EXPECT_EQ(anthropic(body), said + said);
  EXPECT_EQ(normal("anthropic.messages", body, KeepAlives::kept), body);
  EXPECT_EQ(anthropic("\n\n" + said + "\n"), "\n\n" + said + "\n") << "a blank line alone is no keep-alive";
}

TEST(NormalForm, IsItsOwnNormalForm) {
  for (const std::string& body :
       {message("a", "b", "c"), std::string(": x\n\nevent: ping\n\ndata: {\"id\":1}\n")}) {
    EXPECT_EQ(anthropic(anthropic(body)), anthropic(body));
    EXPECT_EQ(chat(chat(body)), chat(body));
  }
}

TEST(NormalForm, IdsAndOldLinesAreKnown) {
  const std::string body = ": comment\n\n" + message("msg_123456789", "b", "c");
  const NormalForm form =
      normal_form(body, dialect::client_of("anthropic.messages")->chosen(), KeepAlives::left_out);
  EXPECT_EQ(form.ids, (std::vector<std::string>{"\"msg_123456789\"", "\"b\"", "\"c\""}));
  for (const char* line :
       {"event: message_start", "data: {\"type\":\"message_start\"", "event: content_block_start"}) {
    EXPECT_EQ(form.original(form.bytes.find(line)), body.find(line)) << line;
    EXPECT_EQ(form.original(form.bytes.find(line) + 3), body.find(line)) << line;
  }
}

}  // namespace
}  // namespace splitproof::campaign::normal_form_test
