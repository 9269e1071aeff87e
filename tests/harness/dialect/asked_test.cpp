// Requests of all dialects in one form, and the files that contain them.

#include "harness/observe/asked.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/captured_requests.hpp"
#include "harness/dialect/endpoints.hpp"
#include "harness/dialect/google_gemini/asked.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::dialect::asked_test {
namespace {

using nlohmann::json;

std::filesystem::path examples() {
  return std::filesystem::path(std::getenv("SPLITPROOF_SOURCE_ROOT")) / "contracts" / "falsifiers";
}

json asked_of(const std::string& protocol, const std::string& name) {
  const auto requests = captured_requests(name, observe::file_bytes(examples() / protocol / name));
  EXPECT_TRUE(requests) << name;
  return (*asked_trace(*request_reader_of(protocol + ".upstream"), requests->front())
               .events.front()
               .json)["asked"];
}

// Returns the content of a conversation, without the grouping and roles of a dialect.
json said(const json& asked) {
  json blocks = json::array();
  for (const json& turn : asked["turns"]) {
    for (const json& block : turn["blocks"]) {
      json told = {{"kind", block["kind"]}};
      for (const char* member : {"text", "name"})
        if (block.contains(member)) told[member] = block[member];
      if (block.contains("arguments")) told["arguments"] = json::parse(block["arguments"].get<std::string>());
      blocks.push_back(std::move(told));
    }
  }
  return blocks;
}

TEST(Asked, ConversationIsTheSameInEveryProtocol) {
  const json chat = asked_of("openai.chat", "request-tools.json");
  const json anthropic = asked_of("anthropic.messages", "request-tools.json");
  const json responses = asked_of("openai.responses", "request-tools.json");
  // The others contain one more thing: Chat the system prompt and its answer, they a text before the calls.
  json in_chat = said(chat);
  in_chat.erase(0);
  in_chat.erase(5);
  json in_anthropic = said(anthropic);
  in_anthropic.erase(1);
  json in_responses = said(responses);
  in_responses.erase(1);
  EXPECT_EQ(in_anthropic, in_responses);
  std::swap(in_chat[3], in_chat[4]);  // its results are in the order of the calls
  EXPECT_EQ(in_chat, in_anthropic);
  EXPECT_EQ(anthropic["system"][0]["text"], "Be short.");
  EXPECT_EQ(responses["system"][0]["text"], "Be short.");
  for (const json& asked : {chat, anthropic, responses}) {
    ASSERT_EQ(asked["tools"].size(), 2u);
    EXPECT_EQ(asked["tools"][1]["name"], "read_wind");
    EXPECT_EQ(asked["tools"][1]["schema"], chat["tools"][1]["schema"]);
  }
}

// Expects that each place in the form has the same JSON in the request.
void expect_places(const json& value, const json& body) {
  if (value.is_object() && value.contains("at") && value.contains("raw")) {
    EXPECT_EQ(body.at(json::json_pointer(value["at"].get<std::string>())), value["raw"]) << value["at"];
  }
  for (const json& inner : value)
    if (inner.is_structured()) expect_places(inner, body);
}

TEST(Asked, EachPartHasItsPointer) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples())) {
    if (entry.path().extension() != ".json") continue;
    const std::string side = entry.path().parent_path().filename().string() + ".upstream";
    const auto requests = captured_requests(entry.path().string(), observe::file_bytes(entry.path()));
    ASSERT_TRUE(requests) << entry.path();
    const RequestDialect& reader = *request_reader_of(side);
    if (!requests->front().body || !is_request_of(reader, requests->front())) continue;
    const observe::Trace trace = asked_trace(reader, requests->front());
    for (const char* part : {"system", "turns", "tools"}) {
      expect_places((*trace.events.front().json)["asked"][part], *requests->front().body);
    }
    ++files;
  }
  EXPECT_GE(files, 75u);
}

TEST(Asked, AnyJsonIsReadAsARequest) {
  const std::vector<json> odd = {json(),           json(1),        json("text"),
                                 json::array({1}), json::object(), json::array({json::array()})};
  for (const char* protocol : {"openai.chat.upstream", "anthropic.messages.upstream",
                               "openai.responses.upstream", "google.gemini.upstream"}) {
    const RequestDialect& reader = *request_reader_of(protocol);
    for (const json& inner : odd) {
      for (const char* name :
           {"messages", "input", "system", "instructions", "tools", "tool_choice", "stop_sequences",
            "contents", "systemInstruction", "toolConfig", "generationConfig"}) {
        RequestMessage message;
        message.body = std::make_shared<const json>(json{{name, inner}});
        EXPECT_EQ(asked_trace(reader, message).events.size(), 1u);
        for (const char* member : {"role", "content", "tool_calls", "type", "output", "summary", "function",
                                   "parts", "functionDeclarations"}) {
          message.body = std::make_shared<const json>(json{{name, json::array({json{{member, inner}}})}});
          EXPECT_EQ(asked_trace(reader, message).events.size(), 1u);
        }
      }
      RequestMessage message;
      message.body = std::make_shared<const json>(inner);
      EXPECT_EQ(asked_trace(reader, message).events.size(), 1u);
    }
  }
  EXPECT_EQ(request_reader_of("openai.chat"), nullptr);
  EXPECT_EQ(request_reader_of("ollama.chat.upstream"), nullptr);
}

/// Returns the calls and results of a request to Gemini, each with its id.
std::string connected(const std::string& contents) {
  const json body = {{"contents", json::parse(contents)}};
  std::string all;
  for (const observe::AskedTurn& turn : asked_of_gemini(body).turns)
    for (const observe::AskedBlock& block : turn.blocks)
      all += (block.kind == observe::AskedKind::call ? " call:" : " result:") + block.id.value_or("-");
  return all;
}

TEST(Asked, GeminiConnectsResultsByTheirIdsOrTheirNames) {
  const auto call = [](const std::string& members) { return R"({"functionCall":{)" + members + "}}"; };
  const auto result = [](const std::string& members) { return R"({"functionResponse":{)" + members + "}}"; };
  const std::string model = R"([{"role":"model","parts":[)";
  const std::string user = R"(]},{"role":"user","parts":[)";
  EXPECT_EQ(connected(model + call(R"("name":"f")") + "," + call(R"("name":"g")") + "," +
                      call(R"("name":"f")") + user + result(R"("name":"f")") + "," + result(R"("name":"f")") +
                      "," + result(R"("name":"g")") + "]}]"),
            " call:call 0 call:call 1 call:call 2 result:call 0 result:call 2 result:call 1");
  EXPECT_EQ(connected(model + call(R"("name":"f","id":"a")") + "," + call(R"("name":"f","id":"b")") + user +
                      result(R"("name":"f","id":"b")") + "," + result(R"("name":"f")") + "]}]"),
            " call:a call:b result:b result:a");
  EXPECT_EQ(connected(model + call(R"("name":"f")") + user + result(R"("name":"h")") + "]}]"),
            " call:call 0 result:no call of h");
}

TEST(Asked, GeminiHasTheFormOfAllDialects) {
  const json body = json::parse(R"({
    "system_instruction": {"parts": [{"text": "Be short."}]},
    "contents": [
      {"parts": [{"text": "Hi"}, {"inlineData": {"mimeType": "image/png", "data": "aGk="}}]},
      {"role": "model", "parts": [{"text": "Hm", "thought": true, "thoughtSignature": "s"},
                                  {"functionCall": {"name": "f", "args": {"a": 1}}}]},
      {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"result": "4 m"}}}]}],
    "tools": [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": {"type": "object"}}]}, {"googleSearch": {}}],
    "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
    "generationConfig": {"maxOutputTokens": 9, "stopSequences": ["END"], "responseMimeType": "application/json"}})");
  const observe::AskedRequest asked = asked_of_gemini(body);
  ASSERT_EQ(asked.system.size(), 1u);
  EXPECT_EQ(asked.system[0].text, "Be short.");
  ASSERT_EQ(asked.turns.size(), 3u);
  EXPECT_EQ(asked.turns[0].role, "user");
  EXPECT_EQ(asked.turns[0].blocks[1].images, std::vector<std::string>{"data:image/png;base64,aGk="});
  EXPECT_EQ(asked.turns[1].role, "assistant");
  EXPECT_EQ(asked.turns[1].blocks[0].seal, "s");
  EXPECT_EQ(asked.turns[1].blocks[1].arguments, R"({"a":1})");
  EXPECT_EQ(asked.turns[2].blocks[0].text, "4 m");
  ASSERT_EQ(asked.tools.size(), 2u);
  EXPECT_EQ(asked.tools[0].name, "f");
  EXPECT_EQ(asked.tools[1].kind, observe::AskedTool::hosted);
  EXPECT_EQ(asked.choice->mode, "one");
  EXPECT_EQ(asked.choice->name, "f");
  EXPECT_EQ(*asked.limit, 9);
  EXPECT_EQ(asked.stop, std::vector<std::string>{"END"});
  EXPECT_EQ(asked.format->kind, "json_object");
}

TEST(Asked, PathOfGeminiDecidesAboutTheStream) {
  EXPECT_TRUE(asks_for_stream("google.gemini", "/v1beta/models/m:streamGenerateContent?alt=sse", "{}"));
  EXPECT_FALSE(asks_for_stream("google.gemini", "/v1beta/models/m:generateContent", "{}"));
  EXPECT_FALSE(asks_for_stream("openai.chat", "/v1/chat/completions", "{}"));
  EXPECT_EQ(protocol_of_path("/v1beta/models/m:generateContent?key=k"), "google.gemini");
  EXPECT_EQ(protocol_of_path("/v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent"),
            "google.gemini");
}

TEST(CapturedRequests, AreBodiesExchangesOrLinesOfEither) {
  const auto body = captured_requests("f", " {\n\"model\": \"m\"\n}\n");
  ASSERT_TRUE(body);
  EXPECT_EQ((*body->front().body)["model"], "m");
  EXPECT_EQ(body->front().headers, nullptr);
  const std::string exchange =
      R"({"method":"POST","path":"/v1/messages?beta=true","headers":{"X-Api-Key":["k"]},"body":{"model":"m"}})";
  const auto lines = captured_requests(
      "f", exchange + "\n\n" + R"({"path":"/v1/models","body":null})" + "\r\n{\"model\":\"n\"}");
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->size(), 3u);
  EXPECT_EQ((*(*lines)[0].headers)["x-api-key"], "k");
  EXPECT_TRUE(is_request_of(*request_reader_of("anthropic.messages.upstream"), (*lines)[0]));
  EXPECT_FALSE(is_request_of(*request_reader_of("openai.chat.upstream"), (*lines)[0]));
  EXPECT_FALSE(is_request_of(*request_reader_of("openai.chat.upstream"), (*lines)[1]));
  EXPECT_TRUE(is_request_of(*request_reader_of("openai.chat.upstream"), (*lines)[2]));
  EXPECT_EQ((*lines)[2].line, 4u);
  EXPECT_EQ((*lines)[2].end - (*lines)[2].begin, 13u);
}

TEST(CapturedRequests, EvidenceGivesTheCallsOfTheUpstream) {
  const std::string head = R"({"evidence":1,"target":"t"})"
                           "\n"
                           R"({"case":"c","upstream":{}})"
                           "\n";
  const std::string call =
      R"({"call":{"method":"POST","target":"/v1/messages","headers":[["Host","h"]],"body":"{\"model\":\"m\"}"}})";
  const std::string bytes = R"({"call":{"method":"POST","target":"/v1/messages","body":{"base64":"/w=="}}})";
  const auto requests = captured_requests("f", head + call + "\n" + bytes + "\n{\"exhibits\":1}\n");
  ASSERT_TRUE(requests);
  ASSERT_EQ(requests->size(), 2u);
  EXPECT_EQ(requests->front().path, "/v1/messages");
  EXPECT_EQ((*requests->front().headers)["host"], "h");
  EXPECT_EQ((*requests->front().body)["model"], "m");
  EXPECT_EQ(requests->front().line, 3u);
  EXPECT_EQ(requests->back().body, nullptr);
  EXPECT_FALSE(captured_requests("f", head + R"({"exhibits":1})"));
}

TEST(CapturedRequests, UnreadableRequestsAreAnErrorWithItsPlace) {
  const auto broken = captured_requests("f", "{\n  \"model\": \"m\",\n  \"messages\": [}\n}\n");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().line, 3u);
  const auto later = captured_requests("f", "{\"model\":\"m\"}\n{\"model\":\n");
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().line, 2u);
  EXPECT_EQ(captured_requests("f", "[1]").error().what, "is JSON, but not an object");
  EXPECT_EQ(captured_requests("f", " \n").error().what, "has no request");
  const auto text = captured_requests("f", R"({"path":"/v1/messages","body":"{\"model\":"})");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->front().body, nullptr);
  EXPECT_FALSE(text->front().fault.empty());
}

}  // namespace
}  // namespace splitproof::dialect::asked_test
