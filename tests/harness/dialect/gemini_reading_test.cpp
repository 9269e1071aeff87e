#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/google_gemini/partial_arguments.hpp"
#include "harness/dialect/google_gemini/reading.hpp"
#include "harness/dialect/google_gemini/upstream.hpp"
#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/framing.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/recut.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

// Meaning of Gemini's answers: single frames, the project's recordings, and streams of real servers.

namespace splitproof::dialect::gemini_reading_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

const GeminiUpstream kUpstream;

std::string event(const std::string& data) { return "data: " + data + "\r\n\r\n"; }

std::string candidate(const std::string& members) { return event(R"({"candidates":[{)" + members + "}]}"); }

std::string parts(const std::string& parts, const std::string& finish = "") {
  return candidate(R"("content":{"parts":[)" + parts + "]}" +
                   (finish.empty() ? "" : R"(,"finishReason":)" + finish));
}

const std::string kStop = candidate(R"("finishReason":"STOP")");

std::string in_short_of(const std::string& body) { return in_short(read(kUpstream, body)); }

/// Returns the meaning of one part before the end.
std::string part(const std::string& json) { return in_short_of(parts(json) + kStop); }

TEST(GeminiReading, ReadsEveryFormOfAPart) {
  EXPECT_EQ(part(R"({"text":"a\u003cb"})"), "text[a<b] =stop");
  EXPECT_EQ(part(R"({"text":"a"},{"text":"b"})"), "text[ab] =stop");
  EXPECT_EQ(part(R"({"text":"t","thought":true},{"text":"a"})"), "thinking[t] text[a] =stop");
  EXPECT_EQ(part(R"({"text":"t","thought":true,"thoughtSignature":"s"})"), "thinking[t|s] =stop");
  EXPECT_EQ(part(R"({"text":"t","thought":true},{"text":"","thought":true,"thoughtSignature":"s"})"),
            "thinking[t|s] =stop");
  EXPECT_EQ(part(R"({"text":"a","thought":false})"), "text[a] =stop");
  EXPECT_EQ(part(R"({"text":""})"), "=stop");
  EXPECT_EQ(part(R"({"text":null},7,null)"), "=stop");
  EXPECT_EQ(part(R"({"text":"a\ud83d"},{"text":"\ude00"})"), "text[a😀] =stop");
  EXPECT_EQ(part(R"({"functionCall":{"id":"i","name":"f","args":{"a": 9007199254740993}}})"),
            R"(call[i|f|{"a":9007199254740993}] =stop)");
  EXPECT_EQ(part(R"({"functionCall":{"name":"f"}})"), "call[|f|{}] =stop");
  EXPECT_EQ(part(R"({"functionCall":{"name":"f","args":null}})"), "call[|f|{}] =stop");
  EXPECT_EQ(part(R"({"functionCall":{}})"), "=stop");
  EXPECT_EQ(part(R"({"functionCall":{"args":{"a":1}}})"), R"(call[||{"a":1}] =stop)");
  EXPECT_EQ(part(R"({"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}})"),
            "call[|f|{}] call[|f|{}] =stop");
}

TEST(GeminiReading, KeepsSignaturesOfTextsAndCallsAsNotes) {
  const Answer answer =
      read(kUpstream, parts(R"({"text":"a","thoughtSignature":"s"},)"
                            R"({"functionCall":{"name":"f"},"thoughtSignature":"u"},)"
                            R"({"text":"","thoughtSignature":"v"},{"thoughtSignature":"w"})") +
                          kStop);
  EXPECT_EQ(answer.extra.at("the text.thoughtSignature"), "\"s\"\n\"v\"\n");
  EXPECT_EQ(answer.extra.at("the call.thoughtSignature"), "\"u\"\n");
  EXPECT_EQ(answer.extra.at("the part.thoughtSignature"), "\"w\"\n");
}

TEST(GeminiReading, ReadsOtherPartsAsPartsOfTheirKind) {
  for (const char* kind : {"inlineData", "fileData", "executableCode", "codeExecutionResult", "toolCall",
                           "toolResponse", "hologram"}) {
    const Answer answer = read(kUpstream, parts("{\"" + std::string(kind) + R"(":{"a":1}})") + kStop);
    ASSERT_EQ(answer.parts.size(), 1u) << kind;
    EXPECT_EQ(kind_of(answer.parts[0]), kind);
    EXPECT_EQ(answer.parts[0].text, R"({"a":1})");
    EXPECT_EQ(answer.shapes.contains("unknown_block"), std::string_view(kind) == "hologram");
  }
}

/// Returns the meaning of a call in pieces.
std::string pieces(const std::string& list, const std::string& end = R"({"functionCall":{}})") {
  return in_short_of(parts(R"({"functionCall":{"name":"f","willContinue":true}})") +
                     parts(R"({"functionCall":{"partialArgs":[)" + list + R"(],"willContinue":true}})") +
                     (end.empty() ? "" : parts(end)) + kStop);
}

TEST(GeminiReading, JoinsArgumentsThatComeInPieces) {
  EXPECT_EQ(
      pieces(
          R"({"jsonPath":"$.a","stringValue":"x","willContinue":true},{"jsonPath":"$.a","stringValue":"y"})"),
      R"(call[|f|{"a":"xy"}] =stop)");
  EXPECT_EQ(pieces(R"({"jsonPath":"$.a","numberValue":1.50},{"jsonPath":"$.b","boolValue":true},)"
                   R"({"jsonPath":"$.c","nullValue":"NULL_VALUE"})"),
            R"(call[|f|{"a":1.50,"b":true,"c":null}] =stop)");
  EXPECT_EQ(pieces(R"({"jsonPath":"$.a[0].b","stringValue":"x"},{"jsonPath":"$.a[1].b","stringValue":"y"},)"
                   R"({"jsonPath":"$['c d'].e","numberValue":2})"),
            R"(call[|f|{"a":[{"b":"x"},{"b":"y"}],"c d":{"e":2}}] =stop)");
  EXPECT_EQ(pieces(R"({"jsonPath":"$.a","stringValue":"\ud83d","willContinue":true},)"
                   R"({"jsonPath":"$.a","stringValue":"\ude00"})"),
            R"(call[|f|{"a":"😀"}] =stop)");
  EXPECT_EQ(pieces(""), "call[|f|{}] =stop");
  EXPECT_EQ(pieces(R"({"jsonPath":"$.a"},{"jsonPath":"$.b","numberValue":1})"), R"(call[|f|{"b":1}] =stop)");
  EXPECT_EQ(pieces("", R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1}]}})"),
            R"(call[|f|{"a":1}] =stop)");
  EXPECT_EQ(pieces("", R"({"functionCall":{"name":"g","args":{"b":2}}})"),
            R"(call[|f|{}] call[|g|{"b":2}] =stop)");
}

TEST(GeminiReading, CutsOffACallInPiecesWithoutItsEnd) {
  EXPECT_EQ(pieces(R"({"jsonPath":"$.a","stringValue":"x","willContinue":true})", ""), R"(call[|f|{"a":"x])");
  EXPECT_EQ(pieces(R"({"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.b[0]","numberValue":1})", ""),
            R"(call[|f|{"a":"x","b":[1])");
}

TEST(GeminiReading, FailsIfAPieceHasNoPlace) {
  for (const char* path : {"a", "$", "$.", "$..a", "$[", "$[x]", "$['a", "$.a[2]", "$.b.c", "$.b[0]"}) {
    const std::string body = pieces(R"({"jsonPath":"$.b","stringValue":"x"},{"jsonPath":")" +
                                    std::string(path) + R"(","stringValue":"y"})");
    EXPECT_NE(body.find("a piece of the arguments cannot be put at the path"), std::string::npos)
        << path << body;
  }
}

TEST(GeminiReading, ReadsEveryFormOfTheEnd) {
  const std::string text = R"({"text":"a"})";
  EXPECT_EQ(in_short_of(parts(text)), "text[a]");
  EXPECT_EQ(in_short_of(parts(text, "\"STOP\"")), "text[a] =stop");
  EXPECT_EQ(in_short_of(parts(text, "null") + parts(text, "\"\"") + parts(text, "0") +
                        parts(text, "\"FINISH_REASON_UNSPECIFIED\"")),
            "text[aaaa]");
  EXPECT_EQ(in_short_of(parts(text, "1")), "text[a] =stop");
  EXPECT_EQ(in_short_of(parts(text, "2")), "text[a] =max_tokens");
  EXPECT_EQ(in_short_of(parts(text, "\"STOP\"") + parts(text, "\"MAX_TOKENS\"")), "text[aa] =max_tokens");
  EXPECT_EQ(in_short_of(parts(text, "\"STOP\"") + parts(text)), "text[aa] =stop");
  const auto kind = [&](const std::string& reason) {
    return read(kUpstream, parts(text, reason)).finish->kind;
  };
  EXPECT_EQ(kind("\"SAFETY\""), FinishKind::filter);
  EXPECT_EQ(kind("3"), FinishKind::filter);
  EXPECT_EQ(kind("\"MALFORMED_FUNCTION_CALL\""), FinishKind::breakdown);
  EXPECT_EQ(kind("\"OTHER\""), FinishKind::unknown);
  EXPECT_EQ(kind("5"), FinishKind::unknown);
  EXPECT_EQ(kind("97"), FinishKind::unknown);
  EXPECT_EQ(kind("\"TIDE\""), FinishKind::unknown);
}

TEST(GeminiReading, FilterOfThePromptIsAFilter) {
  const std::string blocked = R"({"promptFeedback":{"blockReason":"OTHER"}})";
  EXPECT_EQ(read(kUpstream, event(blocked)).finish, (FinishReason{FinishKind::filter, "other"}));
  EXPECT_EQ(read(kUpstream, event(R"({"promptFeedback":{"blockReason":4}})")).finish->kind,
            FinishKind::filter);
  for (const char* none : {"null", "\"\"", "0", "\"BLOCK_REASON_UNSPECIFIED\""})
    EXPECT_FALSE(
        read(kUpstream, event(R"({"promptFeedback":{"blockReason":)" + std::string(none) + "}}")).finish);
  EXPECT_EQ(in_short_of(event(R"({"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],)"
                              R"("promptFeedback":{"blockReason":"SAFETY"}})")),
            "text[a] =stop");
}

TEST(GeminiReading, ReadsErrorsInEveryPlace) {
  const std::string error = R"({"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}})";
  const std::string text = parts(R"({"text":"a"})");
  EXPECT_EQ(in_short_of(event(error)), "!no");
  EXPECT_EQ(in_short_of(text + event(error) + kStop), "text[a] !no");
  EXPECT_EQ(in_short_of(error), "!no");
  EXPECT_EQ(in_short_of("[" + error + "]"), "!no");
  EXPECT_EQ(in_short_of(text + error + "\n"), "text[a] !no");
  EXPECT_EQ(in_short_of(text + "data: {\r\n\r\n").substr(0, 33), "text[a] !an event cannot be read:");
  EXPECT_EQ(in_short_of("[{},7]"), "!an event cannot be read: not a JSON object");
  EXPECT_EQ(in_short_of("[{};{}]").substr(0, 27), "!the array cannot be read: ");
  EXPECT_TRUE(read(kUpstream, event(error)).error_classes.limit);
  EXPECT_TRUE(
      read(kUpstream, event(R"({"error":{"code":503,"status":"UNAVAILABLE"}})")).error_classes.server);
  EXPECT_TRUE(
      read(kUpstream, event(R"({"error":{"code":400,"status":"INVALID_ARGUMENT"}})")).error_classes.request);
}

TEST(GeminiReading, ReadsAnArrayAndAnAnswerInOnePieceAsEvents) {
  const std::string one = R"({"candidates":[{"content":{"parts":[{"text":"a"}]}}],"modelVersion":"m"})";
  const std::string two = R"({"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]})";
  const Answer answer = read(kUpstream, event(one) + event(two));
  EXPECT_EQ(in_short(answer), "text[ab] =stop");
  for (const char* comma : {",", ",\r\n", "\n,\n"})
    EXPECT_EQ(read(kUpstream, "[" + one + comma + two + "]"), answer);
  EXPECT_EQ(in_short_of(two), "text[b] =stop");
  EXPECT_EQ(in_short_of("[" + one + "," + two), "text[ab]") << "an array without its end was cut off";
  EXPECT_EQ(in_short_of("[" + one + "," + two.substr(0, 40)), "text[a]");
  EXPECT_EQ(in_short_of(event(one) + "data: " + two), "text[ab] =stop")
      << "the last blank line may be missing";
}

TEST(GeminiReading, AddsThoughtsAndToolsToTheCounts) {
  const auto usage = [](const std::string& counts) {
    return read(kUpstream, event(R"({"usageMetadata":{)" + counts + "}}")).usage;
  };
  Tokens tokens =
      usage(R"("promptTokenCount":9,"candidatesTokenCount":4,"thoughtsTokenCount":20,"totalTokenCount":33)");
  EXPECT_EQ(tokens.prompt, 9u);
  EXPECT_EQ(tokens.completion, 24u);
  EXPECT_EQ(tokens.reasoning, 20u);
  EXPECT_EQ(tokens.total, 33u);
  tokens = usage(
      R"("promptTokenCount":9,"toolUsePromptTokenCount":100,"candidatesTokenCount":4,"thoughtsTokenCount":20)"
      R"(,"totalTokenCount":133,"cachedContentTokenCount":5)");
  EXPECT_EQ(tokens.prompt, 109u);
  EXPECT_EQ(tokens.completion, 24u);
  EXPECT_EQ(tokens.cached, 5u);
  tokens = usage(R"("promptTokenCount":9,"thoughtsTokenCount":20)");
  EXPECT_EQ(tokens.completion, 20u);
  const std::string first = event(R"({"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":4}})");
  tokens = read(kUpstream, first + event(R"({"usageMetadata":{"candidatesTokenCount":7}})")).usage;
  EXPECT_EQ(tokens.completion, 7u);
  EXPECT_EQ(tokens.prompt, std::nullopt) << "the last frame with a count has all of them";
  tokens = read(kUpstream, first + event(R"({"usageMetadata":{"trafficType":"ON_DEMAND"}})")).usage;
  EXPECT_EQ(tokens.prompt, 9u);
}

TEST(GeminiReading, OnlyTheFirstCandidateIsTheAnswer) {
  const std::string other = R"({"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"})";
  const Answer both =
      read(kUpstream,
           event(R"({"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},)" + other + "]}") + kStop);
  EXPECT_EQ(in_short(both), "text[a] =stop");
  EXPECT_EQ(both.extra.at("the other choices"),
            "1: {\"finishReason\":\"stop\",\"parts\":[{\"text\":{\"text\":\"b\"}}]}\n");
  EXPECT_TRUE(read(kUpstream, event(R"({"candidates":[)" + other + "]}")).shapes.contains("no_first_choice"));
}

std::vector<SharedStream> streams() {
  std::vector<SharedStream> all;
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  for (const auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings)
    if (recording.protocol == "google.gemini") all.push_back({recording.id, recording.body, {}});
  return all;
}

TEST(GeminiReading, StateDoesNotDependOnTheCuts) {
  for (const SharedStream& stream : streams()) {
    const std::string_view body = stream.body;
    std::vector<FrameReader> at;  // after this many bytes
    FrameReader whole(Framing::sse_or_array);
    for (std::size_t size = 0; size <= body.size(); ++size) {
      at.push_back(whole);
      if (size < body.size()) whole.feed(body.substr(size, 1));
    }
    for (std::size_t cut = 0; cut <= body.size(); cut += kSanitized ? 17 : 1) {
      FrameReader rest = at[cut];
      rest.feed(body.substr(cut));
      ASSERT_EQ(rest, whole) << stream.name << " " << cut;
    }
  }
}

TEST(GeminiReading, ReadingsOnlyGrowAndDueFitsItsDefinition) {
  for (const SharedStream& stream : streams()) {
    FrameReader frames(Framing::sse_or_array);
    frames.feed(stream.body);
    frames.finish();
    GeminiReading reading;
    FlushRequirement due((Choices()));
    Answer before;
    for (const SseEvent& frame : frames.events()) {
      reading.take(frame);
      const Answer& now = reading.so_far();
      ASSERT_LE(before.parts.size(), now.parts.size()) << stream.name;
      for (std::size_t i = 0; i < before.parts.size(); ++i) {
        EXPECT_TRUE(now.parts[i].text.starts_with(before.parts[i].text)) << stream.name;
        EXPECT_EQ(now.parts[i].arguments, before.parts[i].arguments) << stream.name;
      }
      EXPECT_EQ(due.after(now), due_by_definition(now, Choices())) << stream.name;
      before = now;
    }
  }
}

/// Content of a real stream, as a few lines read it: no order of kinds, no pieces, no errors in the middle.
struct PlainReading {
  std::string text;
  std::string thinking;
  std::vector<std::string> calls;  ///< Their names.
  std::string finish;
};

PlainReading plain_reading_of(const std::string& body) {
  using nlohmann::json;
  std::vector<json> frames;
  const json document = json::parse(body, nullptr, false);
  if (document.is_array()) frames.assign(document.begin(), document.end());
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("data:")) frames.push_back(json::parse(line.substr(5), nullptr, false));
  PlainReading plain;
  for (const json& frame : frames) {
    for (const json& candidate : member(frame, "candidates")) {
      if (member(candidate, "index").is_number() && candidate["index"] != 0) continue;
      const json& reason = member(candidate, "finishReason");
      if (reason.is_string()) plain.finish = reason;
      if (reason == 1) plain.finish = "STOP";
      for (const json& part : member(member(candidate, "content"), "parts")) {
        (member(part, "thought") == true ? plain.thinking : plain.text) += string_at(part, "text");
        const std::string name = string_at(member(part, "functionCall"), "name");
        if (!name.empty()) plain.calls.push_back(name);
      }
    }
  }
  return plain;
}

TEST(GeminiReading, AgreesWithAPlainReadingOfRealStreams) {
  const std::filesystem::path folder = shared_recordings() / "gemini";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "../shared is absent";
  std::size_t read_streams = 0;
  std::set<std::string> failed;
  std::set<std::string> unknown;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    if (name.ends_with(".meta")) continue;
    SCOPED_TRACE(name);
    const std::string body = file_bytes(entry.path());
    const Answer answer = read(kUpstream, body);
    const PlainReading plain = plain_reading_of(body);
    ++read_streams;
    PlainReading got;
    for (const Part& one : answer.parts) {
      if (one.kind == PartKind::text) got.text += one.text;
      if (one.kind == PartKind::thinking) got.thinking += one.text;
      if (one.kind == PartKind::call) got.calls.push_back(one.name);
      if (one.kind != PartKind::call) continue;
      EXPECT_TRUE(nlohmann::json::parse(one.arguments, nullptr, false).is_object()) << one.arguments;
    }
    if (answer.shapes.contains("unknown_block")) unknown.insert(name);
    if (answer.error || !answer.finish) failed.insert(name);
    if (answer.error) continue;
    EXPECT_EQ(got.text, plain.text);
    EXPECT_EQ(got.thinking, plain.thinking);
    EXPECT_EQ(got.calls, plain.calls);
    if (answer.finish && answer.finish->kind != FinishKind::filter) {
      EXPECT_EQ(answer.finish->word, lower_case(plain.finish));
    }
  }
  EXPECT_EQ(read_streams, 112u);
  const std::string vertex = "google-vertex__vertexai-sdk-test-data__mock-responses-vertexai-streaming-";
  const std::string live = "google__ai__google-speech-translation-google-live-speech-translation";
  // The last one is a stream of another method, and `missing-parts` a member that its authors made up.
  EXPECT_EQ(failed, (std::set<std::string>{
                        vertex + "failure-empty-content", vertex + "failure-error-mid-stream",
                        vertex + "failure-malformed-content", vertex + "success-quotes-escaped", live}));
  EXPECT_EQ(unknown, (std::set<std::string>{vertex + "failure-malformed-content", live}));
}

/// Removes the features of frames, which a recut may change, and the notes, which another frame may have.
Answer of_any_frames(Answer answer) {
  for (const char* shape : {"finish_with_content", "after_finish", "prose_meanwhile"})
    answer.shapes.erase(shape);
  forget_unread(answer);
  if (answer.error) answer.usage = {};
  return answer;
}

TEST(GeminiDealer, ChangesNoMeaning) {
  std::set<std::string> labels;
  std::size_t recuts = 0;
  for (const SharedStream& stream : streams()) {
    std::string joined;
    const auto parts = gemini_dealer().take_apart(stream.body);
    for (const std::string_view one : parts->events()) joined += one;
    EXPECT_EQ(joined, stream.body) << stream.name;
    const Answer meaning = of_any_frames(read(kUpstream, stream.body));
    const split::Recuts of(gemini_dealer(), stream.body);
    for (const std::string& label : of.plan(4, true, 1)) {
      const auto recut = of.make(label);
      if (!recut) continue;
      ++recuts;
      labels.insert(label);
      EXPECT_EQ(of_any_frames(read(kUpstream, recut->body)), meaning)
          << stream.name << " " << label << "\n"
          << recut->body << "\n"
          << describe_difference(of_any_frames(read(kUpstream, recut->body)), meaning);
      EXPECT_EQ(recut->arrivals.back(), recut->body.size());
    }
  }
  EXPECT_GT(recuts, 1000u);
  for (const std::string& label : gemini_dealer().labels()) EXPECT_TRUE(labels.contains(label)) << label;
}

TEST(GeminiDealer, MakesCanariesOfBodiesThatEndWellWithText) {
  std::size_t made = 0;
  for (const SharedStream& stream : streams()) {
    const auto canary = gemini_canary(stream.body, 3);
    if (!canary) continue;
    ++made;
    EXPECT_NE(in_short_of(canary->body).find("Canary 4 begins. Canary 4 goes on. Canary 4 ends. "),
              std::string::npos)
        << stream.name;
  }
  EXPECT_GE(made, 40u);
}

TEST(GeminiUpstream, TinyAnswerHasOneWord) {
  std::string body;
  for (const std::string& piece : kUpstream.tiny_answer()) body += piece;
  EXPECT_EQ(in_short_of(body), "text[Ebb] =stop");
}

TEST(GeminiUpstream, StreamsOfManyHaveThatMany) {
  EXPECT_EQ(in_short_of(kUpstream.stream_of_many(Many::calls, 2, 7)),
            "call[call_7|tide|{\"n\":7}] call[call_8|tide|{\"n\":8}] =stop");
  EXPECT_EQ(in_short_of(kUpstream.stream_of_many(Many::blocks, 1, 0)),
            "thinking[thought 0] text[text 0] =stop");
}

TEST(GeminiUpstream, RefusalHasTheWordOfItsStatus) {
  EXPECT_TRUE(read(kUpstream, refusal_of_gemini(429)).error_classes.limit);
  EXPECT_TRUE(read(kUpstream, refusal_of_gemini(503)).error_classes.server);
  EXPECT_TRUE(read(kUpstream, refusal_of_gemini(418)).error_classes.request);
}

}  // namespace
}  // namespace splitproof::dialect::gemini_reading_test
