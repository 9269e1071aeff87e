// Meaning of Anthropic Messages streams: single events, the project's recordings, and streams of real servers. The file
// is long because each irregularity is a stream of a few events next to its meaning.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/anthropic_messages/reading.hpp"
#include "harness/dialect/anthropic_messages/shapes.hpp"
#include "harness/dialect/anthropic_messages/upstream.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/recut.hpp"
#include "tests/harness/dialect/anthropic_events.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::dialect::anthropic_reading_test {
namespace {

using namespace observe;           // NOLINT: the words of answers and traces
using namespace anthropic_events;  // NOLINT: the events of streams

const AnthropicUpstream kUpstream;
const std::string kStop = of_type("message_stop");

std::string reason(const std::string& word) {
  return R"({"type":"message_delta","delta":{"stop_reason":)" + word + R"(},"usage":{"output_tokens":3}})";
}

std::string in_short_of(const std::string& body) { return in_short(read(kUpstream, body)); }

/// Returns an answer with these events and a good end.
Answer answer(const std::vector<std::string>& events, const std::string& word = "\"end_turn\"") {
  return read(kUpstream, frames({message_start()}) + frames(events) + frames({reason(word), kStop}));
}

/// Return its parts in short form, and its shapes except those of every such answer.
std::string parts(const std::vector<std::string>& events) { return parts_in_short(answer(events)); }

std::set<std::string> shapes(const std::vector<std::string>& events) {
  std::set<std::string> all = answer(events).shapes;
  for (const char* always : {"finish_stop", "no_role", "unnamed_event", "done_came"}) all.erase(always);
  return all;
}

using Shapes = std::set<std::string>;

TEST(AnthropicReading, ReadsEveryFormOfABlock) {
  EXPECT_EQ(parts({text_start(0), words(0, "a"), words(0, "b"), stop(0)}), "text[ab]");
  EXPECT_EQ(parts({text_start(0), stop(0)}), "");
  EXPECT_EQ(parts({text_start(0), words(0, "a"), stop(0), text_start(1), words(1, "b"), stop(1)}),
            "text[a] text[b]");
  EXPECT_EQ(parts({start(0, R"({"type":"text","text":"a"})"), words(0, "b")}), "text[ab]");
  EXPECT_EQ(parts({thinking_start(0), thought(0, "t"), signature(0, "s"), signature(0, "r")}),
            "thinking[t|r]");
  EXPECT_EQ(parts({thinking_start(0), signature(0, "s"), stop(0)}), "thinking[|s]");
  EXPECT_EQ(parts({start(0, R"({"type":"thinking","thinking":"t","signature":"s"})")}), "thinking[t|s]");
  EXPECT_EQ(parts({start(0, R"({"type":"redacted_thinking","data":"d"})")}),
            R"(other[{"data":"d","type":"redacted_thinking"}])");
  EXPECT_EQ(parts({tool_start(0, "i", "f"), arguments(0, ""), arguments(0, "{\"a\""), arguments(0, ": 1}")}),
            "call[i|f|{\"a\": 1}]");
  EXPECT_EQ(parts({tool_start(0, "i", "f"), stop(0)}), "call[i|f|]");
  EXPECT_EQ(parts({start(0, R"({"type":"tool_use","id":"i","name":"f","input":{"z":1,"a":[ ]}})"), stop(0)}),
            R"(call[i|f|{"a":[],"z":1}])")
      << "as the test's own JSON writes it";
  EXPECT_EQ(
      parts({start(0, R"({"type":"tool_use","id":"i","name":"f","input":{"a":1}})"), arguments(0, "{}")}),
      "call[i|f|{}]");
  EXPECT_EQ(parts({start(0, R"({"type":"tool_use","name":"f","input":null})"), stop(0), text_start(1),
                   words(1, "a")}),
            "text[a] call[|f|]");
  const Answer server = answer({start(0, R"({"type":"server_tool_use","id":"i","name":"f","input":{}})"),
                                arguments(0, "{\"q\":1}"), stop(0)});
  EXPECT_EQ(parts_in_short(server), R"(other[{"id":"i","name":"f","type":"server_tool_use"}])");
  EXPECT_EQ(server.parts[0].arguments, "{\"q\":1}");
  EXPECT_EQ(parts({start(0, R"({"type":"compaction","content":null})"),
                   delta(0, "compaction_delta", "content", "c"), stop(0)}),
            R"(other[{"content":"c","type":"compaction"}])");
}

TEST(AnthropicReading, KeepsWhatHasNoPlaceInAPart) {
  const Answer cited = answer(
      {start(0, R"({"type":"text","text":"","citations":[]})"), words(0, "a"),
       of_type("content_block_delta",
               {{"index", 0}, {"delta", {{"type", "citations_delta"}, {"citation", {{"x", 1}}}}}}),
       of_type("content_block_delta",
               {{"index", 0}, {"delta", {{"type", "citations_delta"}, {"citation", {{"y", 2}}}}}}),
       stop(0),
       start(1,
             R"({"type":"tool_use","id":"i","name":"f","input":{},"caller":{"type":"direct"},"z":null})")});
  EXPECT_EQ(cited.extra.at("the citations of block 0"), R"([{"x":1},{"y":2}])");
  EXPECT_EQ(cited.extra.at("the members of block 1"), R"({"caller":{"type":"direct"}})");
  EXPECT_EQ(cited.extra.size(), 2u);
  const Answer ended = read(
      kUpstream,
      frames(
          {R"({"type":"message_start","message":{"role":"assistant","model":"m","content":[],"container":null,)"
           R"("usage":{"input_tokens":7,"cache_read_input_tokens":2,"cache_creation_input_tokens":1,"output_tokens":1,)"
           R"("service_tier":"standard"}}})",
           R"({"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END","stop_details":null,)"
           R"("container":{"id": "c"}},"usage":{"output_tokens":5,"server_tool_use":{"n":[1, 2.50]},)"
           R"("iterations":null},"context_management":{"applied_edits":[]}})",
           kStop}));
  EXPECT_EQ(ended.extra, (std::map<std::string, std::string>{
                             {"container", R"({"id":"c"})"},
                             {"context_management", R"({"applied_edits":[]})"},
                             {"stop_sequence", "END"},
                             {"usage", R"({"cache_creation_input_tokens":1,"server_tool_use":{"n":[1,2.50]},)"
                                       R"("service_tier":"standard"})"}}));
  EXPECT_EQ(tokens_in_short(ended.usage), "10/2/5");
  EXPECT_EQ(ended.model, "m");
}

TEST(AnthropicReading, OnlyMessageStopEndsAnAnswer) {
  const std::string text = frames({message_start(), text_start(0), words(0, "a"), stop(0)});
  const auto with = [&](const std::vector<std::string>& events) {
    return in_short(read(kUpstream, text + frames(events)));
  };
  EXPECT_EQ(with({}), "text[a]");
  EXPECT_EQ(with({reason("\"end_turn\"")}), "text[a]");
  EXPECT_EQ(with({reason("\"end_turn\""), kStop}), "text[a] =end_turn done");
  EXPECT_EQ(with({reason("\"end_turn\""), reason("null"), kStop}), "text[a] done");
  EXPECT_EQ(with({reason("\"end_turn\""), kStop, words(0, "b"), "broken"}), "text[a] =end_turn done");
  EXPECT_EQ(with({"[DONE]"}), "text[a]");
  EXPECT_EQ(with({reason("\"end_turn\""), kStop, "[DONE]"}), "text[a] =end_turn done");
  for (const auto& [word, kind] :
       std::map<std::string, FinishKind>{{"end_turn", FinishKind::stop},
                                         {"stop_sequence", FinishKind::stop},
                                         {"tool_use", FinishKind::calls},
                                         {"max_tokens", FinishKind::length},
                                         {"model_context_window_exceeded", FinishKind::length},
                                         {"refusal", FinishKind::filter},
                                         {"pause_turn", FinishKind::paused},
                                         {"compaction", FinishKind::paused},
                                         {"made_up", FinishKind::unknown}})
    EXPECT_EQ(answer({}, "\"" + word + "\"").finish, (FinishReason{kind, word}));
}

TEST(AnthropicReading, ReadsEveryFormOfAnError) {
  const std::string text = frames({message_start(), text_start(0), words(0, "a")});
  const auto with = [&](const std::string& more) {
    return in_short(read(kUpstream, text + more + frames({kStop})));
  };
  const std::string overloaded = R"({"type":"error","error":{"type":"overloaded_error","message":"no"}})";
  EXPECT_EQ(with("event: error\ndata: " + overloaded + "\n\n"), "text[a] done !no");
  EXPECT_EQ(with("data: " + overloaded + "\n\n"), "text[a] done !no");
  EXPECT_EQ(with("event: error\ndata: out of cheese\n\n"), "text[a] done !out of cheese");
  EXPECT_EQ(with("event: error\ndata: {}\n\n"), "text[a] done !the server reported an error");
  EXPECT_EQ(with("data: {\"error\":{\"message\":\"no\"}}\n\n"), "text[a] done !no");
  EXPECT_EQ(with("data: {\n\n").substr(0, 37), "text[a] done !an event cannot be read");
  EXPECT_EQ(with("data: []\n\n"), "text[a] done !an event cannot be read: not a JSON object");
  EXPECT_EQ(with("data: \"\xFF\"\n\n"), "text[a] done !an event cannot be read: not UTF-8 at byte 0");
  EXPECT_EQ(in_short(read(kUpstream, text + "data: {\"type\":")), "text[a]") << "it broke off";
  EXPECT_EQ(in_short(read(kUpstream, overloaded)), "!no") << "no stream at all";
  EXPECT_EQ(in_short(read(kUpstream, R"({"type":"message","content":[{"type":"text","text":"a"}]})")), "");
  const Answer first = read(kUpstream, "data: " + overloaded + "\n\n" + text);
  EXPECT_EQ(in_short(first), "!no");
  EXPECT_EQ(first.extra.at("the error's type"), "overloaded_error");
}

TEST(AnthropicReading, PutsDisorderInOrderAtTheEnd) {
  const std::vector<std::string> crossed = {tool_start(0, "i", "f"), text_start(1), words(1, "a"),
                                            arguments(0, "{}"),      words(1, "b"), stop(0)};
  EXPECT_EQ(parts(crossed), "call[i|f|{}] text[ab]");
  EXPECT_TRUE(shapes(crossed).contains("interleaved_blocks"));
  EXPECT_EQ(parts({text_start(0), tool_start(1, "i", "f"), words(0, "a")}), "text[a] call[i|f|]");
  EXPECT_EQ(parts({text_start(0), words(0, "a"), text_start(0), words(0, "b")}), "text[a] text[b]");
  EXPECT_EQ(parts({text_start(3), words(3, "a"), words(0, "b")}), "text[a] text[b]");
  EXPECT_EQ(parts({text_start(0), thought(0, "t"), arguments(0, "{}"), signature(0, "s"), words(0, "a")}),
            "text[a]");
  EXPECT_EQ(parts({message_start(), text_start(0), words(0, "a")}), "text[a]");
  EXPECT_EQ(in_short(read(kUpstream, frames({text_start(0), words(0, "a"), kStop}))), "text[a] done");
  const std::string resumed =
      R"({"type":"message_start","message":{"role":"assistant","model":"m","content":[)"
      R"({"type":"tool_use","id":"i","name":"f","input":{"a": 1}},{"type":"text","text":"b"}]}})";
  const Answer goes_on = read(kUpstream, frames({resumed, text_start(2), words(2, "c"), stop(2)}));
  EXPECT_EQ(parts_in_short(goes_on), R"(call[i|f|{"a": 1}] text[b] text[c])");
  EXPECT_TRUE(goes_on.shapes.contains("content_in_start"));
}

TEST(AnthropicReading, JoinsHalvesOfCharacters) {
  const auto half = [](const char* escape) {
    return R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" +
           std::string(escape) + R"("}})";
  };
  EXPECT_EQ(parts({text_start(0), half(R"(a\ud83c)"), of_type("ping"), half(R"(\udf0a)"), stop(0)}),
            "text[a🌊]");
  EXPECT_EQ(parts({text_start(0), half(R"(\ud83c)"), stop(0)}), "text[\uFFFD]");
  EXPECT_EQ(parts({text_start(0), half(R"(\ud83c)"), tool_start(1, "i", "f")}), "text[\uFFFD] call[i|f|]");
  EXPECT_EQ(parts({text_start(0), half(R"(\ud83c)"), text_start(0), half(R"(\udf0a)")}),
            "text[\uFFFD] text[\uFFFD]")
      << "of another block";
  EXPECT_EQ(parts({text_start(0), half(R"(\ud83c)"), text_start(1), half(R"(\udf0a)"), words(1, "b")}),
            "text[🌊] text[b]");
  EXPECT_EQ(parts({text_start(0), half(R"(\ud83c)"), text_start(1), words(1, "b"), half(R"(\udf0a)")}),
            "text[\uFFFD\uFFFD] text[b]")
      << "too late";
}

TEST(AnthropicReading, NotesWhatAProxyCanTripOver) {
  EXPECT_EQ(shapes({of_type("ping"), of_type("tide")}), (Shapes{"ping", "unknown_keys"}));
  EXPECT_EQ(shapes({text_start(0), words(0, "a"), words(0, "a"), words(0, ""), stop(0)}),
            (Shapes{"text", "repeated_pieces", "empty_pieces"}));
  EXPECT_EQ(shapes({text_start(0), words(0, "<think>a"), stop(0)}), (Shapes{"text", "think_tag"}));
  EXPECT_EQ(shapes({thinking_start(0), thought(0, "t"), signature(0, "s"), stop(0), tool_start(1, "a.b", "f"),
                    stop(1), tool_start(2, "a.b", "g"), arguments(2, "[]"), stop(2), text_start(3),
                    words(3, "b"), stop(3)}),
            (Shapes{"thinking", "signature", "tools", "thinking_before_tool", "foreign_id", "shared_id",
                    "parallel_tools", "arguments_never", "arguments_unreadable", "text", "text_after_tool",
                    "finish_stop_with_tools"}));
  EXPECT_EQ(shapes({text_start(1), delta(0, "text_delta", "text", "a"), delta(1, "tide_delta", "tide", "a")}),
            (Shapes{"ambiguous", "block_never_stopped", "index_gap", "stray_piece", "text", "unknown_block",
                    "unknown_keys"}));
  for (const auto& [before, ambiguous] : {std::pair("{}", true), {"{", false}}) {
    const std::vector<std::string> goes_on = {tool_start(0, "i", "f"), arguments(0, before),
                                              tool_start(1, "j", "g"), arguments(0, "}")};
    EXPECT_EQ(shapes(goes_on).contains("ambiguous"), ambiguous) << before;
  }
  EXPECT_EQ(shapes({start(0, R"({"type":"image","data":""})"), stop(0)}), (Shapes{"unknown_block"}));
  EXPECT_EQ(read(kUpstream, frames({message_start()})).shapes,
            (Shapes{"no_role", "unnamed_event", "no_done", "nothing"}));
  EXPECT_EQ(
      read(kUpstream, frames({text_start(0), words(0, "a"), reason("\"max_tokens\"")})).shapes,
      (Shapes{"unnamed_event", "no_start", "text", "block_never_stopped", "no_done", "finish_without_done"}));
  EXPECT_EQ(read(kUpstream, "").shapes, (Shapes{"no_done", "nothing", "no_usage"}));
}

std::vector<SharedStream> corpus() {
  std::vector<SharedStream> all;
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  for (const auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings)
    if (recording.protocol == "anthropic.messages") all.push_back({recording.id, recording.body, {}});
  return all;
}

/// The meaning of each, derived by hand from its bytes.
TEST(AnthropicReading, MeansWhatTheBytesOfRecordingsSay) {
  const std::map<std::string, std::string>
      expected =
          {
              {"block-delta-behind-stop", "text[Ebb.] =end_turn done"},
              {"block-index-from-one", "text[Ebb.] call[toolu_01A|a|{}] =tool_use done"},
              {"block-index-gap", "text[Ebb.] text[Flood.] =end_turn done"},
              {"block-index-zero-for-all",
               "text[Ebb.] call[toolu_01A|a|{}] call[toolu_01B|b|{}] =tool_use done"},
              {"block-interleaved",
               "call[toolu_01A|a|{\"n\": 1}] call[toolu_01B|b|{\"n\": 2}] =tool_use done"},
              {"block-never-stopped", "text[Ebb.] =end_turn done"},
              {"block-open-under-the-next", "text[Ebb.] call[toolu_01A|a|{}] =tool_use done"},
              {"block-never-started", "text[Ebb tide.] =end_turn done"},
              {"block-never-started-call",
               "text[I look.] done !arguments come for a call that never started"},
              {"block-never-started-thinking", "thinking[Slack soon.] text[Wait.] =end_turn done"},
              {"unknown-delta-of-text", "text[Yes.] =end_turn done"},
              {"unknown-event-with-delta", "text[High.] =end_turn done"},
              {"block-stray-delta", "text[Ebb.] text[No] =end_turn done"},
              {"broken-json", "text[Ebb] done !an event cannot be read: ends inside a string at byte 80"},
              {"citation-behind-text", "text[It turns at nine.] =end_turn done"},
              {"citation-between-text", "text[It turns at nine.] =end_turn done"},
              {"citation-in-start", "text[It turns.] =end_turn done"},
              {"context-compaction",
               "other[{\"content\":\"They asked of tides.\",\"type\":\"compaction\"}] text[At nine.] =end_turn done"},
              {"context-compaction-stops",
               "other[{\"content\":\"Tides.\",\"type\":\"compaction\"}] =compaction done"},
              {"context-management", "text[Yes.] =end_turn done"},
              {"end-at-once", ""},
              {"end-behind-start", ""},
              {"end-behind-whole-arguments", "call[toolu_01X|f|{\"a\": 1}]"},
              {"end-inside-arguments", "call[toolu_01X|f|{\"a\": 1]"},
              {"end-inside-character", "text[Marée]"},
              {"end-inside-event", "text[The]"},
              {"end-inside-text", "text[The tide]"},
              {"end-silent", "text[The]"},
              {"end-without-anything", "text[Yes.]"},
              {"end-without-message-stop", "text[Yes.]"},
              {"error-after-stop-reason", "text[Yes.] !Overloaded"},
              {"error-after-text", "text[The tide] !Overloaded"},
              {"error-between-blocks", "text[Yes.] !Overloaded"},
              {"error-first", "!Overloaded"},
              {"error-in-place-of-a-stream", "!Overloaded"},
              {"error-inside-arguments", "call[toolu_01X|f|{\"a\": \"b] !Internal server error"},
              {"error-invalid-request",
               "thinking[Which crane lifts it?] !messages.0: the cargo has no owner"},
              {"error-no-event-name", "text[Yes] !Overloaded"},
              {"error-no-json", "text[Yes] !upstream connect error"},
              {"error-rate-limit", "text[Three cranes] !This quay has had its forty ships of this minute."},
              {"error-request-too-large", "!The manifest exceeds the berth."},
              {"error-then-stop", "text[Yes] done !Overloaded"},
              {"finish-before-block", "text[Yes.] text[ And no.] =end_turn done"},
              {"finish-before-usage", "text[Yes.] =end_turn done"},
              {"finish-context-window", "text[Three fathoms] =model_context_window_exceeded done"},
              {"finish-end-turn-with-tool", "call[toolu_01A|a|{}] =end_turn done"},
              {"finish-max-tokens", "text[Three fathoms and] =max_tokens done"},
              {"finish-max-tokens-inside-arguments", "call[toolu_01X|f|{\"a\": \"b] =max_tokens done"},
              {"tool-arguments-under-the-first",
               "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}{\"knots\": true}] call[toolu_01Vane|read_wind|] =tool_use done"},
              {"finish-max-tokens-inside-broken-arguments",
               "call[toolu_01Pier|find_pier|{a: \"b] =max_tokens done"},
              {"finish-max-tokens-second-call",
               "call[toolu_01A|a|{}] call[toolu_01B|b|{\"n\":] =max_tokens done"},
              {"finish-never", "text[Yes.] done"},
              {"finish-null", "text[Yes.] done"},
              {"finish-refusal", "text[I ] =refusal done"},
              {"finish-refusal-first", "=refusal done"},
              {"finish-repeated", "text[Yes.] =end_turn done"},
              {"finish-stop-sequence", "text[One, two, ] =stop_sequence done"},
              {"finish-tool-use-without-call", "text[Yes.] =tool_use done"},
              {"finish-unknown", "text[Yes.] =slack_water done"},
              {"framing-blank-lines", "text[Ebb and flood.] =end_turn done"},
              {"framing-byte-order-mark", "text[Ebb and flood.] =end_turn done"},
              {"framing-comments", "text[Ebb and flood.] =end_turn done"},
              {"framing-cr", "text[Ebb and flood.] =end_turn done"},
              {"framing-crlf", "text[Ebb and flood.] =end_turn done"},
              {"framing-data-first", "text[Ebb and flood.] =end_turn done"},
              {"framing-ids", "text[Ebb and flood.] =end_turn done"},
              {"framing-keys-in-another-order", "text[Ebb and flood.] =end_turn done"},
              {"framing-multiline-data", "text[Ebb and flood.] =end_turn done"},
              {"framing-no-event-names", "text[Ebb and flood.] =end_turn done"},
              {"framing-no-final-blank-line", "text[Ebb and flood.] =end_turn done"},
              {"framing-no-space", "text[Ebb and flood.] =end_turn done"},
              {"framing-padded-json", "text[Ebb and flood.] =end_turn done"},
              {"message-fallback",
               "text[I] other[{\"from\":{\"model\":\"fable-tide-2\"},\"to\":{\"model\":\"fable-ebb-1\"},\"type\":\"fallback\"}] text[Yes.] =end_turn done"},
              {"message-null-members", "text[Yes.] =end_turn done"},
              {"message-resumed", "call[toolu_01D|roll|{\"n\":6}] text[Six.] =end_turn done"},
              {"ping-everywhere", "text[Yes, sir.] call[toolu_01A|a|{\"n\": 1}] =tool_use done"},
              {"ping-first", "text[Yes.] =end_turn done"},
              {"renamed-agent",
               R"(call[toolu_01Pier1|Glob|{"pattern": "**/*.tide", "path": "/srv/pier"}] call[toolu_01Pier2|Agent|{"description": "Count the piers", "model": "fable-small", "prompt": "Count what subagent_type says."}] =tool_use done)"},
              {"renamed-crlf",
               R"(call[toolu_01Cord1|Read|{"file_path": "/srv/cord.txt", "offset": 12}] =tool_use done)"},
              {"renamed-exact",
               R"(call[toolu_01Rope1|Edit|{ "file_path" : "/srv/tide/a\u0062.txt",	"old_string":"file_path: 1", "offset": 12345678901234567890, "depth": 1.50e+3, "new_string":"\ud83c\udf0a", "old_string" : "twice" }] =tool_use done)"},
              {"renamed-nested",
               R"(call[toolu_01Nest1|TodoWrite|{"todos": [{"content": "say activeForm once", "status": "completed", "activeForm": "Reading the gauge"}, {"activeForm": "activeForm", "content": "multiSelect", "status": "pending"}]}] call[toolu_01Nest2|AskUserQuestion|{"questions": [{"question": "Which harbour? multiSelect is no key here.", "multiSelect": true, "options": [{"label": "Leith", "multiSelect": false}]}, {"question": "Which day?", "multiSelect": false}], "multiSelect": null}] =tool_use done)"},
              {"renamed-never-stopped",
               R"(text[I read the buoy's log.] call[toolu_01Buoy1|Read|{"file_path": "/srv/buoy/log.txt"}] =tool_use done)"},
              {"renamed-thinking",
               R"(thinking[The glob has to be *.tide, and output_mode is of no use.|c2VhbCBvZiB0aGUga2VscA==] other[{"data":"aGlkZGVuIHRpZGU=","type":"redacted_thinking"}] call[toolu_01Kelp1|Grep|{"pattern": "neap|spring", "glob": "*.tide", "output_mode": "content", "-n": true}] =tool_use done)"},
              {"renamed-alias", "call[toolu_01Quay1|Read|{\"file_path\": \"/a\"}] =tool_use done"},
              {"renamed-cut", "call[toolu_01Quay1|Read|{\"file_] =max_tokens done"},
              {"renamed-parallel",
               "call[toolu_01Quay1|Edit|{\"file_path\": \"/a\", \"old_string\": \"x\", \"new_string\": \"y\"}] call[toolu_01Quay2|TodoWrite|{\"todos\": [{\"content\": \"c\", \"status\": \"pending\", \"activeForm\": \"low\"}]}] =tool_use done"},
              {"renamed-read",
               "text[I look at file_path first.] call[toolu_01Quay1|Read|{\"file_path\": \"/srv/tide/leith.txt\", \"pages\": \"2\"}] =tool_use done"},
              {"renamed-webfetch",
               "call[toolu_01Quay1|WebFetch|{\"url\": \"https://tides.example/leith?file_path=1\", \"prompt\": \"Say the height.\"}] =tool_use done"},
              {"server-called-by-code",
               "text[I run code.] other[{\"id\":\"srvtoolu_01C\",\"name\":\"code_execution\",\"type\":\"server_tool_use\"}] call[toolu_01D|roll|{\"n\":6}] =tool_use done"},
              {"server-code",
               "other[{\"id\":\"srvtoolu_01C\",\"name\":\"bash_code_execution\",\"type\":\"server_tool_use\"}] other[{\"content\":{\"type\":\"bash_code_execution_result\",\"stdout\":\"9\\n\",\"stderr\":\"\",\"return_code\":0,\"content\":[]},\"tool_use_id\":\"srvtoolu_01C\",\"type\":\"bash_code_execution_tool_result\"}] text[Nine.] =end_turn done"},
              {"server-mcp",
               "other[{\"id\":\"mcptoolu_01\",\"name\":\"ask\",\"server_name\":\"harbour\",\"type\":\"mcp_tool_use\"}] other[{\"content\":[{\"type\":\"text\",\"text\":\"9:04\"}],\"is_error\":false,\"tool_use_id\":\"mcptoolu_01\",\"type\":\"mcp_tool_result\"}] text[Nine.] =end_turn done"},
              {"server-pause",
               "text[Still looking.] other[{\"id\":\"srvtoolu_01S\",\"name\":\"web_search\",\"type\":\"server_tool_use\"}] =pause_turn done"},
              {"server-search",
               "other[{\"id\":\"srvtoolu_01S\",\"name\":\"web_search\",\"type\":\"server_tool_use\"}] other[{\"content\":[{\"type\":\"web_search_result\",\"title\":\"Tides\",\"url\":\"https://tide.example/leith\",\"encrypted_content\":\"Eo8=\",\"page_age\":null}],\"tool_use_id\":\"srvtoolu_01S\",\"type\":\"web_search_tool_result\"}] text[At ] text[nine] text[.] =end_turn done"},
              {"server-search-fails",
               "other[{\"id\":\"srvtoolu_01S\",\"name\":\"web_search\",\"type\":\"server_tool_use\"}] other[{\"content\":{\"type\":\"web_search_tool_result_error\",\"error_code\":\"max_uses_exceeded\"},\"tool_use_id\":\"srvtoolu_01S\",\"type\":\"web_search_tool_result\"}] text[No luck.] =end_turn done"},
              {"server-tool-search",
               "other[{\"id\":\"srvtoolu_01T\",\"name\":\"tool_search_tool_bm25\",\"type\":\"server_tool_use\"}] other[{\"content\":{\"type\":\"tool_search_tool_search_result\",\"tool_references\":[{\"type\":\"tool_reference\",\"tool_name\":\"read_tide\"}]},\"tool_use_id\":\"srvtoolu_01T\",\"type\":\"tool_search_tool_result\"}] call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"start-never", "text[Ebb.] =end_turn done"},
              {"start-of-another-message",
               "text[The first pilot.] done !another message begins before this one ends"},
              {"start-twice", "done !another message begins before this one ends"},
              {"stop-reason-unknown", "text[The fog lifts.] =fog_lifted done"},
              {"stop-reason-unknown-nothing", "=fog_stayed done"},
              {"stop-then-another", "text[Yes.] =end_turn done"},
              {"stop-then-done", "text[Yes.] =end_turn done"},
              {"stop-then-ping", "text[Yes.] =end_turn done"},
              {"text-empty-block", "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"text-empty-deltas", "text[Slack water.] =end_turn done"},
              {"text-escapes", "text[Say \"ahoy\" é\n\t\\ / \b\f\r.] =end_turn done"},
              {"text-in-start", "text[Fair winds.] =end_turn done"},
              {"text-innocent-markup", "text[Use <b>{\"a\":[1]}</b> & ```x``` <tool>] =end_turn done"},
              {"text-multibyte", "text[Année é: 潮が 🌊満ちる 🚢⚓] =end_turn done"},
              {"text-nothing", "=end_turn done"},
              {"text-null", "text[Ebb.] =end_turn done"},
              {"text-plain", "text[The tide turns at nine.] =end_turn done"},
              {"text-repeated-pieces", "text[ha ha ha!] =end_turn done"},
              {"text-several-blocks", "text[Ebb ] text[and] text[ flood.] =end_turn done"},
              {"text-spaces-between-pieces", "text[Ebb \n\n  flood ] =end_turn done"},
              {"text-surrogate-escapes", "text[🌊 and 🚢] =end_turn done"},
              {"text-surrogate-half-alone", "text[High \uFFFD] =end_turn done"},
              {"text-surrogate-half-restarted", "text[High \uFFFD] text[ water.] =end_turn done"},
              {"text-surrogate-halves", "text[High 🌊 water.] =end_turn done"},
              {"text-think-tags", "text[<think>Deep?</think>Yes.] =end_turn done"},
              {"thinking-after-tool",
               "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] thinking[And then?|Eq1==] =tool_use done"},
              {"thinking-empty-pieces", "thinking[Hm.|EqTideSig1==] text[Yes.] =end_turn done"},
              {"thinking-estimated-tokens", "thinking[Hm.|Eq1==] text[Yes.] =end_turn done"},
              {"thinking-interleaved",
               "thinking[Look.|Eq1==] text[I look.] thinking[Which?|Eq2==] call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"thinking-multibyte", "thinking[Marée 潮 🌊|Eq1==] text[Oui.] =end_turn done"},
              {"thinking-omitted", "thinking[|EqTideSig1==] text[Yes.] =end_turn done"},
              {"thinking-only-cut-short", "thinking[On the one hand, the] =max_tokens done"},
              {"thinking-redacted",
               "other[{\"data\":\"EmRlZXA=\",\"type\":\"redacted_thinking\"}] text[Yes.] =end_turn done"},
              {"thinking-redacted-between",
               "thinking[Is it|Eq1==] other[{\"data\":\"Em1=\",\"type\":\"redacted_thinking\"}] other[{\"data\":\"Em2=\",\"type\":\"redacted_thinking\"}] thinking[ high?|Eq2==] text[It is.] =end_turn done"},
              {"thinking-signature-in-start", "thinking[Hm.|EqTideSig1==] text[Yes.] =end_turn done"},
              {"thinking-signature-twice", "thinking[Hm.|EqLast==] text[Yes.] =end_turn done"},
              {"thinking-then-text",
               "thinking[Spring tide, so high.|EqTideSig1==] text[Wait an hour.] =end_turn done"},
              {"thinking-then-tool",
               "thinking[Ask.|EqTideSig1==] call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"thinking-unsigned", "thinking[Hm.] text[Yes.] =end_turn done"},
              {"tool-after-text",
               "text[I look.] call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"tool-arguments-broken", "call[toolu_01X|f|{\"a\": nine}] =tool_use done"},
              {"tool-arguments-by-character", "call[toolu_01X|f|{\"a\":[1,-2]}] =tool_use done"},
              {"tool-arguments-deep",
               "call[toolu_01X|f|{\"a\": {\"b\": [{\"c\": null}, {\"d\": {\"e\": []}}]}}] =tool_use done"},
              {"tool-arguments-empty-delta", "call[toolu_01Clock|now|] =tool_use done"},
              {"tool-arguments-empty-object", "call[toolu_01Clock|now|{}] =tool_use done"},
              {"tool-arguments-escapes-cut",
               "call[toolu_01X|note|{\"t\": \"a\\n\\u00e9\\\"b\"}] =tool_use done"},
              {"tool-arguments-exact-numbers",
               "call[toolu_01X|chart|{\"z\": 9007199254740993, \"s\": 0.10000, \"a\": [1e3, -0]}] =tool_use done"},
              {"tool-arguments-in-start",
               "call[toolu_01Gauge|read_tide|{\"harbour\":\"Leith\",\"deep\":[1,2]}] =tool_use done"},
              {"tool-arguments-multibyte", "call[toolu_01X|say|{\"é\": \"潮 🌊\"}] =tool_use done"},
              {"tool-arguments-never", "call[toolu_01Clock|now|] =tool_use done"},
              {"tool-arguments-no-object", "call[toolu_01X|f|[1, 2]] =tool_use done"},
              {"tool-arguments-spaced",
               "call[toolu_01X|f|{\n  \"a\" : 1 ,\n  \"b\":\t[ ]\n}] =tool_use done"},
              {"tool-arguments-surrogate-escapes",
               "call[toolu_01X|say|{\"w\": \"\\ud83c\\udf0a\"}] =tool_use done"},
              {"tool-caller", "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"tool-id-foreign-characters", "call[functions.read_tide:0|read_tide|{}] =tool_use done"},
              {"tool-id-never", "text[I look.] call[|read_tide|{}] =tool_use done"},
              {"tool-id-never-then-text", "text[I looked.] call[|read_tide|{}] =tool_use done"},
              {"tool-id-shared", "call[toolu_01A|a|{}] call[toolu_01A|b|{}] =tool_use done"},
              {"tool-input-absent", "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"tool-name-empty", "call[toolu_01A||{}] =tool_use done"},
              {"tool-parallel",
               "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] call[toolu_01Vane|read_wind|{\"knots\": true}] =tool_use done"},
              {"tool-parallel-same",
               "call[toolu_01A|read_tide|{}] call[toolu_01B|read_tide|{}] =tool_use done"},
              {"tool-parallel-three",
               "text[All.] call[toolu_01A|a|{\"n\": 1}] call[toolu_01B|b|{\"n\": 2}] call[toolu_01C|c|{\"n\": 3}] =tool_use done"},
              {"tool-plain", "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] =tool_use done"},
              {"tool-then-text",
               "call[toolu_01Gauge|read_tide|{\"harbour\": \"Leith\"}] text[Done so far.] =tool_use done"},
              {"unknown-block",
               "text[See.] other[{\"alt\":\"The pier\",\"source\":{\"type\":\"url\",\"url\":\"https://tide.example/p\"},\"type\":\"image\"}] text[Nice.] =end_turn done"},
              {"unknown-delta", "text[Yes.] =end_turn done"},
              {"unknown-event", "text[Yes.] =end_turn done"},
              {"unknown-members", "text[Yes.] =end_turn done"},
              {"usage-cached", "text[Yes.] =end_turn done"},
              {"usage-details", "text[Yes.] =end_turn done"},
              {"usage-late", "text[Yes.] =end_turn done"},
              {"usage-never", "text[Yes.] =end_turn done"},
              {"usage-zero-later", "text[Yes.] =end_turn done"},
          };
  for (const SharedStream& stream : corpus()) {
    const std::string name = stream.name.substr(stream.name.find('/') + 1);
    ASSERT_TRUE(expected.contains(name)) << name;
    EXPECT_EQ(in_short_of(stream.body), expected.at(name)) << name;
  }
  EXPECT_EQ(corpus().size(), expected.size());
}

/// Shapes of the bytes around events, and of the answer as a whole.
const std::set<std::string> kOtherFeatures = {"byte_order_mark", "comments", "cr",          "crlf",
                                              "multiline_data",  "no_space", "nothing_said"};

TEST(AnthropicReading, NotesTheShapesThatRecordingsClaim) {
  std::set<std::string> claimed;
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  for (const auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings) {
    if (recording.protocol != "anthropic.messages") continue;
    const Answer answer = read(kUpstream, recording.body);
    for (const std::string& feature : recording.features) {
      claimed.insert(feature);
      if (!kOtherFeatures.contains(feature)) {
        EXPECT_TRUE(answer.shapes.contains(feature)) << recording.id << " " << feature;
      }
    }
  }
  for (const AnthropicShapeEntry& entry : kAnthropicShapes) {
    const std::string name(entry.name);
    EXPECT_TRUE(claimed.contains(name)) << "no recording shows " << name;
  }
}

AnthropicReading reading_of(const std::vector<SseEvent>& events) {
  AnthropicReading reading;
  for (const SseEvent& event : events) reading.take(event);
  return reading;
}

TEST(AnthropicReading, ItsStateDoesNotShowHowABodyWasCut) {
  for (const SharedStream& stream : corpus()) {
    const std::string_view body = stream.body;
    SseReader whole;
    whole.feed(body);
    whole.finish();
    const AnthropicReading meant = reading_of(whole.events());
    SseReader before;
    for (std::size_t cut = 0; cut <= body.size(); cut += kSanitized ? 61 : 7) {
      SseReader rest = before;
      rest.feed(body.substr(cut));
      rest.finish();
      ASSERT_EQ(reading_of(rest.events()), meant) << stream.name << " " << cut;
      before.feed(body.substr(cut, kSanitized ? 61 : 7));
    }
  }
}

/// Expects that `later` contains all of `earlier`, because a reader's answer only grows.
void expect_growth(const Answer& earlier, const Answer& later, const std::string& name) {
  ASSERT_LE(earlier.parts.size(), later.parts.size()) << name;
  for (std::size_t i = 0; i < earlier.parts.size(); ++i) {
    EXPECT_TRUE(later.parts[i].text.starts_with(earlier.parts[i].text)) << name;
    EXPECT_TRUE(later.parts[i].arguments.starts_with(earlier.parts[i].arguments)) << name;
    EXPECT_EQ(later.parts[i].name, earlier.parts[i].name) << name;
    if (i + 1 == earlier.parts.size()) continue;
    EXPECT_EQ(later.parts[i].text, earlier.parts[i].text) << name;
  }
}

void expect_steady_growth(const SharedStream& stream) {
  static const std::set<std::string_view> kKnown = [] {
    std::set<std::string_view> names;
    for (const AnthropicShapeEntry& entry : kAnthropicShapes) names.insert(entry.name);
    return names;
  }();
  SseReader sse;
  sse.feed(stream.body);
  sse.finish();
  AnthropicReading reading;
  FlushRequirement due((Choices()));
  Answer before;
  for (const SseEvent& event : sse.events()) {
    reading.take(event);
    expect_growth(before, reading.so_far(), stream.name);
    EXPECT_EQ(due.after(reading.so_far()), due_by_definition(reading.so_far(), Choices())) << stream.name;
    before = reading.so_far();
  }
  for (const std::string& shape : reading.finished().shapes) EXPECT_TRUE(kKnown.contains(shape)) << shape;
}

TEST(AnthropicReading, AnswerGrowsWithEachEventAndDueFitsItsDefinition) {
  for (const SharedStream& stream : corpus()) expect_steady_growth(stream);
}

TEST(AnthropicReading, OfRealStreamsSaysMoreWithEachEvent) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  for (const SharedStream& stream : shared_streams("anthropic-messages")) {
    expect_steady_growth(stream);
    const Answer answer = read(kUpstream, stream.body);
    EXPECT_TRUE(answer.done && answer.finish && !answer.error) << stream.name;
  }
}

/// Labels of each kind (the text before the last colon) that change the body.
using StreamsByKind = std::map<std::string, std::set<std::string>>;

/// Returns the meaning of an answer without what depends on its deltas: shapes, and unknown members of events.
Answer meaning_of(const std::string& body) {
  Answer answer = read(kUpstream, body);
  answer.shapes.clear();
  forget_unread(answer);
  return answer;
}

void expect_same_meaning(const SharedStream& stream, bool sweep, StreamsByKind& made) {
  std::string joined;
  const auto taken = anthropic_dealer().take_apart(stream.body);
  for (const std::string_view event : taken->events()) joined += event;
  EXPECT_EQ(joined, stream.body) << stream.name;
  const Answer meaning = meaning_of(stream.body);
  const split::Recuts recuts(anthropic_dealer(), stream.body);
  for (const std::string& label : recuts.plan(4, sweep, 1)) {
    const auto recut = recuts.make(label);
    if (!recut) continue;
    made[label.substr(0, label.find_first_of("0123456789"))].insert(stream.name);
    const Answer again = meaning_of(recut->body);
    EXPECT_TRUE(again == meaning) << stream.name << " " << label << ": "
                                  << describe_difference(again, meaning);
    EXPECT_EQ(recut->arrivals.back(), recut->body.size());
  }
}

TEST(AnthropicDealer, ChangesNoMeaning) {
  StreamsByKind made;
  for (const SharedStream& stream : corpus()) expect_same_meaning(stream, !kSanitized, made);
  for (const std::string& label : anthropic_dealer().labels()) EXPECT_FALSE(made[label].empty()) << label;
}

TEST(AnthropicDealer, ChangesNoMeaningOfRealStreams) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  constexpr std::size_t kEvery = kSanitized ? 4 : 1;
  StreamsByKind made;
  for (const SharedStream& stream : sampled(shared_streams("anthropic-messages"), kEvery))
    expect_same_meaning(stream, false, made);
  std::size_t frequent = 0;
  for (const auto& [label, streams] : made) {
    std::cout << label << " " << streams.size() << "\n";
    frequent += streams.size() >= 50 / kEvery ? 1 : 0;
  }
  EXPECT_GE(frequent, 7u);
}

TEST(AnthropicDealer, MakesCanariesOfBodiesThatEndWellWithText) {
  std::size_t made = 0;
  for (const SharedStream& stream : corpus()) {
    const auto canary = anthropic_canary(stream.body, 3);
    if (!canary) continue;
    ++made;
    EXPECT_NE(
        in_short(read(kUpstream, canary->body)).find("Canary 4 begins. Canary 4 goes on. Canary 4 ends. "),
        std::string::npos)
        << stream.name;
  }
  EXPECT_EQ(made == 0, corpus().empty());
}

TEST(AnthropicUpstream, ItsTinyAnswerSaysOneWord) {
  std::string body;
  for (const std::string& piece : kUpstream.tiny_answer()) body += piece;
  EXPECT_EQ(in_short(read(kUpstream, body)), "text[Ebb] =end_turn done");
}

}  // namespace
}  // namespace splitproof::dialect::anthropic_reading_test
