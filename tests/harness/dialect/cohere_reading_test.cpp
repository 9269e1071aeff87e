#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/cohere_chat/reading.hpp"
#include "harness/dialect/cohere_chat/upstream.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/framing.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/recut.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

// Meaning of Cohere's chat streams: single events, and the project's recordings.

namespace splitproof::dialect::cohere_reading_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

const CohereUpstream kUpstream;
const std::string kStart =
    frame(R"({"type":"message-start","id":"m","delta":{"message":{"role":"assistant"}}})");
const std::string kEnd = frame(R"({"type":"message-end","delta":{"finish_reason":"COMPLETE"}})");

std::string in_short_of(const std::string& body) { return in_short(read(kUpstream, body)); }

/// Returns the meaning of events before the end.
std::string events(const std::string& frames) {
  const std::string end = " =complete done";
  const std::string all = in_short_of(kStart + frames + kEnd);
  return all.ends_with(end) ? all.substr(0, all.size() - end.size()) : all;
}

std::string event(const std::string& type, const std::string& message, const std::string& index = "0") {
  return frame(R"({"type":")" + type + R"(","index":)" + index + R"(,"delta":{"message":)" + message + "}}");
}

std::string content(const std::string& piece, const std::string& index = "0") {
  return event("content-delta", R"({"content":)" + piece + "}", index);
}

std::string begin(const std::string& call, const std::string& index = "0") {
  return event("tool-call-start", R"({"tool_calls":)" + call + "}", index);
}

std::string arguments(const std::string& piece, const std::string& index = "0") {
  return event("tool-call-delta", R"({"tool_calls":{"function":{"arguments":")" + piece + R"("}}})", index);
}

TEST(CohereReading, ReadsEveryFormOfContent) {
  EXPECT_EQ(events(content(R"({"text":"a\n\u003cb"})")), "text[a\n<b]");
  EXPECT_EQ(events(content(R"({"thinking":"t","text":"a"})")), "thinking[t] text[a]");
  EXPECT_EQ(events(content(R"({"text":null})") + content(R"(["a"])") + content("null")), "=complete done");
  EXPECT_EQ(events(content(R"({"text":"\ud83c"})") + content(R"({"text":"\udf0a"})")), "text[🌊]");
  EXPECT_EQ(events(content(R"({"text":"\ud83c"})") + frame(R"({"type":"content-end","index":0})") +
                   content(R"({"text":"\udf0a"})")),
            "text[\uFFFD] text[\uFFFD]");
  EXPECT_EQ(events(content(R"({"text":"a"})") + content(R"({"text":"b"})", "1") + content(R"({"text":"c"})")),
            "text[ac] text[b]")
      << "the index names the block";
  EXPECT_EQ(events(event("content-start", R"({"content":{"type":"thinking","thinking":"t"}})", "3") +
                   frame(R"({"type":"content-delta","delta":{"message":{"content":{"thinking":"u"}}}})")),
            "thinking[tu]");
  EXPECT_EQ(events(frame(R"({"type":"tool-plan-delta","delta":{"message":{"tool_plan":"p"}}})") +
                   content(R"({"text":"a"})") +
                   frame(R"({"type":"tool-plan-delta","delta":{"message":{"tool_plan":"q"}}})")),
            "thinking[pq] text[a]");
}

TEST(CohereReading, ReadsEveryFormOfACall) {
  const std::string call = R"({"id":"i","type":"function","function":{"name":"f","arguments":""}})";
  EXPECT_EQ(events(begin(call) + arguments(R"({\"a\": )") + arguments("9007199254740993}")),
            R"(call[i|f|{"a": 9007199254740993}])");
  EXPECT_EQ(events(begin(R"({"id":"i","function":{"name":"f","arguments":"{"}})") + arguments("}")),
            "call[i|f|{}]");
  EXPECT_EQ(events(begin(call)), "call[i|f|]");
  EXPECT_EQ(events(begin(call) + begin(call)), "call[i|f|] call[i|f|]") << "each start begins a call";
  EXPECT_EQ(events(begin(call) + begin(call, "1") + arguments("a") + arguments("b", "1") + arguments("c")),
            "call[i|f|ac] call[i|f|b]");
  EXPECT_EQ(events(begin("[]") + begin("null")), "=complete done");
  EXPECT_TRUE(events(arguments("a")).ends_with("!arguments come for call 0, which never began"));
  const Answer waiting = read(kUpstream, kStart + begin(R"({"function":{"name":"g"}})", "7") +
                                             begin(R"({"function":{"name":"f"}})", "2") + begin(call, "9") +
                                             content(R"({"text":"a"})") + kEnd);
  EXPECT_EQ(in_short(waiting), "call[i|f|] text[a] call[|f|] call[|g|] =complete done");
  EXPECT_EQ(waiting.begun, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(waiting.shapes,
            (std::set<std::string>{"id_never", "parallel_tools", "prose_meanwhile", "tools"}));
}

TEST(CohereReading, ReadsEveryFormOfTheEnd) {
  const std::string text = kStart + content(R"({"text":"a"})");
  const auto end = [&](const std::string& members) {
    return in_short_of(text + frame(R"({"type":"message-end","delta":{)" + members + "}}"));
  };
  EXPECT_EQ(in_short_of(text), "text[a]");
  EXPECT_EQ(in_short_of(text + frame("[DONE]")), "text[a]") << "[DONE] alone ends no answer";
  EXPECT_EQ(in_short_of(text + kEnd + frame("[DONE]") + text + frame("broken")), "text[a] =complete done");
  EXPECT_EQ(end(R"("finish_reason":"MAX_TOKENS")"), "text[a] =max_tokens done");
  EXPECT_EQ(end(R"("finish_reason":null)"), "text[a] done");
  EXPECT_EQ(end(R"("finish_reason":"ERROR","error":"no")"), "text[a] =error done !no");
  EXPECT_EQ(end(R"("error":"")"), "text[a] done");
  const Answer counted = read(
      kUpstream,
      text +
          frame(
              R"({"type":"message-end","delta":{"usage":{"billed_units":{"input_tokens":1},"tokens":{"input_tokens":9,"output_tokens":3},"cached_tokens":4}}})"));
  EXPECT_EQ(tokens_in_short(counted.usage), "9/4/3");
  EXPECT_EQ(counted.extra,
            (std::map<std::string, std::string>{{"usage", R"({"billed_units":{"input_tokens":1}})"}}));
  EXPECT_EQ(tokens_in_short(
                read(kUpstream, frame(R"({"type":"message-end","delta":{"usage":{"tokens":[]}}})")).usage),
            "-/-/-");
}

TEST(CohereReading, ReadsEveryFormOfAnError) {
  const std::string text = kStart + content(R"({"text":"a"})");
  for (const auto& [bad, meant] : std::map<std::string, std::string>{
           {frame(R"({"message":"no","id":"e"})"), "!no"},
           {"event: error\n" + frame(R"({"message":"no"})"), "!no"},
           {"event: error\n" + frame("no"), "!no"},
           {frame(R"({"type":"error","error":{"message":"no"}})"), "!no"},
           {frame(R"({"error":{"code":1}})"), "!the server reported an error"},
           {frame("broken"), "!an event cannot be read: "},
           {frame("[]"), "!an event cannot be read: not a JSON object"},
           {frame(R"({"type":"message-start","id":"n"})"), "!another message begins before this one ends"}}) {
    const std::string all = in_short_of(text + bad);
    EXPECT_TRUE(all.starts_with("text[a] " + meant)) << bad << all;
    EXPECT_TRUE(in_short_of(text + bad + kEnd).starts_with("text[a] done " + meant)) << bad;
  }
  EXPECT_EQ(in_short_of(R"({"id":"e","message":"no"})"), "!no") << "a document";
  EXPECT_EQ(in_short_of(R"({"id":"e","message":{"role":"assistant"},"finish_reason":"COMPLETE"})"), "")
      << "an answer in one piece";
}

std::vector<SharedStream> streams() {
  std::vector<SharedStream> all;
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  for (const auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings)
    if (recording.protocol == "cohere.chat") all.push_back({recording.id, recording.body, {}});
  return all;
}

/// The meaning of each, derived by hand from its bytes.
TEST(CohereReading, ReadingsOfRecordingsEqualTheirMeanings) {
  const std::string tide = R"(call[read_tide_q4gauge1|read_tide|{"harbour":"Leith"}])";
  const std::string end = " =complete done";
  const std::string called = " =tool_call done";
  const std::map<std::string, std::string> expected = {
      {"citations", "text[High water is at noon, low water at six.]" + end},
      {"end-inside-arguments", R"(thinking[I look.] call[read_tide_q4gauge1|read_tide|{"harbour":])"},
      {"end-inside-event", "text[The tide]"},
      {"end-inside-text", "text[The tide turns]"},
      {"error-document",
       "!invalid request: message must be at least 1 token long or tool results must be specified."},
      {"error-event", "text[Three] !an internal error occurred"},
      {"error-first", "=error done !the prompt is too long"},
      {"error-in-message-end",
       "text[Three fathoms] =error done !the generation failed: the model is overloaded"},
      {"error-unreadable", "text[Three] done !an event cannot be read: ends inside a string at byte 48"},
      {"event-unknown", "text[Ebb now.]" + end},
      {"finish-error", "text[Three fathoms and] =error done"},
      {"finish-max-tokens", "text[Three fathoms and] =max_tokens done"},
      {"finish-max-tokens-inside-arguments",
       R"(call[read_tide_q4gauge1|read_tide|{"harbour":"L] =max_tokens done)"},
      {"finish-never", "text[Fair winds.] done"},
      {"finish-stop-sequence", "text[Three fathoms and] =stop_sequence done"},
      {"finish-timeout", "text[Three fathoms and] =timeout done"},
      {"finish-unknown", "text[Three fathoms and] =becalmed done"},
      {"framing-comments", "text[Ebb now.]" + end},
      {"framing-crlf", "text[Ebb now.]" + end},
      {"plan-multibyte",
       R"(thinking[Mesuré en mètres: 潮🌊.] call[write_log_q4book1|write_log|{"text":"潮🌊 \"line\"\n"}])" +
           called},
      {"plan-one-call",
       R"(thinking[I will read the gauge.] call[read_tide_q4gauge1|read_tide|{"harbour": "Leith"}])" +
           called},
      {"plan-several-calls", "thinking[First the gauge, then the vane.] " + tide +
                                 R"( call[read_wind_q4vane1|read_wind|{"harbour":"Leith","hours":6}])"
                                 R"( call[read_tide_q4gauge2|read_tide|{"harbour":"Wick"}])" +
                                 called},
      {"plan-without-call", "thinking[I look it up.] text[One moment.]" + end},
      {"text-empty-pieces", "text[Slack water.]" + end},
      {"text-escapes", "text[Say \"ahoy\"\n<b> 🌊\tend]" + end},
      {"text-in-start", "text[Fair winds.]" + end},
      {"text-multibyte", "text[Marée 潮汐 🌊 čas.]" + end},
      {"text-plain", "text[The tide turns at nine.]" + end},
      {"text-two-blocks", "text[High water at noon.] text[ Low water at six.]" + end},
      {"text-unnamed", "text[Ebb now.]" + end},
      {"text-without-start", "text[Half tide.]" + end},
      {"thinking-then-call", "thinking[I need the gauge.] " + tide + called},
      {"thinking-then-text", "thinking[Spring tide, so high.] text[Wait an hour.]" + end},
      {"tool-after-text", "text[I look.] " + tide + called},
      {"tool-arguments-exact-numbers",
       R"(call[open_chart_q4chart1|open_chart|{"z":9007199254740993,"scale":0.10000,"a":[1e3,-0]}])" +
           called},
      {"tool-id-never", R"(call[|read_tide|{"harbour":"Leith"}])" + called},
      {"tool-no-arguments", "call[list_harbours_q4book1|list_harbours|]" + called},
      {"tool-parallel", tide + R"( call[read_wind_q4vane1|read_wind|{"knots":true}])" + called},
      {"tool-parallel-interleaved", tide + R"( call[read_wind_q4vane1|read_wind|{"knots":true}])" + called},
      {"tool-plain", tide + called},
      {"usage-cached", "text[Ebb now.]" + end},
      {"usage-never", "text[Ebb now.]" + end},
  };
  for (const SharedStream& stream : streams()) {
    const auto meaning = expected.find(stream.name.substr(stream.name.find('/') + 1));
    ASSERT_NE(meaning, expected.end()) << stream.name;
    EXPECT_EQ(in_short_of(stream.body), meaning->second) << stream.name;
  }
  EXPECT_EQ(streams().size(), expected.size());
}

CohereReading reading_of(const std::vector<SseEvent>& events) {
  CohereReading reading;
  for (const SseEvent& event : events) reading.take(event);
  return reading;
}

TEST(CohereReading, StateDoesNotDependOnTheCuts) {
  for (const SharedStream& stream : streams()) {
    const std::string_view body = stream.body;
    std::vector<FrameReader> at;  // after this many bytes
    FrameReader whole(Framing::sse);
    for (std::size_t size = 0; size <= body.size(); ++size) {
      at.push_back(whole);
      if (size < body.size()) whole.feed(body.substr(size, 1));
    }
    for (std::size_t cut = 0; cut <= body.size(); cut += kSanitized ? 97 : 7) {
      FrameReader rest = at[cut];
      rest.feed(body.substr(cut));
      ASSERT_EQ(reading_of(rest.events()), reading_of(whole.events())) << stream.name << " " << cut;
    }
  }
}

TEST(CohereReading, ReadingsOnlyGrowAndDueFitsItsDefinition) {
  for (const SharedStream& stream : streams()) {
    FrameReader frames(Framing::sse);
    frames.feed(stream.body);
    frames.finish();
    CohereReading reading;
    FlushRequirement due((Choices()));
    Answer before;
    for (const SseEvent& event : frames.events()) {
      reading.take(event);
      const Answer& now = reading.so_far();
      ASSERT_LE(before.parts.size(), now.parts.size()) << stream.name;
      for (std::size_t i = 0; i < before.parts.size(); ++i) {
        EXPECT_TRUE(now.parts[i].text.starts_with(before.parts[i].text)) << stream.name;
        EXPECT_TRUE(now.parts[i].arguments.starts_with(before.parts[i].arguments)) << stream.name;
      }
      EXPECT_EQ(due.after(now), due_by_definition(now, Choices())) << stream.name;
      before = now;
    }
  }
}

// The recuts may name and number other events, so notes on events of unknown types are left out.
TEST(CohereDealer, ChangesNoMeaning) {
  std::map<std::string, std::size_t> changed;  // bodies by label of the dialect's own recuts
  std::size_t recuts = 0;
  for (const SharedStream& stream : streams()) {
    std::string joined;
    const auto parts = cohere_dealer().take_apart(stream.body);
    for (const std::string_view event : parts->events()) joined += event;
    EXPECT_EQ(joined, stream.body);
    const auto meaning_of = [](std::string_view body) {
      Answer answer = read(kUpstream, body);
      answer.shapes.erase("unknown_keys");
      forget_unread(answer);
      return answer;
    };
    const split::Recuts of(cohere_dealer(), stream.body);
    for (const std::string& label : of.plan(4, true, 1)) {
      const auto recut = of.make(label);
      if (!recut) continue;
      ++recuts;
      changed[label] += recut->body == stream.body ? 0 : 1;
      EXPECT_EQ(describe_difference(meaning_of(recut->body), meaning_of(stream.body)), "")
          << stream.name << " " << label << "\n"
          << recut->body;
      EXPECT_EQ(recut->arrivals.back(), recut->body.size());
    }
  }
  for (const std::string& label : cohere_dealer().labels()) EXPECT_GT(changed[label], 0u) << label;
  EXPECT_GT(recuts, 400u);
}

TEST(CohereDealer, MakesCanariesOfBodiesThatEndWellWithText) {
  std::size_t made = 0;
  for (const SharedStream& stream : streams()) {
    const auto canary = cohere_canary(stream.body, 3);
    if (!canary) continue;
    ++made;
    EXPECT_TRUE(read(kUpstream, stream.body).done) << stream.name;
    EXPECT_NE(in_short_of(canary->body).find("Canary 4 begins. Canary 4 goes on. Canary 4 ends. "),
              std::string::npos)
        << stream.name;
  }
  EXPECT_GE(made, 15u);
}

TEST(CohereUpstream, MadeStreamsHaveTheirContent) {
  std::string body;
  for (const std::string& piece : kUpstream.tiny_answer()) body += piece;
  EXPECT_EQ(in_short_of(body), "text[Ebb] =complete done");
  EXPECT_EQ(in_short_of(kUpstream.stream_of_many(Many::calls, 2, 5)),
            "call[tide_5|tide|{}] call[tide_6|tide|{}] =tool_call done");
  EXPECT_EQ(in_short_of(kUpstream.stream_of_many(Many::blocks, 2, 0)), "text[a] text[a] =complete done");
  EXPECT_EQ(in_short_of(refusal_of_cohere(503)), "!the server answers 503");
}

}  // namespace
}  // namespace splitproof::dialect::cohere_reading_test
