// Requests of real clients violate no `must`, apart from requests that servers are known to refuse.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/captured_requests.hpp"
#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract::real_requests_test {
namespace {

namespace fs = std::filesystem;

using Ids = std::set<std::string>;

// The violated `must` rules of each request, by file name.
using Found = std::map<std::string, Ids>;

Ids musts_of(const std::string& side, const dialect::RequestMessage& request) {
  const dialect::RequestDialect& reader = *dialect::request_reader_of(side);
  return violated_musts(side, dialect::asked_trace(reader, request));
}

TEST(RealRequests, OfConversationsViolateWhatABadAnswerMadeThem) {
  const fs::path folder = observe::shared_recordings().parent_path() / "requests";
  if (observe::shared_recordings().empty() || !fs::exists(folder)) GTEST_SKIP() << "../shared is absent";
  Found found;
  std::map<std::string, std::size_t> judged;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    const auto requests = dialect::captured_requests(name, observe::file_bytes(entry.path()));
    ASSERT_TRUE(requests) << name;
    for (const dialect::RequestMessage& request : *requests) {
      for (const std::string side :
           {"anthropic.messages.upstream", "openai.chat.upstream", "openai.responses.upstream"}) {
        if (!dialect::is_request_of(*dialect::request_reader_of(side), request) || !request.body) continue;
        ++judged[side];
        const Ids ids = musts_of(side, request);
        if (!ids.empty()) found[name].insert(ids.begin(), ids.end());
      }
    }
  }
  EXPECT_EQ(judged["anthropic.messages.upstream"], 197u);
  EXPECT_EQ(judged["openai.chat.upstream"], 102u);
  EXPECT_EQ(judged["openai.responses.upstream"], 138u);
  // Their clients had received an empty text, ids of another protocol, thinking without its signature, or reasoning
  // without its content, and sent it back.
  EXPECT_EQ(found, (Found{{"claude-code/empty_text_block.jsonl", {"REQ-01"}},
                          {"claude-code/foreign_tool_id.jsonl", {"REQ-15"}},
                          {"ai-sdk-switch/chat_to_anthropic.jsonl", {"REQ-15"}},
                          {"claude-code/lossy_thinking_without_signature.jsonl", {"RET-14"}},
                          {"ai-sdk-anthropic/lossy_thinking_without_signature.jsonl", {"RET-14"}},
                          {"codex/lossy_no_encrypted_content.jsonl", {"REQ-34"}}}));
}

TEST(RealRequests, ThatWereAnsweredViolateNothing) {
  if (observe::shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  Found found;
  std::size_t judged = 0;
  for (const std::string folder : {"anthropic-messages", "openai-chat", "openai-responses"}) {
    std::string side = folder + ".upstream";
    side.replace(side.find('-'), 1, ".");
    for (const observe::SharedStream& stream : observe::shared_streams(folder)) {
      const auto meta = nlohmann::json::parse(stream.meta);
      const auto asked = meta.find("request");
      if (asked == meta.end() || asked->is_null()) continue;
      const std::string text = asked->is_string() ? asked->get<std::string>() : asked->dump();
      const auto requests = dialect::captured_requests(stream.name, text);
      if (!requests) continue;  // some recorders kept only a part
      const auto& body = *requests->front().body;
      if (!body.contains("messages") && !body.contains("input")) continue;
      ++judged;
      const Ids ids = musts_of(side, requests->front());
      if (!ids.empty()) found[stream.name] = ids;
    }
  }
  EXPECT_GE(judged, 650u);
  // Writer's own protocol once had calls without ids.
  EXPECT_EQ(
      found,
      (Found{
          {"openai-chat/writer__openllmetry__trumentation-writer-test-chat-test-writer-async-streaming-chat-tool-calls-legacy.sse",
           {"REQ-12"}}}));
}

}  // namespace
}  // namespace splitproof::contract::real_requests_test
