#include "proxy/dialect/google_gemini/client_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/openai_chat/request.hpp"

namespace splitproof::proxy::dialect::google_gemini::client_request_test {
namespace {

using nlohmann::json;

const std::string kHi = R"("contents":[{"role":"user","parts":[{"text":"Hi"}]}])";

std::string request_with(const std::string& more) { return "{" + kHi + "," + more + "}"; }

std::string request_of(const std::string& contents) { return "{\"contents\":" + contents + "}"; }

// Returns the request as an upstream of Chat Completions gets it.
json upstream_of(const std::string& request) {
  const auto asked = read_gemini_request(request, Limits{});
  EXPECT_TRUE(asked) << asked.error().message;
  return asked ? json::parse(write_chat_request(*asked, {})) : json();
}

json messages_of(const std::string& contents) { return upstream_of(request_of(contents))["messages"]; }

std::string refusal_of(const std::string& request) {
  const auto asked = read_gemini_request(request, Limits{});
  return asked ? "none" : asked.error().message;
}

TEST(GeminiClientRequest, EachMemberReachesTheUpstream) {
  const json plain = upstream_of("{" + kHi + "}");
  EXPECT_EQ(plain["messages"], json::parse(R"([{"role":"user","content":"Hi"}])"));
  for (
      const auto& [members, added] : std::vector<std::pair<std::string, std::string>>{
          {R"("generationConfig":{"maxOutputTokens":7,"temperature":0.50,"topP":1})",
           R"({"max_tokens":7,"temperature":0.50,"top_p":1})"},
          {R"("generation_config":{"max_output_tokens":7,"top_p":0.5,"stop_sequences":["a","b"]})",
           R"({"max_tokens":7,"top_p":0.5,"stop":["a","b"]})"},
          {R"("generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}})",
           R"({"reasoning_effort":"low"})"},
          {R"("generationConfig":{"responseMimeType":"application/json"})",
           R"({"response_format":{"type":"json_object"}})"},
          {R"("generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"ARRAY","items":{"type":"STRING"}}})",
           R"({"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"array","items":{"type":"string"}}}}})"},
          {R"("generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"X"}})",
           R"({"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"X"}}}})"},
          {R"("generationConfig":{"topK":64,"seed":7,"candidateCount":1,"responseModalities":["TEXT"],"responseMimeType":"text/plain",
              "thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192,"thinkingLevel":"THINKING_LEVEL_UNSPECIFIED"}},
              "safetySettings":[{"category":"x"}],"labels":{"a":"b"},"tools":[{}],"unknown":1)",
           "{}"}}) {
    SCOPED_TRACE(members);
    json expected = plain;
    expected.update(json::parse(added));
    EXPECT_EQ(upstream_of(request_with(members)), expected);
  }
}

TEST(GeminiClientRequest, ContentsAndSystem) {
  EXPECT_EQ(upstream_of(R"({"systemInstruction":{"parts":[{"text":"s"},{"text":"t"}]},"contents":[
      {"parts":[{"text":"u"},{"inlineData":{"mimeType":"image/png","data":"AA=="}},
        {"fileData":{"mimeType":"image/png","fileUri":"https://x/i"}}]},
      {"role":"model","parts":[{"text":"t","thought":true,"thoughtSignature":"s"},{"text":"a"}]},
      {"role":"model","parts":[{"text":"b"},{"thoughtSignature":"s"},{"text":""}]},
      {"role":"user","parts":[{"text":""},{"text":"end"}]}]})")["messages"],
            json::parse(R"([{"role":"system","content":"s\n\nt"},
      {"role":"user","content":[{"type":"text","text":"u"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},
        {"type":"image_url","image_url":{"url":"https://x/i"}}]},
      {"role":"assistant","content":"a\n\nb"},{"role":"user","content":"end"}])"));
}

TEST(GeminiClientRequest, OneObjectIsAListOfOneAndNamesMayBeInSnakeCase) {
  EXPECT_EQ(upstream_of(R"({"system_instruction":{"parts":{"text":"s"}},"contents":{"role":"user","parts":[
      {"inline_data":{"mime_type":"image/png","data":"AA=="}}]},
      "tools":{"function_declarations":{"name":"f","parameters_json_schema":{"type":"object"}}},
      "tool_config":{"function_calling_config":{"mode":"any","allowed_function_names":["f"]}}})"),
            json::parse(R"({"model":"","messages":[{"role":"system","content":"s"},
      {"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}],
      "tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],
      "tool_choice":{"type":"function","function":{"name":"f"}},
      "stream":true,"stream_options":{"include_usage":true}})"));
}

TEST(GeminiClientRequest, CallsAndResultsPairById) {
  const json messages = messages_of(R"([{"parts":[{"text":"u"}]},
      {"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{"n": 1.50}},"thoughtSignature":"s"},
        {"functionCall":{"id":"b","name":"f"}}]},
      {"role":"user","parts":[{"functionResponse":{"id":"b","name":"f","response":{"output":"two"}}},
        {"functionResponse":{"id":"a","name":"f","response":{"result":1}}}]}])");
  EXPECT_EQ(messages[1]["tool_calls"],
            json::parse(R"([{"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\": 1.50}"}},
      {"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}])"));
  EXPECT_EQ(messages[2], json::parse(R"({"role":"tool","tool_call_id":"b","content":"two"})"));
  EXPECT_EQ(messages[3], json::parse(R"({"role":"tool","tool_call_id":"a","content":"{\"result\":1}"})"));
}

// Returns the calls and results in order, with the ids replaced by the numbers of their calls.
std::vector<std::string> pairs_in(const std::string& contents) {
  std::vector<std::string> pairs;
  json ids = json::object();
  for (const json& message : messages_of(contents)) {
    for (const json& call : message.value("tool_calls", json::array())) {
      EXPECT_FALSE(ids.contains(call["id"].get<std::string>())) << "each call has an id of its own";
      ids[call["id"].get<std::string>()] = ids.size();
    }
    if (message["role"] != "tool") continue;
    pairs.push_back(ids[message["tool_call_id"].get<std::string>()].dump() +
                    message["content"].get<std::string>());
  }
  return pairs;
}

TEST(GeminiClientRequest, ResultWithoutIdBelongsToTheFirstCallOfItsName) {
  const std::string call =
      R"({"functionCall":{"name":"f"}},{"functionCall":{"name":"g"}},{"functionCall":{"name":"f"}})";
  const auto result = [](const std::string& name, const std::string& text) {
    return R"({"functionResponse":{"name":")" + name + R"(","response":{"output":")" + text + "\"}}}";
  };
  EXPECT_EQ(pairs_in(R"([{"role":"model","parts":[)" + call + R"(]},{"parts":[)" + result("g", "x") + "," +
                     result("f", "y") + R"(]},{"role":"function","parts":[)" + result("f", "z") + "]}]"),
            (std::vector<std::string>{"1x", "0y", "2z"}));
  // An earlier call stays without a result.
  EXPECT_EQ(pairs_in(R"([{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"parts":[{"text":"no"}]},
      {"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"role":"model","parts":[{"text":""}]},{"parts":[)" +
                     result("f", "x") + "]}]"),
            (std::vector<std::string>{"1x"}));
  // A client may name only the function of a call with an id.
  EXPECT_EQ(pairs_in(R"([{"role":"model","parts":[{"functionCall":{"name":"f","id":"a"}},
      {"functionCall":{"name":"f","id":"b"}}]},{"parts":[)" +
                     result("f", "x") + "," + result("f", "y") + "]}]"),
            (std::vector<std::string>{"0x", "1y"}));
}

TEST(GeminiClientRequest, ResultsOfEachForm) {
  const auto result = [](const std::string& response) {
    const auto asked =
        read_gemini_request(request_of(R"([{"role":"model","parts":[{"functionCall":{"name":"f"}}]},
          {"parts":[{"functionResponse":{"name":"f","response":)" +
                                       response + "}}]}]"),
                            Limits{});
    const auto& read = std::get<request::Result>(asked->turns.at(1).blocks.at(0));
    std::string told = read.error ? "error: " : "";
    for (const auto& part : read.content) {
      const auto* text = std::get_if<request::Text>(&part);
      told += text != nullptr ? request::plain(text->text) : "<" + std::get<request::Image>(part).data + ">";
    }
    return told;
  };
  EXPECT_EQ(result(R"({"output":"a\nb"})"), "a\nb");
  EXPECT_EQ(result(R"({"output":{"k": [1.0]}})"), R"({"k": [1.0]})");
  EXPECT_EQ(result(R"({"error":"bad"})"), "error: bad");
  EXPECT_EQ(result(R"({"output":"a","more":1})"), R"({"output":"a","more":1})");
  EXPECT_EQ(result("{}"), "{}");
  EXPECT_EQ(result(R"({"output":"a"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}}])"),
            "a<AA==>");
}

TEST(GeminiClientRequest, SchemasBecomeJsonSchema) {
  const auto schema = [](const std::string& parameters) {
    return upstream_of(request_with(R"("tools":[{"functionDeclarations":[{"name":"f","description":"d",)" +
                                    parameters + "}]}]"))["tools"][0]["function"]["parameters"];
  };
  EXPECT_EQ(
      schema(
          R"("parameters":{"type":"OBJECT","properties":{"type":{"type":"STRING","nullable":true,"enum":["A","B"],
        "format":"enum"},"list":{"type":"ARRAY","minItems":"2","max_items":3,"items":{"type":"NUMBER","minimum":0.50}},
        "one":{"anyOf":[{"type":"INTEGER"},{"type":"NULL"}]},"any":{"type":"TYPE_UNSPECIFIED"}},
        "propertyOrdering":["list"],"property_ordering":["a"],"required":["list"],"nullable":false})"),
      json::parse(R"({"type":"object","properties":{"type":{"type":["string","null"],"enum":["A","B",null],
        "format":"enum"},"list":{"type":"array","minItems":2,"maxItems":3,"items":{"type":"number","minimum":0.50}},
        "one":{"anyOf":[{"type":"integer"},{"type":"null"}]},"any":{}},"required":["list"]})"));
  EXPECT_EQ(
      schema(R"("parametersJsonSchema":{"type":"OBJECT","nullable":true},"parameters":{"type":"STRING"})"),
      json::parse(R"({"type":"OBJECT","nullable":true})"));
  EXPECT_EQ(schema(R"("behavior":"BLOCKING")"), json::parse(R"({"type":"object","properties":{}})"));
  EXPECT_EQ(schema(R"("parameters":{"minItems":"many"})"), json::parse(R"({"minItems":"many"})"));
}

TEST(GeminiClientRequest, ChoicesOfTools) {
  const auto asked = [](const std::string& config) {
    const json request = upstream_of(request_with(
        R"("tools":[{"functionDeclarations":[{"name":"f"}]},{"functionDeclarations":[{"name":"g"},{"name":"h"}]}],
          "toolConfig":{"functionCallingConfig":)" +
        config + "}"));
    std::string names;
    for (const json& tool : request.value("tools", json::array()))
      names += tool["function"]["name"].get<std::string>();
    return names + " " + request.value("tool_choice", json("auto")).dump();
  };
  EXPECT_EQ(asked("{}"), R"(fgh "auto")");
  EXPECT_EQ(asked(R"({"mode":"AUTO"})"), R"(fgh "auto")");
  EXPECT_EQ(asked(R"({"mode":"VALIDATED","allowedFunctionNames":["h"]})"), R"(h "auto")");
  EXPECT_EQ(asked(R"({"mode":"ANY"})"), R"(fgh "required")");
  EXPECT_EQ(asked(R"({"mode":"ANY","allowedFunctionNames":["f","h"]})"), R"(fh "required")");
  EXPECT_EQ(asked(R"({"mode":"ANY","allowedFunctionNames":["g"]})"),
            R"(fgh {"function":{"name":"g"},"type":"function"})");
  EXPECT_EQ(asked(R"({"mode":"NONE"})"), R"( "auto")") << "an upstream without tools calls none";
}

TEST(GeminiClientRequest, RefusesContentThatCannotBeTranslated) {
  const auto refused_part = [](const std::string& role, const std::string& part) {
    return refusal_of(request_of(R"([{"role":")" + role + R"(","parts":[)" + part + "]}]"));
  };
  EXPECT_EQ(refused_part("user", R"({"inlineData":{"mimeType":"audio/wav","data":"AA=="}})"),
            "contents.0.parts.0.inlineData.mimeType: is a kind of content that cannot be translated");
  EXPECT_EQ(refused_part("user", R"({"fileData":{"mimeType":"image/png","fileUri":"gs://b/o"}})"),
            "contents.0.parts.0.fileData.fileUri: names a file that only the provider has");
  EXPECT_EQ(refused_part("user", R"({"functionResponse":{"name":"f","response":{}}})"),
            "contents.0.parts.0.functionResponse: is the result of no call in the content before it");
  EXPECT_EQ(refused_part("user", R"({"functionCall":{"name":"f"}})"),
            "contents.0.parts.0: is a kind of content that cannot be translated");
  EXPECT_EQ(refused_part("model", R"({"executableCode":{"code":"1"}})"),
            "contents.0.parts.0: is a kind of content that cannot be translated");
  EXPECT_EQ(refused_part("model", R"({"inlineData":{"mimeType":"image/png","data":"AA=="}})"),
            "contents.0.parts.0: holds an image, which only a user can send");
  EXPECT_EQ(refused_part("model", R"({"functionCall":{"name":"f","args":"{}"}})"),
            "contents.0.parts.0.functionCall.args: has to be an object");
  EXPECT_EQ(refused_part("system", R"({"text":"a"})"), "contents.0.role: has to be user or model");
  EXPECT_EQ(refused_part("user", "7"), "contents.0.parts.0: has to be an object");
}

TEST(GeminiClientRequest, RefusesMembersThatWouldChangeTheAnswer) {
  for (const auto& [members, refusal] : std::vector<std::pair<std::string, std::string>>{
           {R"("tools":[{"googleSearch":{}}])",
            "tools.0.googleSearch: is a tool that the provider runs, which the upstream does not have"},
           {R"("tools":[{"functionDeclarations":[]},{"code_execution":{}}])",
            "tools.1.code_execution: is a tool that the provider runs, which the upstream does not have"},
           {R"("tools":[{"functionDeclarations":[{"name":"f"},{"name":"f"}]}])",
            "tools.0.functionDeclarations.1.name: is that of another tool, too"},
           {R"("tools":[{"functionDeclarations":[{"name":"f","parameters":7}]}])",
            "tools.0.functionDeclarations.0.parameters: has to be an object"},
           {R"("toolConfig":{"functionCallingConfig":{"mode":"ANY"}})",
            "tool_choice: asks for a tool, and there are none that the upstream can be given"},
           {R"("toolConfig":{"functionCallingConfig":{"mode":"MAYBE"}})",
            "toolConfig.functionCallingConfig.mode: has to be AUTO, ANY, NONE or VALIDATED"},
           {R"("cachedContent":"c")", "cachedContent: names content that only the provider has"},
           {R"("generationConfig":{"candidateCount":2})",
            "generationConfig.candidateCount: has to be 1: the upstream is asked for one answer"},
           {R"("generationConfig":{"responseModalities":["TEXT","IMAGE"]})",
            "generationConfig.responseModalities: can be TEXT alone"},
           {R"("generationConfig":{"responseMimeType":"text/x.enum"})",
            "generationConfig.responseMimeType: has to be text/plain or application/json"},
           {R"("generationConfig":{"maxOutputTokens":0})",
            "generationConfig.maxOutputTokens: has to be a whole number above 0"},
           {R"("generationConfig":{"stopSequences":"a"})",
            "generationConfig.stopSequences: has to be a list of strings"},
           {R"("generationConfig":[])", "generationConfig: has to be an object"}}) {
    EXPECT_EQ(refusal_of(request_with(members)), refusal) << members;
  }
  EXPECT_EQ(refusal_of("{}"), "contents: field required");
  EXPECT_EQ(refusal_of(R"({"contents":[]})"), "contents: has no content");
  EXPECT_EQ(refusal_of(R"({"contents":7})"), "contents: has to be a list");
  EXPECT_EQ(refusal_of("[]"), "the request has to be a JSON object");
  EXPECT_EQ(refusal_of("{"), "the request is not valid JSON");
}

TEST(GeminiClientRequest, KeepsTheLimits) {
  Limits limits;
  limits.messages = 1;
  EXPECT_FALSE(
      read_gemini_request(request_of(R"([{"parts":[{"text":"a"}]},{"parts":[{"text":"b"}]}])"), limits));
  limits = {};
  limits.tools = 1;
  EXPECT_FALSE(read_gemini_request(
      request_with(R"("tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}])"), limits));
  limits = {};
  limits.history_calls = 0;
  EXPECT_FALSE(read_gemini_request(
      request_of(R"([{"role":"model","parts":[{"functionCall":{"name":"f"}}]}])"), limits));
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::client_request_test
