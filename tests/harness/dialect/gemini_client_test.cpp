#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/documents.hpp"

namespace splitproof::dialect::gemini_client_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces
using nlohmann::json;
using Frames = std::vector<json>;

const Client& client() { return *client_of("google.gemini"); }

json frame(const std::vector<json>& parts, const json& finish = nullptr) {
  json candidate = {{"content", {{"role", "model"}, {"parts", parts}}}};
  if (!finish.is_null()) candidate["finishReason"] = finish;
  return {{"candidates", json::array({candidate})}};
}

json text(const std::string& said) { return {{"text", said}}; }
json thought(const std::string& said) { return {{"text", said}, {"thought", true}}; }
json signed_by(json part, const std::string& signature) {
  part["thoughtSignature"] = signature;
  return part;
}
json call(const json& content) { return {{"functionCall", content}}; }

std::string body(const Frames& frames) {
  std::string stream;
  for (const json& one : frames) stream += "data: " + one.dump() + "\r\n\r\n";
  return stream;
}

Trace trace(const Frames& frames) { return read_trace(body(frames), DataKind::json); }
Answer answer(const Frames& frames) { return client().assemble(trace(frames)); }
NormalisedAnswer side(const Frames& frames) { return client().side(trace(frames)); }

json next(const json& request, const Frames& frames, bool reversed = false) {
  const Trace told = trace(frames);
  TraceStream stream(told);
  return client().next_request(request, stream, reversed);
}

std::string kinds(const Answer& told) {
  std::string list;
  for (const Part& part : told.parts) {
    const std::string said = part.kind == PartKind::call ? part.name + part.arguments : part.text;
    list += kind_of(part) + ":" + said + ";";
  }
  return list;
}

TEST(GeminiClient, PartsOfOneKindAreOneRunAcrossFrames) {
  const Frames frames = {frame({thought("A "), thought("buoy. "), text("No")}),
                         frame({text("on"), call({{"name", "tide"}, {"args", {{"n", 1}}}})}),
                         frame({call({{"name", "wind"}}), text("Done.")}, "STOP")};
  const std::string all = R"(thinking:A buoy. ;text:Noon;call:tide{"n":1};call:wind;text:Done.;)";
  EXPECT_EQ(kinds(answer(frames)), all);
  Frames single;
  for (const json& one : frames)
    for (const json& part : one["candidates"][0]["content"]["parts"]) single.push_back(frame({part}));
  single.push_back(frame({text("")}, "STOP"));
  EXPECT_EQ(describe_difference(answer(single), answer(frames)), "");
}

TEST(GeminiClient, SignatureStaysOnAPartOfItsKind) {
  const NormalisedAnswer told =
      side({frame({signed_by(thought("Hm"), "a"), signed_by(text(""), "b"), signed_by(text("Noon"), "c")}),
            frame({signed_by(call({{"name", "tide"}}), "d")}, "STOP")});
  std::vector<json> signatures;
  for (const json& other : told.others) signatures.push_back({other["thoughtSignature"], other["on"]});
  EXPECT_EQ(signatures, (std::vector<json>{{"a", "thinking"}, {"b", "text"}, {"c", "text"}, {"d", "call"}}));
  EXPECT_EQ(told.items.size(), 3);
}

TEST(GeminiClient, FinishReasonsHaveOneMeaningEach) {
  const auto finish = [](const json& reason) {
    const auto told = answer({frame({text("Ebb")}, reason)}).finish;
    return told ? std::optional(told->kind) : std::nullopt;
  };
  EXPECT_EQ(finish("STOP"), FinishKind::stop);
  EXPECT_EQ(finish("MAX_TOKENS"), FinishKind::length);
  EXPECT_EQ(finish(2), FinishKind::length);
  EXPECT_EQ(finish("RECITATION"), FinishKind::filter);
  EXPECT_EQ(finish("MALFORMED_FUNCTION_CALL"), FinishKind::breakdown);
  EXPECT_EQ(finish("stop"), FinishKind::unknown);
  EXPECT_EQ(finish("OTHER"), FinishKind::unknown);
  EXPECT_EQ(finish(17), FinishKind::unknown);
  for (const json& none : {json(""), json("FINISH_REASON_UNSPECIFIED"), json(0)})
    EXPECT_EQ(finish(none), std::nullopt);
  EXPECT_TRUE(side({frame({text("Ebb")}, "NO_IMAGE")}).error);
}

TEST(GeminiClient, LastFinishReasonCounts) {
  const Answer told =
      answer({frame({text("a")}, "STOP"), frame({text("b")}, "MAX_TOKENS"), frame({text("c")})});
  EXPECT_EQ(told.finish->kind, FinishKind::length);
  EXPECT_EQ(kinds(told), "text:abc;");
}

TEST(GeminiClient, BlockedPromptEndsInAFilterUnlessAnAnswerFollows) {
  const json blocked = {{"promptFeedback", {{"blockReason", "OTHER"}}}};
  EXPECT_EQ(side({blocked}).finish, "content_filter");
  EXPECT_FALSE(side({blocked}).error);
  EXPECT_EQ(side({blocked, frame({text("Ebb")}, "STOP")}).finish, "stop");
}

TEST(GeminiClient, ClientStopsAtAnError) {
  const json error = {
      {"error", {{"code", 429}, {"message", "Slow down."}, {"status", "RESOURCE_EXHAUSTED"}}}};
  const Answer told = answer({frame({text("Eb")}), error, frame({text("b")}, "STOP")});
  EXPECT_EQ(told.error, "Slow down.");
  EXPECT_TRUE(told.error_classes.limit);
  EXPECT_EQ(kinds(told), "text:Eb;");
}

TEST(GeminiClient, ThoughtsAndToolPromptsAddToTheCounts) {
  json last = frame({text("Ebb")}, "STOP");
  last["usageMetadata"] = {{"promptTokenCount", 90},        {"toolUsePromptTokenCount", 11},
                           {"cachedContentTokenCount", 64}, {"candidatesTokenCount", 3},
                           {"thoughtsTokenCount", 6},       {"totalTokenCount", 110}};
  json first = frame({text("The ")});
  first["usageMetadata"] = {{"promptTokenCount", 80}, {"candidatesTokenCount", 1}};
  const Tokens usage = answer({first, last}).usage;
  EXPECT_EQ(usage.prompt, 101);
  EXPECT_EQ(usage.cached, 64);
  EXPECT_EQ(usage.completion, 9);
  EXPECT_EQ(usage.reasoning, 6);
  EXPECT_EQ(usage.total, 110);
}

TEST(GeminiClient, OtherCandidatesAreNoPartOfTheAnswer) {
  json two = frame({text("Ebb")}, "STOP");
  two["candidates"].push_back({{"index", 1}, {"content", {{"parts", json::array({text("Flood")})}}}});
  EXPECT_EQ(kinds(answer({two})), "text:Ebb;");
}

TEST(GeminiClient, PiecesOfACallAreOneCall) {
  const json piece = json::array({{{"jsonPath", "$.n"}, {"numberValue", 1}}});
  const Answer told = answer({frame({call({{"name", "tide"}, {"willContinue", true}})}),
                              frame({call({{"partialArgs", piece}, {"willContinue", true}})}),
                              frame({call(json::object())}), frame({call({{"name", "wind"}})}, "STOP")});
  ASSERT_EQ(told.parts.size(), 2);
  EXPECT_EQ(told.parts[0].arguments, piece.dump());
  EXPECT_EQ(told.parts[1].name, "wind");
}

TEST(GeminiClient, NextRequestReturnsEachPartWithItsSignature) {
  const json request = client().request({});
  const json tide = {{"id", "c1"}, {"name", "tide"}, {"args", {{"n", 1}}}};
  const json wind = {{"name", "wind"}, {"args", json::object()}};
  const Frames frames = {frame({text("I ")}), frame({text("look."), signed_by(call(tide), "a")}),
                         frame({call(wind), signed_by(text(""), "b")}, "STOP")};
  const json result = [](const json& id, const char* name, const char* said) {
    json response = {{"name", name}, {"response", {{"output", said}}}};
    if (!id.is_null()) response["id"] = id;
    return json{{"functionResponse", response}};
  }("c1", "tide", "Result 1 of the test.");
  const json history = next(request, frames)["contents"];
  ASSERT_EQ(history.size(), 3);
  EXPECT_EQ(
      history[1],
      (json{{"role", "model"},
            {"parts", {text("I look."), signed_by(call(tide), "a"), call(wind), signed_by(text(""), "b")}}}));
  EXPECT_EQ(history[2]["parts"][0], result);
  EXPECT_FALSE(history[2]["parts"][1]["functionResponse"].contains("id"));
  EXPECT_EQ(next(request, frames, true)["contents"][2]["parts"][1], result);
  EXPECT_EQ(next(request, {frame({text("Ebb")}, "STOP")})["contents"][2]["parts"][0]["text"],
            "And what comes after that?");
}

TEST(GeminiClient, NoClientContinuesAfterAFailedAnswer) {
  const json request = client().request({});
  EXPECT_TRUE(next(request, {frame({text("Ebb")})}).is_null());
  EXPECT_TRUE(next(request, {{{"promptFeedback", {{"blockReason", "SAFETY"}}}}}).is_null());
  EXPECT_TRUE(next(request, {frame({text("Ebb")}, "STOP"), {{"error", {{"code", 500}}}}}).is_null());
}

TEST(GeminiClient, ModelAndStreamAreInThePath) {
  json request = client().request({});
  const json sent = {{"contents", request["contents"]}};
  const ClientCall streamed = client().call("/v1beta/models", request);
  EXPECT_EQ(streamed.path, "/v1beta/models/any:streamGenerateContent?alt=sse");
  EXPECT_EQ(json::parse(streamed.body), sent);
  EXPECT_EQ(client().call("/v1beta/models", client().whole_request(request)).path,
            "/v1beta/models/any:generateContent");
  EXPECT_EQ(client_of("openai.chat")->call("/v1/chat/completions", request).path, "/v1/chat/completions");
}

TEST(GeminiClient, RequestHasTheWantedFeatures) {
  const json request = client().request({{{"tide", "The tide.", R"({"type":"object"})"}}, true, "Be brief."});
  const json declared = {
      {"name", "tide"}, {"description", "The tide."}, {"parametersJsonSchema", {{"type", "object"}}}};
  EXPECT_EQ(request["tools"][0]["functionDeclarations"], json::array({declared}));
  EXPECT_EQ(request["systemInstruction"]["parts"][0]["text"], "Be brief.");
  EXPECT_EQ(request["generationConfig"]["thinkingConfig"]["includeThoughts"], true);
}

TEST(GeminiClient, MeterCountsWhatTheClientGot) {
  const auto meter = client().meter({});
  SseReader reader;
  reader.feed(body({frame({thought("Hm"), text("Ebb"), call({{"name", "tide"}, {"args", {{"n", 1}}}})})}));
  for (const SseEvent& event : reader.events()) meter->take(event);
  EXPECT_EQ(meter->told(), (Due{5, 7, 1}));
  EXPECT_FALSE(meter->over());
  SseReader end;
  end.feed(body({frame({text("")}, "STOP")}));
  for (const SseEvent& event : end.events()) meter->take(event);
  EXPECT_TRUE(meter->over());
}

TEST(GeminiClient, MarksShowOutputSuccessAndError) {
  const auto marks = [](const json& one) { return find("google.gemini")->marks(trace({one}).events[0]); };
  EXPECT_EQ(marks(frame({text("Ebb")})), (EventMarks{true, false, false}));
  EXPECT_EQ(marks(frame({call({{"name", "tide"}})}, "STOP")), (EventMarks{true, true, false}));
  EXPECT_EQ(marks({{"error", {{"code", 500}}}}), (EventMarks{false, false, true}));
  EXPECT_EQ(client().added_text(frame({text("Ebb"), call({{"args", {{"n", 1}}}})})), R"(Ebb{"n":1})");
}

TEST(GeminiClient, LoneErrorIsReadAsAnErrorOfItsStatus) {
  const Answer told = client().assemble(read_trace(client().lone_error(429), DataKind::json));
  EXPECT_TRUE(told.error);
  EXPECT_EQ(told.error_classes, (ErrorClasses{.limit = true}));
}

TEST(GeminiClient, AnswerInOnePieceIsAStreamOfOneFrame) {
  const json whole = frame({text("Ebb")}, "STOP");
  EXPECT_EQ(client().as_stream(whole), "data: " + whole.dump() + "\n\n");
  EXPECT_EQ(client().as_stream({{"choices", json::array()}}), "");
}

// A call of an answer that was cut off cannot be sent, because a call is one part.
TEST(GeminiClient, TornCallIsNotExpected) {
  Answer meaning;
  Part torn;
  torn.kind = PartKind::call;
  torn.id = "c1";
  torn.name = "tide";
  torn.arguments = R"({"n":)";
  Part whole = torn;
  whole.id = "c2";
  whole.arguments = "{}";
  meaning.parts = {whole, torn};
  const ClientCapabilities carries = client().carries(nullptr);
  const Expected cut = expected_of(meaning, recording::End::closed, {}, carries);
  EXPECT_TRUE(cut.parts.empty());
  ASSERT_EQ(cut.unsettled.size(), 1);
  EXPECT_EQ(cut.unsettled[0].id, "c2");
  meaning.finish = FinishReason{FinishKind::length, "length", false};
  const Expected limited = expected_of(meaning, recording::End::complete, {}, carries);
  EXPECT_FALSE(limited.failure);
  EXPECT_TRUE(limited.ambiguous);
  ASSERT_EQ(limited.parts.size(), 1);
  EXPECT_EQ(limited.parts[0].id, "c2");
  EXPECT_EQ(expected_of(meaning, recording::End::complete, {}, client_of("openai.chat")->carries(nullptr))
                .parts.size(),
            2);
}

}  // namespace
}  // namespace splitproof::dialect::gemini_client_test
