#include "harness/dialect/bedrock_converse/upstream.hpp"

#include <nlohmann/json.hpp>

#include "harness/aws_frame.hpp"
#include "harness/dialect/bedrock_converse/reading.hpp"
#include "harness/dialect/one_piece.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::Part;
using observe::PartKind;

std::string converse_frame(std::string_view type, std::string_view payload) {
  return write_aws_frame({{":event-type", kAwsText, std::string(type)},
                          {":content-type", kAwsText, "application/json"},
                          {":message-type", kAwsText, "event"}},
                         payload);
}

json converse_content(const Part& part) {
  if (part.kind == PartKind::call)
    return {
        {"toolUse", {{"toolUseId", part.id}, {"name", part.name}, {"input", json::parse(part.arguments)}}}};
  if (part.kind == PartKind::text) return {{"text", part.text}};
  json thought = {{"text", part.text}};
  if (!part.signature.empty()) thought["signature"] = part.signature;
  return {{"reasoningContent", {{"reasoningText", thought}}}};
}

}  // namespace

std::unique_ptr<AnswerReader> BedrockConverseUpstream::reader(const observe::Choices&) const {
  return std::make_unique<ConverseReading>();
}

std::vector<std::string> BedrockConverseUpstream::tiny_answer() const {
  return {converse_frame("messageStart", R"({"role":"assistant"})"),
          converse_frame("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":"Ebb"}})"),
          converse_frame("contentBlockStop", R"({"contentBlockIndex":0})"),
          converse_frame("messageStop", R"({"stopReason":"end_turn"})"),
          converse_frame(
              "metadata",
              R"({"metrics":{"latencyMs":1},"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}})")};
}

std::string BedrockConverseUpstream::whole_answer(const observe::Answer& answer) const {
  if (!fits_one_piece(answer)) return "";
  json content = json::array();
  for (const Part& part : answer.parts) {
    if (part.kind == PartKind::refusal) return "";
    content.push_back(converse_content(part));
  }
  const observe::Tokens& usage = answer.usage;
  std::optional<std::uint64_t> uncached = usage.prompt;
  if (uncached) *uncached -= usage.cached.value_or(0) + usage.written.value_or(0);
  const json whole = {{"output", {{"message", {{"role", "assistant"}, {"content", content}}}}},
                      {"stopReason", answer.finish->word},
                      {"usage", known_counts({{"/inputTokens", uncached},
                                              {"/cacheReadInputTokens", usage.cached},
                                              {"/cacheWriteInputTokens", usage.written},
                                              {"/outputTokens", usage.completion},
                                              {"/totalTokens", usage.total}})},
                      {"metrics", {{"latencyMs", 1}}}};
  return written(whole);
}

}  // namespace splitproof::dialect
