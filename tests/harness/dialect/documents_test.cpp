// The parts of an answer that are compared with a client's answer, and the free parts. The file is long because each
// freedom and each fault is a pair of answers next to its members, and all are made the same way.

#include "harness/observe/documents.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/dialect/anthropic_messages/client.hpp"
#include "harness/dialect/openai_chat/finish.hpp"
#include "tests/harness/dialect/anthropic_events.hpp"
#include "tests/harness/observe/meanings.hpp"

namespace splitproof::dialect::documents_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

using namespace anthropic_events;  // NOLINT: the words of the streams below

using nlohmann::json;
using Events = std::vector<std::string>;
using Members = std::set<std::string>;

Expected expect(const Answer& meaning) { return expected_of(meaning, recording::End::complete, {}); }

NormalisedAnswer side_of(const Events& events) {
  return AnthropicClient().side(read_trace(frames(events), DataKind::json));
}

Documents compare(const Expected& expected, const Events& events) {
  return documents(expected, side_of(events));
}

// Returns the members in which the two documents differ.
Members differ(const Expected& expected, const Events& events) {
  const Documents documents = compare(expected, events);
  Members members;
  for (const auto& [a, b] :
       {std::pair(*documents.expected, *documents.got), {*documents.got, *documents.expected}}) {
    for (const auto& member : a.items()) {
      if (!b.contains(member.key()) || b[member.key()] != member.value()) members.insert(member.key());
    }
  }
  return members;
}

const Answer& whole() {
  static const Answer kWhole = [] {
    Answer meaning = answer({thinking("hm"), text("Let me "), call("t1", "f", "{\"a\": 1}", 0),
                             call("t2", "g", "", 1), text("look.")});
    meaning.parts[0].signature = "S";
    meaning.finish = finish_of_word("tool_calls");
    meaning.usage = {12, 5, 7};
    return meaning;
  }();
  return kWhole;
}

const Events& good() {
  static const Events kGood = {
      message_start(),
      thinking_start(0),
      thought(0, "hm"),
      signature(0, "S"),
      stop(0),
      text_start(1),
      words(1, "Let "),
      words(1, "me "),
      stop(1),
      tool_start(2, "t1", "f"),
      arguments(2, "{\"a\""),
      arguments(2, ": 1}"),
      stop(2),
      tool_start(3, "t2", "g"),
      stop(3),
      text_start(4),
      words(4, "look."),
      stop(4),
      message_delta("tool_use", {{"input_tokens", 7}, {"cache_read_input_tokens", 5}, {"output_tokens", 7}}),
      message_stop()};
  return kGood;
}

Events without(Events events, std::size_t begin, std::size_t count) {
  const auto from = events.begin() + static_cast<std::ptrdiff_t>(begin);
  events.erase(from, from + static_cast<std::ptrdiff_t>(count));
  return events;
}

Events with(Events events, std::size_t at, const Events& instead) {
  std::copy(instead.begin(), instead.end(), events.begin() + static_cast<std::ptrdiff_t>(at));
  return events;
}

Events inserted(Events events, std::size_t at, const Events& more) {
  events.insert(events.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
  return events;
}

TEST(Documents, AreEqualWhereAllWasDelivered) {
  const Documents documents = compare(expect(whole()), good());
  EXPECT_EQ(*documents.expected, *documents.got);
  EXPECT_EQ(*documents.got, json::parse(R"({
    "text": "Let me look.", "thinking": "hm", "thoughts": 1, "signatures": ["S"],
    "kinds": ["thinking", "text", "call", "call", "text"],
    "parts": [{"thinking": "hm"}, {"text": "Let me "}, {"call": {"name": "f", "input": {"a": 1}}},
              {"call": {"name": "g", "input": {}}}, {"text": "look."}],
    "calls": [{"id": "t1", "name": "f", "arguments": "{\"a\": 1}", "input": {"a": 1}},
              {"id": "t2", "name": "g", "arguments": "", "input": {}}],
    "names": ["f", "g"], "called": ["f", "g"], "ids": ["t1", "t2"], "inputs": [{"a": 1}, {}], "others": [],
    "runs": [{"name": "f", "input": {"a": 1}}, {"name": "g", "input": {}}],
    "finish": "tool_calls", "error": false, "gave_up": false, "usage": {"input": 7, "cached": 5, "output": 7}})"));
}

TEST(Documents, EveryFaultShowsInTheMembersThatItTouchesAndInNoOther) {
  const Members all_of_calls = {"calls", "called", "parts", "runs"};
  struct Row {
    const char* fault;
    Events events;
    Members members;
  };
  const Row rows[] = {
      {"a piece of text is lost", without(good(), 7, 1), {"text", "parts"}},
      {"a piece of text comes twice", inserted(good(), 7, {words(1, "me ")}), {"text", "parts"}},
      {"text is thinking",
       with(good(), 15, {thinking_start(4), thought(4, "look.")}),
       {"text", "thinking", "parts", "kinds"}},
      {"thinking is lost", without(good(), 1, 4), {"thinking", "parts", "kinds"}},
      {"thinking in two blocks",
       inserted(with(good(), 2, {thought(0, "h")}), 5, {thinking_start(9), thought(9, "m"), stop(9)}),
       {"thoughts"}},
      {"another signature", with(good(), 3, {signature(0, "T")}), {"signatures"}},
      {"no signature", without(good(), 3, 1), {"signatures"}},
      {"a call is lost", without(good(), 13, 2), {"calls", "called", "parts", "kinds", "runs"}},
      {"text goes back into its first block",
       with(good(), 15, {words(1, "look."), words(1, ""), words(1, "")}),
       {"kinds", "parts"}},
      {"another id", with(good(), 9, {tool_start(2, "t3", "f")}), {"ids", "calls"}},
      {"another name", with(good(), 9, {tool_start(2, "t1", "ff")}), all_of_calls},
      {"other arguments", with(good(), 11, {arguments(2, ": 2}")}), {"inputs", "calls", "parts", "runs"}},
      {"arguments without their end", without(good(), 11, 1), {"inputs", "calls", "parts", "runs"}},
      {"arguments written otherwise", with(good(), 11, {arguments(2, ":1}")}), {"calls"}},
      {"no arguments as an object", inserted(good(), 14, {arguments(3, "{}")}), {"calls"}},
      {"a call stops twice", inserted(good(), 13, {stop(2)}), {"runs"}},
      {"a call never stops", without(good(), 12, 1), {"runs"}},
      {"it says that it ended",
       with(good(), 18,
            {message_delta("end_turn",
                           {{"input_tokens", 7}, {"cache_read_input_tokens", 5}, {"output_tokens", 7}})}),
       {"finish"}},
      {"cached tokens count twice",
       with(good(), 18,
            {message_delta("tool_use",
                           {{"input_tokens", 12}, {"cache_read_input_tokens", 5}, {"output_tokens", 7}})}),
       {"usage"}},
      {"it ends in an error", with(good(), 19, {error()}), {"error", "gave_up"}},
  };
  for (const Row& row : rows) EXPECT_EQ(differ(expect(whole()), row.events), row.members) << row.fault;
}

TEST(Documents, AThoughtMayBeDividedWhereTheOrderIsOpen) {
  Answer meanwhile = whole();
  meanwhile.shapes.insert("prose_meanwhile");
  const Events divided =
      inserted(with(good(), 2, {thought(0, "h")}), 5, {thinking_start(9), thought(9, "m"), stop(9)});
  EXPECT_EQ(differ(expect(meanwhile), divided), Members{});
  EXPECT_EQ(differ(expect(meanwhile), without(good(), 3, 1)), Members{"signatures"});
}

TEST(Documents, CallsChangeTheirOrderOnlyWhereTheLaterWasKnownFirst) {
  const auto stream = [](const Events& names) {
    Events events = {message_start()};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const int index = static_cast<int>(i);
      events.insert(events.end(), {tool_start(index, "id_" + names[i], names[i]), stop(index)});
    }
    events.push_back(message_delta("tool_use", {{"output_tokens", 0}}));
    events.push_back(message_stop());
    return events;
  };
  const auto meaning = [](std::uint64_t rank_of_f, std::uint64_t rank_of_g) {
    return answer({call("id_f", "f", "", rank_of_f), call("id_g", "g", "", rank_of_g)});
  };
  EXPECT_EQ(differ(expect(meaning(0, 1)), stream({"f", "g"})), Members{});
  EXPECT_EQ(differ(expect(meaning(0, 1)), stream({"g", "f"})), (Members{"calls", "names", "parts"}));
  EXPECT_EQ(differ(expect(meaning(1, 0)), stream({"f", "g"})), Members{});
  EXPECT_EQ(differ(expect(meaning(1, 0)), stream({"g", "f"})), Members{});
  EXPECT_EQ(differ(expect(meaning(1, 0)), stream({"g", "g"})), (Members{"calls", "called", "parts", "runs"}));
}

TEST(Documents, WhatTheUpstreamLeftOpenIsNotCompared) {
  Answer meaning =
      answer({thinking("t"), call("call:1", "f", "", 0), call("a", "f", "", 1), call("a", "f", "", 2)});
  const auto stream = [](const Events& ids, const json& usage) {
    Events events = {message_start(), thinking_start(0), thought(0, "t"), signature(0, "own"), stop(0)};
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const int index = static_cast<int>(i) + 1;
      events.insert(events.end(), {tool_start(index, ids[i], "f"), stop(index)});
    }
    events.push_back(message_delta("tool_use", usage));
    events.push_back(message_stop());
    return events;
  };
  EXPECT_EQ(differ(expect(meaning), stream({"x", "a", "b"}, {{"input_tokens", 3}, {"output_tokens", 4}})),
            Members{});
  EXPECT_EQ(differ(expect(meaning), stream({"x", "b", "a"}, {{"output_tokens", 4}})),
            (Members{"ids", "calls"}));
  meaning.usage.prompt = 3;
  EXPECT_EQ(differ(expect(meaning), stream({"x", "a", "b"}, {{"input_tokens", 3}, {"output_tokens", 4}})),
            Members{});
  EXPECT_EQ(differ(expect(meaning), stream({"x", "a", "b"}, {{"input_tokens", 4}, {"output_tokens", 4}})),
            Members{"usage"});
  EXPECT_EQ(differ(expect(meaning), stream({"x", "a", "b"}, {{"output_tokens", 4}})), Members{"usage"})
      << "the start's 0 is no 3";
}

// Returns calls with only their names, one after another.
Events calling(const Events& names, const json& usage = {{"output_tokens", 0}}) {
  Events events = {message_start()};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int index = static_cast<int>(i);
    events.insert(events.end(), {tool_start(index, "id" + std::to_string(i), names[i]), stop(index)});
  }
  events.insert(events.end(), {message_delta("tool_use", usage), message_stop()});
  return events;
}

TEST(Documents, CallsThatAreSettledLateMayStandWhereTheyBegan) {
  Answer meaning = answer({call("", "f", "", 0), call("", "g", "", 1)});
  EXPECT_EQ(differ(expect(meaning), calling({"g", "f"})), (Members{"calls", "names", "parts"}));
  meaning.begun = {1, 0};
  EXPECT_EQ(differ(expect(meaning), calling({"f", "g"})), Members{});
  EXPECT_EQ(differ(expect(meaning), calling({"g", "f"})), Members{});
  EXPECT_EQ(differ(expect(meaning), calling({"g"})), (Members{"calls", "called", "parts", "kinds", "runs"}));

  meaning = answer({call("", "f", "", 0), call("", "g", "", 1), call("", "h", "", 2)});
  meaning.begun = {1, 2, 0};
  EXPECT_EQ(differ(expect(meaning), calling({"f", "g", "h"})), Members{}) << "by their numbers";
  EXPECT_EQ(differ(expect(meaning), calling({"h", "f", "g"})), Members{}) << "as they began";
  EXPECT_EQ(differ(expect(meaning), calling({"h", "g", "f"})), (Members{"calls", "names", "parts"}))
      << "by chance";

  meaning = answer({text("a"), call("", "f", "")});
  const Events before = {message_start(),
                         tool_start(0, "i", "f"),
                         stop(0),
                         text_start(1),
                         words(1, "a"),
                         stop(1),
                         message_delta("tool_use", {{"output_tokens", 0}}),
                         message_stop()};
  EXPECT_EQ(differ(expect(meaning), before), (Members{"parts", "kinds"}));
  meaning.shapes = {"prose_meanwhile"};
  EXPECT_EQ(differ(expect(meaning), before), Members{});
  EXPECT_EQ(differ(expect(meaning), without(before, 3, 3)), Members{"text"});
}

TEST(Documents, WhatCanBeReadInMoreThanOneWayIsTheReadingOrAnError) {
  Answer meaning = answer({text("a")});
  const Events failing = {message_start(), text_start(0), words(0, "b"), stop(0), error()};
  const Events other = {message_start(),
                        text_start(0),
                        words(0, "b"),
                        stop(0),
                        message_delta("end_turn", {{"output_tokens", 0}}),
                        message_stop()};
  EXPECT_NE(differ(expect(meaning), failing), Members{});
  meaning.shapes = {"ambiguous"};
  EXPECT_EQ(differ(expect(meaning), failing), Members{});
  EXPECT_TRUE(differ(expect(meaning), other).contains("text"));
}

TEST(Documents, AnyNameDoesWhereTheTranslatorMakesItUp) {
  Choices choices;
  choices.nameless_call = Choices::Nameless::synthesize;
  const Answer meaning = answer({call("a", "f", "", 0), call("b", "", "", 1), call("c", "", "", 2)});
  const Expected expected = expected_of(meaning, recording::End::complete, choices);
  EXPECT_EQ(differ(expected, calling({"f", "tool_1", "tool_2"})), (Members{"ids", "calls"}))
      << "they have ids";
  const auto called = [&](const Events& names) {
    return differ(expected, calling(names)).contains("called");
  };
  EXPECT_FALSE(called({"f", "tool_1", "tool_2"}));
  EXPECT_FALSE(called({"f", "nameless", "nameless"}));
  EXPECT_TRUE(called({"f", "nameless"})) << "one is lost";
  EXPECT_TRUE(called({"f", "nameless", ""})) << "no name at all";
  EXPECT_TRUE(called({"g", "nameless", "nameless"})) << "this one had a name";
  EXPECT_TRUE(called({"f", "a", "b", "c"})) << "one is made up";
}

TEST(Documents, TokensOfACacheNeedNotBeToldApart) {
  Answer meaning = answer({call("id0", "f", "")});
  meaning.usage = {12, 5, std::nullopt};
  const auto same = [&](const json& usage) { return differ(expect(meaning), calling({"f"}, usage)).empty(); };
  EXPECT_TRUE(same({{"input_tokens", 7}, {"cache_read_input_tokens", 5}}));
  EXPECT_TRUE(same({{"input_tokens", 12}}));
  EXPECT_FALSE(same({{"input_tokens", 7}})) << "the cached ones are lost";
  EXPECT_FALSE(same({{"input_tokens", 12}, {"cache_read_input_tokens", 5}})) << "they count twice";
  EXPECT_FALSE(same({{"input_tokens", 12}, {"cache_read_input_tokens", 0}})) << "some were read from it";
}

TEST(Documents, TokensOfThinkingNeedNotBeToldApartAndATotalMayBeTheSum) {
  Answer meaning = answer({text("a")});
  meaning.finish = finish_of_word("stop");
  meaning.usage = {12, 5, 7, 3, 20};
  using Count = std::optional<std::uint64_t>;
  const auto same = [&](Count reasoning, Count total) {
    Answer told = meaning;
    told.usage.reasoning = reasoning;
    told.usage.total = total;
    const Documents documents = observe::documents(expect(meaning), observe::side_of(told));
    return *documents.expected == *documents.got;
  };
  EXPECT_TRUE(same(3, 20));
  EXPECT_TRUE(same(3, 19)) << "the sum";
  EXPECT_TRUE(same({}, {})) << "neither is told";
  EXPECT_FALSE(same(0, 20));
  EXPECT_FALSE(same(3, 21));
  meaning.usage.reasoning = 8;
  EXPECT_TRUE(same(7, 20)) << "more than all output";
  meaning.usage.reasoning.reset();
  meaning.usage.total.reset();
  EXPECT_TRUE(same(0, 19));
  EXPECT_FALSE(same(0, 20));
  meaning.usage.completion.reset();
  EXPECT_TRUE(same({}, 20)) << "nobody can know it";
  meaning.usage.total = 20;
  EXPECT_TRUE(same({}, 20));
  EXPECT_TRUE(same({}, 12)) << "the sum of what was counted";
  EXPECT_FALSE(same({}, 19));
  meaning.usage = {12, 15, 7, {}, 20};
  EXPECT_TRUE(same({}, 19)) << "more are cached than there are";
}

TEST(Documents, ThinkTagsMayStayInTheText) {
  const Events left = {message_start(),
                       text_start(0),
                       words(0, "<think>a</think>b"),
                       stop(0),
                       message_delta("end_turn", {{"output_tokens", 0}}),
                       message_stop()};
  const Answer meaning = answer({text("<think>a</think>b")});
  EXPECT_EQ(differ(expect(meaning), left), Members{});
  EXPECT_EQ(differ(expect(meaning), with(left, 2, {words(0, "<think>a</think> b")})),
            (Members{"text", "thinking", "parts", "kinds"}));
  Choices choices;
  choices.think_tags_may_stay = false;
  EXPECT_TRUE(differ(expected_of(meaning, recording::End::complete, choices), left).contains("text"));
}

TEST(Documents, CallsInTextHaveToBeMade) {
  Choices choices;
  choices.rescue_markup = true;
  ClientCapabilities carries;
  carries.functions = {{"f", {}}};
  const Answer meaning = answer({text("See <tool name=\"f\"></tool> here.")});
  const Expected expected = expected_of(meaning, recording::End::complete, choices, carries);
  const Events rescued = {message_start(),
                          text_start(0),
                          words(0, "See "),
                          stop(0),
                          tool_start(1, "i0", "f"),
                          arguments(1, "{}"),
                          stop(1),
                          text_start(2),
                          words(2, " here."),
                          stop(2),
                          message_delta("tool_use", {{"output_tokens", 0}}),
                          message_stop()};
  const Events passed = {message_start(),
                         text_start(0),
                         words(0, "See <tool name=\"f\"></tool> here."),
                         stop(0),
                         message_delta("end_turn", {{"output_tokens", 0}}),
                         message_stop()};
  EXPECT_EQ(differ(expected, rescued), Members{});
  EXPECT_TRUE(differ(expected, passed).contains("text"));
  EXPECT_TRUE(differ(expected, passed).contains("called"));
  EXPECT_TRUE(differ(expected, passed).contains("finish"));
  EXPECT_EQ(differ(expect(meaning), passed), Members{});
  EXPECT_NE(differ(expect(meaning), rescued), Members{}) << "nobody promised it";
  carries.functions = {{"g", {}}};
  EXPECT_EQ(differ(expected_of(meaning, recording::End::complete, choices, carries), passed), Members{})
      << "nobody declared it";
}

TEST(Documents, AnswersOutsideTheFirstChoiceAreToldOrAreErrors) {
  Answer meaning = answer({});
  meaning.finish.reset();
  meaning.shapes = {"no_first_choice"};
  const Events told = {message_start(),
                       text_start(0),
                       words(0, "a"),
                       stop(0),
                       message_delta("end_turn", {{"output_tokens", 0}}),
                       message_stop()};
  EXPECT_EQ(differ(expect(meaning), told), Members{});
  EXPECT_EQ(differ(expect(meaning), {message_start(), error()}), Members{});
  EXPECT_EQ(differ(expect(meaning), without(told, 1, 3)), Members{"error"});
}

TEST(Documents, AnAnswerThatFailsIsComparedAsFarAsItCame) {
  Answer meaning = whole();
  meaning.parts[2].arguments = "{\"a\": ";
  meaning.finish.reset();
  meaning.done = false;
  const Events events = {message_start(),
                         thinking_start(0),
                         thought(0, "hm"),
                         signature(0, "S"),
                         stop(0),
                         text_start(1),
                         words(1, "Let me "),
                         stop(1),
                         tool_start(2, "t1", "f"),
                         arguments(2, "{\"a\": "),
                         stop(2),
                         tool_start(3, "t2", "g"),
                         stop(3),
                         text_start(4),
                         words(4, "look."),
                         stop(4),
                         error()};
  EXPECT_EQ(differ(expect(meaning), events), Members{});
  EXPECT_EQ(differ(expect(meaning), with(events, 16, {message_stop()})), Members{"error"});
  EXPECT_EQ(differ(expect(meaning), without(events, 9, 1)), (Members{"inputs", "calls", "parts"}));
  EXPECT_EQ(differ(expect(meaning), without(events, 13, 3)), (Members{"text", "parts", "kinds"}));

  Trace cut = read_trace(frames(without(events, 16, 1)), DataKind::json);
  cut.message_end = MessageEnd::cut;
  const Documents documents = observe::documents(expect(meaning), AnthropicClient().side(cut));
  EXPECT_EQ(*documents.expected, *documents.got) << "a broken connection is an error to a client";
}

TEST(Documents, AnErrorIsToldAsTheFaultOfWhoHadIt) {
  const ErrorClasses request = {.request = true};
  const ErrorClasses limit = {.limit = true};
  const ErrorClasses server = {.server = true};
  const Members wrong = {"error_class"};
  struct Case {
    ErrorClasses said;
    const char* told;  // null: no error
    Members differ;
  };
  const Case cases[] = {
      {limit, "rate_limit_error", {}},
      {limit, "api_error", wrong},
      {limit, "invalid_request_error", wrong},
      {limit, "", wrong},
      {limit, nullptr, {"error"}},
      {request, "request_too_large", {}},
      {request, "overloaded_error", wrong},
      {server, "timeout_error", {}},
      {server, "overloaded_error", {}},
      {server, "not_found_error", {}},
      {server, "request_too_large", wrong},
      {limit | server, "api_error", {}},
      {limit | server, "rate_limit_error", {}},
      {limit | server, "invalid_request_error", wrong},
      {{}, "invalid_request_error", {}},
      {{}, "api_error", {}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(words_for(one.said) + ": " + (one.told == nullptr ? "no error" : one.told));
    Answer meaning = answer({});
    meaning.error = "it broke";
    meaning.error_classes = one.said;
    Events events = {message_start()};
    if (one.told != nullptr)
      events.push_back(of_type("error", {{"error", {{"type", one.told}, {"message", "it broke"}}}}));
    EXPECT_EQ(differ(expect(meaning), events), one.differ);
  }
}

TEST(Documents, AnUnsettledCallMayBeDeliveredOrNot) {
  Answer meaning = answer({text("a"), call("", "f", "{\"a\"")});
  meaning.error = "overloaded";
  const Events without_call = {message_start(), text_start(0), words(0, "a"), stop(0), error()};
  const Events with_call =
      inserted(without_call, 4, {tool_start(1, "made", "f"), arguments(1, "{\"a\""), stop(1)});
  const Events with_two = inserted(with_call, 7, {tool_start(2, "more", "f"), stop(2)});
  EXPECT_EQ(differ(expect(meaning), without_call), Members{});
  EXPECT_EQ(differ(expect(meaning), with_call), Members{});
  EXPECT_EQ(differ(expect(meaning), with_two), (Members{"calls", "called", "parts", "kinds"}));
}

TEST(Documents, InputsAreWhatAClientPassesToTheTool) {
  const auto input = [](const std::string& arguments) {
    Answer meaning = answer({call("i", "f", arguments)});
    meaning.finish = finish_of_word("length");
    return (*compare(expect(meaning), {}).expected)["calls"][0]["input"];
  };
  EXPECT_EQ(input(""), json::object());
  EXPECT_EQ(input(" \n"), json::object());
  EXPECT_EQ(input("null"), json::object());
  EXPECT_EQ(input(" {\"a\": [1]} "), json::parse(R"({"a": [1]})"));
  EXPECT_EQ(input("{\"a\": 9007199254740993}"), json::parse(R"({"a": 9007199254740993})"));
  EXPECT_NE(input("{\"a\": 9007199254740993}"), input("{\"a\": 9007199254740992}"));
  EXPECT_EQ(input(" {\"a\": "), "{\"a\": ");
  EXPECT_EQ(input("[1]"), json::object()) << "not passed on";
}

TEST(Documents, StopReasonsHaveTheWordsOfTheUpstream) {
  const auto finish = [](const char* stop_reason) {
    return (*compare(expect(answer({})), {message_start(), message_delta(stop_reason, {}), message_stop()})
                 .got)["finish"];
  };
  EXPECT_EQ(finish("end_turn"), "stop");
  EXPECT_EQ(finish("max_tokens"), "length");
  EXPECT_EQ(finish("tool_use"), "tool_calls");
  EXPECT_EQ(finish("refusal"), "content_filter");
  EXPECT_EQ(finish("stop_sequence"), "stop_text");
  EXPECT_EQ(finish("pause_turn"), "pause_turn");
}

TEST(Documents, WhatIsNotThereOnEitherSideIsAbsent) {
  const Events events = {message_start(), message_delta("end_turn", {{"output_tokens", 0}}), message_stop()};
  const Documents documents = compare(expect(answer({})), events);
  EXPECT_EQ(*documents.expected,
            json::parse(R"({"finish": "stop", "error": false, "gave_up": false, "others": []})"));
  EXPECT_EQ(*documents.got, *documents.expected);
  EXPECT_EQ(differ(expect(answer({})), inserted(events, 1, {text_start(0), words(0, "a"), stop(0)})),
            (Members{"text", "parts", "kinds"}));
}

}  // namespace
}  // namespace splitproof::dialect::documents_test
