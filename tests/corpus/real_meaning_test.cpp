// Compares a strict client's result for the reference's output with an independent script's reading of the upstream
// streams (MEANING.jsonl next to the shared recordings).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/dialect/anthropic_messages/message.hpp"
#include "harness/observe/trace.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/harness/import/raw_recording.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::recording::real_meaning_test {
namespace {

using nlohmann::json;
using Calls = std::vector<std::pair<std::string, std::string>>;  // name and arguments, in any order

// The script reads think tags as text.
testee::StreamFactory as_written() {
  contract::Profile profile = campaign::ReferenceCampaign().profile;
  profile.knobs["think-tags"] = "leave";
  return testee::reference_streams(profile).value();
}

dialect::AnthropicMessage message_of(const std::string& file) {
  static const testee::InProcess reference{"reference", as_written()};
  const Recording recording = imports::raw_recording(file, "openai.chat").value();
  const std::string body = reference.observe({{recording.body}, recording.end}).body;
  return dialect::assemble_anthropic_message(observe::read_trace(body, observe::DataKind::json));
}

std::string joined(const dialect::AnthropicMessage& message, dialect::BlockKind kind) {
  std::string text;
  for (const dialect::MessageBlock& block : message.blocks) {
    if (block.kind() == kind) text += block.text;
  }
  return text;
}

Calls calls_of(const dialect::AnthropicMessage& message) {
  Calls calls;
  for (const dialect::MessageBlock& block : message.blocks) {
    if (block.kind() == dialect::BlockKind::tool_use) calls.emplace_back(block.name, block.arguments);
  }
  std::sort(calls.begin(), calls.end());
  return calls;
}

Calls calls_of(const json& meaning) {
  Calls calls;
  for (const json& call : meaning["calls"]) calls.emplace_back(call["name"], call["arguments"]);
  std::sort(calls.begin(), calls.end());
  return calls;
}

// Returns the stop_reason for `finish`; empty if the answer must end with an error.
std::string stop_reason(const json& meaning) {
  const bool finished = meaning["finish"].is_string();
  if (meaning["error"] == true || (!finished && meaning["done"] == false)) return "";
  const bool empty = meaning["text"] == "" && meaning["thinking"] == "" && meaning["calls"].empty();
  if (!finished && empty) return "";
  const std::string finish = finished ? meaning["finish"].get<std::string>() : "stop";
  if (finish == "length") return "max_tokens";
  if (finish == "content_filter") return "refusal";
  const Calls calls = calls_of(meaning);
  const bool readable = std::all_of(calls.begin(), calls.end(), [](const auto& call) {
    return call.second.empty() || json::accept(call.second);
  });
  if (!readable) return "";
  return calls.empty() ? "end_turn" : "tool_use";
}

TEST(RealMeaning, IsKeptOnEveryStreamThatCanBeReadInOneWay) {
  const auto shared = observe::shared_recordings();
  std::ifstream meanings(shared / "MEANING.jsonl");
  if (shared.empty() || !meanings) GTEST_SKIP() << "../shared is absent";
  std::size_t compared = 0;
  std::size_t errors = 0;
  for (std::string line; std::getline(meanings, line);) {
    const json meaning = json::parse(line);
    if (!meaning["unsure"].empty()) continue;
    SCOPED_TRACE(meaning["file"].get<std::string>());
    const dialect::AnthropicMessage message =
        message_of((shared / meaning["file"].get<std::string>()).string());
    EXPECT_EQ(joined(message, dialect::BlockKind::text), meaning["text"].get<std::string>());
    EXPECT_EQ(joined(message, dialect::BlockKind::thinking), meaning["thinking"].get<std::string>());
    EXPECT_EQ(calls_of(message), calls_of(meaning));
    EXPECT_EQ(message.stop_reason.value_or(""), stop_reason(meaning));
    EXPECT_EQ(message.error.has_value(), stop_reason(meaning).empty());
    ++compared;
    errors += message.error ? 1 : 0;
  }
  EXPECT_GT(compared, 500u);
  EXPECT_GT(errors, 0u);
  std::cout << compared << " streams, " << errors << " of them errors\n";
}

}  // namespace
}  // namespace splitproof::recording::real_meaning_test
