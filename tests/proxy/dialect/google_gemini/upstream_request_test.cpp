#include "proxy/dialect/google_gemini/upstream_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/proxy/request/requests.hpp"

namespace splitproof::proxy::dialect::google_gemini::upstream_request_test {
namespace {

using nlohmann::json;
using request::requests::asked_of;
using request::requests::between;
using request::requests::body_of;
using request::requests::messages;
using request::requests::tools;

json from_messages(json members) {
  return asked_of(between("anthropic.messages", "google.gemini"), messages(std::move(members)));
}

json from_responses(json members) {
  members["model"] = "m";
  if (!members.contains("input")) members["input"] = "Hi";
  return asked_of(between("openai.responses", "google.gemini"), members);
}

json from_chat(const char* messages, const char* rest = "{}") {
  json body = json::parse(rest);
  body["model"] = "m";
  body["messages"] = json::parse(messages);
  return asked_of(between("openai.chat", "google.gemini"), body);
}

json contents_of(const char* turns) { return from_messages({{"messages", json::parse(turns)}})["contents"]; }

TEST(GeminiRequest, ModelAndStreamAreNotInTheBody) {
  const json plain = json::parse(
      R"({"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"generationConfig":{"maxOutputTokens":9}})");
  for (const bool stream : {true, false}) EXPECT_EQ(from_messages({{"stream", stream}}), plain);
}

TEST(GeminiRequest, ContentsAlternate) {
  EXPECT_EQ(from_chat(R"([{"role":"user","content":"a"},{"role":"user","content":"b"},
                          {"role":"assistant","content":"c"},{"role":"assistant","content":"d"},
                          {"role":"user","content":"e"}])")["contents"],
            json::parse(R"([{"role":"user","parts":[{"text":"a"},{"text":"b"}]},
                            {"role":"model","parts":[{"text":"c"},{"text":"d"}]},
                            {"role":"user","parts":[{"text":"e"}]}])"));
}

TEST(GeminiRequest, AllTextsOfTheSystemAreTheInstruction) {
  const json body = from_chat(R"([{"role":"system","content":"S\n\"1\""},{"role":"user","content":"a"},
                                  {"role":"developer","content":"S2"},{"role":"user","content":"b"}])");
  EXPECT_EQ(body["systemInstruction"], json::parse(R"({"parts":[{"text":"S\n\"1\""},{"text":"S2"}]})"));
  EXPECT_EQ(body["contents"], json::parse(R"([{"role":"user","parts":[{"text":"a"},{"text":"b"}]}])"));
}

TEST(GeminiRequest, ResultsFollowTheirCallsInOrder) {
  EXPECT_EQ(contents_of(R"([{"role":"user","content":"Hi"},
          {"role":"assistant","content":[{"type":"text","text":"I look."},
            {"type":"tool_use","id":"c1","name":"f","input":{"a":[1]}},
            {"type":"tool_use","id":"c2","name":"f","input":{}}]},
          {"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"{\"n\": 1}"},
            {"type":"tool_result","tool_use_id":"c1","content":"4 \"m\""},{"type":"text","text":"And?"}]}])"),
            json::parse(R"([{"role":"user","parts":[{"text":"Hi"}]},
          {"role":"model","parts":[{"text":"I look."},{"functionCall":{"id":"c1","name":"f","args":{"a":[1]}}},
            {"functionCall":{"id":"c2","name":"f","args":{}}}]},
          {"role":"user","parts":[
            {"functionResponse":{"id":"c1","name":"f","response":{"output":"4 \"m\""}}},
            {"functionResponse":{"id":"c2","name":"f","response":{"n":1}}},{"text":"And?"}]}])"));
}

TEST(GeminiRequest, ObjectsAndArgumentsKeepTheirBytes) {
  const std::string body = body_of(between("anthropic.messages", "google.gemini"),
                                   R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"},
      {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"n":9007199254740993.0}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"{\"m\" : 1.50}"}]}]})");
  EXPECT_NE(body.find(R"("args":{"n":9007199254740993.0})"), std::string::npos) << body;
  EXPECT_NE(body.find(R"("response":{"m" : 1.50})"), std::string::npos) << body;
}

TEST(GeminiRequest, ResultsThatAreNoObject) {
  const auto response = [](const json& result) {
    json turns = json::parse(R"([{"role":"user","content":"Hi"},
        {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}])");
    json block = {{"type", "tool_result"}, {"tool_use_id", "c"}};
    block.update(result);
    turns.push_back({{"role", "user"}, {"content", json::array({block})}});
    return from_messages({{"messages", turns}})["contents"][2]["parts"][0]["functionResponse"]["response"];
  };
  EXPECT_EQ(response({{"content", "[1]"}}), json::parse(R"({"output":"[1]"})"));
  EXPECT_EQ(response({{"content", ""}}), json::parse(R"({"output":""})"));
  EXPECT_EQ(response({{"content", "{} {}"}}), json::parse(R"({"output":"{} {}"})"));
  EXPECT_EQ(response({{"content", "no"}, {"is_error", true}}), json::parse(R"({"error":"no"})"));
  EXPECT_EQ(response({{"content", "{\"a\":1}"}, {"is_error", true}}),
            json::parse(R"({"error":"{\"a\":1}"})"));
}

TEST(GeminiRequest, ResultWithoutItsCallBecomesWords) {
  EXPECT_EQ(contents_of(
                R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"4 m"}]}])"),
            json::parse(R"([{"role":"user","parts":[{"text":"A tool gave:\n4 m"}]}])"));
}

TEST(GeminiRequest, Images) {
  EXPECT_EQ(contents_of(R"([{"role":"user","content":[{"type":"text","text":"See"},
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}},
          {"type":"image","source":{"type":"url","url":"https://a/b.png"}}]}])"),
            json::parse(R"([{"role":"user","parts":[{"text":"See"},
          {"inlineData":{"mimeType":"image/png","data":"QUJD"}},{"fileData":{"fileUri":"https://a/b.png"}}]}])"));
  EXPECT_EQ(contents_of(R"([{"role":"user","content":"Hi"},
          {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]},
          {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"4 m"},
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]}]}])")
                [2]["parts"],
            json::parse(R"([{"functionResponse":{"id":"c","name":"f","response":{"output":"4 m"}}},
          {"text":"Image in the result of c:"},{"inlineData":{"mimeType":"image/png","data":"QUJD"}}])"));
}

TEST(GeminiRequest, ToolsAndTheirChoice) {
  const auto choice = [](const char* choice) {
    return from_messages({{"tools", tools({"f", "g"})}, {"tool_choice", json::parse(choice)}});
  };
  const json declared = choice(R"({"type":"auto"})");
  EXPECT_EQ(declared["tools"], json::parse(R"([{"functionDeclarations":[
      {"name":"f","description":"does f","parametersJsonSchema":{"type":"object","properties":{"path":{"type":"string"}}}},
      {"name":"g","description":"does g","parametersJsonSchema":{"type":"object","properties":{"path":{"type":"string"}}}}
      ]}])"));
  EXPECT_FALSE(declared.contains("toolConfig"));
  const auto config = [&](const char* said) { return choice(said)["toolConfig"]["functionCallingConfig"]; };
  EXPECT_EQ(config(R"({"type":"none"})"), json::parse(R"({"mode":"NONE"})"));
  EXPECT_EQ(config(R"({"type":"any"})"), json::parse(R"({"mode":"ANY"})"));
  EXPECT_EQ(config(R"({"type":"tool","name":"g"})"),
            json::parse(R"({"mode":"ANY","allowedFunctionNames":["g"]})"));
  EXPECT_FALSE(from_messages({}).contains("tools"));
}

TEST(GeminiRequest, NamesOfToolsFitTheProtocol) {
  for (const char* name : {"f", "_f", "mcp__a__b-c.d:e", "F9"}) EXPECT_EQ(gemini_tool_name(name), name);
  EXPECT_EQ(gemini_tool_name("9f"), "_9f");
  EXPECT_EQ(gemini_tool_name("a/b c"), "a_b_c");
  EXPECT_EQ(gemini_tool_name(""), "_");
  EXPECT_EQ(gemini_tool_name(std::string(99, 'f')), std::string(64, 'f'));
}

TEST(GeminiRequest, Generation) {
  EXPECT_EQ(from_messages(
                {{"temperature", 0.5}, {"top_p", 0.9}, {"stop_sequences", {"a", "b"}}})["generationConfig"],
            json::parse(R"({"maxOutputTokens":9,"temperature":0.5,"topP":0.9,"stopSequences":["a","b"]})"));
  EXPECT_EQ(from_chat(R"([{"role":"user","content":"Hi"}])",
                      R"({"response_format":{"type":"json_object"}})")["generationConfig"],
            json::parse(R"({"responseMimeType":"application/json"})"));
  EXPECT_EQ(from_responses(
                {{"text",
                  json::parse(R"({"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}})")}})
                ["generationConfig"],
            json::parse(R"({"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}})"));
  EXPECT_FALSE(from_responses({}).contains("generationConfig"));
  EXPECT_EQ(from_messages({{"stop_sequences", {"a", "b", "c", "d", "e", "f"}}}),
            "refused: texts that end the answer: the upstream's protocol has five at most");
}

TEST(GeminiRequest, EffortIsABudgetAndRequestsThoughts) {
  const auto thinking = [](const char* effort) {
    return from_responses({{"reasoning", {{"effort", effort}}}})["generationConfig"]["thinkingConfig"];
  };
  EXPECT_EQ(thinking("none"), json::parse(R"({"thinkingBudget":0})"));
  EXPECT_EQ(thinking("minimal"), json::parse(R"({"includeThoughts":true,"thinkingBudget":1024})"));
  EXPECT_EQ(thinking("low"), thinking("minimal"));
  EXPECT_EQ(thinking("medium"), json::parse(R"({"includeThoughts":true,"thinkingBudget":8192})"));
  EXPECT_EQ(thinking("high"), json::parse(R"({"includeThoughts":true,"thinkingBudget":24576})"));
}

TEST(GeminiRequest, PathHasTheModelAndAsksForEvents) {
  constexpr const char* kVersioned = "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse";
  constexpr const char* kBare = "/models/gemini-2.5-pro:streamGenerateContent?alt=sse";
  for (const char* base :
       {"https://generativelanguage.googleapis.com", "http://127.0.0.1:80", "http://h/proxy", ""})
    EXPECT_EQ(gemini_path(base, "gemini-2.5-pro"), kVersioned) << base;
  for (const char* base : {"https://h/v1beta", "https://h/v1", "https://h/v1beta/",
                           "https://h/v1/projects/p/locations/l/publishers/google"})
    EXPECT_EQ(gemini_path(base, "gemini-2.5-pro"), kBare) << base;
  EXPECT_EQ(gemini_path("", "models/gemini-2.5-pro"), kVersioned);
  EXPECT_EQ(gemini_path("/v1", "m", false), "/models/m:generateContent");
  EXPECT_EQ(gemini_path("", "../a?b#\xC3\xA9 \r\n"),
            "/v1beta/models/..%2Fa%3Fb%23%C3%A9%20%0D%0A:streamGenerateContent?alt=sse");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::upstream_request_test
