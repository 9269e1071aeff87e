// Tool names change in place in relayed content, and all other bytes stay.

#include "proxy/names/in_place.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/names/request_names.hpp"
#include "proxy/upstream_request.hpp"

namespace splitproof::names::in_place_test {
namespace {

using proxy::dialect::UpstreamRow;

constexpr std::size_t kDepth = 128;

const UpstreamRow& messages() { return *proxy::dialect::find_upstream("anthropic.messages"); }

TranslatorOptions bridge(ToolMap tools = map_of(Names::opencode)) {
  TranslatorOptions options;
  options.upstream = &messages();
  options.client = proxy::dialect::find_client("anthropic.messages");
  options.names = Names::opencode;
  options.tool_map = std::move(tools);
  return options;
}

std::string named(const std::string& request) {
  const auto written = upstream_request(bridge(), request, [](request::Asked&) {});
  return written ? written->body : "refused: " + written.error().message;
}

std::string told(std::string_view answer) {
  return tell_in_place(map_of(Names::opencode), messages().tools_in_place->answer, answer, kDepth);
}

struct Cuts {
  std::size_t first;
  std::size_t second;
};

std::string relayed(const TranslatorOptions& options, const std::string& body, Cuts cuts,
                    turn::BodyEnd end = turn::BodyEnd::complete) {
  Translator translator(options);
  std::string out;
  for (const auto& [from, to] : {std::pair(std::size_t{0}, cuts.first), std::pair(cuts.first, cuts.second),
                                 std::pair(cuts.second, body.size())}) {
    const std::vector<char> exact(body.begin() + static_cast<std::ptrdiff_t>(from),
                                  body.begin() + static_cast<std::ptrdiff_t>(to));
    translator.feed({exact.data(), exact.size()}, out);
  }
  translator.finish(end, out);
  return out;
}

std::string relayed(const std::string& body, turn::BodyEnd end = turn::BodyEnd::complete) {
  return relayed(bridge(), body, {body.size(), body.size()}, end);
}

std::string event(std::string_view type, std::string_view rest) {
  return "event: " + std::string(type) + "\ndata: {\"type\":\"" + std::string(type) + "\"" +
         std::string(rest) + "}\n\n";
}

std::string start(int index, const std::string& name, const std::string& input = "{}") {
  return event("content_block_start", ",\"index\":" + std::to_string(index) +
                                          R"(,"content_block":{"type":"tool_use","id":"toolu_1","name":")" +
                                          name + R"(","input":)" + input + "}");
}

std::string delta(int index, const std::string& json) {
  return event("content_block_delta", ",\"index\":" + std::to_string(index) +
                                          R"(,"delta":{"type":"input_json_delta","partial_json":)" +
                                          nlohmann::json(json).dump() + "}");
}

std::string stop(int index) { return event("content_block_stop", ",\"index\":" + std::to_string(index)); }

const std::string kBegin = event("message_start", R"(, "message" : {"role":"assistant","content":[]})");
const std::string kThinking =
    "id: 7\n" +
    event("content_block_start", R"(,"index":0,"content_block":{"type":"thinking","thinking":""})") +
    event("content_block_delta",
          R"(,"index":0,"delta":{"type":"thinking_delta","thinking":"\u0046ile_path"})") +
    event("content_block_delta", R"(,"index":0,"delta":{"type":"signature_delta","signature":"c2ln"})") +
    ": Read\n\n" + stop(0);
const std::string kEnd = event("message_delta", R"(,"delta":{"stop_reason":"tool_use"})") +
                         event("ping", "") + event("message_stop", "");

TEST(NamesInPlace, ARequestKeepsAllOtherBytes) {
  const std::string before =
      R"({ "max_tokens":5, "model" : "m", "tool_choice":{"name":"read" ,"type":"tool"},)"
      R"("messages":[{"role":"user","content":[{"type":"text","text":"read \u0066ile","cache_control":{"type":"ephemeral"}}]},)"
      R"({"role":"assistant","content":[{"type":"thinking","thinking":"read","signature":"c2ln"},)"
      R"({"type":"tool_use","id":"t1","input":{"offset":1.50, "filePath" : "filePath"},"name":"read"}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"read"}]}],)"
      R"("tools":[{"input_schema":{"properties":{"filePath":{"description":"filePath"}},"required": ["filePath"],"type":"object"},)"
      R"("name":"read","cache_control":{"type":"ephemeral"}},{"type":"bash_20250124","name":"bash"},{"name":"own","input_schema":{}}],)"
      R"("metadata":{"user_id":"read"},"thinking":{"type":"enabled","budget_tokens":1024} })";
  const std::string after =
      R"({ "max_tokens":5, "model" : "m", "tool_choice":{"name":"Read" ,"type":"tool"},)"
      R"("messages":[{"role":"user","content":[{"type":"text","text":"read \u0066ile","cache_control":{"type":"ephemeral"}}]},)"
      R"({"role":"assistant","content":[{"type":"thinking","thinking":"read","signature":"c2ln"},)"
      R"({"type":"tool_use","id":"t1","input":{"offset":1.50, "file_path" : "filePath"},"name":"Read"}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"read"}]}],)"
      R"("tools":[{"input_schema":{"properties":{"file_path":{"description":"filePath"}},"required": ["file_path"],"type":"object"},)"
      R"("name":"Read","cache_control":{"type":"ephemeral"}},{"type":"bash_20250124","name":"bash"},{"name":"own","input_schema":{}}],)"
      R"("metadata":{"user_id":"read"},"thinking":{"type":"enabled","budget_tokens":1024} })";
  EXPECT_EQ(named(before), after);
}

// The two ways to rename a request agree if both are possible.
TEST(NamesInPlace, ARequestMeansWhatATranslatedOneDoes) {
  std::size_t compared = 0;
  std::size_t changed = 0;
  const std::filesystem::path folder =
      std::filesystem::path(std::getenv("SPLITPROOF_CORPUS")) / "requests" / "anthropic.messages";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path());
    const std::string body = nlohmann::ordered_json::parse(file)["body"].dump();
    const auto read = bridge().client->read_request;
    auto wanted = read(body, Limits{});
    if (!wanted) continue;
    const ToolMap tools = name_for_upstream(map_of(Names::opencode), kDepth, *wanted);
    wanted->aliases.clear();
    const NamedRequest spliced =
        name_in_place(map_of(Names::opencode), messages().tools_in_place->request, body, kDepth);
    const auto got = read(spliced.body, Limits{});
    ASSERT_TRUE(got);
    EXPECT_EQ(*got, *wanted);
    EXPECT_EQ(spliced.tools, tools);
    ++compared;
    if (spliced.body != body) ++changed;
  }
  EXPECT_GT(compared, 90U);
  EXPECT_GT(changed, 3U);
  std::cout << compared << " requests, " << changed << " of them changed\n";
}

TEST(NamesInPlace, AStreamKeepsAllThatIsNoCallOfTheMap) {
  const std::string other = start(1, "Other") + delta(1, "{\"file_") + delta(1, "path\":1}") + stop(1);
  const std::string body = kBegin + kThinking + other + kEnd;
  EXPECT_EQ(relayed(body), body);
  EXPECT_EQ(relayed(bridge({}), body, {0, 0}), body);
}

TEST(NamesInPlace, NoPairOfCutsMattersToAStream) {
  const std::string read = start(1, "Read") + delta(1, "") + delta(1, "{\"fi") + delta(1, "le_path\": \"") +
                           delta(1, "file_path\", \"pages\":\"2\"}") + stop(1);
  const std::string body =
      kBegin + start(0, "Glob") + delta(0, "{\"pat") + delta(0, "tern\":1}") + stop(0) + read + kEnd;
  const std::string wanted = kBegin + start(0, "glob") + delta(0, "{\"pat") + delta(0, "tern\":1}") +
                             stop(0) + start(1, "read") + delta(1, "{\"filePath\": \"file_path\"}") +
                             stop(1) + kEnd;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i <= body.size(); i += 3) {
    for (std::size_t j = i; j <= body.size(); j += 7, ++pairs)
      ASSERT_EQ(relayed(bridge(), body, {i, j}), wanted) << i << " " << j;
  }
  std::cout << pairs << " pairs of cuts\n";
}

TEST(NamesInPlace, LineEndsOfAStreamDoNotMatter) {
  std::string body = kBegin + start(0, "Read") + delta(0, "{\"file_path\":1}") + stop(0) + kEnd;
  for (std::size_t at = 0; (at = body.find('\n', at)) != body.npos; at += 2) body.replace(at, 1, "\r\n");
  const std::string told = relayed(body);
  EXPECT_NE(told.find("{\\\"filePath\\\":1}"), told.npos) << told;
  EXPECT_NE(told.find("\"name\":\"read\""), told.npos) << told;
  EXPECT_EQ(told.find("file_path"), told.npos) << told;
  // A CR and its LF are separated.
  for (std::size_t i = 0; i <= body.size(); ++i) ASSERT_EQ(relayed(bridge(), body, {i, i}), told) << i;
}

TEST(NamesInPlace, WhatNeverBecomesWholeLeavesAsItCameBeforeTheEnd) {
  const std::string begun = kBegin + start(0, "Read");
  const std::string torn = delta(0, "{\"file_") + delta(0, "path\":\"/a");
  const std::string joined = delta(0, "{\"file_path\":\"/a");
  const std::string shown = kBegin + start(0, "read");
  // The block stops, or the message continues without a stop.
  EXPECT_EQ(relayed(begun + torn + stop(0) + kEnd), shown + joined + stop(0) + kEnd);
  const std::string unstopped = relayed(begun + torn + kEnd);
  EXPECT_TRUE(unstopped.starts_with(shown + joined + stop(0) + "event: error\n")) << unstopped;
  const std::string error = event("error", R"(,"error":{"type":"api_error","message":"x"})");
  EXPECT_TRUE(relayed(begun + torn + error).starts_with(shown + joined)) << relayed(begun + torn + error);
  for (const auto end : {turn::BodyEnd::complete, turn::BodyEnd::reset, turn::BodyEnd::stall}) {
    const std::string cut = relayed(begun + torn, end);
    EXPECT_TRUE(cut.starts_with(shown + joined + stop(0))) << cut;
    EXPECT_NE(cut.find("\"error\""), cut.npos) << cut;
  }
  EXPECT_EQ(relayed(begun + delta(0, "{x}") + stop(0) + kEnd), shown + delta(0, "{x}") + stop(0) + kEnd);
}

TEST(NamesInPlace, AWholeAmountOfArgumentsIsAllThatWaits) {
  TranslatorOptions options = bridge();
  options.rules.limits.call_bytes = 12;
  const std::string body = kBegin + start(0, "Read") + delta(0, "{\"file_path") + delta(0, "\":\"/a") +
                           delta(0, "\"}") + stop(0) + kEnd;
  EXPECT_EQ(relayed(options, body, {0, 0}),
            kBegin + start(0, "read") + delta(0, "{\"file_path\":\"/a") + delta(0, "\"}") + stop(0) + kEnd);
}

TEST(NamesInPlace, ArgumentsInTheStartAreToldThere) {
  EXPECT_EQ(relayed(kBegin + start(0, "Read", R"({ "file_path":1 })") + stop(0) + kEnd),
            kBegin + start(0, "read", R"({ "filePath":1 })") + stop(0) + kEnd);
  // There are none: OpenCode requires the kind of an agent.
  EXPECT_EQ(relayed(kBegin + start(0, "Agent") + stop(0) + kEnd),
            kBegin + start(0, "task") + delta(0, R"({"subagent_type":"general"})") + stop(0) + kEnd);
  EXPECT_EQ(relayed(kBegin + start(0, "Read") + stop(0) + kEnd), kBegin + start(0, "read") + stop(0) + kEnd);
}

TEST(NamesInPlace, BlocksThatOverlapAreKeptApart) {
  TranslatorOptions options = bridge();
  options.dialect.overlap = proxy::dialect::Overlap::indexed;
  const std::string body = kBegin + start(1, "Read") + start(2, "Edit") + delta(1, "{\"file_pa") +
                           delta(2, "{\"old_str") + delta(1, "th\":1}") + delta(2, "ing\":2}") + stop(1) +
                           stop(2) + kEnd;
  options.dialect.block_index = proxy::dialect::BlockIndex::rising;
  EXPECT_EQ(relayed(options, body, {0, 0}), kBegin + start(1, "read") + start(2, "edit") +
                                                delta(1, "{\"filePath\":1}") + delta(2, "{\"oldString\":2}") +
                                                stop(1) + stop(2) + kEnd);
}

TEST(NamesInPlace, AWholeAnswerKeepsAllOtherBytes) {
  EXPECT_EQ(
      told(R"({"content":[ {"type":"thinking","thinking":"Read","signature":"c2ln"},)"
           R"({"type":"tool_use","name":"Read","input":{"file_path" : 12345678901234567890, "pages":"1"}},)"
           R"({"type":"tool_use","name":"Other","input":{"file_path":1}}],"role":"assistant"})"),
      R"({"content":[ {"type":"thinking","thinking":"Read","signature":"c2ln"},)"
      R"({"type":"tool_use","name":"read","input":{"filePath" : 12345678901234567890}},)"
      R"({"type":"tool_use","name":"Other","input":{"file_path":1}}],"role":"assistant"})");
  for (const char* other : {"", "[1]", "{\"content\":7}", "{\"content\":[7,{\"type\":\"tool_use\"}]}", "{"})
    EXPECT_EQ(told(other), other);
}

TEST(NamesInPlace, OtherProtocolsAreTranslated) {
  TranslatorOptions options = bridge();
  EXPECT_TRUE(options.relays());
  options.upstream = proxy::dialect::find_upstream("openai.chat");
  options.client = proxy::dialect::find_client("openai.chat");
  EXPECT_FALSE(options.relays());
}

}  // namespace
}  // namespace splitproof::names::in_place_test
