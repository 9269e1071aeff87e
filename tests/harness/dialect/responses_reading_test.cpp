// What streams of Responses mean: single events, the project's own recordings, and those of real servers. It is long because
// the protocol says everything up to five times, and each way to contradict itself is a stream, written here beside what it
// has to mean.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_responses/reading.hpp"
#include "harness/dialect/openai_responses/shapes.hpp"
#include "harness/dialect/openai_responses/upstream.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/recut.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/dialect/responses_events.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::dialect::responses_reading_test {
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

const std::string kConflict = " !an event with the whole content contradicts its deltas";

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
            "call[i|f|]")
      << "either id will do";
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
  EXPECT_EQ(in_short(read(kUpstream, frames({created(), start}))), "call[i|f|]") << "it broke off";
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
  EXPECT_EQ(parts({added(0, {{"id", "m"}}), words(0, "m", "a"), done(0, {{"id", "m"}})}), "text[a]");
  EXPECT_EQ(parts({added(0, reasoning("r")), about("reasoning_summary_text.delta", 0, "r", {{"delta", "s"}}),
                   about("reasoning_summary_part.done", 0, "r", {{"z", 1}}),
                   done(0, reasoning("r", list({part("summary_text", "s")})))}),
            "thinking[s]");
  EXPECT_EQ(parts({words(0, "m", "a"), words(0, "m", "b"), done(0, message("m"))}), "text[ab]")
      << "an item that was not added";
  EXPECT_EQ(parts({arguments(0, "fc_a", "{}"), done(0, call("a", "f", "{}"))}), "call[a|f|{}]");
  json other = call("a", "g", "[]");
  other["id"] = "x";
  EXPECT_EQ(parts({done(0, call("a", "f", "{}")), done(1, other)}), "call[a|f|{}] call[a|g|[]]")
      << "one call_id for two";
  EXPECT_EQ(parts({arguments(0, "fc_a", "{}")}), "call[||{}]");
  const json again = {
      {"output",
       {message("n", list({part("output_text", "a")})), message("o", list({part("output_text", "b")}))}}};
  EXPECT_EQ(parts({added(0, message("m")), words(0, "m", "a")}, again), "text[a] text[b]");
}

TEST(ResponsesReading, NotesWhatCanBeReadInMoreThanOneWay) {
  const auto ambiguous = [](const std::vector<std::string>& events, const json& last = json::object()) {
    return shapes(events, last).contains("ambiguous");
  };
  const std::string first = added(0, call("a", "f"));
  const std::string second = added(1, call("b", "g"));
  EXPECT_FALSE(ambiguous({first, second, arguments(1, "fc_b", "{}"), arguments(0, "fc_a", "{}")}));
  EXPECT_FALSE(ambiguous({first, second, arguments(1, "x", "{}"), arguments(7, "fc_a", "{}")}));
  EXPECT_TRUE(ambiguous({first, second, arguments(1, "fc_a", "{}")})) << "two items";
  EXPECT_TRUE(ambiguous({first, words(0, "fc_a", "a")})) << "one of another type";
  EXPECT_TRUE(ambiguous({first, done(0, message("fc_a"))})) << "one of another type";
  EXPECT_TRUE(ambiguous({first, arguments(7, "x", "{}")})) << "none, where one is open";
  EXPECT_FALSE(ambiguous({first, done(0, call("a", "f", "{}")), arguments(7, "x", "{}")}));

  const std::string start = added(0, message("m"));
  EXPECT_FALSE(ambiguous({start, words(0, "m", "a"), words(0, "m", "b", 1)}));
  EXPECT_TRUE(ambiguous({start, words(0, "m", "a"), words(0, "m", "b", 1), words(0, "m", "c")}));
  EXPECT_TRUE(ambiguous({words(0, "m", "a"), words(0, "m", "b", 1), words(0, "m", "c")})) << "never added";
  EXPECT_TRUE(ambiguous(
      {start, words(0, "m", "a"), about("refusal.delta", 0, "m", {{"delta", "b"}}), words(0, "m", "c")}))
      << "some clients are told refusals as text";
  EXPECT_TRUE(ambiguous(
      {start, words(0, "m", "a"), about("output_text.done", 0, "m", {{"text", "a"}}), words(0, "m", "b")}));
  const json one = message("m", list({part("output_text", "a")}));
  EXPECT_FALSE(ambiguous({start, words(0, "m", "a", 4), done(0, one)}));
  EXPECT_TRUE(ambiguous({start, words(0, "m", "a"), words(0, "m", "b", 1), done(0, one)}))
      << "a part is lost";

  const std::string input = about("custom_tool_call_input.delta", 0, "ct_a", {{"delta", "x"}});
  EXPECT_TRUE(ambiguous({added(0, custom("a", "f")), input, done(0, custom("a", "f", "y"))}));
  EXPECT_TRUE(ambiguous({added(0, custom("a", "f")), input, done(0, custom("a", "g", "x"))}));
  EXPECT_EQ(parts({added(0, custom("a", "f")), input, done(0, custom("b", "f", "y"))}), "call[a|f|x]");
}

TEST(ResponsesReading, NotesWhatGoesOnBehindItsEnd) {
  const json longer = message("m", list({part("output_text", "ab")}));
  const std::string start = added(0, message("m"));
  const std::string all = about("output_text.done", 0, "m", {{"text", "a"}});
  EXPECT_FALSE(shapes({start, words(0, "m", "a"), done(0, longer)}).contains("ambiguous"));
  EXPECT_TRUE(shapes({start, words(0, "m", "a"), all, done(0, longer)}).contains("ambiguous"));
  EXPECT_EQ(parts({start, words(0, "m", "a"), all, done(0, longer)}), "text[ab]");

  const std::string first = added(0, call("a", "f"));
  const std::string second = added(1, call("b", "g"));
  const auto goes_on = [&](const char* before, const char* behind) {
    return shapes({first, arguments(0, "fc_a", before), second, arguments(0, "fc_a", behind)});
  };
  EXPECT_FALSE(goes_on("{", "}").contains("ambiguous"));
  EXPECT_FALSE(goes_on("{}", " ").contains("ambiguous"));
  EXPECT_TRUE(goes_on("{}", "1").contains("ambiguous"));
}

// A delta that is equal to all before it, of which there are several, is a repetition where an event has all of it once.
TEST(ResponsesReading, AnEventWithAllDecidesWhetherADeltaIsARepetition) {
  struct Voice {
    json item;
    const char* id;
    const char* event;
    const char* all;
    const char* unclear;
    std::function<std::string(const std::string&)> said;
    std::vector<std::string> whole;
  };
  const auto prose = [](const char* kind) {
    return [kind](const std::string& text) { return kind + ("[" + text + "]"); };
  };
  const std::vector<Voice> voices = {
      {message("m"), "m", "output_text", "text", "text_unclear", prose("text"), {"a", "b", "\u6f6e"}},
      {reasoning("r"),
       "r",
       "reasoning_summary_text",
       "text",
       "thinking_unclear",
       prose("thinking"),
       {"a", "a"}},
      {call("a", "f"),
       "fc_a",
       "function_call_arguments",
       "arguments",
       "",
       [](const std::string& text) { return "call[a|f|" + text + "]"; },
       {"{", "\"a\":", "1}"}}};
  for (const auto& [item, id, event, all, unclear, said, whole] : voices) {
    const auto delta = [&](const std::string& text) {
      return about((std::string(event) + ".delta").c_str(), 0, id, {{"delta", text}});
    };
    const auto done = [&](const std::string& text) {
      return about((std::string(event) + ".done").c_str(), 0, id, {{all, text}});
    };
    std::vector<std::string> events = {added(0, item)};
    std::string once;
    for (const std::string& piece : whole) {
      events.push_back(delta(piece));
      once += piece;
    }
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), events.begin(), events.end());
      return more;
    };
    EXPECT_EQ(parts(with({delta(once), done(once)})), said(once));
    EXPECT_FALSE(shapes(with({delta(once), done(once)})).contains("ambiguous"));
    EXPECT_EQ(parts(with({delta(once), done(once + once)})), said(once + once)) << "it was meant";
    EXPECT_FALSE(shapes(with({delta(once), done(once + once)})).contains("ambiguous"));
    EXPECT_EQ(parts(with({delta(once), delta("c")})), said(once + once + "c")) << "another delta follows";
    EXPECT_FALSE(shapes(with({delta(once), delta("c")})).contains("ambiguous"));
    EXPECT_EQ(parts(with({delta(once)})), said(once));
    EXPECT_TRUE(shapes(with({delta(once)})).contains("ambiguous")) << "nothing says all of it";
    EXPECT_EQ(shapes(with({delta(once)})).contains(unclear), *unclear != '\0');
    EXPECT_EQ(parts(with({delta("c"), done(once + "c")})), said(once + "c")) << "another text";
    EXPECT_TRUE(shapes(with({delta(once), done(once + "c")})).contains("contradiction"));
    EXPECT_TRUE(shapes({events[0], delta(once), delta(once), done(once)}).contains("contradiction"))
        << "of one delta";
  }
}

TEST(ResponsesReading, AnItemThatIsNamedBeforeItIsAddedIsOneItem) {
  const auto piece = [](const char* type, const json& of) { return about(type, 0, "m", {{"part", of}}); };
  const json whole = message("m", list({part("output_text", "ab")}));
  const std::string start = added(0, message("m"));
  for (const std::string& early : {piece("content_part.added", part("output_text", "")), words(0, "m", "")}) {
    EXPECT_EQ(parts({early, start, words(0, "m", "a"), words(0, "m", "b"), done(0, whole)},
                    {{"output", list({whole})}}),
              "text[ab]");
  }
  EXPECT_EQ(parts({words(0, "m", "a"), start, words(0, "m", "b")}, {{"output", list({whole})}}), "text[ab]");

  const std::string named = added(0, call("a", "f"));
  for (const char* id : {"fc_a", ""}) {
    for (const char* early : {"", "{"}) {
      EXPECT_EQ(parts({arguments(0, id, early), named, arguments(0, id, *early == '{' ? "}" : "{}"),
                       done(0, call("a", "f", "{}"))}),
                "call[a|f|{}]")
          << id << early;
    }
  }
  EXPECT_EQ(parts({arguments(0, "fc_a", ""), added(1, message("m")), words(1, "m", "a"), named,
                   arguments(0, "fc_a", "{}")}),
            "text[a] call[a|f|{}]")
      << "it stands where it is known";
  EXPECT_TRUE(shapes({arguments(0, "x", ""), named}).contains("ambiguous")) << "under another id";
  EXPECT_EQ(
      parts({named, done(0, call("a", "f", "{}")), added(0, call("b", "f")), arguments(0, "fc_b", "{}")}),
      "call[a|f|{}] call[b|f|{}]")
      << "one that was added is another";
}

TEST(ResponsesReading, AStartBehindDeltasSaysNothing) {
  const std::string start = added(0, message("m"));
  const auto restarted = [&](const char* text) {
    const std::string again = about("content_part.added", 0, "m", {{"part", part("output_text", text)}});
    return std::vector<std::string>{start, words(0, "m", "ab"), again, words(0, "m", "c")};
  };
  for (const char* text : {"", "a", "ab", "b"}) EXPECT_EQ(parts(restarted(text)), "text[abc]") << text;
  EXPECT_FALSE(shapes(restarted("a")).contains("ambiguous"));
  EXPECT_TRUE(shapes(restarted("b")).contains("ambiguous"));
}

TEST(ResponsesReading, WhatShouldBeAStringAndIsNotCanBeReadInMoreThanOneWay) {
  const auto delta = [](const json& value) {
    return std::vector<std::string>{added(0, call("a", "f")),
                                    about("function_call_arguments.delta", 0, "fc_a", {{"delta", value}})};
  };
  EXPECT_EQ(parts(delta({{"b", 1}})), R"(call[a|f|{"b":1}])");
  for (const json& value : {json(1), json(false), json(1e300), json::array()}) {
    EXPECT_EQ(parts(delta(value)), "call[a|f|]") << value;
    EXPECT_TRUE(shapes(delta(value)).contains("ambiguous")) << value;
  }
  EXPECT_TRUE(shapes(delta(json::object())).contains("ambiguous"));
  EXPECT_FALSE(shapes(delta(nullptr)).contains("ambiguous"));
  EXPECT_FALSE(shapes(delta("{}")).contains("ambiguous"));

  const std::string text = added(0, message("m"));
  const std::string all = about("output_text.done", 0, "m", {{"text", json::object()}});
  EXPECT_EQ(parts({text, words(0, "m", "a"), all}), "text[a]");
  EXPECT_TRUE(shapes({text, words(0, "m", "a"), all}).contains("ambiguous"));
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
            (FinishReason{FinishKind::unknown, "tide"}));
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
  EXPECT_EQ(with("data: []\n\n"), "text[a] done !an event cannot be read: not a JSON object");
  EXPECT_EQ(with("data: \"\xFF\"\n\n"), "text[a] done !an event cannot be read: not UTF-8 at byte 0");
  EXPECT_EQ(in_short(read(kUpstream, text + "data: {\"type\":")), "text[a]") << "it broke off";
  EXPECT_EQ(in_short(read(kUpstream, nested)), "!no") << "no stream at all";
  EXPECT_EQ(in_short(read(kUpstream, R"({"error":null,"output":[{"type":"message"}]})")), "");
  EXPECT_EQ(in_short(read(kUpstream, frames({failed, words(0, "m", "a")}))), "done !no");
  const auto begins = [](const char* id) { return of_type("created", {{"response", {{"id", id}}}}); };
  const std::string again = " !another response begins before this one ends";
  EXPECT_EQ(in_short(read(kUpstream, frames({begins("a"), begins("a"), begins("b")}))), again.substr(1));
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

std::vector<recording::Recording> corpus() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  std::vector<recording::Recording> all;
  for (auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings)
    if (recording.protocol == "openai.responses") all.push_back(std::move(recording));
  return all;
}

/// What each of these means, worked out by hand from its events.
TEST(ResponsesReading, MeansWhatTheBytesOfRecordingsSay) {
  const std::map<std::string, std::string>
      expected =
          {
              {"after-end-another", "text[Yes.] =completed done"},
              {"audio-alone", "=completed done"},
              {"audio-with-text", "text[Ahoy.] =completed done"},
              {"metadata-events", "text[Steady.] =completed done"},
              {"reasoning-encrypted-changes", "thinking[|gAAAAABwhole==] text[Aye.] =completed done"},
              {"server-computer-alone",
               "other[{\"id\":\"it_0tide201\",\"type\":\"computer_call\",\"call_id\":\"call_0pc1\",\"action\":{\"type\":\"click\",\"x\":4,\"y\":7},\"pending_safety_checks\":[],\"status\":\"completed\"}] =completed done"},
              {"server-image-alone",
               "other[{\"id\":\"it_0tide204\",\"type\":\"image_generation_call\",\"status\":\"completed\",\"result\":\"aVRpZGU=\"}] =completed done"},
              {"server-image-fails",
               "other[{\"id\":\"it_0tide204\",\"type\":\"image_generation_call\",\"status\":\"failed\",\"result\":null}] text[No chart today.] =completed done"},
              {"server-image-fails-alone",
               "other[{\"id\":\"it_0tide204\",\"type\":\"image_generation_call\",\"status\":\"failed\"}] =completed done"},
              {"server-shell-with-output",
               "other[{\"id\":\"it_0tide202\",\"type\":\"shell_call\",\"call_id\":\"call_0sh1\",\"action\":{\"commands\":[\"date\"]},\"status\":\"completed\"}] other[{\"id\":\"it_0tide2021\",\"type\":\"shell_call_output\",\"call_id\":\"call_0sh1\",\"output\":[{\"stdout\":\"noon\",\"stderr\":\"\"}],\"status\":\"completed\"}] text[At noon.] =completed done"},
              {"server-tool-search-of-client",
               "other[{\"id\":\"it_0tide203\",\"type\":\"tool_search_call\",\"call_id\":\"call_0ts1\",\"execution\":\"client\",\"arguments\":{\"query\":\"tides\"},\"status\":\"completed\"}] =completed done"},
              {"unknown-event-with-delta", "text[Low.] =completed done"},
              {"after-end-done-mark", "text[The tide is high.] =completed done"},
              {"after-end-keepalive", "text[The tide is high.] =completed done"},
              {"after-end-text", "text[The tide is high.] =completed done"},
              {"broken-json",
               "text[The] done !an event cannot be read: no colon behind a member's name at byte 125"},
              {"broken-utf8", "text[The] done !an event cannot be read: not UTF-8 at byte 0"},
              {"cancelled", "text[The tide is] done !the server reported an error"},
              {"custom-and-function",
               "call[call_0a|read_tide|{}] call[call_0patch|apply_patch|é 🌊] =completed done"},
              {"custom-json-input", "call[call_0patch|apply_patch|{\"a\": 1} {] =completed done"},
              {"custom-only-in-item",
               "call[call_0patch|apply_patch|*** Begin Patch\n*** Update File: tide.txt\n@@\n-low\n+high\n*** End Patch] =completed done"},
              {"custom-plain",
               "call[call_0patch|apply_patch|*** Begin Patch\n*** Update File: tide.txt\n@@\n-low\n+high\n*** End Patch] =completed done"},
              {"custom-then-text",
               "call[call_0patch|apply_patch|*** Begin Patch\n*** Update File: tide.txt\n@@\n-low\n+high\n*** End Patch] text[Done.] =completed done"},
              {"end-at-once", ""},
              {"end-behind-item", "text[The tide is high.]"},
              {"end-behind-start", ""},
              {"end-behind-whole-arguments", "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}]"},
              {"end-done-mark-alone", "text[The tide is high.]"},
              {"end-completed-cancelled", "text[The ferry ] done !the server reported an error"},
              {"end-completed-failed", "text[The anchor ] done !The windlass broke."},
              {"end-completed-filtered", "text[The cargo is] =content_filter done"},
              {"end-completed-incomplete", "text[The pilot boards at the] =max_output_tokens done"},
              {"end-completed-unknown", "text[The gangway is down.] =becalmed done"},
              {"reasoning-number-counts-up",
               "thinking[Two knots of tide.] text[Steer wide.] =completed done"},
              {"end-inside-arguments", "call[call_0gauge|read_tide|{\"harbour\": ]"},
              {"end-inside-character", "text[The ]"},
              {"end-inside-event", "text[The tide is]"},
              {"end-inside-text", "text[The tide is]"},
              {"end-silent", "text[The tide is]"},
              {"end-without-completed", "text[The tide is high.]"},
              {"end-without-completed-call", "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}]"},
              {"error-event", "text[The tide is] !The tide broke in."},
              {"error-event-quota", "!The harbour dues are not paid."},
              {"failed-context-length", "done !The manifest exceeds the hold of this model."},
              {"failed-overloaded", "text[Three cranes] done !All cranes are lifting."},
              {"failed-rate-limit",
               "text[Three cranes] done !Rate limit reached for fable-quay-3. Please try again in 0.4s."},
              {"error-event-nested", "text[The tide is] !The tide broke in."},
              {"error-first", "!The tide broke in."},
              {"error-in-place-of-a-stream", "!The tide broke in."},
              {"error-inside-arguments", "call[call_0gauge|read_tide|{\"harbour\": ] !The tide broke in."},
              {"error-named-alone", "text[The tide is] !The tide broke in."},
              {"error-no-event-name", "text[The tide is] !The tide broke in."},
              {"error-no-json", "text[The tide is] !Too much water"},
              {"error-then-completed", "text[The tide is] done !The tide broke in."},
              {"error-then-failed", "text[The tide is] done !Too much water."},
              {"failed-after-text", "text[The tide is] done !The tide broke in."},
              {"failed-between-items",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] done !The tide broke in."},
              {"failed-first", "done !The tide broke in."},
              {"failed-inside-arguments",
               "call[call_0gauge|read_tide|{\"harbour\": ] done !The tide broke in."},
              {"failed-no-message", "text[The tide is] done !the server reported an error"},
              {"framing-blank-lines", "text[The tide is high.] =completed done"},
              {"framing-byte-order-mark", "text[The tide is high.] =completed done"},
              {"framing-comments", "text[The tide is high.] =completed done"},
              {"framing-cr", "text[The tide is high.] =completed done"},
              {"framing-crlf", "text[The tide is high.] =completed done"},
              {"framing-data-first", "text[The tide is high.] =completed done"},
              {"framing-ids", "text[The tide is high.] =completed done"},
              {"framing-keys-in-another-order", "text[The tide is high.] =completed done"},
              {"framing-multiline-data", "text[The tide is high.] =completed done"},
              {"framing-no-event-names", "text[The tide is high.] =completed done"},
              {"framing-no-final-blank-line", "text[The tide is high.] =completed done"},
              {"framing-no-line-end", "text[The tide is high.] =completed done"},
              {"framing-no-space", "text[The tide is high.] =completed done"},
              {"framing-padded-json", "text[The tide is high.] =completed done"},
              {"framing-wrong-event-names", "text[The tide is high.] =completed done"},
              {"incomplete-content-filter", "text[The tide] =content_filter done"},
              {"incomplete-inside-arguments",
               "call[call_0gauge|read_tide|{\"harbour\": \"Le] =max_output_tokens done"},
              {"incomplete-max-output-tokens", "text[The tide] =max_output_tokens done"},
              {"incomplete-no-reason", "text[The tide] =incomplete done"},
              {"incomplete-other-reason", "text[The tide] =slack_water done"},
              {"incomplete-second-call",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] call[call_0vane|read_wind|{\"kn] =max_output_tokens done"},
              {"keepalive-events", "text[The tide is high.] =completed done"},
              {"model-late", "text[The tide is high.] =completed done"},
              {"output-empty",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"output-lacks-call",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"output-other-ids",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"output-other-order", "call[call_0a|a|{}] call[call_0b|b|{}] =completed done"},
              {"pauses", "text[The tide is high.] =completed done"},
              {"reasoning-after-text", "text[I look.] thinking[Hm.] =completed done"},
              {"reasoning-between-tools",
               "call[call_0a|read_tide|{}] thinking[And the wind?] call[call_0b|read_wind|{}] =completed done"},
              {"reasoning-empty", "text[Yes.] =completed done"},
              {"reasoning-encrypted", "thinking[|gAAAAAtide1==] text[Yes.] =completed done"},
              {"reasoning-encrypted-anew", "thinking[Hm.|gAAAAAlast3==] text[Yes.] =completed done"},
              {"reasoning-encrypted-summary", "thinking[Hm.|gAAAAAtide2==] text[Yes.] =completed done"},
              {"reasoning-multibyte", "thinking[Marée 潮 🌊] text[Oui.] =completed done"},
              {"reasoning-obfuscated", "thinking[Hm. So.] text[Yes.] =completed done"},
              {"reasoning-only-cut-short", "thinking[On the one hand, the] =max_output_tokens done"},
              {"reasoning-part-events", "thinking[Count them.] text[Six.] =completed done"},
              {"reasoning-summary", "thinking[Spring tide, so high.] text[Wait.] =completed done"},
              {"reasoning-summary-only-in-item", "thinking[Hm.] text[Yes.] =completed done"},
              {"reasoning-summary-parts", "thinking[**One**\n] thinking[**Two**] =completed done"},
              {"reasoning-text", "thinking[Count the hours.] text[Six.] =completed done"},
              {"reasoning-then-tool",
               "thinking[Ask.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"reasoning-two-kinds", "thinking[Wait 6.] text[OK] =completed done"},
              {"refusal-behind-text", "text[Well,] refusal[no.] =completed done"},
              {"refusal-multibyte", "refusal[Désolé 🌊] =completed done"},
              {"refusal-only-in-item", "refusal[No.] =completed done"},
              {"refusal-plain", "refusal[I cannot do that.] =completed done"},
              {"sequence-from-one", "text[The tide is high.] =completed done"},
              {"sequence-gaps", "text[The tide is high.] =completed done"},
              {"sequence-never", "text[The tide is high.] =completed done"},
              {"sequence-zero-for-all", "text[The tide is high.] =completed done"},
              {"server-apply-patch",
               "other[{\"id\":\"it_0tide115\",\"type\":\"apply_patch_call\",\"status\":\"completed\",\"call_id\":\"call_0ap\",\"operation\":{\"type\":\"update_file\",\"path\":\"tide.txt\",\"diff\":\"+high\"}}] text[Yes.] =completed done"},
              {"server-between-messages",
               "text[I search.] other[{\"id\":\"ws_0tide\",\"type\":\"web_search_call\",\"status\":\"completed\"}] text[High.] =completed done"},
              {"server-code",
               "other[{\"id\":\"it_0tide108\",\"type\":\"code_interpreter_call\",\"container_id\":\"cntr_0tide\",\"status\":\"completed\",\"code\":\"1+1\",\"outputs\":[{\"type\":\"logs\",\"logs\":\"2\"}]}] text[Yes.] =completed done"},
              {"server-compaction",
               "other[{\"id\":\"it_0tide118\",\"type\":\"compaction\",\"encrypted_content\":\"gAAAAAc2==\"}] text[Yes.] =completed done"},
              {"server-computer",
               "other[{\"id\":\"it_0tide116\",\"type\":\"computer_call\",\"status\":\"completed\",\"call_id\":\"call_0pc\",\"action\":{\"type\":\"screenshot\"},\"pending_safety_checks\":[]}] text[Yes.] =completed done"},
              {"server-file-search",
               "other[{\"id\":\"it_0tide107\",\"type\":\"file_search_call\",\"queries\":[\"tide\"],\"status\":\"completed\",\"results\":[{\"file_id\":\"file_0tide\",\"filename\":\"tide.txt\",\"score\":0.75,\"text\":\"High.\"}]}] text[Yes.] =completed done"},
              {"server-image",
               "other[{\"id\":\"it_0tide109\",\"type\":\"image_generation_call\",\"status\":\"completed\",\"result\":\"aVRpZGU=\"}] text[Yes.] =completed done"},
              {"server-local-shell",
               "other[{\"id\":\"it_0tide113\",\"type\":\"local_shell_call\",\"status\":\"completed\",\"call_id\":\"call_0ls\",\"action\":{\"type\":\"exec\",\"command\":[\"ls\"],\"env\":{}}}] text[Yes.] =completed done"},
              {"server-mcp",
               "other[{\"id\":\"it_0tide110\",\"type\":\"mcp_call\",\"server_label\":\"tides\",\"name\":\"read\",\"status\":\"completed\",\"arguments\":\"{\\\"h\\\":1}\",\"output\":\"High.\",\"error\":null}] text[Yes.] =completed done"},
              {"server-mcp-approval",
               "other[{\"id\":\"it_0tide112\",\"type\":\"mcp_approval_request\",\"server_label\":\"tides\",\"name\":\"read\",\"arguments\":\"{}\"}] text[Yes.] =completed done"},
              {"server-mcp-list-never-done",
               "other[{\"id\":\"mcpl_0tide111\",\"type\":\"mcp_list_tools\",\"server_label\":\"tides\",\"tools\":[{\"name\":\"read\",\"input_schema\":{\"type\":\"object\"}}]}] text[Yes.] =completed done"},
              {"server-shell",
               "other[{\"id\":\"it_0tide114\",\"type\":\"shell_call\",\"status\":\"completed\",\"call_id\":\"call_0sh\",\"action\":{\"commands\":[\"ls -l\"]}}] text[Yes.] =completed done"},
              {"server-tool-search",
               "other[{\"id\":\"it_0tide117\",\"type\":\"tool_search_call\",\"status\":\"completed\",\"call_id\":\"call_0ts\",\"execution\":\"server\",\"arguments\":{\"q\":\"tide\"}}] text[Yes.] =completed done"},
              {"server-web-search",
               "other[{\"id\":\"it_0tide105\",\"type\":\"web_search_call\",\"status\":\"completed\",\"action\":{\"type\":\"search\",\"query\":\"tide\"}}] text[Yes.] =completed done"},
              {"server-web-search-fails",
               "other[{\"id\":\"it_0tide106\",\"type\":\"web_search_call\",\"status\":\"failed\",\"action\":{\"type\":\"search\",\"query\":\"tide\"}}] text[Yes.] =completed done"},
              {"start-never", "text[The tide is high.] =completed done"},
              {"start-queued", "text[Yes.] =completed done"},
              {"start-twice", "text[The tide is high.] =completed done"},
              {"text-before-item", "text[The tide is high.] =completed done"},
              {"text-contradiction",
               "text[The tide is high.] done !an event with the whole content contradicts its deltas"},
              {"text-done-continues", "text[The tide is high.] =completed done"},
              {"text-done-never", "text[The tide is high.] =completed done"},
              {"text-empty-deltas", "text[The tide.] =completed done"},
              {"text-empty-done", "text[The tide is high.] =completed done"},
              {"text-empty-message", "text[Yes.] =completed done"},
              {"text-empty-part", "text[Yes.] =completed done"},
              {"text-escapes", "text[a\n\"b\"\\\t/] =completed done"},
              {"text-file-citation", "text[The tide is high.] =completed done"},
              {"text-in-part-start", "text[The tide is high.] =completed done"},
              {"text-innocent-markup", "text[a <b> </think> data: x\n\nevent: y] =completed done"},
              {"text-item-never-added", "text[The tide is high.] =completed done"},
              {"text-item-never-done", "text[The tide is high.] =completed done"},
              {"text-logprobs", "text[Yes.] =completed done"},
              {"text-multibyte", "text[Marée 潮 🌊 é] =completed done"},
              {"text-nothing", "=completed done"},
              {"text-obfuscated", "text[The tide is high.] =completed done"},
              {"text-only-at-the-end", "text[The tide is high.] =completed done"},
              {"text-only-in-item", "text[The tide is high.] =completed done"},
              {"text-only-in-part-done", "text[The tide is high.] =completed done"},
              {"text-only-in-text-done", "text[The tide is high.] =completed done"},
              {"text-part-before-item", "text[The tide is high.] =completed done"},
              {"text-part-from-one", "text[The tide is high.] =completed done"},
              {"text-part-never", "text[The tide is high.] =completed done"},
              {"text-phases", "text[Hm] text[Up] =completed done"},
              {"text-plain", "text[The tide is high.] =completed done"},
              {"text-repeated-pieces", "text[ha ha ha] =completed done"},
              {"text-several-messages", "text[One.] text[Two.] =completed done"},
              {"text-several-parts", "text[One.] text[ Two.] =completed done"},
              {"text-spaces-between-pieces", "text[a \n\n b] =completed done"},
              {"text-surrogate-escapes", "text[🌊 and 🐚] =completed done"},
              {"text-surrogate-half-alone", "text[a � b] =completed done"},
              {"text-surrogate-half-before-done", "text[a 🌊] =completed done"},
              {"text-surrogate-halves", "text[a 🌊 b] =completed done"},
              {"text-think-tags", "text[<think>Hm.</think>Yes.] =completed done"},
              {"text-url-citations", "text[The tide is high.] =completed done"},
              {"tool-after-text",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-before-item",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-broken", "call[call_0x|f|{\"a\": nine}] =completed done"},
              {"tool-arguments-by-character", "call[call_0x|f|{\"a\":[1,-2]}] =completed done"},
              {"tool-arguments-contradiction",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] done !an event with the whole content contradicts its deltas"},
              {"tool-arguments-done-continues",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-done-never",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-empty-deltas",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-empty-object", "call[call_0clock|now|{}] =completed done"},
              {"tool-arguments-empty-object-in-start",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-escapes-cut",
               "call[call_0x|note|{\"t\": \"a\\n\\u00e9\\\"b\"}] =completed done"},
              {"tool-arguments-exact-numbers",
               "call[call_0x|chart|{\"z\": 9007199254740993, \"s\": 0.10000, \"a\": [1e3, -0]}] =completed done"},
              {"tool-arguments-in-start",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-multibyte", "call[call_0x|say|{\"é\": \"潮 🌊\"}] =completed done"},
              {"tool-arguments-never", "call[call_0clock|now|] =completed done"},
              {"tool-arguments-no-object", "call[call_0x|f|[1, 2]] =completed done"},
              {"tool-arguments-only-at-the-end",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-only-in-done",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-only-in-item",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-arguments-spaced", "call[call_0x|f|{\n  \"a\" : 1 ,\n  \"b\":\t[ ]\n}] =completed done"},
              {"tool-arguments-surrogate-escapes",
               "call[call_0x|say|{\"w\": \"\\ud83c\\udf0a\"}] =completed done"},
              {"tool-arguments-whole-piece-inside", "call[call_0x|run|{\"c\": \"a {} b\"}] =completed done"},
              {"tool-id-changes", "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-id-foreign-characters", "call[functions.read_tide:0|read_tide|{}] =completed done"},
              {"tool-id-never", "call[|read_tide|{}] =completed done"},
              {"tool-id-shared", "call[call_0a|a|{}] call[call_0a|b|{}] =completed done"},
              {"tool-index-gap",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-index-never",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-index-zero-for-all",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] call[call_0vane|read_wind|{}] =completed done"},
              {"tool-item-added-late",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-item-id-drift",
               "text[I look.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-item-id-never",
               "call[call_0a|read_tide|{}] call[call_0b|read_wind|{\"k\": 1}] =completed done"},
              {"tool-item-never-added",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-item-never-done",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-members", "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-name-behind-text",
               "text[Done.] call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-name-empty", "call[call_0a||{}] =completed done"},
              {"tool-name-empty-in-done",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-name-late", "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-obfuscated", "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-item-id-of-another",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}{\"knots\": true}] call[call_0vane|read_wind|] done !an event with the whole content contradicts its deltas"},
              {"renamed-skill",
               "call[call_quay1|Skill|{\"skill\":\"tides\",\"args\":\"skill\"}] =completed done"},
              {"tool-parallel",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] call[call_0vane|read_wind|{\"knots\": true}] =completed done"},
              {"tool-parallel-interleaved",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] call[call_0vane|read_wind|{\"knots\": true}] =completed done"},
              {"delta-whole-again", "text[Slack water at ten.] =completed done"},
              {"delta-whole-meant", "text[Ahoy there. Ahoy there. ] =completed done"},
              {"delta-whole-undecided", "text[Hard alee. ] =completed done"},
              {"reasoning-delta-whole-again", "thinking[Sound first.] text[Six.] =completed done"},
              {"reasoning-delta-whole-undecided",
               "thinking[Veer cable. ] text[Three shackles.] =completed done"},
              {"tool-arguments-delta-again",
               "call[call_0gauge|read_tide|{\"harbour\":\"Leith\"}] =completed done"},
              {"settings-unknown-members", "text[Slack water.] =completed done"},
              {"tool-parallel-interleaved-index-zero",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] call[call_0vane|read_wind|{\"knots\": true}] =completed done"},
              {"tool-parallel-same", "call[call_0a|read_tide|{}] call[call_0b|read_tide|{}] =completed done"},
              {"tool-parallel-second-first",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] call[call_0vane|read_wind|{\"knots\": true}] =completed done"},
              {"tool-parallel-three",
               "call[c0|a|{\"n\":1}] call[c1|b|{\"n\":2}] call[c2|c|{\"n\":3}] =completed done"},
              {"tool-plain", "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] =completed done"},
              {"tool-then-text",
               "call[call_0gauge|read_tide|{\"harbour\": \"Leith\"}] text[Done so far.] =completed done"},
              {"unknown-event", "text[The tide is high.] =completed done"},
              {"unknown-item",
               "other[{\"id\":\"it_0tide120\",\"type\":\"tide_table\",\"state\":\"flow\"}] text[Yes.] =completed done"},
              {"unknown-members", "text[The tide is high.] =completed done"},
              {"unknown-part",
               "text[See.] other[{\"type\":\"output_chart\",\"rows\":[1,2]}] =completed done"},
              {"usage-cached", "text[The tide is high.] =completed done"},
              {"usage-cache-writes", "text[The tide is out.] =completed done"},
              {"usage-details", "text[The tide is high.] =completed done"},
              {"usage-never", "text[The tide is high.] =completed done"},
              {"usage-no-details", "text[The tide is high.] =completed done"},
          };
  for (const recording::Recording& recording : corpus()) {
    const std::string name = recording.id.substr(recording.id.find('/') + 1);
    ASSERT_TRUE(expected.contains(name)) << name;
    EXPECT_EQ(in_short(read(kUpstream, recording.body)), expected.at(name)) << name;
  }
  EXPECT_EQ(corpus().size(), expected.size());
}

/// Shapes that the bytes around events have.
const std::set<std::string> kOtherFeatures = {"byte_order_mark", "comments", "cr", "crlf",
                                              "multiline_data",  "no_space"};

TEST(ResponsesReading, NotesTheShapesThatRecordingsClaim) {
  std::set<std::string> claimed;
  for (const recording::Recording& recording : corpus()) {
    const Answer answer = read(kUpstream, recording.body);
    for (const std::string& feature : recording.features) {
      claimed.insert(feature);
      if (!kOtherFeatures.contains(feature)) {
        EXPECT_TRUE(answer.shapes.contains(feature)) << recording.id << " " << feature;
      }
    }
  }
  for (const ResponsesShapeEntry& entry : kResponsesShapes) {
    const std::string name(entry.name);
    EXPECT_TRUE(claimed.contains(name)) << "no recording shows " << name;
  }
}

ResponsesReading reading_of(const std::vector<SseEvent>& events) {
  ResponsesReading reading;
  for (const SseEvent& event : events) reading.take(event);
  return reading;
}

TEST(ResponsesReading, ItsStateDoesNotShowHowABodyWasCut) {
  constexpr std::size_t kStep = kSanitized ? 61 : 13;
  for (const recording::Recording& recording : sampled(corpus(), 4)) {
    const std::string_view body = recording.body;
    SseReader whole;
    whole.feed(body);
    whole.finish();
    const ResponsesReading meant = reading_of(whole.events());
    SseReader before;
    for (std::size_t cut = 0; cut <= body.size(); cut += kStep) {
      SseReader rest = before;
      rest.feed(body.substr(cut));
      rest.finish();
      ASSERT_EQ(reading_of(rest.events()), meant) << recording.id << " " << cut;
      before.feed(body.substr(cut, kStep));
    }
  }
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

TEST(ResponsesReading, SaysMoreWithEachEventAndWhatIsDueIsWhatItsDefinitionSays) {
  for (const recording::Recording& recording : corpus())
    expect_steady_growth({recording.id, recording.body, {}});
}

TEST(ResponsesReading, OfRealStreamsSaysMoreWithEachEvent) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  for (const SharedStream& stream : shared_streams("openai-responses")) {
    expect_steady_growth(stream);
    const Answer answer = read(kUpstream, stream.body);
    EXPECT_TRUE(answer.done && answer.finish.has_value() != answer.error.has_value()) << stream.name;
    EXPECT_FALSE(answer.shapes.contains("contradiction")) << stream.name;
  }
}

/// How many labels of each kind, as the text before the first digit, make another body.
using StreamsByKind = std::map<std::string, std::set<std::string>>;

/// The numbers of events, in their order.
std::vector<std::uint64_t> sequence_of(const std::string& body) {
  SseReader sse;
  sse.feed(body);
  sse.finish();
  std::vector<std::uint64_t> numbers;
  for (const SseEvent& event : sse.events()) {
    const auto data = parse_wire_json(event.data);
    const std::string number = data ? std::string(data->at("sequence_number").raw) : "";
    if (!number.empty()) numbers.push_back(std::stoull(number));
  }
  return numbers;
}

bool counts_on(const std::vector<std::uint64_t>& numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] != numbers[i - 1] + 1) return false;
  return true;
}

/// What an answer means, without what depends on how it was dealt: its shapes, what single events say, and where an error
/// stands.
Answer meaning_of(const std::string& body) {
  Answer answer = read(kUpstream, body);
  answer.shapes.clear();
  std::erase_if(answer.extra,
                [](const auto& note) { return note.first.find(" of response.") != std::string::npos; });
  if (answer.error) answer.error->resize(std::min(answer.error->rfind(" at byte "), answer.error->size()));
  return answer;
}

void expect_same_meaning(const SharedStream& stream, bool sweep, StreamsByKind& made) {
  std::string joined;
  const auto taken = responses_dealer().take_apart(stream.body);
  for (const std::string_view event : taken->events()) joined += event;
  EXPECT_EQ(joined, stream.body) << stream.name;
  const Answer meaning = meaning_of(stream.body);
  const bool counted = counts_on(sequence_of(stream.body));
  const split::Recuts recuts(responses_dealer(), stream.body);
  for (const std::string& label : recuts.plan(4, sweep, 1)) {
    const auto recut = recuts.make(label);
    if (!recut) continue;
    made[label.substr(0, label.find_first_of("0123456789"))].insert(stream.name);
    const Answer again = meaning_of(recut->body);
    EXPECT_TRUE(again == meaning) << stream.name << " " << label << ": "
                                  << describe_difference(again, meaning);
    EXPECT_EQ(recut->arrivals.back(), recut->body.size());
    if (counted) {
      EXPECT_TRUE(counts_on(sequence_of(recut->body))) << stream.name << " " << label;
    }
  }
}

TEST(ResponsesDealer, ChangesNoMeaning) {
  StreamsByKind made;
  for (const recording::Recording& recording : corpus())
    expect_same_meaning({recording.id, recording.body, {}}, !kSanitized, made);
  for (const std::string& label : responses_dealer().labels()) EXPECT_FALSE(made[label].empty()) << label;
}

TEST(ResponsesDealer, ChangesNoMeaningOfRealStreams) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  constexpr std::size_t kEvery = kSanitized ? 4 : 1;
  StreamsByKind made;
  for (const SharedStream& stream : sampled(shared_streams("openai-responses"), kEvery))
    expect_same_meaning(stream, false, made);
  std::size_t frequent = 0;
  for (const auto& [label, streams] : made) {
    std::cout << label << " " << streams.size() << "\n";
    const auto& labels = responses_dealer().labels();
    frequent +=
        streams.size() >= 50 / kEvery && std::find(labels.begin(), labels.end(), label) != labels.end() ? 1
                                                                                                        : 0;
  }
  EXPECT_GE(frequent, 7u);
}

TEST(ResponsesDealer, MakesCanariesThatRepeatWhatTheySay) {
  std::size_t made = 0;
  for (const recording::Recording& recording : corpus()) {
    const auto canary = responses_canary(recording.body, 3);
    if (!canary) continue;
    ++made;
    const Answer answer = read(kUpstream, canary->body);
    EXPECT_NE(in_short(answer).find("Canary 4 begins. Canary 4 goes on. Canary 4 ends. "), std::string::npos)
        << recording.id;
    EXPECT_FALSE(answer.error) << recording.id;
  }
  EXPECT_GT(made, 50u);
}

TEST(ResponsesUpstream, ItsTinyAnswerSaysOneWord) {
  std::string body;
  for (const std::string& piece : kUpstream.tiny_answer()) body += piece;
  EXPECT_EQ(in_short(read(kUpstream, body)), "text[Ebb] =completed done");
}

}  // namespace
}  // namespace splitproof::dialect::responses_reading_test
