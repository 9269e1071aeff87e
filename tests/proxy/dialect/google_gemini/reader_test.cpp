#include "proxy/dialect/google_gemini/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/proxy/dialect/notation.hpp"

namespace splitproof::proxy::dialect::google_gemini::reader_test {
namespace {

using Frames = std::vector<wire::Frame>;

std::string read(const Frames& frames, Limits limits = {}) {
  GeminiReader reader(limits);
  std::vector<turn::Event> events;
  for (const wire::Frame& frame : frames) reader.read(frame, events);
  reader.finish(turn::BodyEnd::complete, events);
  std::erase_if(events, [](const turn::Event& event) { return std::holds_alternative<turn::Begin>(event); });
  return notation(events);
}

// Returns a frame with these parts, and more members of the candidate.
wire::Frame parts(const std::string& json, const std::string& rest = "") {
  return {"",
          R"({"candidates":[{"content":{"parts":[)" + json + R"(],"role":"model"},"index":0)" + rest + "}]}"};
}

wire::Frame end(const std::string& reason) {
  return {"", R"({"candidates":[{"finishReason":)" + reason + "}]}"};
}

std::string read_parts(const std::string& json) { return read({parts(json)}); }

std::string call(const std::string& members) { return R"({"functionCall":{)" + members + "}}"; }

// Reads a call in pieces, each with these values.
std::string pieces(const std::vector<std::string>& values) {
  Frames frames = {parts(call(R"("name":"f","willContinue":true)"))};
  for (const std::string& value : values)
    frames.push_back(parts(call(R"("partialArgs":[)" + value + R"(],"willContinue":true)")));
  frames.push_back(parts(call("")));
  return read(frames);
}

TEST(GeminiReader, TextAndThinkingInTheirOrder) {
  EXPECT_EQ(
      read_parts(R"({"text":"t","thought":true},{"text":"a"},{"text":"b"},{"thought":true,"text":"u"})"),
      "thinking(t) text(a) text(b) thinking(u)");
  EXPECT_EQ(read_parts(R"({"text":"t","thought":false},{"text":"u","thought":"true"},{"text":""})"),
            "text(t) text(u)");
  EXPECT_EQ(read({parts(R"({"text":"\ud83d"})"), parts(R"({"text":"\ude00"})")}),
            "text(\xED\xA0\xBD) text(\xED\xB8\x80)");
}

TEST(GeminiReader, SignaturesAreNoContent) {
  EXPECT_EQ(read_parts(R"({"text":"a","thoughtSignature":"s"},{"text":"","thoughtSignature":"s"},)"
                       R"({"thoughtSignature":"s"},{"text":"t","thought":true,"thoughtSignature":"s"},)"
                       R"({"functionCall":{"name":"f"},"thoughtSignature":"s"})"),
            "text(a) thinking(t) call0(,f,{})");
}

TEST(GeminiReader, WholeCalls) {
  EXPECT_EQ(read_parts(call(R"("name":"f","args":{"n" : 9007199254740993.0})") + "," +
                       call(R"("id":"i","name":"f","args":{})")),
            R"(call0(,f,{"n" : 9007199254740993.0}) call1(i,f,{}))");
  EXPECT_EQ(read_parts(call(R"("name":"f")") + "," + call(R"("name":"f")") + "," +
                       call(R"("name":"f","args":null,"willContinue":false)")),
            "call0(,f,{}) call1(,f,{}) call2(,f,{})");
  EXPECT_EQ(read_parts(call(R"("name":"f","args":"{\"a\":1}")") + "," + call(R"("name":"f","args":[1])")),
            R"(call0(,f,{"a":1}) call1(,f,[1]))");
  EXPECT_EQ(read_parts(call("")), "");
}

TEST(GeminiReader, OnlyACallWithoutAnIdSaysThatNoneComes) {
  GeminiReader reader(Limits{});
  std::vector<turn::Event> events;
  reader.read(parts(call(R"("name":"f")") + "," + call(R"("id":"i","name":"f")")), events);
  EXPECT_TRUE(std::get<turn::CallPiece>(events.at(1)).no_id);
  EXPECT_FALSE(std::get<turn::CallPiece>(events.at(2)).no_id);
}

TEST(GeminiReader, ArgumentsInPieces) {
  EXPECT_EQ(pieces({}), "call0(,f,{})");
  EXPECT_EQ(
      pieces({R"({"jsonPath":"$.a","stringValue":"x","willContinue":true})",
              R"({"jsonPath":"$.a","stringValue":"y\"","willContinue":true})",
              R"({"jsonPath":"$.a","stringValue":""})",
              R"({"jsonPath":"$.b[0]['c.d']","numberValue":1.50},{"jsonPath":"$.b[1]","boolValue":false})",
              R"({"jsonPath":"$[\"e'\"].f","nullValue":null})"}),
      R"(call0(,f,{"a":"xy\"","b":[{"c.d":1.50},false],"e'":{"f":null}}))");
  EXPECT_EQ(pieces({R"({"jsonPath":"$.a","stringValue":"\ud83d","willContinue":true})",
                    R"({"jsonPath":"$.a","stringValue":"\ude00"})"}),
            "call0(,f,{\"a\":\"\xF0\x9F\x98\x80\"})");
  EXPECT_EQ(pieces({R"({"jsonPath":"$.a","stringValue":"x"})", R"({"jsonPath":"$.a","stringValue":"y"})"}),
            R"(call0(,f,{"a":"y"}))")
      << "a string that has ended is replaced";
  EXPECT_EQ(pieces({R"({"jsonPath":"$.a","stringValue":"x","willContinue":true})", R"({"jsonPath":"$.a"})"}),
            R"(call0(,f,{"a":"x"}))");
}

TEST(GeminiReader, LastPieceMayHaveArguments) {
  EXPECT_EQ(read({parts(call(R"("id":"i","name":"f","willContinue":true)")),
                  parts(call(R"("partialArgs":[{"jsonPath":"$.a","numberValue":1}])") + R"(,{"text":"b"})")}),
            R"(call0(i,f,{"a":1}) text(b))");
  EXPECT_EQ(read_parts(call(R"("name":"f","partialArgs":[{"jsonPath":"$.a","boolValue":true}])")),
            R"(call0(,f,{"a":true}))");
  EXPECT_EQ(read_parts(call(R"("name":"f","args":{"a":1},"willContinue":true)") + "," + call("")),
            R"(call0(,f,{"a":1}))");
}

TEST(GeminiReader, PiecesThatFitNoPlaceAreAFailure) {
  for (const char* value :
       {R"({"stringValue":"x"})", R"({"jsonPath":"a","stringValue":"x"})",
        R"({"jsonPath":"$","stringValue":"x"})", R"({"jsonPath":"$.","stringValue":"x"})",
        R"({"jsonPath":"$.a[1]","stringValue":"x"})", R"({"jsonPath":"$.a[-1]","stringValue":"x"})",
        R"({"jsonPath":"$.a[0","stringValue":"x"})", R"({"jsonPath":"$['a'","stringValue":"x"})",
        R"({"jsonPath":"$['a]","stringValue":"x"})", R"({"jsonPath":"$[0]","stringValue":"x"})",
        R"({"jsonPath":"$.a"})", R"({"jsonPath":"$.a","stringValue":7})",
        R"({"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.a.b","stringValue":"x"})",
        R"({"jsonPath":"$.a.b","stringValue":"x"},{"jsonPath":"$.a","stringValue":"x"})",
        R"({"jsonPath":"$.a.b","stringValue":"x"},{"jsonPath":"$.a[0]","stringValue":"x"})"})
    EXPECT_EQ(pieces({value}).find("failure(api,the upstream sent a piece of arguments that fits no place"),
              0U)
        << value;
  EXPECT_EQ(read({parts(call(R"("name":"f","willContinue":true)")), parts(call(R"("name":"g")"))}),
            "failure(api,the upstream began a tool call before it ended another one)");
  EXPECT_EQ(
      read_parts(call(R"("name":"f","args":{"a":1},"partialArgs":[{"jsonPath":"$.b","numberValue":1}])")),
      "failure(api,the upstream sent the arguments of a tool call whole and in pieces)");
}

TEST(GeminiReader, ArgumentsInPiecesHaveLimits) {
  Limits limits;
  limits.json_depth = 9;
  const auto deep = [&](const std::string& path) {
    return read({parts(call(R"("name":"f","partialArgs":[{"jsonPath":")" + path + R"(","numberValue":1}])"))},
                limits);
  };
  EXPECT_EQ(deep("$.a.b.c.d.e.f.g.h.i"),
            R"(call0(,f,{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":1}}}}}}}}}))");
  EXPECT_EQ(deep("$.a.b.c.d.e.f.g.h.i.j"),
            "failure(api,the upstream sent a piece of arguments that fits no place in them)");
  limits.call_bytes = 2000;
  const std::string value(900, 'x');
  const auto piece = [&](const std::string& name) {
    return parts(call(name + R"("partialArgs":[{"jsonPath":"$.a","stringValue":")" + value +
                      R"(","willContinue":true}],"willContinue":true)"));
  };
  const wire::Frame first = piece(R"("name":"f",)");
  const wire::Frame more = piece("");
  EXPECT_EQ(read({first}, limits), "");
  EXPECT_EQ(read({first, first}, limits),
            "failure(api,the upstream began a tool call before it ended another one)");
  EXPECT_EQ(read({first, more, more}, limits),
            "failure(api,the upstream's tool calls are larger than one message may hold)");
}

TEST(GeminiReader, CallsBeyondTheLimitEndAtTheFirst) {
  Limits limits;
  limits.calls = 2;
  std::string many = call(R"("name":"f")");
  for (int i = 0; i < 5; ++i) many += "," + call(R"("name":"f")");
  EXPECT_EQ(read({parts(many)}, limits), "call0(,f,{}) call1(,f,{}) call2(,f,{})");
}

TEST(GeminiReader, ReasonsOfTheEnd) {
  for (const auto& [said, meant] : std::vector<std::pair<std::string, std::string>>{
           {R"("STOP")", "finished(stop)"},
           {"1", "finished(stop)"},
           {R"("MAX_TOKENS")", "finished(length)"},
           {"2", "finished(length)"},
           {R"("SAFETY")", "finished(content_filter)"},
           {"3", "finished(content_filter)"},
           {"4", "finished(content_filter)"},
           {R"("LANGUAGE")", "finished(content_filter)"},
           {R"("BLOCKLIST")", "finished(content_filter)"},
           {R"("PROHIBITED_CONTENT")", "finished(content_filter)"},
           {R"("SPII")", "finished(content_filter)"},
           {R"("IMAGE_SAFETY")", "finished(content_filter)"},
           {R"("IMAGE_PROHIBITED_CONTENT")", "finished(content_filter)"},
           {R"("IMAGE_RECITATION")", "finished(content_filter)"},
           {R"("MODEL_ARMOR")", "finished(content_filter)"},
           {R"("MALFORMED_FUNCTION_CALL")", "failure(api,the upstream broke off: malformed_function_call)"},
           {R"("UNEXPECTED_TOOL_CALL")", "failure(api,the upstream broke off: unexpected_tool_call)"},
           {R"("TOO_MANY_TOOL_CALLS")", "failure(api,the upstream broke off: too_many_tool_calls)"},
           {R"("MISSING_THOUGHT_SIGNATURE")",
            "failure(api,the upstream broke off: missing_thought_signature)"},
           {R"("MALFORMED_RESPONSE")", "failure(api,the upstream broke off: malformed_response)"},
           {R"("NO_IMAGE")", "failure(api,the upstream broke off: no_image)"},
           {R"("OTHER")", "finished(unknown: other)"},
           {"5", "finished(unknown: other)"},
           {"6", "finished(unknown: 6)"},
           {R"("EBB")", "finished(unknown: ebb)"},
           {R"("FINISH_REASON_UNSPECIFIED")", ""},
           {"0", ""},
           {"null", ""},
           {R"("")", ""}})
    EXPECT_EQ(read({parts(R"({"text":"a"})"), end(said)}), "text(a)" + (meant.empty() ? "" : " " + meant))
        << said;
}

TEST(GeminiReader, LastReasonCountsAndContentMayFollow) {
  EXPECT_EQ(read({end(R"("MAX_TOKENS")"), parts(R"({"text":"a"})", R"(,"finishReason":"STOP")"),
                  parts(R"({"text":"b"})", R"(,"finishReason":null)")}),
            "text(a) text(b) finished(stop)");
  EXPECT_EQ(read({end(R"("STOP")"), end(R"("SAFETY")")}), "finished(content_filter)");
}

TEST(GeminiReader, BlockedPromptEndsInAFilter) {
  const auto feedback = [](const std::string& reason, const std::string& rest = "") {
    return wire::Frame{"", R"({"promptFeedback":{"blockReason":)" + reason + "}" + rest + "}"};
  };
  for (const char* reason : {R"("SAFETY")", R"("OTHER")", R"("EBB")", "1"})
    EXPECT_EQ(read({feedback(reason)}), "finished(content_filter)") << reason;
  for (const char* none : {"null", "0", R"("")", R"("BLOCK_REASON_UNSPECIFIED")"})
    EXPECT_EQ(read({feedback(none)}), "") << none;
  EXPECT_EQ(read({feedback(R"("SAFETY")", R"(,"candidates":[{"finishReason":"STOP"}])")}), "finished(stop)");
  EXPECT_EQ(read({{"", R"({"promptFeedback":{"safetyRatings":[{"blocked":true}]}})"}}), "");
}

TEST(GeminiReader, CutOffAnswersHaveNoEnd) {
  const wire::Frame stop = parts(R"({"text":"a"})", R"(,"finishReason":"STOP")");
  const auto torn = [](const std::string& data) { return wire::Frame{"", data, false}; };
  EXPECT_EQ(read({parts(R"({"text":"a"})")}), "text(a)");
  for (const char* rest : {"", "{\"cand"}) {
    wire::Frame unclosed = torn(rest);
    unclosed.unclosed = true;
    EXPECT_EQ(read({stop, unclosed}), "text(a)") << "an array without its bracket";
    EXPECT_EQ(read({stop, torn(rest)}), "text(a) finished(stop)") << "an event";
  }
  EXPECT_EQ(read({torn(stop.data)}), "text(a) finished(stop)");
  EXPECT_EQ(read({parts(call(R"("name":"f","willContinue":true)")), stop}), "text(a)");
}

TEST(GeminiReader, OtherCandidatesAreLeftOut) {
  EXPECT_EQ(
      read({{"", R"({"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"SAFETY"},)"
                 R"({"index":0,"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]})"}}),
      "text(a) finished(stop)");
  EXPECT_EQ(read({{"", R"({"candidates":[{"index":1,"finishReason":"STOP"}]})"}}), "");
}

TEST(GeminiReader, MissingContentPartsAndRole) {
  for (const char* candidate :
       {"{}", R"({"content":{}})", R"({"content":null})", R"({"content":{"parts":null}})",
        R"({"content":{"parts":[]}})", R"({"content":{"parts":[{}]}})"})
    EXPECT_EQ(read({{"", R"({"candidates":[)" + std::string(candidate) + "]}"}, end(R"("STOP")")}),
              "finished(stop)")
        << candidate;
  for (const char* odd :
       {"{}", R"({"candidates":{}})", R"({"candidates":[7,null]})", R"({"usageMetadata":[]})"})
    EXPECT_EQ(read({{"", odd}}), "") << odd;
}

TEST(GeminiReader, OutputOtherThanText) {
  EXPECT_EQ(read_parts(R"({"inlineData":{"mimeType":"image/png","data":"QQ=="}})"), "unplaced(an image)");
  EXPECT_EQ(read_parts(R"({"inlineData":{"mimeType":"audio/wav","data":"QQ=="}})"), "unplaced(audio)");
  EXPECT_EQ(read_parts(R"({"fileData":{"mimeType":"video/mp4","fileUri":"gs://a"}})"), "unplaced(a video)");
  EXPECT_EQ(read_parts(R"({"fileData":{"mimeType":"application/pdf","fileUri":"gs://a"}})"),
            "unplaced(a file)");
  EXPECT_EQ(read_parts(R"({"tide":{"a":1}})"), "unplaced(content of an unknown kind)");
  EXPECT_EQ(read_parts(R"({"tide":{}},{"tide":null})"), "");
}

TEST(GeminiReader, WorkOfTheServerIsLeftOut) {
  EXPECT_EQ(
      read_parts(R"({"executableCode":{"language":"PYTHON","code":"1"}},)"
                 R"({"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},)"
                 R"({"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","id":"i"}},{"toolResponse":{"id":"i"}},)"
                 R"({"text":"a"})"),
      "text(a)");
}

TEST(GeminiReader, LastUsageWithACountIsValidAsAWhole) {
  const auto usage = [](const std::string& members) {
    return wire::Frame{"", R"({"usageMetadata":{)" + members + "}}"};
  };
  const wire::Frame all = usage(
      R"("promptTokenCount":12,"candidatesTokenCount":3,"thoughtsTokenCount":4,"toolUsePromptTokenCount":5,)"
      R"("cachedContentTokenCount":6,"totalTokenCount":24)");
  EXPECT_EQ(read({usage(R"("promptTokenCount":10,"candidatesTokenCount":9)"), all}), "usage(17,6,7,4)");
  EXPECT_EQ(read({all, usage(R"("trafficType":"ON_DEMAND")"), {"", R"({"usageMetadata":[]})"}}),
            "usage(17,6,7,4)");
  EXPECT_EQ(read({all, usage(R"("promptTokenCount":12,"thoughtsTokenCount":8)"), end(R"("STOP")")}),
            "usage(12,-,8,8) finished(stop)");
  EXPECT_EQ(read({usage(R"("trafficType":"ON_DEMAND")")}), "");
}

TEST(GeminiReader, ErrorsAndTheirKinds) {
  const auto error = [](const std::string& members) {
    return read({{"", R"({"error":{"message":"no",)" + members + "}}"}});
  };
  for (const auto& [status, kind] :
       std::vector<std::pair<std::string, std::string>>{{"RESOURCE_EXHAUSTED", "rate_limit"},
                                                        {"UNAVAILABLE", "overloaded"},
                                                        {"INVALID_ARGUMENT", "invalid_request"},
                                                        {"UNAUTHENTICATED", "authentication"},
                                                        {"PERMISSION_DENIED", "permission"},
                                                        {"NOT_FOUND", "not_found"},
                                                        {"INTERNAL", "api"},
                                                        {"DEADLINE_EXCEEDED", "api"},
                                                        {"EBB", "api"}})
    EXPECT_EQ(error(R"("status":")" + status + "\""), "failure(" + kind + ",no)");
  EXPECT_EQ(error(R"("code":429)"), "failure(rate_limit,no)");
  EXPECT_EQ(error(R"("code":400,"status":"NOT_FOUND")"), "failure(not_found,no)");
  EXPECT_EQ(read({{"", R"({"error":"no"})"}}), "failure(api,no)");
  EXPECT_EQ(read({{"error", R"({"message":"no","code":404})"}}), "failure(not_found,no)");
  EXPECT_EQ(read({parts(R"({"text":"a"})", R"(,"finishReason":"STOP")"), {"", R"({"error":{"code":503}})"}}),
            "text(a) failure(overloaded,the upstream reported an error) finished(stop)");
  EXPECT_EQ(read({{"", R"({"error":null})"}, {"", R"({"error":{}})"}}), "");
}

TEST(GeminiReader, UnreadableFrames) {
  EXPECT_EQ(read({parts(""), {"", "{"}}), "failure(api,a frame of the upstream is not JSON)");
  EXPECT_EQ(read({{"", "7"}}), "failure(api,a frame of the upstream is not a JSON object)");
  EXPECT_EQ(read({{"", "{\"a\":\"\xFF\"}"}}), "failure(api,a frame of the upstream is not JSON)");
  wire::Frame large;
  large.oversized = true;
  EXPECT_EQ(read({large}), "failure(api,a frame of the upstream is larger than 16777216 bytes)");
  EXPECT_EQ(read({{"", "[DONE]"}, {"ping", "x"}, end(R"("STOP")")}), "finished(stop)");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::reader_test
