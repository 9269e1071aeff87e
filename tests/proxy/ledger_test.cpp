#include "proxy/turn/ledger.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace splitproof::turn::ledger_test {
namespace {

// Writes steps in a short notation: S(model) O0:text A0:hi C0 F:tool_calls E:message
struct Notation {
  std::string operator()(const StartMessage& s) const { return "S(" + s.model + ")"; }
  std::string operator()(const OpenBlock& s) const {
    static const char* const kKinds[] = {"text", "thinking", "refusal", "call"};
    const std::string kind = kKinds[static_cast<int>(s.kind)];
    return "O" + std::to_string(s.index) + ":" + kind +
           (s.kind == BlockKind::call ? "(" + s.id + "," + s.name + ")" : "");
  }
  std::string operator()(const AppendBlock& s) const { return "A" + std::to_string(s.index) + ":" + s.text; }
  std::string operator()(const SignBlock& s) const {
    return "G" + std::to_string(s.index) + ":" + s.signature;
  }
  std::string operator()(const SealedBlock& s) const { return "Z" + std::to_string(s.index) + ":" + s.data; }
  std::string operator()(const CloseBlock& s) const {
    static const char* const kHow[] = {"", "-", "!"};
    return "C" + std::to_string(s.index) + (how ? kHow[static_cast<int>(s.how)] : "");
  }
  std::string operator()(const FinishMessage& s) const {
    static const char* const kReasons[] = {"stop", "length", "tool_calls", "content_filter"};
    return std::string("F:") + kReasons[static_cast<int>(s.reason)] + (s.refused ? "+refused" : "");
  }
  std::string operator()(const FailMessage&) const { return "E"; }
  bool how = false;  // show how blocks close: C0- is cut short, C0! abandoned
};

std::string notation(const std::vector<Step>& steps, bool how) {
  std::string text;
  for (const Step& step : steps) text += (text.empty() ? "" : " ") + std::visit(Notation{how}, step);
  return text;
}

Prose text(std::string words) { return {BlockKind::text, std::move(words)}; }
Prose thinking(std::string words) { return {BlockKind::thinking, std::move(words)}; }
Prose text_of(std::size_t part, std::string words) { return {BlockKind::text, std::move(words), part}; }
Prose thinking_of(std::size_t part, std::string words) {
  return {BlockKind::thinking, std::move(words), part};
}
CallPiece piece(std::size_t call, std::string id, std::string name, std::string arguments) {
  return {call, call, std::move(id), std::move(name), std::move(arguments)};
}
CallPiece more(std::size_t call, std::string arguments) { return piece(call, "", "", std::move(arguments)); }

std::string played(const std::vector<Event>& events, BodyEnd end = BodyEnd::complete, Rules rules = {},
                   Layout layout = {}) {
  rules.model = "m";
  Ledger ledger(rules, layout);
  std::vector<Step> steps;
  for (const Event& event : events) ledger.accept(event, steps);
  ledger.end_of_body(end, steps);
  EXPECT_TRUE(ledger.over());
  const std::size_t before = steps.size();
  ledger.accept(text("late"), steps);
  ledger.end_of_body(end, steps);
  EXPECT_EQ(steps.size(), before) << "something followed the end";
  return notation(steps, layout.side_by_side);
}

const Finished kStop{Finish::stop};
const Finished kCalls{Finish::calls};
const Finished kLength{Finish::length};

TEST(Ledger, BlocksFollowEachOther) {
  EXPECT_EQ(played({Begin{"x"}, thinking("a"), thinking("b"), text("c"), thinking("d"), kStop, Done{}}),
            "S(x) O0:thinking A0:a A0:b C0 O1:text A1:c C1 O2:thinking A2:d C2 F:stop");
  EXPECT_EQ(played({text("a"), Prose{BlockKind::refusal, "no"}, kStop}),
            "S(m) O0:text A0:a C0 O1:refusal A1:no C1 F:stop+refused");
  EXPECT_EQ(played({text(""), kStop}), "S(m) F:stop");
}

TEST(Ledger, LastSignatureEndsItsThinking) {
  EXPECT_EQ(
      played({thinking("a"), Signature{"x"}, thinking("b"), Signature{"y"}, Signature{""}, text("c"), kStop}),
      "S(m) O0:thinking A0:a A0:b G0:y C0 O1:text A1:c C1 F:stop");
  EXPECT_EQ(played({thinking("a"), text("b"), Signature{"x"}, kStop}),
            "S(m) O0:thinking A0:a C0 O1:text A1:b C1 F:stop");
  EXPECT_EQ(played({Signature{"x"}, kStop}), "S(m) F:stop");
  EXPECT_EQ(played({piece(0, "i", "f", "{"), thinking("a"), Signature{"x"}, more(0, "}"), kCalls}),
            "S(m) O0:call(i,f) A0:{ A0:} C0 O1:thinking A1:a G1:x C1 F:tool_calls");
  EXPECT_EQ(played({thinking("a"), Signature{"x"}, Failure{}}), "S(m) O0:thinking A0:a G0:x C0 E");
}

TEST(Ledger, SignatureMayEndItsThought) {
  const Signature x{"x", true};
  const Layout signs{.signs = true};
  const auto told = [&](const std::vector<Event>& events) {
    return played(events, BodyEnd::complete, {}, signs);
  };
  EXPECT_EQ(told({thinking("a"), x, thinking("b"), Signature{"y", true}, kStop}),
            "S(m) O0:thinking A0:a G0:x C0 O1:thinking A1:b G1:y C1 F:stop");
  EXPECT_EQ(told({x, Signature{"y", true}, thinking("b"), kStop}),
            "S(m) O0:thinking G0:x C0 O1:thinking G1:y C1 O2:thinking A2:b C2 F:stop");
  EXPECT_EQ(told({text("a"), x, text("b"), kStop}),
            "S(m) O0:text A0:a C0 O1:thinking G1:x C1 O2:text A2:b C2 F:stop");
  // After an incomplete call everything waits.
  EXPECT_EQ(
      told({piece(0, "i", "f", "{"), thinking("a"), x, thinking("b"), Signature{"y", true}, x, more(0, "}"),
            kCalls}),
      "S(m) O0:call(i,f) A0:{ A0:} C0 O1:thinking A1:a G1:x C1 O2:thinking A2:b G2:y C2 O3:thinking G3:x C3 "
      "F:tool_calls");
  EXPECT_EQ(played({text("a"), x, text("b"), kStop}), "S(m) O0:text A0:a A0:b C0 F:stop")
      << "a client that is told no signatures";
}

TEST(Ledger, SealedThinkingIsABlock) {
  const Layout signs{.signs = true};
  EXPECT_EQ(played({thinking("a"), Sealed{"z"}, thinking("b"), kStop}, BodyEnd::complete, {}, signs),
            "S(m) O0:thinking A0:a C0 Z1:z O2:thinking A2:b C2 F:stop");
  EXPECT_EQ(
      played({piece(0, "i", "f", "{"), Sealed{"z"}, more(0, "}"), kCalls}, BodyEnd::complete, {}, signs),
      "S(m) O0:call(i,f) A0:{ A0:} C0 Z1:z F:tool_calls");
  EXPECT_EQ(played({Sealed{"z"}, Failure{}}, BodyEnd::complete, {}, signs), "S(m) Z0:z E");
  EXPECT_EQ(played({text("a"), Sealed{"z"}, text("b"), kStop}), "S(m) O0:text A0:a A0:b C0 F:stop");
}

TEST(Ledger, SignedAndSealedThinkingThatWaitsIsBounded) {
  Rules rules;
  rules.limits.waiting_bytes = 1000;
  const std::string large(1001, 's');
  for (const Event& event : {Event(Sealed{large}), Event(Signature{large, true})}) {
    EXPECT_EQ(played({piece(0, "i", "f", "{"), event, more(0, "}"), kCalls}, BodyEnd::complete, rules,
                     {.signs = true})
                  .back(),
              'E');
  }
}

TEST(Ledger, CallOpensOnceNameAndIdAreKnown) {
  EXPECT_EQ(played({piece(0, "", "", "{\"a\""), piece(0, "", "f", ""), piece(0, "i", "", ":1"), more(0, "}"),
                    kCalls}),
            "S(m) O0:call(i,f) A0:{\"a\":1 A0:} C0 F:tool_calls");
}

TEST(Ledger, OnlyTheNewcomerWaits) {
  EXPECT_EQ(played({piece(0, "i", "f", "{\"a\":"), piece(1, "j", "g", "{\"b\":"), more(0, "1"), more(1, "2"),
                    more(0, "}"), more(1, "}"), kCalls}),
            "S(m) O0:call(i,f) A0:{\"a\": A0:1 A0:} C0 O1:call(j,g) A1:{\"b\":2 A1:} C1 F:tool_calls");
  EXPECT_EQ(
      played({piece(0, "i", "f", "{"), text("x"), text("y"), piece(1, "j", "g", "{}"), text("z"),
              more(0, "}"), kCalls}),
      "S(m) O0:call(i,f) A0:{ A0:} C0 O1:text A1:xy C1 O2:call(j,g) A2:{} C2 O3:text A3:z C3 F:tool_calls");
}

std::string side_by_side(const std::vector<Event>& events, BodyEnd end = BodyEnd::complete,
                         const Rules& rules = {}) {
  return played(events, end, rules, {.side_by_side = true, .repeats = true});
}

TEST(Ledger, SideBySideNothingWaits) {
  EXPECT_EQ(side_by_side({piece(0, "i", "f", "{\"a\":"), piece(1, "j", "g", "{\"b\":"), more(0, "1"),
                          more(1, "2"), more(0, "}"), more(1, "}"), kCalls}),
            "S(m) O0:call(i,f) A0:{\"a\": O1:call(j,g) A1:{\"b\": A0:1 A1:2 A0:} C0 A1:} C1 F:tool_calls");
  EXPECT_EQ(side_by_side(
                {text("a"), piece(0, "i", "f", "{"), text("x"), text("y"), more(0, "}"), text("z"), kCalls}),
            "S(m) O0:text A0:a C0 O1:call(i,f) A1:{ O2:text A2:x A2:y A1:} C1 A2:z C2 F:tool_calls");
  EXPECT_EQ(side_by_side({piece(0, "i", "f", "\"\xED\xA0\xBD"), text("x\xED\xA0\xBE"), Done{}}),
            "S(m) O0:call(i,f) O1:text A1:x C0! A1:\xEF\xBF\xBD C1! E");
}

TEST(Ledger, ParallelCallTakesNoMoreAfterItsEnd) {
  EXPECT_EQ(side_by_side({piece(0, "i", "f", "{}"), more(0, " "), text("x"), more(0, " \n"), kCalls}),
            "S(m) O0:call(i,f) A0:{} A0:  C0 O1:text A1:x C1 F:tool_calls");
  EXPECT_EQ(side_by_side({piece(0, "i", "f", "{}"), text("x"), more(0, "{}"), text("y"), kCalls}),
            "S(m) O0:call(i,f) A0:{} C0 O1:text A1:x C1! E");
}

TEST(Ledger, EndOfABlockIsKnown) {
  EXPECT_EQ(side_by_side({text("a"), kLength}), "S(m) O0:text A0:a C0- F:length");
  EXPECT_EQ(side_by_side({piece(0, "i", "f", "{"), piece(1, "j", "g", "{}"), kLength}),
            "S(m) O0:call(i,f) A0:{ O1:call(j,g) A1:{} C0- C1 F:length");
  EXPECT_EQ(side_by_side({text("a")}), "S(m) O0:text A0:a C0! E");
  EXPECT_EQ(side_by_side({piece(0, "i", "f", "[]"), kCalls}), "S(m) O0:call(i,f) C0! E");
  EXPECT_EQ(side_by_side({piece(0, "", "f", "{}"), kCalls}), "S(m) O0:call(,f) A0:{} C0 F:tool_calls");
}

TEST(Ledger, PartsBecomeSeparateBlocks) {
  EXPECT_EQ(played({text_of(0, "a"), text_of(0, "b"), text_of(1, "c"), thinking_of(2, "d"),
                    thinking_of(3, "e"), kStop}),
            "S(m) O0:text A0:a A0:b C0 O1:text A1:c C1 O2:thinking A2:d C2 O3:thinking A3:e C3 F:stop");
  EXPECT_EQ(played({piece(0, "i", "f", "{"), text_of(1, "a"), text_of(2, "b"), text_of(2, "c"), more(0, "}"),
                    kCalls}),
            "S(m) O0:call(i,f) A0:{ A0:} C0 O1:text A1:a C1 O2:text A2:bc C2 F:tool_calls");
}

TEST(Ledger, PartWithoutMoreContentCloses) {
  Ledger ledger({}, {});
  std::vector<Step> steps;
  for (const Event& event :
       {Event(text_of(4, "a\xED\xA0\xBD")), Event(Close{3}), Event(Close{4}), Event(Close{4})})
    ledger.accept(event, steps);
  EXPECT_EQ(notation(steps, false), "S(unknown) O0:text A0:a A0:\xEF\xBF\xBD C0");
  EXPECT_EQ(played({text_of(1, "a"), Close{1}, text_of(1, "b"), kStop}),
            "S(m) O0:text A0:a C0 O1:text A1:b C1 F:stop");
  EXPECT_EQ(played({text_of(1, "a"), thinking_of(2, "b"), Close{1}, thinking_of(2, "c"), kStop}),
            "S(m) O0:text A0:a C0 O1:thinking A1:b A1:c C1 F:stop");
}

// The same for waiting parts.
TEST(Ledger, PartWithoutMoreContentClosesWhenItOpens) {
  Ledger ledger({}, {});
  std::vector<Step> steps;
  for (const Event& event : {Event(piece(0, "i", "f", "{")), Event(text_of(1, "a")), Event(Close{1}),
                             Event(Close{0}), Event(more(0, "}"))})
    ledger.accept(event, steps);
  EXPECT_EQ(notation(steps, false), "S(unknown) O0:call(i,f) A0:{ A0:} C0 O1:text A1:a C1");
}

TEST(Ledger, PartThatContinuesAfterAnotherOfItsKindIsAnError) {
  EXPECT_EQ(played({text_of(0, "a"), text_of(1, "b"), text_of(0, "c"), kStop}),
            "S(m) O0:text A0:a C0 O1:text A1:b C1 E");
  EXPECT_EQ(played({text_of(0, "a"), thinking_of(1, "b"), text_of(0, "c"), kStop}),
            "S(m) O0:text A0:a C0 O1:thinking A1:b C1 O2:text A2:c C2 F:stop");
}

TEST(Ledger, TextKeptForRepetitionIsLimited) {
  Rules rules;
  rules.limits.waiting_bytes = 1000;
  const std::vector<Event> events = {text(std::string(600, 'a')), text(std::string(600, 'b')), kStop};
  EXPECT_EQ(side_by_side(events, BodyEnd::complete, rules).back(), 'E');
  EXPECT_EQ(played(events, BodyEnd::complete, rules).back(), 'p') << "stop";
}

TEST(Ledger, CompleteCallMakesRoomAndTakesNoMore) {
  EXPECT_EQ(played({piece(0, "i", "f", "{}"), text("x"), more(0, " \n"), kCalls}),
            "S(m) O0:call(i,f) A0:{} C0 O1:text A1:x C1 F:tool_calls");
  EXPECT_EQ(played({piece(0, "i", "f", "{}"), text("x"), more(0, "{}"), text("y"), kCalls}),
            "S(m) O0:call(i,f) A0:{} C0 O1:text A1:x C1 E");
}

TEST(Ledger, WaitingCallTakesNoMoreAfterLaterContent) {
  const std::vector<Event> waiting = {piece(0, "i", "f", "{"), piece(1, "j", "g", "{"), more(1, "}")};
  const auto then = [&](std::vector<Event> rest) {
    rest.insert(rest.begin(), waiting.begin(), waiting.end());
    return played(rest);
  };
  const std::string began = "S(m) O0:call(i,f) A0:{ ";
  EXPECT_EQ(then({text("x"), more(1, " "), more(0, "}"), kCalls}),
            began + "A0:} C0 O1:call(j,g) A1:{} C1 O2:text A2:x C2 F:tool_calls");
  EXPECT_EQ(then({text("x"), more(1, "}"), more(0, "}"), kCalls}),
            began + "C0 O1:call(j,g) A1:{} C1 O2:text A2:x C2 E");
  EXPECT_EQ(then({more(1, "}"), more(0, "}"), kCalls}), began + "A0:} C0 O1:call(j,g) A1:{}} C1 E");
}

TEST(Ledger, BracketsInStringsDoNotCompleteACall) {
  EXPECT_EQ(played({piece(0, "i", "f", R"({"a":"}\")"), text("x"), more(0, R"("})"), kCalls}),
            R"(S(m) O0:call(i,f) A0:{"a":"}\" A0:"} C0 O1:text A1:x C1 F:tool_calls)");
}

TEST(Ledger, WhiteSpaceAloneIsNoArguments) {
  EXPECT_EQ(played({piece(0, "i", "f", " "), more(0, "\n"), kCalls}), "S(m) O0:call(i,f) C0 F:tool_calls");
  EXPECT_EQ(played({piece(0, "i", "f", " "), more(0, "{}"), kCalls}),
            "S(m) O0:call(i,f) A0: {} C0 F:tool_calls");
}

TEST(Ledger, DeclaredCompleteArgumentsAreOneObjectOrTheMessageFails) {
  for (const char* broken : {"{", "{}{}", "{a}", "{} x", "{\"a\":\"\xff\"}"}) {
    SCOPED_TRACE(broken);
    for (const Finished& said : {kStop, kCalls}) {
      const std::string steps = played({piece(0, "i", "f", broken), said, Done{}});
      EXPECT_EQ(steps, std::string("S(m) O0:call(i,f) A0:") + broken + " C0 E");
    }
    EXPECT_EQ(played({piece(0, "i", "f", broken), kLength}),
              std::string("S(m) O0:call(i,f) A0:") + broken + " C0 F:length");
  }
  const std::string deep = std::string(200, '[') + std::string(200, ']');
  EXPECT_EQ(played({piece(0, "i", "f", "{\"a\":" + deep + "}"), kCalls}),
            "S(m) O0:call(i,f) A0:{\"a\":" + deep + "} C0 E");
}

TEST(Ledger, ArgumentsMayHaveEveryValueOfTheGrammar) {
  for (const char* odd : {R"({"a":"\ud83d"})", R"({"\ude00":1e999})", R"({"a":-1E400})"}) {
    EXPECT_EQ(played({piece(0, "i", "f", odd), kCalls}),
              std::string("S(m) O0:call(i,f) A0:") + odd + " C0 F:tool_calls");
  }
}

// D83D DE00 is U+1F600.
const std::string kHigh = "\xED\xA0\xBD";
const std::string kLow = "\xED\xB8\x80";
const std::string kJoined = "\xF0\x9F\x98\x80";
const std::string kAlone = "\xEF\xBF\xBD";

TEST(Ledger, HalvesOfAPairMeetInTheirBlock) {
  EXPECT_EQ(played({text("a" + kHigh), text(kLow + "b"), kStop}),
            "S(m) O0:text A0:a A0:" + kJoined + "b C0 F:stop");
  EXPECT_EQ(played({text(kHigh), kStop, text(kLow), Done{}}), "S(m) O0:text A0:" + kJoined + " C0 F:stop");
  EXPECT_EQ(played({thinking(kHigh), text(kLow), kStop}),
            "S(m) O0:thinking A0:" + kAlone + " C0 O1:text A1:" + kAlone + " C1 F:stop");
  EXPECT_EQ(played({text(kHigh), text("b"), kStop}), "S(m) O0:text A0:" + kAlone + "b C0 F:stop");
  EXPECT_EQ(played({text(kHigh), Failure{}}), "S(m) O0:text A0:" + kAlone + " C0 E");
  EXPECT_EQ(played({text(kHigh)}, BodyEnd::reset), "S(m) O0:text A0:" + kAlone + " C0 E");
  EXPECT_EQ(played({piece(0, "", "f", "{}"), text(kHigh), more(0, " "), text(kLow), kStop}),
            "S(m) O0:text A0:" + kJoined + " C0 O1:call(,f) A1:{}  C1 F:tool_calls")
      << "a call that has not begun its block does not end the text's";
}

TEST(Ledger, HalvesOfAPairMeetInTheirCall) {
  EXPECT_EQ(played({piece(0, "i", "f", "{\"" + kHigh), text(kHigh), piece(1, "j", "g", "{\"" + kHigh),
                    more(0, kLow), more(1, kLow), more(0, "\":1}"), more(1, "\":2}"), kCalls}),
            "S(m) O0:call(i,f) A0:{\" A0:" + kJoined + " A0:\":1} C0 O1:text A1:" + kAlone +
                " C1 O2:call(j,g) A2:{\"" + kJoined + " A2:\":2} C2 F:tool_calls");
  EXPECT_EQ(played({piece(0, "i", "f", "{\"a\":\"" + kHigh), more(0, "\"}"), kCalls}),
            "S(m) O0:call(i,f) A0:{\"a\":\" A0:" + kAlone + "\"} C0 F:tool_calls");
  EXPECT_EQ(played({piece(0, "i", "f", "{\"" + kHigh), kLength}),
            "S(m) O0:call(i,f) A0:{\" A0:" + kAlone + " C0 F:length");
}

TEST(Ledger, ThinkingAloneMayBeRepeatedAsText) {
  Rules rules;
  rules.reasoning_only = ReasoningOnly::add_text;
  const auto again = [&](const std::vector<Event>& events) {
    return played(events, BodyEnd::complete, rules);
  };
  EXPECT_EQ(again({thinking("a"), Signature{"s"}, thinking("b"), kStop}),
            "S(m) O0:thinking A0:a A0:b G0:s C0 O1:text A1:ab C1 F:stop");
  EXPECT_EQ(again({thinking(kHigh), thinking(kLow), kLength}),
            "S(m) O0:thinking A0:" + kJoined + " C0 O1:text A1:" + kJoined + " C1 F:length");
  EXPECT_EQ(again({thinking("a" + kHigh), kStop}),
            "S(m) O0:thinking A0:a A0:" + kAlone + " C0 O1:text A1:a" + kAlone + " C1 F:stop");
  EXPECT_EQ(again({piece(0, "i", "", "{}"), thinking("a"), kCalls}),
            "S(m) O0:thinking A0:a C0 O1:text A1:a C1 F:stop")
      << "a suppressed call is not there";
  for (const Event& other :
       std::vector<Event>{text("x"), Prose{BlockKind::refusal, "x"}, piece(0, "i", "f", "")}) {
    const std::string before = again({other, thinking("a"), kStop});
    const std::string after = again({thinking("a"), other, thinking("b"), kStop});
    EXPECT_EQ(before, played({other, thinking("a"), kStop}));
    EXPECT_EQ(after, played({thinking("a"), other, thinking("b"), kStop}));
  }
  EXPECT_EQ(again({piece(0, "", "f", "{}"), thinking("a"), kStop}),
            "S(m) O0:thinking A0:a C0 O1:call(,f) A1:{} C1 F:tool_calls");
  EXPECT_EQ(again({kStop}), "S(m) F:stop");
  EXPECT_EQ(again({thinking("a"), Failure{}}), "S(m) O0:thinking A0:a C0 E");
  EXPECT_EQ(again({thinking("a")}), "S(m) O0:thinking A0:a C0 E");
  EXPECT_EQ(played({thinking("a"), kStop}), "S(m) O0:thinking A0:a C0 F:stop");
}

TEST(Ledger, ThinkingKeptForRepetitionIsLimited) {
  Rules rules;
  rules.limits.waiting_bytes = 1000;
  const std::string long_text(501, 'x');
  const std::vector<Event> events{thinking(long_text), thinking(long_text), thinking("never"), kStop};
  const std::string said = "S(m) O0:thinking A0:" + long_text + " A0:" + long_text;
  EXPECT_EQ(played(events, BodyEnd::complete, rules), said + " A0:never C0 F:stop");
  rules.reasoning_only = ReasoningOnly::add_text;
  EXPECT_EQ(played(events, BodyEnd::complete, rules), said + " C0 E");
}

TEST(Ledger, RulesMayAskForTheClosingMark) {
  Rules rules;
  rules.terminal_signals = TerminalSignals::done;
  for (const BodyEnd end : {BodyEnd::complete, BodyEnd::closed, BodyEnd::reset, BodyEnd::stall}) {
    EXPECT_EQ(played({text("a"), kStop}, end, rules), "S(m) O0:text A0:a C0 E");
    EXPECT_EQ(played({text("a"), kStop, Done{}}, end, rules), "S(m) O0:text A0:a C0 F:stop");
    EXPECT_EQ(played({text("a"), Done{}}, end, rules), "S(m) O0:text A0:a C0 F:stop");
  }
}

TEST(Ledger, ArgumentsThatBeginNoObjectAreNotSent) {
  for (const char* other : {"[1]", "1", "\"x\"", "nul", "nulll", "undefined", " [", "}{"}) {
    SCOPED_TRACE(other);
    EXPECT_EQ(played({piece(0, "i", "f", other), kCalls}), "S(m) O0:call(i,f) C0 E");
    EXPECT_EQ(played({piece(0, "i", "f", other), kLength}), "S(m) O0:call(i,f) C0 F:length");
  }
  EXPECT_EQ(played({piece(0, "i", "f", "nu"), more(0, "ll "), kCalls}), "S(m) O0:call(i,f) C0 F:tool_calls");
}

TEST(Ledger, LaterReasonCountsOnlyIfItMeansCutShort) {
  EXPECT_EQ(played({kCalls, kStop, Done{}}), "S(m) F:stop");
  EXPECT_EQ(played({kStop, Finished{Finish::content_filter}, Done{}}), "S(m) F:content_filter");
  EXPECT_EQ(played({kLength, kStop, Done{}}), "S(m) F:length");
}

TEST(Ledger, CallsWithoutIdStartAtTheEndByRank) {
  EXPECT_EQ(played({CallPiece{0, 2, "", "c", "{}"}, CallPiece{1, 0, "", "a", "{}"},
                    CallPiece{2, 1, "", "b", "{}"}, kCalls}),
            "S(m) O0:call(,a) A0:{} C0 O1:call(,b) A1:{} C1 O2:call(,c) A2:{} C2 F:tool_calls");
  EXPECT_EQ(played({piece(0, "", "f", "{}"), text("x"), kCalls}),
            "S(m) O0:text A0:x C0 O1:call(,f) A1:{} C1 F:tool_calls");
  Rules drop;
  drop.idless_call = IdlessCall::drop;
  EXPECT_EQ(played({piece(0, "", "f", "{}"), kCalls}, BodyEnd::complete, drop), "S(m) F:stop");
}

TEST(Ledger, CallThatNeverGetsAnIdStartsInItsPlace) {
  const CallPiece call{0, 0, "", "f", "{}", true};
  EXPECT_EQ(played({call, text("x"), kCalls}), "S(m) O0:call(,f) A0:{} C0 O1:text A1:x C1 F:tool_calls");
  Rules drop;
  drop.idless_call = IdlessCall::drop;
  EXPECT_EQ(played({call, text("x"), kCalls}, BodyEnd::complete, drop), "S(m) O0:text A0:x C0 F:stop");
  EXPECT_EQ(played({CallPiece{0, 0, "", "", "{}", true}, text("x"), kCalls}), "S(m) O0:text A0:x C0 F:stop");
}

TEST(Ledger, CallsWithoutNameFollowTheProfile) {
  const std::vector<Event> nameless{piece(0, "i", "", "{}"), piece(1, "j", "g", "{}"), kCalls};
  Rules rules;
  EXPECT_EQ(played(nameless, BodyEnd::complete, rules), "S(m) O0:call(j,g) A0:{} C0 F:tool_calls");
  EXPECT_EQ(played({piece(0, "i", "", "{}"), kCalls}, BodyEnd::complete, rules), "S(m) F:stop");
  rules.nameless_call = NamelessCall::synthesize;
  EXPECT_EQ(played(nameless, BodyEnd::complete, rules),
            "S(m) O0:call(j,g) A0:{} C0 O1:call(i,tool_0) A1:{} C1 F:tool_calls");
  EXPECT_EQ(played({piece(0, "", "", " "), kCalls}, BodyEnd::complete, rules), "S(m) F:stop");
  rules.nameless_call = NamelessCall::error;
  EXPECT_EQ(played(nameless, BodyEnd::complete, rules), "S(m) O0:call(j,g) A0:{} C0 E");
}

TEST(Ledger, EndIsSentOnce) {
  EXPECT_EQ(played({kStop, kStop, Done{}}), "S(m) F:stop");
  EXPECT_EQ(played({text("a"), kStop, text("b"), Done{}, text("c")}), "S(m) O0:text A0:a A0:b C0 F:stop");
  EXPECT_EQ(played({Done{}}), "E");
  Rules rules;
  rules.done_without_finish = DoneWithoutFinish::error;
  EXPECT_EQ(played({text("a"), Done{}}, BodyEnd::complete, rules), "S(m) O0:text A0:a C0 E");
}

TEST(Ledger, EndOfTheBodyDecidesIfTheFinishCounts) {
  for (const BodyEnd end : {BodyEnd::complete, BodyEnd::closed, BodyEnd::reset, BodyEnd::stall}) {
    SCOPED_TRACE(static_cast<int>(end));
    const bool orderly = end == BodyEnd::complete || end == BodyEnd::closed;
    EXPECT_EQ(played({}, end), "E");
    EXPECT_EQ(played({text("a")}, end), "S(m) O0:text A0:a C0 E");
    EXPECT_EQ(played({text("a"), kStop}, end),
              orderly ? "S(m) O0:text A0:a C0 F:stop" : "S(m) O0:text A0:a C0 E");
    EXPECT_EQ(played({text("a"), kStop, Done{}}, end), "S(m) O0:text A0:a C0 F:stop");
  }
}

TEST(Ledger, ErrorComesAfterAllThatHadCome) {
  EXPECT_EQ(played({Failure{}}), "E");
  EXPECT_EQ(played({piece(0, "i", "f", "{"), piece(1, "j", "g", "{"), text("x"), piece(2, "", "h", "{}"),
                    Failure{}}),
            "S(m) O0:call(i,f) A0:{ C0 O1:call(j,g) A1:{ C1 O2:text A2:x C2 O3:call(,h) A3:{} C3 E");
}

TEST(Ledger, LongNameOfTheModelIsAnError) {
  Rules rules;
  rules.limits.name_bytes = 3;
  EXPECT_EQ(played({Begin{"abc"}, text("hi"), Begin{"abcd"}}, BodyEnd::stall, rules),
            "S(abc) O0:text A0:hi C0 E");
  EXPECT_EQ(played({Begin{"abcd"}, text("hi")}, BodyEnd::stall, rules), "E");
}

TEST(Ledger, LimitsEndTheStreamWithAnError) {
  Rules rules;
  rules.limits.calls = 2;
  rules.limits.call_bytes = 8;
  rules.limits.waiting_bytes = 100;
  EXPECT_EQ(played({piece(0, "i", "f", "{}"), piece(1, "j", "g", "{}"), piece(2, "k", "h", "")},
                   BodyEnd::complete, rules),
            "S(m) O0:call(i,f) A0:{} C0 O1:call(j,g) A1:{} C1 E");
  EXPECT_EQ(played({piece(0, "i", "f", "{      "), text("never")}, BodyEnd::complete, rules),
            "S(m) O0:call(i,f) A0:{       C0 E");
  EXPECT_EQ(played({piece(0, "longer than", "f", "{"), text("never")}, BodyEnd::complete, rules),
            "S(m) O0:call(longer than,f) A0:{ C0 E");
  const std::string long_text(100, 'x');
  EXPECT_EQ(played({piece(0, "i", "f", "{"), text(long_text), text("never")}, BodyEnd::complete, rules),
            "S(m) O0:call(i,f) A0:{ C0 O1:text A1:" + long_text + " C1 E");
  EXPECT_EQ(played({text(long_text), text(long_text), kStop}, BodyEnd::complete, rules),
            "S(m) O0:text A0:" + long_text + " A0:" + long_text + " C0 F:stop");
}

TEST(Ledger, UsageIsMergedFieldByField) {
  Ledger ledger{Rules{}};
  std::vector<Step> steps;
  ledger.accept(Usage{5, 2, 1}, steps);
  ledger.accept(Usage{std::nullopt, std::nullopt, 9}, steps);
  ledger.accept(Usage{0, 0, 0}, steps);
  ledger.accept(kStop, steps);
  ledger.accept(Done{}, steps);
  EXPECT_EQ(std::get<FinishMessage>(steps.back()).usage, (Usage{5, 2, 9}));
}

}  // namespace
}  // namespace splitproof::turn::ledger_test
