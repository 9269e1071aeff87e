// Whole answers of Gemini, for every client and under every split.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/server/answer.hpp"
#include "proxy/translator.hpp"

namespace splitproof::proxy::dialect::google_gemini::answers_test {
namespace {

using nlohmann::json;

TranslatorOptions options_for(const ClientRow& client) {
  TranslatorOptions options;
  options.upstream = find_upstream("google.gemini");
  options.client = &client;
  options.reply.seed = 0xabc;
  return options;
}

// Feeds a chunk in an allocation of its exact size.
void feed(std::string_view chunk, Translator& translator, std::string& out) {
  const auto exact = std::make_unique<char[]>(chunk.size());
  chunk.copy(exact.get(), chunk.size());
  translator.feed({exact.get(), chunk.size()}, out);
}

Answer answer_of(const std::string& body, std::string_view client = "anthropic.messages") {
  const ClientRow& row = *find_client(client);
  Translator translator(options_for(row));
  std::string out;
  translator.feed(body, out);
  translator.finish(turn::BodyEnd::complete, out);
  return row.whole_answer(out);
}

const std::vector<std::string> kFrames = {
    R"({"candidates":[{"content":{"parts":[{"text":"Ebb\u00e9? \ud83c\udf0a","thought":true}],"role":"model"}}],"modelVersion":"gemini-fable"})",
    R"({"candidates":[{"content":{"parts":[{"text":"Low "},{"text":"tide.","thoughtSignature":"c2ln"}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"tide","args":{"at":"Leith"}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"tide","args":{"at":"Leith"}}}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"text":"After."}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"log","willContinue":true}}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"y"}]}}]}}]})",
    R"({"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":4,"thoughtsTokenCount":3,"totalTokenCount":16}})"};

std::string as_events(const std::vector<std::string>& frames, const std::string& line_end) {
  std::string body;
  for (const std::string& frame : frames) body += "data: " + frame + line_end + line_end;
  return body;
}

std::string as_array(const std::vector<std::string>& frames) {
  std::string body = "[";
  for (const std::string& frame : frames) body += (body.size() > 1 ? "\n,\r\n" : "") + frame;
  return body + "\n]\n";
}

// Returns one object with the parts of all frames.
std::string as_object(const std::vector<std::string>& frames) {
  json whole;
  for (const std::string& frame : frames) {
    json part = json::parse(frame);
    for (json& said : part["candidates"][0]["content"]["parts"])
      whole["candidates"][0]["content"]["parts"].push_back(said);
    if (part["candidates"][0].contains("finishReason"))
      whole["candidates"][0]["finishReason"] = part["candidates"][0]["finishReason"];
    part.erase("candidates");
    whole.update(part);
  }
  return whole.dump();
}

TEST(GeminiAnswers, MessageHasEveryPartInItsPlace) {
  const json message = json::parse(answer_of(as_events(kFrames, "\r\n")).body);
  EXPECT_EQ(message["content"], json::parse(R"([
      {"type":"thinking","thinking":"Ebb\u00e9? \ud83c\udf0a","signature":""},
      {"type":"text","text":"Low tide."},
      {"type":"tool_use","id":"toolu_0000000000000abc_2","name":"tide","input":{"at":"Leith"}},
      {"type":"tool_use","id":"toolu_0000000000000abc_3","name":"tide","input":{"at":"Leith"}},
      {"type":"text","text":"After."},
      {"type":"tool_use","id":"toolu_0000000000000abc_5","name":"log","input":{"a":"xy"}}])"));
  EXPECT_EQ(message["model"], "gemini-fable");
  EXPECT_EQ(message["stop_reason"], "tool_use");
  EXPECT_EQ(message["usage"]["input_tokens"], 9);
  EXPECT_EQ(message["usage"]["output_tokens"], 7);
}

TEST(GeminiAnswers, EveryFormIsTheSameAnswer) {
  for (const ClientRow& client : clients()) {
    if (client.protocol == "google.gemini") continue;  // a relay
    const Answer wanted = answer_of(as_events(kFrames, "\r\n"), client.protocol);
    EXPECT_EQ(wanted.status, 200) << wanted.body;
    for (const std::string& body :
         {as_events(kFrames, "\n"), as_events(kFrames, "\r"), as_array(kFrames), as_object(kFrames)})
      EXPECT_EQ(answer_of(body, client.protocol).body, wanted.body) << client.protocol;
  }
}

// Output and state depend on the bytes only.
TEST(GeminiAnswers, SameForEverySplit) {
  const std::vector<std::string> cut(kFrames.begin(), kFrames.begin() + 5);
  std::vector<std::string> failed = cut;
  failed.emplace_back(R"({"error":{"code":503,"message":"full","status":"UNAVAILABLE"}})");
  for (const ClientRow& client : clients()) {
    for (const std::string& body :
         {as_events(kFrames, "\r\n"), as_events(failed, "\r"), as_array(kFrames), as_array(failed),
          as_object(kFrames), as_events(cut, "\n") + R"({"error":{"code":499,"message":"gone"}})",
          as_array(cut).substr(0, 300)}) {
      std::vector<Translator> states = {Translator(options_for(client))};
      std::vector<std::string> outs(1);
      for (const char& byte : body) {
        states.push_back(states.back());
        outs.push_back(outs.back());
        feed({&byte, 1}, states.back(), outs.back());
      }
      for (std::size_t begin = 0; begin <= body.size(); begin += 7) {
        for (std::size_t end = begin; end <= body.size(); end += 1 + (end - begin) / 8) {
          Translator translator = states[begin];
          std::string out = outs[begin];
          feed(std::string_view(body).substr(begin, end - begin), translator, out);
          ASSERT_EQ(out, outs[end]) << client.protocol << " " << begin << " " << end;
          ASSERT_EQ(translator, states[end]) << client.protocol << " " << begin << " " << end;
        }
      }
    }
  }
}

TEST(GeminiAnswers, NoPrefixIsASuccess) {
  for (const ClientRow& client : clients()) {
    for (const std::string& body : {as_events(kFrames, "\r\n"), as_array(kFrames), as_object(kFrames)}) {
      // Only the end of a line, of the array or of the object may lack.
      for (std::size_t size = 0; size + 6 < body.size(); ++size)
        ASSERT_NE(answer_of(body.substr(0, size), client.protocol).status, 200)
            << client.protocol << " " << size;
    }
  }
}

TEST(GeminiAnswers, BlockedPromptIsNoSuccessWithoutAReason) {
  const std::string body =
      R"({"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4}})";
  for (const std::string& form : {as_events({body}, "\n"), as_array({body}), body}) {
    EXPECT_EQ(json::parse(answer_of(form).body)["stop_reason"], "refusal");
    EXPECT_EQ(json::parse(answer_of(form, "openai.chat").body)["choices"][0]["finish_reason"],
              "content_filter");
    EXPECT_EQ(json::parse(answer_of(form, "openai.responses").body)["status"], "incomplete");
  }
}

TEST(GeminiAnswers, ErrorsInPlaceOfAnAnswer) {
  const std::string error = R"({"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}})";
  for (const ClientRow& client : clients()) {
    if (client.protocol == "google.gemini") continue;  // a relay
    for (const std::string& body : {error, "[" + error + "]", "\n[\n " + error + "\n]\n"}) {
      for (const int status : {429, 500}) {
        const Answer answer = server::upstream_error(options_for(client), status, body, "7");
        EXPECT_EQ(answer.status, 429) << client.protocol << body;
        EXPECT_NE(answer.body.find("slow down"), std::string::npos) << client.protocol << body;
        EXPECT_EQ(answer.retry_after, "7");
      }
      const Answer in_stream = answer_of(body, client.protocol);
      EXPECT_EQ(in_stream.status, 429) << client.protocol << body;
    }
  }
}

TEST(GeminiAnswers, FilteredAndCutAnswersKeepTheirContent) {
  const auto body = [](const std::string& reason) {
    return as_events(
        {R"({"candidates":[{"content":{"parts":[{"text":"Low"}]},"finishReason":")" + reason + "\"}]}"},
        "\r\n");
  };
  const json cut = json::parse(answer_of(body("MAX_TOKENS")).body);
  EXPECT_EQ(cut["stop_reason"], "max_tokens");
  EXPECT_EQ(cut["content"][0]["text"], "Low");
  EXPECT_EQ(json::parse(answer_of(body("SAFETY")).body)["stop_reason"], "refusal");
  EXPECT_NE(answer_of(body("MALFORMED_FUNCTION_CALL")).status, 200);
  EXPECT_NE(answer_of(body("OTHER")).status, 200);
  EXPECT_EQ(json::parse(answer_of(body("STOP")).body)["stop_reason"], "end_turn");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::answers_test
