#include "proxy/dialect/openai_responses/writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/openai_responses/answer.hpp"
#include "proxy/translator.hpp"

namespace splitproof::proxy::dialect::openai_responses::writer_test {
namespace {

using nlohmann::json;
using turn::BlockKind;
using turn::Closing;

constexpr char kCustom[] = "apply_patch";

TranslatorOptions options() {
  TranslatorOptions options;
  options.client = find_client("openai.responses");
  options.reply = {
      0xabc, 1700000000, "asked", true, {{kCustom, true, "", kCustom}, {"s__f", false, "s", "f"}}};
  return options;
}

std::string chunk(const std::string& delta) {
  return R"(data: {"model":"m","choices":[{"delta":{)" + delta + "}}]}\n\n";
}
std::string finished(const std::string& reason, const std::string& usage = "null") {
  return R"(data: {"choices":[{"finish_reason":")" + reason + R"("}],"usage":)" + usage +
         "}\n\ndata: [DONE]\n\n";
}
std::string call(int index, const std::string& id, const std::string& name, const std::string& arguments) {
  return chunk(R"("tool_calls":[{"index":)" + std::to_string(index) + R"(,"id":")" + id +
               R"(","function":{"name":")" + name + R"(","arguments":)" + json(arguments).dump() + "}}]");
}

std::string stream_of(const std::string& upstream) {
  Translator translator(options());
  std::string out;
  translator.feed(upstream, out);
  translator.finish(turn::BodyEnd::complete, out);
  return out;
}

// Returns the data of its events; each has an event line with its type.
std::vector<json> events_in(const std::string& stream) {
  std::vector<json> events;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t end = stream.find("\n\n", at);
    const std::string frame = stream.substr(at, end - at);
    events.push_back(json::parse(frame.substr(frame.find("data: ") + 6)));
    EXPECT_EQ(frame.substr(0, frame.find('\n')), "event: " + events.back()["type"].get<std::string>());
    at = end + 2;
  }
  return events;
}

// Returns the content of each event without the writer's additions: `type item: what`.
std::string told(const std::string& stream) {
  std::string text;
  for (const json& event : events_in(stream)) {
    std::string type = event["type"].get<std::string>().substr(std::string("response.").size());
    text += text.empty() ? "" : " ";
    text += type;
    if (event.contains("output_index")) text += "@" + event["output_index"].dump();
    for (const char* member : {"delta", "text", "arguments", "input", "refusal"}) {
      if (event.contains(member)) text += ":" + event[member].get<std::string>();
    }
    if (event.contains("item")) text += ":" + event["item"].value("status", std::string("-"));
  }
  return text;
}

json last_response(const std::string& stream) { return events_in(stream).back()["response"]; }

const std::string kBegun = "created in_progress ";

TEST(ResponsesWriter, WritesEveryEventOfAMessage) {
  const std::string stream = stream_of(
      chunk(R"("content":"a\n")") +
      finished(
          "stop",
          R"({"prompt_tokens":9,"completion_tokens":4,)"
          R"(      "prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}})"));
  const std::vector<json> events = events_in(stream);
  ASSERT_EQ(events.size(), 9U);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i]["sequence_number"], i);
  const json place = {{"item_id", "msg_0000000000000abc_0"}, {"output_index", 0}, {"content_index", 0}};
  const auto said = [&](const std::string& type, int number, json more) {
    more.update(place);
    more.update({{"type", type}, {"sequence_number", number}});
    return more;
  };
  const json part = {
      {"type", "output_text"}, {"text", "a\n"}, {"annotations", json::array()}, {"logprobs", json::array()}};
  json empty_part = part;
  empty_part["text"] = "";
  json item = {{"id", "msg_0000000000000abc_0"},
               {"type", "message"},
               {"role", "assistant"},
               {"status", "completed"},
               {"content", {part}}};
  EXPECT_EQ(events[2]["item"],
            json::parse(R"({"id":"msg_0000000000000abc_0","type":"message","role":"assistant",
      "status":"in_progress","content":[]})"));
  EXPECT_EQ(events[3], said("response.content_part.added", 3, {{"part", empty_part}}));
  EXPECT_EQ(events[4],
            said("response.output_text.delta", 4, {{"delta", "a\n"}, {"logprobs", json::array()}}));
  EXPECT_EQ(events[5], said("response.output_text.done", 5, {{"text", "a\n"}, {"logprobs", json::array()}}));
  EXPECT_EQ(events[6], said("response.content_part.done", 6, {{"part", part}}));
  EXPECT_EQ(events[7]["item"], item);
  const json& response = events[8]["response"];
  EXPECT_EQ(response["output"], json::array({item}));
  EXPECT_EQ(response["usage"],
            json::parse(R"({"input_tokens":9,"input_tokens_details":{"cached_tokens":2},"output_tokens":4,
      "output_tokens_details":{"reasoning_tokens":1},"total_tokens":13})"));
  json begun = events[0]["response"];
  EXPECT_EQ(begun["status"], "in_progress");
  EXPECT_EQ(begun, events[1]["response"]);
  EXPECT_EQ(begun["completed_at"], nullptr);
  begun.update({{"status", "completed"},
                {"completed_at", begun["created_at"]},
                {"output", response["output"]},
                {"usage", response["usage"]}});
  EXPECT_EQ(begun, response);
}

TEST(ResponsesWriter, EachKindOfBlockIsAnItem) {
  EXPECT_EQ(
      told(stream_of(chunk(R"("reasoning_content":"t")") + chunk(R"("content":"a")") +
                     chunk(R"("refusal":"no")") + call(0, "i", "f", "{}") + finished("tool_calls"))),
      kBegun +
          "output_item.added@0:- reasoning_summary_part.added@0 reasoning_summary_text.delta@0:t "
          "reasoning_summary_text.done@0:t reasoning_summary_part.done@0 output_item.done@0:- "
          "output_item.added@1:in_progress content_part.added@1 output_text.delta@1:a output_text.done@1:a "
          "content_part.done@1 output_item.done@1:completed "
          "output_item.added@2:in_progress content_part.added@2 refusal.delta@2:no refusal.done@2:no "
          "content_part.done@2 output_item.done@2:completed "
          "output_item.added@3:in_progress function_call_arguments.delta@3:{} function_call_arguments.done@3:{} "
          "output_item.done@3:completed completed");
}

TEST(ResponsesWriter, CallsAreOpenSideBySide) {
  EXPECT_EQ(
      told(stream_of(call(0, "i", "f", "{\"a\":") + call(1, "j", "g", "{\"b\":") + call(0, "", "", "1}") +
                     chunk(R"("content":"x")") + call(1, "", "", "2}") + finished("tool_calls"))),
      kBegun +
          "output_item.added@0:in_progress function_call_arguments.delta@0:{\"a\": "
          "output_item.added@1:in_progress function_call_arguments.delta@1:{\"b\": "
          "function_call_arguments.delta@0:1} function_call_arguments.done@0:{\"a\":1} output_item.done@0:completed "
          "output_item.added@2:in_progress content_part.added@2 output_text.delta@2:x "
          "function_call_arguments.delta@1:2} function_call_arguments.done@1:{\"b\":2} output_item.done@1:completed "
          "output_text.done@2:x content_part.done@2 output_item.done@2:completed completed");
}

TEST(ResponsesWriter, CallsHaveIdsOfTheirOwnAndArguments) {
  const json output = last_response(stream_of(call(0, "i:1", "f", "") + call(1, "i:1", "g", "null") +
                                              call(2, "", "h", "{}") + finished("tool_calls")))["output"];
  ASSERT_EQ(output.size(), 3U);
  EXPECT_EQ(output[0]["call_id"], "i:1");
  EXPECT_EQ(output[1]["call_id"], "call_0000000000000abc_1");
  EXPECT_EQ(output[2]["call_id"], "call_0000000000000abc_2");
  for (const json& item : output) EXPECT_EQ(item["arguments"], "{}");
}

TEST(ResponsesWriter, TurnsFunctionsBackIntoWhatTheClientHas) {
  const json output = last_response(stream_of(call(0, "i", kCustom, "{\"input\":\"a\\n\"}") +
                                              call(1, "j", "s__f", "{}") + finished("tool_calls")))["output"];
  EXPECT_EQ(output[0],
            json::parse(R"({"id":"ctc_0000000000000abc_0","type":"custom_tool_call","status":"completed",
      "call_id":"i","name":"apply_patch","input":"a\n"})"));
  EXPECT_EQ(output[1],
            json::parse(R"({"id":"fc_0000000000000abc_1","type":"function_call","status":"completed",
      "call_id":"j","name":"f","namespace":"s","arguments":"{}"})"));
}

TEST(ResponsesWriter, SaysWhatWasCutShort) {
  const std::string text = stream_of(chunk(R"("content":"a")") + finished("length"));
  EXPECT_EQ(
      told(text),
      kBegun +
          "output_item.added@0:in_progress content_part.added@0 output_text.delta@0:a output_text.done@0:a "
          "content_part.done@0 output_item.done@0:incomplete incomplete");
  EXPECT_EQ(last_response(text)["incomplete_details"], json({{"reason", "max_output_tokens"}}));
  EXPECT_EQ(last_response(stream_of(finished("content_filter")))["incomplete_details"],
            json({{"reason", "content_filter"}}));
  const json output = last_response(
      stream_of(call(0, "i", "f", "{}") + call(1, "j", "g", "{\"") + finished("length")))["output"];
  EXPECT_EQ(output[0]["status"], "completed");
  EXPECT_EQ(output[1]["status"], "incomplete");
  EXPECT_EQ(output[1]["arguments"], "{\"");
  const json unbegun = last_response(stream_of(call(0, "i", "f", "") + finished("length")))["output"];
  EXPECT_EQ(unbegun[0]["arguments"], "");
}

TEST(ResponsesWriter, AFailureLeavesWhatIsOpenUndone) {
  const std::string stream =
      stream_of(chunk(R"("content":"a")") + "data: {\"error\":{\"message\":\"no\",\"code\":429}}\n\n");
  EXPECT_EQ(told(stream),
            kBegun + "output_item.added@0:in_progress content_part.added@0 output_text.delta@0:a failed");
  EXPECT_EQ(last_response(stream)["error"], json({{"code", "rate_limit_exceeded"}, {"message", "no"}}));
  EXPECT_EQ(last_response(stream)["output"][0]["status"], "incomplete");
  EXPECT_EQ(responses_lone_error(stream), std::nullopt);
}

TEST(ResponsesWriter, AFailureAloneIsAnAnswerWithAStatus) {
  const auto answer = [](const std::string& error) {
    return responses_lone_error(stream_of("data: {\"error\":" + error + "}\n\n"));
  };
  const std::string stream = stream_of("data: {\"error\":{\"message\":\"no\",\"code\":401}}\n\n");
  EXPECT_EQ(told(stream), kBegun + "failed");
  EXPECT_EQ(last_response(stream)["model"], "asked");
  ASSERT_TRUE(answer(R"({"message":"no","code":401})"));
  EXPECT_EQ(answer(R"({"message":"no","code":401})")->status, 401);
  EXPECT_EQ(answer(R"({"message":"no","type":"overloaded_error"})")->status, 503);
  EXPECT_EQ(
      json::parse(answer(R"({"message":"long","code":"context_length_exceeded"})")->body)["error"],
      json::parse(
          R"({"message":"long","type":"invalid_request_error","param":null,"code":"context_length_exceeded"})"));
}

TEST(ResponsesWriter, AWholeAnswerIsTheResponseOfTheLastEvent) {
  const std::string stream = stream_of(chunk(R"("content":"a")") + finished("stop"));
  EXPECT_EQ(responses_whole_answer(stream).status, 200);
  EXPECT_EQ(json::parse(responses_whole_answer(stream).body), last_response(stream));
  EXPECT_EQ(responses_whole_answer(stream_of(finished("length"))).status, 200);
  EXPECT_EQ(responses_whole_answer(stream_of(chunk(R"("content":"a")"))).status, 502);
  EXPECT_EQ(responses_whole_answer("").status, 502);
}

TEST(ResponsesWriter, APingIsAComment) {
  std::string out;
  ResponsesWriter(request::Reply()).write_ping(out);
  EXPECT_EQ(out, ": keep-alive\n\n");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_responses::writer_test
