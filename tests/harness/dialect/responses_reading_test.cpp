#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_responses/reading.hpp"
#include "harness/dialect/openai_responses/shapes.hpp"
#include "harness/dialect/openai_responses/upstream.hpp"
#include "harness/observe/due.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/dialect/responses_events.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

// What streams of Responses mean: single events, the project's own recordings, and those of real servers.

namespace splitproof::dialect {
namespace {

using namespace observe;           // NOLINT: the words of answers and traces
using namespace responses_events;  // NOLINT: the events of streams

const ResponsesUpstream kUpstream;

/// An answer that ends well around these events; `last` are members of its last event's response.
Answer answer(std::vector<std::string> events, const json& last = json::object()) {
  events.insert(events.begin(), created());
  events.push_back(ended("completed", last));
  return read(kUpstream, frames(events));
}

/// Its parts in short, and what is wrong with it.
std::string parts(const std::vector<std::string>& events, const json& last = json::object()) {
  const Answer all = answer(events, last);
  return parts_in_short(all) + (all.error ? " !" + *all.error : "");
}

using Shapes = std::set<std::string>;

/// Its shapes but for those of every such answer.
Shapes shapes(const std::vector<std::string>& events, const json& last = json::object()) {
  Shapes all = answer(events, last).shapes;
  for (const char* always : {"finish_stop", "no_sequence", "no_usage", "unnamed_event"}) all.erase(always);
  return all;
}

const std::string kConflict = " !an event says all of what deltas said otherwise";

TEST(ResponsesReading, ReadsEveryFormOfAnItem) {
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "a"), words(0, "m", "b"), done(0, message("m"))}),
            "text[ab]");
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "a"), words(0, "m", "b", 1)}), "text[a] text[b]");
  EXPECT_EQ(parts({added(0, message("m")), about("refusal.delta", 0, "m", {{"delta", "no"}})}),
            "refusal[no]");
  EXPECT_EQ(parts({added(0, message("m")), done(0, message("m"))}), "");
  EXPECT_EQ(parts({added(0, reasoning("r")), about("reasoning_summary_text.delta", 0, "r", {{"delta", "s"}}),
                   about("reasoning_summary_text.delta", 0, "r", {{"delta", "t"}}, 1)}),
            "thinking[s] thinking[t]");
  EXPECT_EQ(parts({added(0, reasoning("r")), about("reasoning_text.delta", 0, "r", {{"delta", "s"}})}),
            "thinking[s]");
  json sealed = reasoning("r", list({part("summary_text", "s"), part("summary_text", "t")}));
  sealed["encrypted_content"] = "e";
  EXPECT_EQ(parts({done(0, sealed)}), "thinking[s|e] thinking[t]");
  sealed["summary"] = json::array();
  EXPECT_EQ(parts({done(0, sealed), done(1, message("m", list({part("output_text", "a")})))}),
            "thinking[|e] text[a]");
  EXPECT_EQ(parts({added(0, call("i", "f")), arguments(0, "fc_i", "{\"a\""), arguments(0, "fc_i", ": 1}")}),
            "call[i|f|{\"a\": 1}]");
  const Answer patch = answer(
      {added(0, custom("i", "f")), about("custom_tool_call_input.delta", 0, "ct_i", {{"delta", "{a"}})});
  EXPECT_EQ(parts_in_short(patch), "call[i|f|{a]");
  EXPECT_TRUE(patch.parts[0].custom);
  const json search = {{"type", "web_search_call"}, {"id", "w"}, {"z", 1}};
  EXPECT_EQ(parts({added(0, search), done(0, search), added(1, message("m")), words(1, "m", "a")}),
            R"(other[{"id":"w","type":"web_search_call","z":1}] text[a])");
  EXPECT_EQ(parts({added(0, message("m")),
                   about("content_part.done", 0, "m", {{"part", {{"type", "audio"}, {"x", 1}}}})}),
            R"(other[{"type":"audio","x":1}])");
}

TEST(ResponsesReading, TakesWhatDeltasLeaveOutFromWhateverSaysAll) {
  const json whole = message("m", list({part("output_text", "abc")}));
  const std::string start = added(0, message("m"));
  const std::string said = words(0, "m", "ab");
  const std::string text_done = about("output_text.done", 0, "m", {{"text", "abc"}});
  const std::string part_done = about("content_part.done", 0, "m", {{"part", part("output_text", "abc")}});
  const json last = {{"output", list({whole})}};
  for (const std::vector<std::string>& events :
       std::vector<std::vector<std::string>>{{start, text_done},
                                             {start, part_done},
                                             {start, done(0, whole)},
                                             {done(0, whole)},
                                             {start, said, text_done},
                                             {start, said, text_done, part_done, done(0, whole)}}) {
    EXPECT_EQ(parts(events), "text[abc]");
    EXPECT_EQ(parts(events, last), "text[abc]");
  }
  EXPECT_EQ(parts({}, last), "text[abc]");
  EXPECT_EQ(parts({start, said}, last), "text[abc]");
  EXPECT_EQ(parts({start, said, done(0, message("m"))}), "text[ab]") << "what is empty says nothing";
  EXPECT_EQ(parts({start, said, done(0, message("m"))}, {{"output", json::array()}}), "text[ab]");
  EXPECT_EQ(
      parts({added(0, call("i", "f")), about("function_call_arguments.done", 0, "", {{"arguments", "{}"}})}),
      "call[i|f|{}]");
  EXPECT_EQ(parts({added(0, call("i", "f")), done(0, call("i", "f", "{}"))}), "call[i|f|{}]");
  EXPECT_EQ(parts({done(0, call("i", "f", "{}"))}), "call[i|f|{}]");
  EXPECT_EQ(parts({added(0, call("i", "")), done(0, call("i", "f", "{}"))}), "call[i|f|{}]");
  EXPECT_EQ(parts({added(0, call("i", "f")), done(0, call("", "", "{}"))}), "call[i|f|{}]");
}

TEST(ResponsesReading, AnswersThatContradictThemselvesAreErrors) {
  const std::string start = added(0, message("m"));
  const std::string said = words(0, "m", "ab");
  EXPECT_EQ(parts({start, said, about("output_text.done", 0, "m", {{"text", "ax"}})}),
            "text[ab]" + kConflict);
  EXPECT_EQ(parts({start, said, about("output_text.done", 0, "m", {{"text", "a"}})}), "text[ab]" + kConflict);
  EXPECT_EQ(parts({start, said, done(0, message("m", list({part("output_text", "b")})))}),
            "text[ab]" + kConflict);
  EXPECT_EQ(parts({start, said}, {{"output", list({message("m", list({part("output_text", "b")}))})}}),
            "text[ab]" + kConflict);
  EXPECT_EQ(parts({added(0, call("i", "f")), arguments(0, "fc_i", "{}"), done(0, call("i", "f", "{}{}"))}),
            "call[i|f|{}{}]")
      << "that is no contradiction";
  EXPECT_EQ(parts({added(0, call("i", "f")), done(0, call("i", "g"))}),
            "call[i|f|] !a call has another name than before");
  EXPECT_EQ(parts({added(0, call("i", "f")),
                   done(0, {{"type", "function_call"}, {"call_id", "j"}, {"name", "f"}})}),
            "call[i|f|] !a call has another call_id than before");
  EXPECT_TRUE(
      shapes({start, said, about("output_text.done", 0, "m", {{"text", "ax"}})}).contains("contradiction"));
}

TEST(ResponsesReading, TakesWhatAStartSays) {
  EXPECT_EQ(parts({added(0, message("m", list({part("output_text", "a")}))), words(0, "m", "b")}),
            "text[ab]");
  EXPECT_EQ(parts({added(0, message("m")),
                   about("content_part.added", 0, "m", {{"part", part("output_text", "a")}}),
                   words(0, "m", "b"), done(0, message("m", list({part("output_text", "ab")})))}),
            "text[ab]");
  const std::string start = added(0, call("i", "f", "{}"));
  EXPECT_EQ(parts({start, arguments(0, "fc_i", "{\"a\":1}")}), "call[i|f|{\"a\":1}]");
  EXPECT_EQ(parts({start, done(0, call("i", "f", "{\"a\":1}"))}), "call[i|f|{\"a\":1}]");
  EXPECT_EQ(parts({start}), "call[i|f|{}]");
  EXPECT_EQ(parts({start, done(0, call("i", "f"))}), "call[i|f|{}]");
}

TEST(ResponsesReading, OneWayOfReasoningCounts) {
  const std::string summary = about("reasoning_summary_text.delta", 0, "r", {{"delta", "s"}});
  const std::string full = about("reasoning_text.delta", 0, "r", {{"delta", "f"}});
  const json both = reasoning("r", list({part("summary_text", "s")}), list({part("reasoning_text", "f")}));
  const std::string start = added(0, reasoning("r"));
  EXPECT_EQ(parts({start, summary, full, done(0, both)}), "thinking[s]");
  EXPECT_EQ(parts({start, full, summary, done(0, both)}), "thinking[f]");
  EXPECT_EQ(parts({done(0, both)}), "thinking[s]");
  EXPECT_EQ(answer({start, summary, full}).extra.at("the other reasoning of item 0"), "f");
  EXPECT_TRUE(shapes({start, full, summary}).contains("reasoning_two_kinds"));
}

TEST(ResponsesReading, KnowsItemsByIndexAndId) {
  const std::vector<std::string> starts = {added(0, call("a", "f")), added(1, call("b", "g"))};
  const auto with = [&](std::vector<std::string> events, const json& last = json::object()) {
    events.insert(events.begin(), starts.begin(), starts.end());
    return parts(events, last);
  };
  const std::string both = "call[a|f|{}] call[b|g|[]]";
  EXPECT_EQ(with({arguments(1, "fc_b", "["), arguments(0, "fc_a", "{}"), arguments(1, "fc_b", "]")}), both);
  EXPECT_EQ(with({arguments(0, "x1", "{}"), arguments(1, "x2", "[]"), done(0, call("a", "f", "{}"))}), both)
      << "ids that change";
  EXPECT_EQ(
      with({done(1, call("b", "g", "[]"))}, {{"output", list({call("a", "f", "{}"), call("b", "g", "[]")})}}),
      both);
  const auto without_index = [](json event) {
    event.erase("output_index");
    return event.dump();
  };
  EXPECT_EQ(with({without_index(json::parse(arguments(0, "fc_a", "{}"))),
                  without_index(json::parse(done(0, call("b", "g", "[]"))))}),
            both);
  EXPECT_EQ(parts({added(0, call("a", "f")), added(0, call("b", "g")), arguments(0, "fc_a", "{}"),
                   arguments(0, "fc_b", "[]")}),
            both)
      << "one index for all";
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "x"), added(0, call("a", "f")),
                   arguments(0, "fc_a", "{}"), words(0, "m", "y")}),
            "text[xy] call[a|f|{}]")
      << "an event belongs to an item of its type";
  EXPECT_EQ(parts({words(0, "m", "a"), words(0, "m", "b"), done(0, message("m"))}), "text[ab]")
      << "an item that was not added";
  EXPECT_EQ(parts({arguments(0, "fc_a", "{}"), done(0, call("a", "f", "{}"))}), "call[a|f|{}]");
  EXPECT_EQ(parts({arguments(0, "fc_a", "{}")}), "call[||{}]");
  const json again = {
      {"output",
       {message("n", list({part("output_text", "a")})), message("o", list({part("output_text", "b")}))}}};
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "a")}, again), "text[a] text[b]");
}

TEST(ResponsesReading, CountsPartsThatAnItemRepeatsInTheirOrder) {
  const json one = message("m", list({part("output_text", "a")}));
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "a", 1), done(0, one)}, {{"output", list({one})}}),
            "text[a]");
  const json two = message("m", list({part("output_text", "a"), part("output_text", "b")}));
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "a", 2), words(0, "m", "b", 4), done(0, two)}),
            "text[a] text[b]");
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "b", 1), done(0, two)}), "text[b] text[a]");
}

TEST(ResponsesReading, OneEventEndsAResponse) {
  const std::string text = frames({created(), added(0, message("m")), words(0, "m", "a")});
  const auto with = [&](const std::vector<std::string>& events) {
    return in_short(read(kUpstream, text + frames(events)));
  };
  const auto incomplete = [](const json& details) {
    return ended("incomplete", {{"incomplete_details", details}});
  };
  EXPECT_EQ(with({}), "text[a]");
  EXPECT_EQ(with({done(0, message("m"))}), "text[a]");
  EXPECT_EQ(with({"[DONE]"}), "text[a]");
  EXPECT_EQ(with({ended("completed")}), "text[a] =completed done");
  EXPECT_EQ(with({R"({"type":"response.completed"})"}), "text[a] =completed done");
  EXPECT_EQ(with({ended("completed"), words(0, "m", "b"), "broken", "[DONE]"}), "text[a] =completed done");
  EXPECT_EQ(with({incomplete({{"reason", "max_output_tokens"}})}), "text[a] =max_output_tokens done");
  EXPECT_EQ(with({incomplete(nullptr)}), "text[a] =incomplete done");
  EXPECT_EQ(read(kUpstream, text + frames({incomplete({{"reason", "content_filter"}})})).finish,
            (FinishReason{FinishKind::filter, "content_filter"}));
  EXPECT_EQ(read(kUpstream, text + frames({incomplete({{"reason", "tide"}})})).finish,
            (FinishReason{FinishKind::length, "tide"}));
}

TEST(ResponsesReading, ReadsEveryFormOfAnError) {
  const std::string text = frames({created(), added(0, message("m")), words(0, "m", "a")});
  const auto with = [&](const std::string& more) {
    return in_short(read(kUpstream, text + more + frames({ended("completed")})));
  };
  const std::string flat = R"({"type":"error","code":"c","message":"no","param":null})";
  const std::string nested = R"({"type":"error","error":{"code":"c","message":"no"}})";
  const std::string failed = ended("failed", {{"error", {{"code", "c"}, {"message", "no"}}}});
  for (const std::string& event : {flat, nested, failed}) {
    EXPECT_EQ(with(frames({event})), "text[a] done !no") << event;
    EXPECT_EQ(read(kUpstream, frames({event})).extra.at("the error's code"), "c");
  }
  EXPECT_EQ(with("event: error\ndata: {\"code\":\"c\",\"message\":\"no\"}\n\n"), "text[a] done !no");
  EXPECT_EQ(with("event: error\ndata: out of cheese\n\n"), "text[a] done !out of cheese");
  EXPECT_EQ(with("data: {\"error\":{\"message\":\"no\"}}\n\n"), "text[a] done !no");
  EXPECT_EQ(with("data: {\"error\":\"no\"}\n\n"), "text[a] done !no");
  EXPECT_EQ(with(frames({ended("failed")})), "text[a] done !the server reported an error");
  EXPECT_EQ(with(frames({ended("cancelled")})), "text[a] done !the server reported an error");
  EXPECT_EQ(with("data: []\n\n"), "text[a] done !an event cannot be read: no JSON object");
  EXPECT_EQ(with("data: \"\xFF\"\n\n"), "text[a] done !an event cannot be read: not UTF-8 at byte 0");
  EXPECT_EQ(in_short(read(kUpstream, text + "data: {\"type\":")), "text[a]") << "it broke off";
  EXPECT_EQ(in_short(read(kUpstream, nested)), "!no") << "no stream at all";
  EXPECT_EQ(in_short(read(kUpstream, R"({"error":null,"output":[{"type":"message"}]})")), "");
  EXPECT_EQ(in_short(read(kUpstream, frames({failed, words(0, "m", "a")}))), "done !no");
}

TEST(ResponsesReading, KeepsWhatHasNoPlaceInAPart) {
  const json text = {{"type", "output_text"},
                     {"text", "a"},
                     {"annotations", list({{{"x", 1}}})},
                     {"logprobs", json::array()}};
  json item = message("m", list({text}));
  item["phase"] = "commentary";
  item["z"] = nullptr;
  const json usage = {{"input_tokens", 9},
                      {"input_tokens_details", {{"cached_tokens", 4}}},
                      {"output_tokens", 3},
                      {"total_tokens", 12}};
  const Answer all = answer({done(0, item)}, {{"usage", usage}, {"model", "n"}});
  EXPECT_EQ(all.extra, (std::map<std::string, std::string>{
                           {"the members of item 0", R"({"id":"m","type":"message"})"},
                           {"the phase of item 0", "\"commentary\""},
                           {"the annotations of part 0 of item 0", R"([{"x":1}])"},
                           {"usage", R"({"input_tokens_details":{"cached_tokens":4},"total_tokens":12})"}}));
  EXPECT_EQ(tokens_in_short(all.usage), "9/4/3");
  EXPECT_EQ(all.model, "n");
}

TEST(ResponsesReading, JoinsHalvesOfCharacters) {
  const auto half = [](const char* escape) {
    return R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":")" +
           std::string(escape) + R"("})";
  };
  const std::string start = added(0, message("m"));
  const json wave = message("m", list({part("output_text", "a🌊")}));
  EXPECT_EQ(parts({start, half(R"(a\ud83c)"), half(R"(\udf0a)"), done(0, wave)}), "text[a🌊]");
  EXPECT_EQ(parts({start, half(R"(a\ud83c)"), done(0, wave)}), "text[a🌊]");
  EXPECT_EQ(parts({start, half(R"(\ud83c)"), added(1, call("i", "f"))}), "text[\uFFFD] call[i|f|]");
  EXPECT_TRUE(shapes({start, half(R"(a\ud83c)"), half(R"(\udf0a)")}).contains("halves"));
}

TEST(ResponsesReading, NotesWhatAProxyCanTripOver) {
  const std::string start = added(0, message("m"));
  EXPECT_EQ(shapes({start, words(0, "m", "a"), words(0, "m", "a"), words(0, "m", ""), done(0, message("m"))},
                   {{"output", list({message("m")})}}),
            (Shapes{"text", "repeated_pieces", "empty_pieces"}));
  EXPECT_EQ(shapes({R"({"type":"keepalive"})", of_type("tide"), of_type("web_search_call.searching")}),
            (Shapes{"keepalive", "unknown_keys"}));
  EXPECT_EQ(shapes({added(1, call("a.b", "f")), added(1, call("a.b", "f")), arguments(1, "x", "[]")}),
            (Shapes{"tools", "index_gap", "index_reused", "foreign_id", "shared_id", "parallel_tools",
                    "id_drift", "arguments_never", "arguments_unreadable", "item_never_done", "output_empty",
                    "finish_stop_with_tools"}));
  EXPECT_EQ(read(kUpstream, "").shapes, (Shapes{"no_done", "nothing", "no_usage"}));
  EXPECT_EQ(read(kUpstream, frames({words(0, "m", "a")})).shapes,
            (Shapes{"unnamed_event", "no_sequence", "no_start", "item_never_added", "text", "no_done",
                    "nothing", "no_usage"}));
}

/// Whether `later` holds all of `earlier`, as what a reader says so far has to grow.
void expect_growth(const Answer& earlier, const Answer& later, const std::string& name) {
  ASSERT_LE(earlier.parts.size(), later.parts.size()) << name;
  for (std::size_t i = 0; i < earlier.parts.size(); ++i) {
    EXPECT_TRUE(later.parts[i].text.starts_with(earlier.parts[i].text)) << name;
    EXPECT_TRUE(later.parts[i].arguments.starts_with(earlier.parts[i].arguments)) << name;
    EXPECT_EQ(later.parts[i].name, earlier.parts[i].name) << name;
    EXPECT_EQ(later.parts[i].id, earlier.parts[i].id) << name;
    if (i + 1 == earlier.parts.size()) continue;
    EXPECT_EQ(later.parts[i].text, earlier.parts[i].text) << name;
  }
}

void expect_steady_growth(const SharedStream& stream) {
  static const std::set<std::string_view> kKnown = [] {
    std::set<std::string_view> names;
    for (const ResponsesShapeEntry& entry : kResponsesShapes) names.insert(entry.name);
    return names;
  }();
  SseReader sse;
  sse.feed(stream.body);
  sse.finish();
  ResponsesReading reading;
  DueCount due((Choices()));
  Answer before;
  for (const SseEvent& event : sse.events()) {
    reading.take(event);
    expect_growth(before, reading.so_far(), stream.name);
    EXPECT_EQ(due.after(reading.so_far()), due_by_definition(reading.so_far(), Choices())) << stream.name;
    before = reading.so_far();
  }
  for (const std::string& shape : reading.finished().shapes) EXPECT_TRUE(kKnown.contains(shape)) << shape;
}

TEST(ResponsesReading, OfRealStreamsSaysMoreWithEachEvent) {
  if (shared_recordings().empty()) GTEST_SKIP() << "no shared recordings: set SPLITPROOF_SHARED";
  for (const SharedStream& stream : shared_streams("openai-responses")) {
    expect_steady_growth(stream);
    const Answer answer = read(kUpstream, stream.body);
    EXPECT_TRUE(answer.done && answer.finish.has_value() != answer.error.has_value()) << stream.name;
    EXPECT_FALSE(answer.shapes.contains("contradiction")) << stream.name;
  }
}

TEST(ResponsesUpstream, ItsTinyAnswerSaysOneWord) {
  std::string body;
  for (const std::string& piece : kUpstream.tiny_answer()) body += piece;
  EXPECT_EQ(in_short(read(kUpstream, body)), "text[Ebb] =completed done");
}

}  // namespace
}  // namespace splitproof::dialect
