// Converse: frames as documents, the reading of clients, and their requests.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/aws_document.hpp"
#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/dialect/stream_frames.hpp"
#include "harness/observe/framing.hpp"
#include "harness/recording/corpus.hpp"

namespace splitproof::dialect::converse_client_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces
using nlohmann::json;

const Client& client() { return *client_of("bedrock.converse"); }

std::vector<recording::Recording> recordings() {
  const std::filesystem::path corpus =
      std::filesystem::path(std::getenv("SPLITPROOF_SOURCE_ROOT")) / "corpus";
  std::vector<recording::Recording> found;
  for (recording::Recording& one :
       recording::load_corpus({(corpus / "bedrock.converse").string()}).recordings)
    found.push_back(std::move(one));
  return found;
}

std::string frame(const json& document) { return *frame_of_aws_document(document.dump()); }

json event(const char* type, json payload) {
  payload.update({{":event-type", type}, {":content-type", "application/json"}, {":message-type", "event"}});
  return payload;
}

json delta(int index, const json& of) {
  return event("contentBlockDelta", {{"contentBlockIndex", index}, {"delta", of}});
}

json call(int index, const char* id, const char* name) {
  return event("contentBlockStart",
               {{"contentBlockIndex", index}, {"start", {{"toolUse", {{"toolUseId", id}, {"name", name}}}}}});
}

Trace trace(const std::vector<json>& documents) {
  std::string body;
  for (const json& one : documents) body += frame(one);
  return read_trace(body, DataKind::json);
}

TEST(AwsDocument, FrameOfADocumentIsTheFrame) {
  std::size_t frames = 0;
  for (const recording::Recording& one : recordings()) {
    FrameReader reader(Framing::aws_frames);
    reader.feed(one.body);
    reader.finish();
    for (const SseEvent& read : reader.events()) {
      if (!read.broken.empty() || read.ill_formed_at || !read.data.starts_with('{')) continue;
      const auto made = frame_of_aws_document(aws_document(read.headers, read.data));
      ASSERT_TRUE(made) << one.id;
      EXPECT_EQ(*made, one.body.substr(read.begin, read.end - read.begin)) << one.id;
      ++frames;
    }
  }
  EXPECT_GE(frames, 150U);
}

TEST(AwsDocument, HeadersThatAreNoTextAndTextsThatAreNoDocument) {
  EXPECT_EQ(aws_document({{":a", kAwsText, "x\"\n"}, {":b", kAwsTrue, ""}, {"c", kAwsText, "d"}}, " { }"),
            R"({":a":"x\"\u000a",":b":true})");
  EXPECT_EQ(aws_document({{":a", kAwsText, "1"}, {":a", kAwsText, "2"}}, R"({"b":3})"),
            R"({":a":"2","b":3})");
  EXPECT_EQ(aws_document({{":a", kAwsText, "1"}}, "[7]"), "[7]");
  for (const char* none : {"", "{}", R"({"a":1})", "[7]", R"({":a)", R"({":a")"})
    EXPECT_FALSE(frame_of_aws_document(none)) << none;
  const auto made = frame_of_aws_document(R"({ ":a" : "1", ":b":null , "c":{)");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->substr(read_aws_frame(*made).frame.payload_begin, 6), "{\"c\":{")
      << "the rest need not be JSON";
  EXPECT_EQ(read_aws_frame(*made).frame.headers.size(), 1U);
}

TEST(AwsDocument, DamagedAndCutFramesAreFaults) {
  std::string body = frame(delta(0, {{"text", "a"}})) + frame(delta(0, {{"text", "b"}}));
  Trace whole = read_trace(body, DataKind::json);
  ASSERT_EQ(whole.events.size(), 2U);
  EXPECT_EQ((*whole.events[1].json)["delta"]["text"], "b");
  body.back() = static_cast<char>(body.back() ^ 1);
  whole = read_trace(body, DataKind::json);
  ASSERT_EQ(whole.events.size(), 2U);
  EXPECT_EQ(whole.events[1].fault, StreamFault::broken_json);
  EXPECT_TRUE(whole.events[1].terminated);
  body.pop_back();
  whole = read_trace(body, DataKind::json);
  EXPECT_FALSE(whole.events[1].terminated);
  EXPECT_EQ(whole.events[1].fault, StreamFault::broken_json);
}

// The two readers share no code.
TEST(ConverseClient, ReadsTheAnswerThatTheReaderOfUpstreamsReads) {
  std::size_t read = 0;
  for (const recording::Recording& one : recordings()) {
    const Answer meant = dialect::read(*upstream_of("bedrock.converse"), one.body);
    if (meant.error || one.end != recording::End::complete || !meant.finish) continue;
    Answer got = client().assemble(read_trace(one.body, DataKind::json));
    Answer wanted = meant;
    for (Answer* answer : {&got, &wanted}) {
      answer->extra.clear();
      answer->begun.clear();
      answer->shapes.clear();
      for (Part& part : answer->parts) part.ended = true;
      if (!answer->usage.cached) answer->usage.cached = 0;
      if (!answer->usage.written) answer->usage.written = 0;
    }
    EXPECT_EQ(describe_difference(canonical_form(wanted), canonical_form(got), {"meant", "got"}), "")
        << one.id;
    ++read;
  }
  EXPECT_GE(read, 20U);
}

TEST(ConverseClient, StopsAtAnException) {
  const json failure = {
      {":exception-type", "throttlingException"}, {":message-type", "exception"}, {"message", "slow"}};
  const Answer answer =
      client().assemble(trace({delta(0, {{"text", "a"}}), failure, delta(0, {{"text", "b"}})}));
  EXPECT_EQ(answer.error, "slow");
  EXPECT_TRUE(answer.error_classes.limit);
  ASSERT_EQ(answer.parts.size(), 1U);
  EXPECT_EQ(answer.parts[0].text, "a");
}

TEST(ConverseClient, NextRequestSendsTheBlocksBack) {
  const Trace told = trace(
      {event("messageStart", {{"role", "assistant"}}), delta(0, {{"reasoningContent", {{"text", "hm"}}}}),
       delta(0, {{"reasoningContent", {{"signature", "c2ln"}}}}),
       delta(1, {{"reasoningContent", {{"redactedContent", "c2Vh"}}}}), call(2, "i", "f"),
       delta(2, {{"toolUse", {{"input", "{\"a\":"}}}}), delta(2, {{"toolUse", {{"input", "1}"}}}}),
       event("messageStop", {{"stopReason", "tool_use"}})});
  TraceStream stream(told);
  const json next = client().next_request(client().request({}), stream, false);
  EXPECT_EQ(next["messages"][1], json::parse(R"({"role":"assistant","content":[
      {"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}},
      {"reasoningContent":{"redactedContent":"c2Vh"}}, {"toolUse":{"toolUseId":"i","name":"f","input":{"a":1}}}]})"));
  EXPECT_EQ(next["messages"][2]["content"][0]["toolResult"]["toolUseId"], "i");
  const Trace cut = trace({event("messageStart", {{"role", "assistant"}}), delta(0, {{"text", "a"}})});
  TraceStream broken(cut);
  EXPECT_TRUE(client().next_request(client().request({}), broken, false).is_null());
}

TEST(ConverseClient, WholeAnswerHasTheContentOfItsStream) {
  const json whole = json::parse(R"({"output":{"message":{"role":"assistant","content":[{"text":"a"},
      {"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},
      {"toolUse":{"toolUseId":"i","name":"f","input":{"a":1}}}]}},"stopReason":"tool_use",
      "usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3},"metrics":{"latencyMs":4}})");
  const Answer answer = client().assemble(read_trace(client().as_stream(whole), DataKind::json));
  ASSERT_EQ(answer.parts.size(), 3U);
  EXPECT_EQ(answer.parts[1].signature, "s");
  EXPECT_EQ(answer.parts[2].arguments, "{\"a\":1}");
  EXPECT_EQ(answer.usage.total, 3U);
  EXPECT_EQ(answer.finish->kind, FinishKind::calls);
  EXPECT_TRUE(client().assemble(read_trace(client().as_stream({{"message", "no"}}), DataKind::json)).error);
  EXPECT_EQ(client().as_stream({{"choices", 1}}), "");
}

TEST(ConverseRequest, HasTheFormOfAllDialects) {
  const json body = json::parse(R"({"system":[{"text":"s"},{"cachePoint":{"type":"default"}}],"messages":[
      {"role":"user","content":[{"guardContent":{"text":{"text":"g"}}},{"image":{"format":"png","source":{"bytes":"AA=="}}},
        {"document":{"name":"d","source":{"text":"inside"}}}]},
      {"role":"assistant","content":[{"reasoningContent":{"redactedContent":"x"}},{"toolUse":{"toolUseId":"i","name":"f","input":{"a":1}}}]},
      {"role":"user","content":[{"toolResult":{"toolUseId":"i","status":"error","content":[{"json":{"b":2}},{"text":"c"}]}}]}],
      "toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}},{"systemTool":{"name":"search"}}],
        "toolChoice":{"tool":{"name":"f"}}},
      "inferenceConfig":{"maxTokens":7,"temperature":0.5,"topP":1,"stopSequences":["z"]}})");
  const AskedRequest asked = request_reader_of("bedrock.converse.upstream")->asked(body);
  ASSERT_EQ(asked.system.size(), 1U);
  ASSERT_EQ(asked.marks.size(), 1U);
  ASSERT_EQ(asked.turns.size(), 3U);
  const auto& said = asked.turns[0].blocks;
  EXPECT_EQ(said[0].text, "g");
  EXPECT_EQ(said[1].images, std::vector<std::string>{"data:image/png;base64,AA=="});
  EXPECT_EQ(said[2].document, "inside");
  EXPECT_EQ(asked.turns[1].blocks[0].seal, "x");
  EXPECT_EQ(asked.turns[1].blocks[1].arguments, "{\"a\":1}");
  const AskedBlock& result = asked.turns[2].blocks[0];
  EXPECT_TRUE(result.failed);
  EXPECT_EQ(result.text, "{\"b\":2}c");
  EXPECT_TRUE(result.as_object);
  ASSERT_EQ(asked.tools.size(), 2U);
  EXPECT_EQ(*asked.tools[0].schema, json({{"type", "object"}}));
  EXPECT_EQ(asked.tools[1].kind, AskedTool::hosted);
  EXPECT_EQ(asked.choice->mode, "one");
  EXPECT_EQ(asked.choice->name, "f");
  EXPECT_EQ(*asked.limit, 7);
  EXPECT_EQ(asked.stop, std::vector<std::string>{"z"});
}

TEST(ConverseRequest, IdsThatTheServiceAccepts) {
  const auto takes = request_reader_of("bedrock.converse.upstream")->takes_id;
  EXPECT_TRUE(takes("tooluse_1-A"));
  EXPECT_TRUE(takes(std::string(64, 'x')));
  for (const std::string& id : {std::string(), std::string("a:b"), std::string("é"), std::string(65, 'x')})
    EXPECT_FALSE(takes(id)) << id;
}

}  // namespace
}  // namespace splitproof::dialect::converse_client_test
