#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/documents.hpp"

namespace splitproof::dialect::responses_client_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces
using nlohmann::json;
using Events = std::vector<json>;

const Client& client() { return *client_of("openai.responses"); }

Events of_message(const std::string& id, const std::string& text) {
  const json done = {
      {"type", "message"}, {"id", id}, {"content", {{{"type", "output_text"}, {"text", text}}}}};
  return {{{"type", "response.output_item.added"},
           {"item", {{"type", "message"}, {"id", id}, {"content", json::array()}}}},
          {{"type", "response.output_text.delta"},
           {"item_id", id},
           {"content_index", 0},
           {"delta", text.substr(0, 3)}},
          {{"type", "response.output_text.delta"},
           {"item_id", id},
           {"content_index", 0},
           {"delta", text.substr(3)}},
          {{"type", "response.output_text.done"}, {"item_id", id}, {"content_index", 0}, {"text", text}},
          {{"type", "response.output_item.done"}, {"item", done}}};
}

Events of_call(const std::string& id, const std::string& type, const std::string& input) {
  const std::string field = type == "function_call" ? "arguments" : "input";
  const std::string pieces =
      type == "function_call" ? "response.function_call_arguments" : "response.custom_tool_call_input";
  json item = {{"type", type}, {"id", id}, {"call_id", "call_" + id}, {"name", "go"}, {field, ""}};
  json done = item;
  done[field] = input;
  return {{{"type", "response.output_item.added"}, {"item", item}},
          {{"type", pieces + ".delta"}, {"item_id", id}, {"delta", input.substr(0, 2)}},
          {{"type", pieces + ".delta"}, {"item_id", id}, {"delta", input.substr(2)}},
          {{"type", pieces + ".done"}, {"item_id", id}, {field, input}},
          {{"type", "response.output_item.done"}, {"item", done}}};
}

Events operator+(Events a, const Events& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Events kCompleted = {
    {{"type", "response.completed"},
     {"response",
      {{"usage",
        {{"input_tokens", 9}, {"input_tokens_details", {{"cached_tokens", 4}}}, {"output_tokens", 2}}}}}}};

std::string body(const Events& events) {
  std::string text;
  for (const json& event : events) text += "data: " + event.dump() + "\n\n";
  return text;
}

Trace trace(const Events& events) { return read_trace(body(events), DataKind::json); }
Answer answer(const Events& events) { return client().assemble(trace(events)); }

Due told(const Events& events) {
  const auto meter = client().meter({});
  SseReader sse;
  sse.feed(body(events));
  for (const SseEvent& event : sse.events()) meter->take(event);
  return meter->told();
}

TEST(ResponsesClient, TakesItemsAsTheyAreDoneAndElseByTheirPieces) {
  const Events message = of_message("m", "Low tide.");
  const Events call = of_call("f", "function_call", R"({"a":1})");
  const Answer whole = answer(message + call + kCompleted);
  ASSERT_EQ(whole.parts.size(), 2u);
  EXPECT_EQ(whole.parts[0].text, "Low tide.");
  EXPECT_EQ(whole.parts[1].arguments, R"({"a":1})");
  EXPECT_EQ(whole.parts[1].id, "call_f");
  EXPECT_TRUE(whole.parts[1].ended);
  EXPECT_EQ(whole.finish->kind, FinishKind::stop);
  EXPECT_TRUE(whole.done);
  EXPECT_EQ(whole.usage, (Tokens{9, 4, 2}));

  Answer open = answer(Events(message.begin(), message.begin() + 3));
  EXPECT_EQ(open.parts.at(0).text, "Low tide.");
  EXPECT_FALSE(open.parts.at(0).ended);
  Events no_deltas = message;
  no_deltas.erase(no_deltas.begin() + 1, no_deltas.begin() + 3);
  EXPECT_EQ(answer(no_deltas).parts, answer(message).parts);
  no_deltas.pop_back();
  EXPECT_EQ(answer(no_deltas).parts.at(0).text, "Low tide.");
}

TEST(ResponsesClient, TellsAMessageFromAnotherWhoseIdChangedOnTheWay) {
  Events drifted = of_message("m", "Low tide.") + of_message("n", "High tide.");
  drifted[4]["item"]["id"] = "x";
  drifted[9]["item"]["id"] = "y";
  const Answer read = answer(drifted);
  ASSERT_EQ(read.parts.size(), 2u);
  EXPECT_EQ(read.parts[0].text, "Low tide.");
  EXPECT_EQ(read.parts[1].text, "High tide.");
}

TEST(ResponsesClient, ReadsReasoningRefusalsAndOtherItems) {
  const Events events = {
      {{"type", "response.output_item.done"},
       {"item",
        {{"type", "reasoning"},
         {"id", "r"},
         {"encrypted_content", "s"},
         {"summary", {{{"type", "summary_text"}, {"text", "Hm."}}}}}}},
      {{"type", "response.output_item.done"},
       {"item",
        {{"type", "message"}, {"id", "m"}, {"content", {{{"type", "refusal"}, {"refusal", "No."}}}}}}},
      {{"type", "response.output_item.done"}, {"item", {{"type", "web_search_call"}, {"id", "w"}}}},
      {{"type", "response.incomplete"},
       {"response", {{"incomplete_details", {{"reason", "content_filter"}}}}}}};
  const Answer read = answer(events);
  ASSERT_EQ(read.parts.size(), 3u);
  EXPECT_EQ(read.parts[0].kind, PartKind::thinking);
  EXPECT_EQ(read.parts[0].text, "Hm.");
  EXPECT_EQ(read.parts[0].signature, "s");
  EXPECT_EQ(read.parts[1].kind, PartKind::refusal);
  EXPECT_EQ(read.parts[2].kind, PartKind::other);
  EXPECT_EQ(read.finish->kind, FinishKind::filter);
  const NormalisedAnswer side = client().side(trace(events));
  EXPECT_EQ(side.prose(NormalisedAnswer::Kind::refusal), "No.");
  EXPECT_EQ(side.prose(NormalisedAnswer::Kind::text), "");
  EXPECT_EQ(side.others.size(), 1u);
}

TEST(ResponsesClient, RunsACallWhenItsItemIsDoneAndWhole) {
  const auto runs = [](const Events& events) { return client().side(trace(events)).runs.size(); };
  Events call = of_call("f", "function_call", "{}");
  EXPECT_EQ(runs(call), 1u);
  EXPECT_EQ(runs(call + Events{call.back()}), 2u);
  call.back()["item"]["status"] = "incomplete";
  EXPECT_EQ(runs(call), 0u);
  call.pop_back();
  EXPECT_EQ(runs(call), 0u);
}

TEST(ResponsesClient, ReadsAFailureInBothFormsOfAnError) {
  const json error = {{"code", "server_error"}, {"message", "Flooded."}};
  for (const json& last : {json{{"type", "response.failed"}, {"response", {{"error", error}}}},
                           json{{"type", "error"}, {"error", error}},
                           json{{"type", "error"}, {"code", "server_error"}, {"message", "Flooded."}}}) {
    const Answer read = answer({last});
    EXPECT_EQ(read.error, "Flooded.") << last;
    EXPECT_EQ(read.extra.at("the error's code"), "server_error") << last;
    EXPECT_TRUE(client().side(trace({last})).error);
  }
  EXPECT_TRUE(client().side(read_trace(client().lone_error(502), DataKind::json)).error);
}

TEST(ProgressOfResponses, CountsDeltasOnceAndWhatTheEndOfAPieceSaysBeyondThem) {
  const Events message = of_message("m", "Low tide.");
  EXPECT_EQ(told(Events(message.begin(), message.begin() + 2)), (Due{3, 0, 0}));
  EXPECT_EQ(told(message), (Due{9, 0, 0}));
  EXPECT_EQ(told({message[0], message[3]}), (Due{9, 0, 0}));
  EXPECT_EQ(told({message[0], message[1], message[4]}), (Due{9, 0, 0}));
  for (const char* type : {"function_call", "custom_tool_call"}) {
    const Events call = of_call("f", type, R"({"a":1})");
    EXPECT_EQ(told({call[0]}), (Due{0, 0, 1}));
    EXPECT_EQ(told(call), (Due{0, 7, 1})) << type;
    EXPECT_EQ(told({call[0], call[3]}), (Due{0, 7, 1})) << type;
    EXPECT_EQ(told({call[4]}), (Due{0, 7, 1})) << type;
  }
}

TEST(CarriesOfResponses, KnowCustomToolsByTheRequest) {
  const json request = {
      {"tools", {{{"type", "custom"}, {"name", "apply_patch"}}, {{"type", "function"}, {"name", "go"}}}}};
  EXPECT_EQ(client().carries(&request).custom_tools, std::set<std::string>{"apply_patch"});
  EXPECT_TRUE(client().carries(nullptr).custom_tools.empty());
}

// A tool that the upstream got as a function of one text comes back as that text.
TEST(CarriesOfResponses, ChangeWhatMustComeOfAnAnswer) {
  Answer said;
  said.done = true;
  said.finish = FinishReason{FinishKind::calls, "tool_calls"};
  Part call;
  call.kind = PartKind::call;
  call.id = "functions.go:0";
  call.name = "go";
  call.arguments = R"({"input":"a\n\"b"})";
  Part refusal;
  refusal.kind = PartKind::refusal;
  refusal.text = "No.";
  said.parts = {refusal, call};
  const json request = {{"tools", {{{"type", "custom"}, {"name", "go"}}}}};
  const Expected expected = expected_of(said, recording::End::complete, {}, client().carries(&request));
  EXPECT_EQ(expected.finish, Finish::stop);
  EXPECT_EQ(expected.parts.at(1).id, "functions.go:0");
  EXPECT_EQ(expected.parts.at(1).arguments, "a\n\"b");
  EXPECT_TRUE(expected_of(said, recording::End::complete, {}).parts.at(1).id.empty())
      << "others refuse the id";

  const Events message = {
      {{"type", "response.output_item.added"}, {"item", {{"type", "message"}, {"id", "m"}}}},
      {{"type", "response.output_item.done"},
       {"item",
        {{"type", "message"}, {"id", "m"}, {"content", {{{"type", "refusal"}, {"refusal", "No."}}}}}}}};
  const auto documents_with = [&](const std::string& type, const std::string& input) {
    Events tool = of_call("f", type, input);
    tool.back()["item"]["call_id"] = "functions.go:0";
    return documents(expected, client().side(trace(message + tool + kCompleted)));
  };
  const Documents same = documents_with("custom_tool_call", "a\n\"b");
  EXPECT_EQ(*same.expected, *same.got);
  EXPECT_EQ(same.got->at("refusal"), "No.");
  const Documents other = documents_with("function_call", call.arguments);
  EXPECT_NE(other.expected->at("takes"), other.got->at("takes"));
}

TEST(CarriesOfResponses, TakeAnyBeginningOfAnInputThatWasCutOff) {
  const json request = {{"tools", {{{"type", "custom"}, {"name", "go"}}}}};
  const std::string whole = R"({"input":"a\n\ud83c\udf0a b"})";
  const std::string input = "a\n\xF0\x9F\x8C\x8A b";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    Answer said;
    Part call;
    call.kind = PartKind::call;
    call.id = "call_f";
    call.name = "go";
    call.arguments = whole.substr(0, size);
    said.parts = {call};
    const Expected expected = expected_of(said, recording::End::closed, {}, client().carries(&request));
    EXPECT_TRUE(input.starts_with(expected.parts.at(0).arguments)) << size << expected.parts.at(0).arguments;
    const auto got = [&](const std::string& told) {
      return documents(expected, client().side(trace(of_call("f", "custom_tool_call", told + "  "))));
    };
    EXPECT_NE(got("zz").expected->at("inputs"), got("zz").got->at("inputs"));
    Events none = of_call("f", "custom_tool_call", "  ");
    none.resize(1);
    const Documents nothing = documents(expected, client().side(trace(none)));
    EXPECT_EQ(nothing.expected->at("inputs"), nothing.got->at("inputs"));
  }
}

}  // namespace
}  // namespace splitproof::dialect::responses_client_test
