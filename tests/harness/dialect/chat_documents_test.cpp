// Compares a client's Chat Completions answer with the expected meaning of another stream.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/dialect/openai_chat/client.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expected.hpp"

namespace splitproof::dialect::chat_documents_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

using nlohmann::json;

std::string chunk(const std::string& delta, const std::string& finish = "null") {
  return R"(data: {"choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":)" + finish + "}]}\n\n";
}

const std::string kAnswer =
    chunk(R"({"role":"assistant","reasoning_content":"Hm."})") + chunk(R"({"content":"Go "})") +
    chunk(R"({"content":"now."})") +
    chunk(
        R"({"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"row","arguments":"{\"n\":1}"}}]})") +
    chunk("{}", "\"tool_calls\"") +
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n" + "data: [DONE]\n\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

NormalisedAnswer side_of(const std::string& body) {
  return ChatClient().side(read_trace(body, DataKind::json));
}

// Returns the members that differ between the meaning of `meant` and a client's answer from `got`.
std::set<std::string> differ(const std::string& meant, const std::string& got) {
  const Documents documents = documents_of_two(side_of(meant), side_of(got));
  std::set<std::string> members;
  for (const auto& [member, value] : documents.expected->items()) {
    if (documents.got->value(member, json()) != value) members.insert(member);
  }
  for (const auto& member : documents.got->items()) {
    if (!documents.expected->contains(member.key())) members.insert(member.key());
  }
  return members;
}

using Members = std::set<std::string>;

TEST(ChatDocuments, UnchangedAnswerHasEqualDocuments) { EXPECT_EQ(differ(kAnswer, kAnswer), Members{}); }

TEST(ChatDocuments, TokensAreComparedIfTheRequestAsksForThem) {
  const ChatClient client;
  const json asks = {{"stream_options", {{"include_usage", true}}}};
  EXPECT_TRUE(client.carries(nullptr).usage);
  EXPECT_TRUE(client.carries(&asks).usage);
  for (const json& request : {json::object(), json{{"stream_options", nullptr}},
                              json{{"stream_options", {{"include_usage", false}}}}}) {
    const ClientCapabilities carries = client.carries(&request);
    EXPECT_FALSE(carries.usage) << request;
    Answer counted;
    counted.usage.completion = 4;
    EXPECT_EQ(expected_of(counted, recording::End::complete, {}, carries).usage, Tokens{});
  }
}

TEST(ChatDocuments, DifferInTheChangedMembers) {
  const std::vector<std::tuple<std::string, std::string, Members>> changes = {
      {"Go ", "No ", {"text", "parts"}},
      {"Hm.", "Ah.", {"thinking", "parts"}},
      {R"("id":"a")", R"("id":"b")", {"ids", "calls"}},
      {"row", "sail", {"calls", "called", "parts", "runs"}},
      {R"({\"n\":1})", R"({\"n\":2})", {"calls", "inputs", "parts", "runs"}},
      {R"("tool_calls"})", R"("stop"})", {"finish"}},
      {R"("prompt_tokens":3)", R"("prompt_tokens":5)", {"usage"}}};
  for (const auto& [from, to, members] : changes) {
    EXPECT_EQ(differ(kAnswer, replaced(kAnswer, from, to)), members) << from;
  }
}

TEST(ChatDocuments, ErrorAndGaveUpDifferIfOnlyTheClientGetsAnError) {
  const Members found =
      differ(kAnswer, chunk(R"({"content":"Go "})") + "data: {\"error\":{\"message\":\"No.\"}}\n\n");
  EXPECT_TRUE(found.contains("error"));
  EXPECT_TRUE(found.contains("gave_up"));
}

TEST(ChatDocuments, LeaveTheEndOpenThatWasNeverMeant) {
  const std::string words = chunk(R"({"content":"Go "})");
  for (const char* end : {"", "data: {\"error\":{\"message\":\"No.\"}}\n\n", "data: [DONE]\n\n"})
    EXPECT_EQ(differ(words, words + end), Members{}) << end;
  EXPECT_EQ(differ(words, words + chunk("{}", "\"stop\"")), Members{});
}

TEST(ChatDocuments, KnowNothingOfATailThatWasNeverEnded) {
  EXPECT_EQ(differ(kAnswer, kAnswer + "data: {\"error\":{\"message\":\"No.\"}}"), Members{});
}

}  // namespace
}  // namespace splitproof::dialect::chat_documents_test
