#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/kiro_eventstream/reading.hpp"
#include "harness/dialect/kiro_eventstream/upstream.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/framing.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/recut.hpp"
#include "tests/harness/aws_frame_bodies.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/sanitized.hpp"

// Meaning of Kiro's streams: single events, and the project's recordings, whole, truncated, damaged and recut.

namespace splitproof::dialect::kiro_reading_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

const KiroUpstream kUpstream;
const std::string kEnd = event_frame("metadataEvent", R"({"stopReason":"END_TURN"})");

std::string in_short_of(const std::string& body) { return in_short(read(kUpstream, body)); }

/// Returns the meaning of call events before the end.
std::string calls(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) body += event_frame("toolUseEvent", event);
  const std::string end = " =end_turn";
  const std::string all = in_short_of(body + kEnd);
  return all.ends_with(end) ? all.substr(0, all.size() - end.size()) : all;
}

TEST(KiroReading, EventIsAssignedToItsCall) {
  EXPECT_EQ(
      calls({R"({"toolUseId":"i","name":"f","input":"{"})", R"({"toolUseId":"i","input":"}","name":"g"})"}),
      "call[i|f|{}]");
  EXPECT_EQ(calls({R"({"name":"f","input":"{"})", R"({"input":"}"})", R"({"toolUseId":"i"})"}),
            "call[i|f|{}]");
  EXPECT_EQ(calls({R"({"name":"f","input":"{}"})", R"({"name":"g","input":"{}"})"}),
            "call[|f|{}] call[|g|{}]");
  EXPECT_EQ(calls({R"({"name":"f","input":"{}","stop":true})", R"({"name":"f","input":"{}"})"}),
            "call[|f|{}] call[|f|{}]");
  EXPECT_EQ(calls({R"({"toolUseId":"i","name":"f","input":"{"})", R"({"input":"}"})"}), "call[i|f|{}]");
  EXPECT_EQ(
      calls({R"({"toolUseId":"i","name":"f","stop":true})", R"({"toolUseId":"i","name":"f","input":"x"})"}),
      "call[i|f|]");
  EXPECT_EQ(calls({R"({"name":"f","stop":true})", R"({"toolUseId":"i","name":"f","input":"{}"})"}),
            "call[i|f|{}] call[|f|]")
      << "a call that has stopped gets no id";
  EXPECT_EQ(calls({R"({"toolUseId":"i","name":"f"})", R"({"toolUseId":"j","input":"{}"})"}),
            "call[i|f|] call[j||{}]");
}

TEST(KiroReading, ReadsEveryFormOfAMember) {
  EXPECT_EQ(calls({R"({"toolUseId":7,"id":"i","name":"","toolName":"f","stop":"true","input":{ "a":1.50 }})",
                   R"({"id":"i","input":7})"}),
            R"(call[i|f|{ "a":1.50 }])");
  EXPECT_EQ(calls({R"({"toolUseId":"i","tool_use_id":"j","name":"f","tool_name":"g"})"}), "call[i|f|]");
  EXPECT_EQ(calls({"{}", R"({"stop":true})", R"({"input":""})"}), "=end_turn");
  EXPECT_EQ(
      calls({R"({"toolUseId":"i","name":"f","input":"\ud83d"})", R"({"toolUseId":"i","input":"\ude00"})",
             R"({"toolUseId":"i","input":"\ud83d","done":true})"}),
      "call[i|f|\U0001F600\uFFFD]");
}

std::map<std::string, std::string> recordings() {
  std::map<std::string, std::string> bodies;
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  for (const auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings)
    if (recording.protocol == "kiro.eventstream")
      bodies[recording.id.substr(recording.id.find('/') + 1)] = recording.body;
  return bodies;
}

/// The meaning of each, derived by hand from its frames. Only the beginning of an error is compared.
TEST(KiroReading, ReadingsOfRecordingsEqualTheirMeanings) {
  const std::string noon = "text[The tide turns at noon.]";
  const std::string ports = R"(<invoke name="listHavens"></invoke>)";
  const std::string leith =
      R"(<invoke name="readTides"><parameter name="harbour">Leith</parameter></invoke>)";
  const std::string brest = R"({"port":"Brest"})";
  const std::string ship = R"({"ship":"Aramelle"})";
  const std::map<std::string, std::string> expected = {
      {"broken-behind-reason", "text[Ebb.] =end_turn !byte "},
      {"broken-headers-length", "text[The tide] !byte 130: 200 bytes of headers in a frame of 40 cannot be"},
      {"broken-length", "text[The tide] !byte 130: a frame of 15 bytes cannot be"},
      {"broken-message-crc", "text[The tide] !byte 130: the frame's CRC is wrong"},
      {"broken-payload", "text[The tide] !byte 130: the frame's CRC is wrong"},
      {"broken-payload-json", "text[The tide] !the payload of the frame at byte 130 cannot be read: "},
      {"broken-payload-utf8",
       "text[The tide] !the payload of the frame at byte 130 cannot be read: not UTF-8"},
      {"broken-prelude-crc", "text[The tide] !byte 130: the CRC of the frame's prelude is wrong"},
      {"broken-prelude-crc-alone", "text[The tide] !byte 130: the CRC of the frame's prelude is wrong"},
      {"end-bare", noon},
      {"end-empty", ""},
      {"end-inside-last-frame", "text[Ebb.]"},
      {"end-inside-payload", "text[The tide]"},
      {"end-inside-prelude", "text[The tide]"},
      {"end-metering-only", noon},
      {"end-reset", "text[Ebb.] =end_turn"},
      {"error-document", "!Slow down."},
      {"error-exception-after-text", noon + " !Encountered an unexpected error."},
      {"error-exception-behind-reason", "text[Ebb.] =end_turn !Gone."},
      {"error-exception-first", "!Too many requests, please wait."},
      {"error-exception-in-call", R"(call[tooluse_x1|tide|{"port":] !The model stopped.)"},
      {"error-message", "text[The tide] !It broke."},
      {"error-message-type", "text[The tide] !a message of the type riddle cannot be read"},
      {"finish-filtered", "text[I will] =content_filtered"},
      {"finish-length", "text[The tide turns] =max_tokens"},
      {"finish-twice", "text[Ebb] =max_tokens"},
      {"finish-unknown", "text[Ebb.] =peace_of_mind"},
      {"finish-without-reason", "text[Ebb.] =end_turn"},
      {"headers-all-types", "text[Ebb.] =end_turn"},
      {"headers-other-order", "text[Ebb and flow.] =end_turn"},
      {"markup-account", R"(text[Look at the account<invoke name="listHavens"></invoke> now.] =end_turn)"},
      {"markup-also-structured",
       "text[So. " + leith + "] call[tooluse_e1|readTides|" + R"({"harbour": "Leith"}] =tool_use)"},
      {"markup-behind-structured",
       R"(call[tooluse_e2|readTides|{"harbour":"Leith"}] text[)" + leith + "Done.] =tool_use"},
      {"markup-count", "text[Text count" + leith + "] =end_turn"},
      {"markup-entities", R"(text[Sum, <invoke name="readTides"><parameter name="harbour">)"
                          R"(a &lt; b &amp; c</parameter></invoke>] =end_turn)"},
      {"markup-in-fence", "text[Write it so:\n```xml\n" + ports + "\n```\nThat is all.] =end_turn"},
      {"markup-text-between",
       "text[<function_calls>" + ports + " then, at Leith, " + leith + "</function_calls>] =end_turn"},
      {"markup-torn", "text[First. <function_calls>" + leith + "</function_calls> Then.] =end_turn"},
      {"markup-twice", "text[Twice, " + ports + " and " + ports + "] =end_turn"},
      {"markup-two-in-wrapper",
       "text[<function_calls>" + leith + "\n" + ports + "</function_calls>] =end_turn"},
      {"markup-types-false",
       R"(text[Noted. <invoke name="noteSailing"><parameter name="cancelled">false</parameter>)"
       R"(<parameter name="full"> true </parameter><parameter name="vessel">false</parameter>)"
       R"(<parameter name="delay">-15</parameter><parameter name="fare">0.50</parameter>)"
       R"(<parameter name="reason">null</parameter></invoke>] =end_turn)"},
      {"markup-types", R"(text[Logging. <invoke name="logTides"><parameter name="high">true</parameter>)"
                       R"(<parameter name="hour">42</parameter><parameter name="depth">3.14</parameter>)"
                       R"(<parameter name="note">null</parameter><parameter name="berth">42</parameter>)"
                       R"(<parameter name="by"> hello world </parameter></invoke>] =end_turn)"},
      {"markup-unclosed", R"(text[start <invoke name="readTides"><parameter name="harbour">/a] =end_turn)"},
      {"markup-undeclared", R"(text[Go. <invoke name="delete_all"><parameter name="path">/a)"
                            R"(</parameter></invoke> Gone.] =end_turn)"},
      {"metering-again", "text[The pilot boards at dusk.]"},
      {"metering-behind-call", "text[A berth first.] call[tooluse_k1|berth|" + ship + "]"},
      {"metering-closed", "text[Slack water lasts long.]"},
      {"metering-everywhere", "text[Ebb and flow.] =end_turn"},
      {"metering-half-of-calls", "call[tooluse_k1|berth|" + ship + R"(] call[tooluse_k2|berth|{"ship":])"},
      {"metering-open-call", "text[Asking.] call[tooluse_k1|berth|" + ship + "]"},
      {"metering-then-call", "text[A berth.] call[tooluse_k1|berth|" + ship + "]"},
      {"metering-then-empty", "text[Moored at six.]"},
      {"metering-then-text", "text[The lock gates open bef]"},
      {"metering-then-thinking", "text[Wait.] thinking[Which gate]"},
      {"nothing-said", "=end_turn"},
      {"text-behind-reason", "text[First and last] =end_turn"},
      {"text-count-less", "text[A count < 5 is low.\nThe account<invoice> is open; count] =end_turn"},
      {"text-empty-pieces", "text[Low water] =end_turn"},
      {"text-escapes", "text[He said \"C:\\new\"\n{\"a\": [1]} \t< > & </invoke>] =end_turn"},
      {"text-multibyte", "text[Flût € 5 🌊 € 🌊] =end_turn"},
      {"text-one-chunk", noon + " =end_turn"},
      {"text-overlap", "text[over the baybay bridgee] =end_turn"},
      {"text-plain", noon + " =end_turn"},
      {"text-repeated", "text[hahaaabab] =end_turn"},
      {"text-stop-sequence", "text[One ENX, two END three four.] =end_turn"},
      {"text-surrogates-apart", "text[Wave 🌊!] =end_turn"},
      {"text-torn-reads", noon + " =end_turn"},
      {"thinking-call",
       "thinking[Look it up.] call[tooluse_7a|look|" + brest + "] thinking[And now?] text[Wait.] =tool_use"},
      {"thinking-redacted", "thinking[One.] text[Two.] =end_turn"},
      {"thinking-signed", "thinking[Let me see.|EqQBCgIYAhIM] text[Ebb.] =end_turn"},
      {"thinking-signed-with-text", "thinking[Let me see.|c2lnbmVk] text[Ebb.] =end_turn"},
      {"thinking-tags", "text[<think>Ebb first.</think>The tide turns.] =end_turn"},
      {"thinking-text", "thinking[High or low?] text[Low.] =end_turn"},
      {"tool-after-stop", "call[tooluse_d1|tide|" + brest + "] =tool_use"},
      {"tool-aliases",
       R"(call[tooluse_1|tide|{"a":1}] call[tooluse_2|tide|{"a":2}] call[tooluse_3|tide|{"a":3}] =tool_use)"},
      {"tool-among-text", R"(text[One. ] call[tooluse_m1|tide|{"n":1}] text[Two. ] )"
                          R"(call[tooluse_m2|tide|{"n":2}] text[Three.] =tool_use)"},
      {"tool-cut-short", R"(text[Writing.] call[tooluse_L1|write|{"text":"lon] =max_tokens)"},
      {"tool-end-turn", "call[tooluse_t1|tide|{}] =end_turn"},
      {"tool-id-late", "call[tooluse_late|tide|" + brest + "] =tool_use"},
      {"tool-id-never", "text[Look.] call[|tide|" + brest + "] =tool_use"},
      {"tool-identical", R"(call[tooluse_q1|roll|{"sides":6}] call[tooluse_q2|roll|{"sides":6}] =tool_use)"},
      {"tool-input-array", "call[tooluse_A1|write|[1,2]] =tool_use"},
      {"tool-input-broken", R"(call[tooluse_B1|write|{"path":"a.txt","text":"half] =tool_use)"},
      {"tool-input-cut-escapes",
       R"(call[tooluse_C1|write|{"path":"C:\\new","text":"\u00e9 \ud83c\udf0a"}] =tool_use)"},
      {"tool-input-empty", "call[tooluse_E1|now|] call[tooluse_E2|now|{}] =tool_use"},
      {"tool-input-exact",
       R"(call[tooluse_N1|sum|{ "n": 12345678901234567890, "x": 1.50, "e": 1E+2, "s": "\u00e9\n" }] =tool_use)"},
      {"tool-input-never", "call[tooluse_Z1|now|] =tool_use"},
      {"tool-input-object",
       R"(text[Let me look.] call[tooluse_Ob1|tide|{"port":"Brest","days":3}] =tool_use)"},
      {"tool-interleaved",
       "call[tooluse_i1|tide|" + brest + R"(] call[tooluse_i2|wind|{"at":"Ouessant"}] =tool_use)"},
      {"tool-name-late", "call[tooluse_nl|tide|" + brest + "] =tool_use"},
      {"tool-name-never", "text[Hm.] call[tooluse_nn||" + brest + "] =tool_use"},
      {"tool-parallel", "text[Both.] call[tooluse_p1|tide|" + brest +
                            R"(] call[tooluse_p2|wind|{"at":"Ouessant"}] =tool_use)"},
      {"tool-plain", R"(call[tooluse_Ab1|tide|{"port": "Saint-Malo", "days": 2}] =tool_use)"},
      {"tool-stop-never", "call[tooluse_S1|tide|" + brest + "] =tool_use"},
      {"tool-stop-never-cut-off", "call[tooluse_S2|tide|" + brest + "]"},
      {"unknown-events", "text[Ebb and flow.] =end_turn"},
  };
  for (const auto& [name, body] : recordings()) {
    ASSERT_TRUE(expected.contains(name)) << name;
    const std::string& wanted = expected.at(name);
    const std::string got = in_short_of(body);
    EXPECT_TRUE(wanted.find('!') == wanted.npos ? got == wanted : got.starts_with(wanted))
        << name << "\n  got    " << got << "\n  wanted " << wanted;
  }
  EXPECT_EQ(recordings().size(), expected.size());
}

TEST(KiroReading, CreditsAfterAllContentEndAnAnswerIfTheKnobAllows) {
  const std::set<std::string> ended = {"end-metering-only", "metering-again", "metering-behind-call",
                                       "metering-closed", "metering-then-empty"};
  Choices choices;
  choices.metering_ends = true;
  std::size_t differ = 0;
  for (const auto& [name, body] : recordings()) {
    const Answer with = read(kUpstream, body, choices);
    const bool same = with == read(kUpstream, body);
    differ += same ? 0 : 1;
    EXPECT_EQ(same, !ended.contains(name)) << name;
    if (!same) {
      EXPECT_EQ(with.finish, (FinishReason{FinishKind::stop, "", true}));
    }
  }
  EXPECT_EQ(differ, ended.size());
}

TEST(KiroReading, MeteringEventIsNotEndIfContentFollowsOrACallIsOpen) {
  Choices choices;
  choices.metering_ends = true;
  const auto fails = [&](const std::string& body, recording::End end = recording::End::complete) {
    const Answer meaning = read(kUpstream, body, choices);
    const ClientCapabilities carries;
    const Expected expected = expected_of(meaning, end, choices, carries);
    EXPECT_TRUE(!expected.failure || expected.failure == Failure::cut_off);
    return expected.failure.has_value();
  };
  const std::string credits = event_frame("meteringEvent", R"({"usage":0.5})");
  const std::string open = event_frame("toolUseEvent", R"({"toolUseId":"i","name":"f","input":"{"})");
  const std::string stop = event_frame("toolUseEvent", R"({"toolUseId":"i","input":"}","stop":true})");
  for (const std::string& more :
       {event_frame("assistantResponseEvent", R"({"content":"a"})"),
        event_frame("reasoningContentEvent", R"({"text":"t"})"),
        event_frame("reasoningContentEvent", R"({"signature":"s"})"), open + stop}) {
    EXPECT_FALSE(fails(more + credits));
    EXPECT_TRUE(fails(credits + more));
    EXPECT_FALSE(fails(credits + more + credits));
    EXPECT_FALSE(fails(credits + more + kEnd));
    EXPECT_FALSE(fails(more + credits + event_frame("assistantResponseEvent", R"({"content":""})")));
    EXPECT_TRUE(fails(more + credits, recording::End::closed));
    EXPECT_FALSE(fails(more + kEnd, recording::End::closed));
  }
  EXPECT_TRUE(fails(open + credits));
  EXPECT_TRUE(fails(open + credits + stop));
  EXPECT_FALSE(fails(open + stop + credits + stop)) << "the call has stopped";
}

KiroReading reading_of(const std::vector<SseEvent>& frames) {
  KiroReading reading(false);
  for (const SseEvent& frame : frames) reading.take(frame);
  return reading;
}

TEST(KiroReading, StateDoesNotDependOnTheCuts) {
  for (const auto& [name, body] : recordings()) {
    FrameReader whole(Framing::aws_frames);
    whole.feed(body);
    for (std::size_t cut = 0; cut <= body.size(); cut += kSanitized ? 37 : 3) {
      FrameReader reader(Framing::aws_frames);
      reader.feed(std::string_view(body).substr(0, cut));
      reader.feed(std::string_view(body).substr(cut));
      ASSERT_EQ(reading_of(reader.events()), reading_of(whole.events())) << name << " " << cut;
    }
  }
}

bool fails(const std::string& body, recording::End end = recording::End::complete) {
  return expected_of(read(kUpstream, body), end, Choices()).failure.has_value();
}

TEST(KiroReading, AnyDamagedByteIsAnErrorAndNoFinish) {
  std::size_t damaged = 0;
  for (const auto& [name, body] : recordings()) {
    for (std::size_t at = 0; at < body.size(); at += kSanitized ? 13 : 1) {
      std::string flipped = body;
      flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
      EXPECT_TRUE(fails(flipped)) << name << " " << at;
      ++damaged;
    }
  }
  EXPECT_GT(damaged, 1000U);
}

TEST(KiroReading, BodyThatEndsInsideAFrameIsAnErrorAndNoFinish) {
  std::size_t torn = 0;
  for (const auto& [name, body] : recordings()) {
    FrameReader whole(Framing::aws_frames);
    whole.feed(body);
    std::map<std::size_t, bool> ends = {{0, true}};
    for (const SseEvent& frame : whole.events()) ends[frame.end] = frame.broken.empty();
    for (std::size_t size = 0; size < body.size(); size += kSanitized ? 13 : 1) {
      if (ends.contains(size)) continue;
      EXPECT_TRUE(fails(body.substr(0, size))) << name << " " << size;
      ++torn;
    }
  }
  EXPECT_GT(torn, 1000U);
}

TEST(KiroReading, AnswerGrowsWithEachFrameAndDueFitsItsDefinition) {
  for (const auto& [name, body] : recordings()) {
    FrameReader frames(Framing::aws_frames);
    frames.feed(body);
    frames.finish();
    KiroReading reading(false);
    FlushRequirement due((Choices()));
    Answer before;
    for (const SseEvent& frame : frames.events()) {
      reading.take(frame);
      const Answer& now = reading.so_far();
      ASSERT_LE(before.parts.size(), now.parts.size()) << name;
      for (std::size_t i = 0; i < before.parts.size(); ++i) {
        EXPECT_TRUE(now.parts[i].text.starts_with(before.parts[i].text)) << name;
        EXPECT_TRUE(now.parts[i].arguments.starts_with(before.parts[i].arguments)) << name;
      }
      EXPECT_EQ(due.after(now), due_by_definition(now, Choices())) << name;
      before = now;
    }
  }
}

TEST(KiroDealer, ChangesNoMeaning) {
  std::map<std::string, std::size_t> recuts;
  for (const auto& [name, body] : recordings()) {
    std::string joined;
    const auto parts = kiro_dealer().take_apart(body);
    for (const std::string_view event : parts->events()) joined += event;
    EXPECT_EQ(joined, body);
    const Answer meaning = read(kUpstream, body);
    const split::Recuts of(kiro_dealer(), body);
    for (const std::string& label : of.plan(4, true, 1)) {
      const auto recut = of.make(label);
      if (!recut) continue;
      ++recuts[label.substr(0, label.find(':') == label.npos ? label.npos : label.find(':'))];
      Answer dealt = read(kUpstream, recut->body);
      // A recut changes the place and the frame of the damage.
      if (meaning.error && dealt.error) dealt.error = meaning.error;
      EXPECT_EQ(dealt, meaning) << name << " " << label << "\n  got    " << in_short(dealt) << "\n  wanted "
                                << in_short(meaning);
      EXPECT_EQ(recut->arrivals.back(), recut->body.size());
    }
  }
  for (const char* of : {"whole", "char", "cut", "seam", "random", "input", "stop"})
    EXPECT_GT(recuts[of], 5U) << of;
}

TEST(KiroDealer, MakesCanariesOfBodiesThatEndWellWithText) {
  std::size_t made = 0;
  for (const auto& [name, body] : recordings()) {
    const auto canary = kiro_canary(body, 3);
    if (!canary) continue;
    ++made;
    EXPECT_NE(in_short_of(canary->body).find("Canary 4 begins. Canary 4 goes on. Canary 4 ends. "),
              std::string::npos)
        << name;
  }
  EXPECT_GE(made, 8U);
}

TEST(KiroUpstream, TinyAnswerHasOneWord) {
  std::string body;
  for (const std::string& piece : kUpstream.tiny_answer()) body += piece;
  EXPECT_EQ(in_short_of(body), "text[Ebb] =end_turn");
  EXPECT_FALSE(fails(body));
  EXPECT_TRUE(fails(body, recording::End::reset));
}

}  // namespace
}  // namespace splitproof::dialect::kiro_reading_test
