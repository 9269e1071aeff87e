#include "harness/observe/expected.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/finish.hpp"
#include "harness/observe/answer_shapes.hpp"
#include "harness/observe/stop_texts.hpp"
#include "tests/harness/observe/meanings.hpp"

namespace splitproof::observe::expected_test {
namespace {

using recording::End;

constexpr End kEnds[] = {End::complete, End::closed, End::reset, End::stall};

Expected expect(const Answer& meaning, const Choices& choices = {}, End end = End::complete) {
  return expected_of(meaning, end, choices);
}

TEST(Expected, AnswerIsASuccessOnlyWithAnEnd) {
  for (const bool done : {false, true}) {
    for (const bool finished : {false, true}) {
      for (const End end : kEnds) {
        for (const bool needs_finish : {false, true}) {
          for (const bool only_done : {false, true}) {
            Answer meaning = answer({text("a")});
            meaning.done = done;
            meaning.finish.reset();
            if (finished) meaning.finish = dialect::finish_of_word("stop");
            Choices choices;
            choices.done_needs_finish = needs_finish;
            choices.only_done_ends = only_done;
            const bool by_itself = end == End::complete || end == End::closed;
            const bool by_done = done && (finished || !needs_finish);
            const bool by_finish = !done && finished && by_itself && !only_done;
            const Expected expected = expect(meaning, choices, end);
            EXPECT_EQ(expected.failure.has_value(), !by_done && !by_finish);
            EXPECT_EQ(expected.parts, meaning.parts) << "what came is delivered all the same";
            EXPECT_EQ(expected.shapes.contains("cut_off"), expected.failure.has_value());
          }
        }
      }
    }
  }
}

TEST(Expected, ErrorOrBreakdownFailsDespiteOtherContent) {
  for (const char* word : {"error", "network_error", "insufficient_system_resource", "abort"}) {
    Answer meaning = answer({text("a")});
    meaning.finish = dialect::finish_of_word(word);
    EXPECT_EQ(expect(meaning).failure, Failure::reported) << word;
  }
  Answer meaning = answer({text("a")});
  meaning.error = "overloaded";
  EXPECT_EQ(expect(meaning).failure, Failure::reported);
  EXPECT_EQ(expect(meaning).parts, meaning.parts);
}

TEST(Expected, FinishFollowsTheWordThenTheParts) {
  struct Row {
    const char* word;
    Finish plain, with_call, with_refusal;
  };
  const Row rows[] = {
      {"stop", Finish::stop, Finish::calls, Finish::filter},
      {"tool_calls", Finish::stop, Finish::calls, Finish::filter},
      {"eos", Finish::stop, Finish::calls, Finish::filter},
      {"length", Finish::length, Finish::length, Finish::length},
      {"max_tokens", Finish::length, Finish::length, Finish::length},
      {"model_length", Finish::length, Finish::length, Finish::length},
      {"content_filter", Finish::filter, Finish::filter, Finish::filter},
      {"sensitive", Finish::filter, Finish::filter, Finish::filter},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.word);
    const auto finish = [&](Part part, bool filtered_is_refusal) {
      Answer meaning = answer({std::move(part)});
      meaning.finish = dialect::finish_of_word(row.word);
      Choices choices;
      choices.filtered_is_refusal = filtered_is_refusal;
      const Expected expected = expect(meaning, choices);
      EXPECT_FALSE(expected.failure);
      return expected.finish;
    };
    EXPECT_EQ(finish(text("a"), true), row.plain);
    EXPECT_EQ(finish(call("id", "f", "{}"), true), row.with_call);
    EXPECT_EQ(finish(prose(PartKind::refusal, "no"), true), row.with_refusal);
    const bool filtered = row.plain == Finish::filter;
    EXPECT_EQ(finish(text("a"), false), filtered ? Finish::stop : row.plain);
  }
}

TEST(Expected, CompleteCallMustHaveOneObjectOrNoArguments) {
  struct Row {
    const char* said;
    const char* delivered;
    bool good;
  };
  const Row rows[] = {
      {"{\"a\": 1}", "{\"a\": 1}", true},
      {" {}\n", " {}\n", true},
      {"", "", true},
      {" \n", "", true},
      {"null", "", true},
      {" null ", "", true},
      {"{\"a\":", "{\"a\":", false},
      {"{}{}", "{}{}", false},
      {"{a:1}", "{a:1}", false},
      {"[1]", "", false},
      {"\"{}\"", "", false},
      {"nul", "", false},
      {"undefined", "", false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.said);
    for (const char* word : {"tool_calls", "stop", "length", "content_filter"}) {
      Answer meaning = answer({call("id", "f", row.said)});
      meaning.finish = dialect::finish_of_word(word);
      const bool cut_short = std::string(word) == "length" || std::string(word) == "content_filter";
      const Expected expected = expect(meaning);
      EXPECT_EQ(expected.failure.has_value(), !row.good && !cut_short) << word;
      if (expected.failure) {
        EXPECT_EQ(expected.failure, Failure::arguments);
      }
      ASSERT_EQ(expected.parts.size(), 1u);
      EXPECT_EQ(expected.parts[0].arguments, row.delivered);
    }
  }
}

TEST(Expected, ProfileDecidesOnCallsWithoutIdOrName) {
  const Answer meaning = answer({text("a"), call("id", "f", "{}", 0), call("", "g", "{}", 1),
                                 call("only", "", "{}", 2), call("", "", "{}", 3), call("", "", "", 4)});
  const auto names = [&](Choices::Nameless nameless, bool drop) {
    Choices choices;
    choices.nameless_call = nameless;
    choices.drop_idless_calls = drop;
    const Expected expected = expect(meaning, choices);
    std::vector<std::string> names;
    for (const Part& part : expected.parts) {
      if (part.kind == PartKind::call) names.push_back(part.name);
    }
    if (expected.failure) {
      EXPECT_EQ(expected.failure, Failure::nameless);
      names.push_back("error");
      for (const Part& part : expected.unsettled) names.push_back(part.name);
    } else {
      EXPECT_TRUE(expected.unsettled.empty());
    }
    return names;
  };
  using Names = std::vector<std::string>;
  using Nameless = Choices::Nameless;
  EXPECT_EQ(names(Nameless::suppress, false), (Names{"f", "g"}));
  EXPECT_EQ(names(Nameless::suppress, true), (Names{"f"}));
  EXPECT_EQ(names(Nameless::synthesize, false), (Names{"f", "g", "", ""}));
  EXPECT_EQ(names(Nameless::synthesize, true), (Names{"f", ""}));
  EXPECT_EQ(names(Nameless::error, false), (Names{"f", "error", "g"}));
  EXPECT_EQ(names(Nameless::error, true), (Names{"f", "error"}));
}

TEST(Expected, FinishIsStopIfTheOnlyCallIsSuppressed) {
  Answer meaning = answer({call("id", "", "{")});
  meaning.finish = dialect::finish_of_word("tool_calls");
  const Expected expected = expect(meaning);
  EXPECT_FALSE(expected.failure) << "nobody will read its arguments";
  EXPECT_EQ(expected.finish, Finish::stop);
}

TEST(Expected, CallsAreUnsettledInAnAnswerThatFails) {
  Answer meaning = answer({call("id", "f", "{\"a"), call("", "g", "{")});
  meaning.finish.reset();
  meaning.done = false;
  const Expected expected = expect(meaning);
  ASSERT_EQ(expected.failure, Failure::cut_off);
  ASSERT_EQ(expected.parts.size(), 1u);
  EXPECT_EQ(expected.parts[0].arguments, "{\"a");
  ASSERT_EQ(expected.unsettled.size(), 1u);
  EXPECT_EQ(expected.unsettled[0].name, "g");
  EXPECT_TRUE(expected.shapes.contains("call_cut_off"));
}

TEST(Expected, ClientsOfWholeCallsMayMissThoseThatAreNotComplete) {
  ClientCapabilities whole;
  whole.whole_calls = true;
  const auto names = [](const std::vector<Part>& parts) {
    std::string all;
    for (const Part& part : parts) all += part.name;
    return all;
  };
  Answer meaning = answer({text("a"), call("1", "f", "{}"), call("2", "g", "")});
  Expected expected = expected_of(meaning, End::complete, {}, whole);
  EXPECT_EQ(names(expected.parts), "fg");
  EXPECT_EQ(names(expected.unsettled), "");
  meaning.finish = dialect::finish_of_word("length");
  expected = expected_of(meaning, End::complete, {}, whole);
  EXPECT_EQ(names(expected.parts), "f") << "a limit may have come before the arguments";
  EXPECT_EQ(names(expected.unsettled), "g");
  EXPECT_EQ(names(expected_of(meaning, End::complete, {}).parts), "fg");
  meaning.finish.reset();
  meaning.done = false;
  Choices choices;
  choices.reroute_think_tags = choices.think_tags_may_stay = true;
  meaning.parts.front().type = "text";
  expected = expected_of(meaning, End::closed, choices, whole);
  EXPECT_EQ(names(expected.parts), "");
  EXPECT_EQ(names(expected.unsettled), "fg");
  ASSERT_TRUE(expected.with_think_tags);
  EXPECT_EQ(names(*expected.with_think_tags), "");
}

TEST(Expected, IdOfACallWhoseIdIsOpenIsNotTheNextOnes) {
  Answer meaning = answer({call("a", "f", "{}"), call("a", "g", "{}")});
  meaning.parts.front().id_open = true;
  for (const Part& part : expect(meaning).parts) EXPECT_EQ(part.id, "");
}

TEST(Expected, IdsThatAClientCannotHaveAreLeftOpen) {
  const Answer meaning = answer({call("a-B_9", "f", ""), call("a-B_9", "g", ""), call("call:1", "h", ""),
                                 call("functions.f", "i", ""), call("", "j", "")});
  const Expected expected = expect(meaning);
  std::vector<std::string> ids;
  for (const Part& part : expected.parts) ids.push_back(part.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"a-B_9", "", "", "", ""}));
  Answer late = answer({call("a", "f", "")});
  late.shapes = {"late_id"};
  EXPECT_EQ(expect(late).parts[0].id, "a");
  late.shapes = {"late_id", "after_finish"};
  EXPECT_EQ(expect(late).parts[0].id, "a");
  late.shapes = {"late_id", "id_after_finish"};
  EXPECT_EQ(expect(late).parts[0].id, "");
}

TEST(Expected, OnlyATextThatOpensTheAnswerWithTheTagIsThinking) {
  using Parts = std::vector<Part>;
  struct Row {
    Parts said, meant;
  };
  const Row rows[] = {
      {{text("<think>a</think>b")}, {thinking("a"), text("b")}},
      {{text("<think>a</think>")}, {thinking("a")}},
      {{text("<think></think>b")}, {text("b")}},
      {{text("<think></think>")}, {}},
      {{text("<think>a")}, {thinking("a")}},
      {{text("<think>a</think")}, {thinking("a</think")}},
      {{text("<think>a</think>b</think>c<think>d")}, {thinking("a"), text("b</think>c<think>d")}},
      {{text("<think>\n a \n</think>\n\nb")}, {thinking("\n a \n"), text("\n\nb")}},
      {{text(" <think>a</think>b")}, {text(" <think>a</think>b")}},
      {{text("b<think>a</think>")}, {text("b<think>a</think>")}},
      {{text("<Think>a</Think>")}, {text("<Think>a</Think>")}},
      {{text("</think>b")}, {text("</think>b")}},
      {{thinking("t"), text("<think>a</think>b")}, {thinking("t"), text("<think>a</think>b")}},
      {{prose(PartKind::refusal, "<think>a</think>")}, {prose(PartKind::refusal, "<think>a</think>")}},
      {{text("<think>a</think>b"), call("i", "f", "{}"), text("<think>c")},
       {thinking("a"), text("b"), call("i", "f", "{}"), text("<think>c")}},
      {{text("<think>a"), thinking("b"), text("c</think>d")}, {thinking("abc"), text("d")}},
      {{text("<think>a</think>"), thinking("b")}, {thinking("ab")}},
  };
  Choices leave;
  leave.reroute_think_tags = false;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.said[0].text);
    EXPECT_EQ(expect(answer(row.said)).parts, row.meant);
    EXPECT_EQ(expect(answer(row.said), leave).parts, row.said);
  }
}

TEST(Expected, ReasoningAloneGetsTextIfTheProfileWantsIt) {
  Choices choices;
  choices.add_text_to_thinking = true;
  const auto texts = [&](std::vector<Part> parts, bool done = true) {
    Answer meaning = answer(std::move(parts));
    meaning.done = done;
    if (!done) meaning.finish.reset();
    std::string texts;
    for (const Part& part : expect(meaning, choices).parts) {
      if (part.kind == PartKind::text) texts += "[" + part.text + "]";
    }
    return texts;
  };
  EXPECT_EQ(texts({thinking("a"), thinking("b")}), "[ab]");
  EXPECT_EQ(texts({text("<think>a")}), "[a]");
  EXPECT_EQ(texts({}), "");
  EXPECT_EQ(texts({thinking("a"), text("b")}), "[b]");
  EXPECT_EQ(texts({thinking("a"), call("i", "f", "{}")}), "");
  EXPECT_EQ(texts({thinking("a")}, false), "") << "it failed";
  EXPECT_EQ(expect(answer({thinking("a")})).parts.size(), 1u);
}

TEST(Expected, CallWhoseArgumentsAreNoObjectIsNoneThatTextSaid) {
  Choices rescues;
  rescues.rescue_markup = true;
  ClientCapabilities carries;
  carries.functions = {{"f", {}}};
  for (const auto& [arguments, calls] : {std::pair("{}", 1u), {"", 1u}, {"null", 1u}, {"y}", 2u}}) {
    const Expected expected =
        expected_of(answer({text("<tool name=\"f\"></tool>"), call("i", "f", arguments)}),
                    recording::End::complete, rescues, carries);
    EXPECT_EQ(expected.parts.size(), calls) << arguments;
    EXPECT_EQ(expected.parts.back().arguments, calls == 2 ? "" : "{}") << arguments;
  }
}

TEST(Expected, NamesShapesOfTheWholeAnswer) {
  using Shapes = std::set<std::string>;
  Shapes seen;
  const auto shapes = [&](const Answer& meaning) {
    const Shapes found = expect(meaning).shapes;
    seen.insert(found.begin(), found.end());
    return found;
  };
  EXPECT_EQ(shapes(Answer()), (Shapes{"nothing_came", "cut_off"}));
  EXPECT_EQ(shapes(answer({})), (Shapes{"nothing_said", "done_came"}));
  EXPECT_EQ(shapes(answer({text("a")})), Shapes{"done_came"});
  EXPECT_EQ(shapes(answer({text("a"), call("i", "f", "{}")})), (Shapes{"mixed", "done_came"}));
  EXPECT_EQ(shapes(answer({call("i", "f", "{]")})), Shapes{"garbled_call"});
  EXPECT_EQ(shapes(answer({call("i", "f.g", "{}")})), (Shapes{"odd_name", "done_came"}));
  EXPECT_EQ(shapes(answer({thinking("a")})), (Shapes{"thinking_only", "done_came"}));
  EXPECT_EQ(shapes(answer({thinking("a"), call("i", "f", "{}")})), (Shapes{"mixed", "done_came"}));
  EXPECT_EQ(shapes(answer({text("<think>a")})), (Shapes{"think_unclosed", "done_came"}));
  EXPECT_EQ(shapes(answer({text("<think>a</think>b")})), (Shapes{"mixed", "done_came"}));
  Answer meaning = answer({call("i", "f", "{")});
  meaning.shapes = {"tools"};
  EXPECT_EQ(shapes(meaning), (Shapes{"tools"})) << "its arguments are broken, not cut";
  meaning.finish = dialect::finish_of_word("length");
  EXPECT_EQ(shapes(meaning), (Shapes{"tools", "call_cut_short", "done_came"}));
  meaning.finish = dialect::finish_of_word("error");
  EXPECT_EQ(shapes(meaning), (Shapes{"tools", "call_cut_off", "broke_down"}));
  meaning.finish.reset();
  meaning.error = "overloaded";
  EXPECT_EQ(shapes(meaning), (Shapes{"tools", "call_cut_off"}));
  meaning.parts.clear();
  EXPECT_EQ(shapes(meaning), (Shapes{"tools", "failed_first"}));
  meaning = answer({text("a")});
  meaning.finish.reset();
  EXPECT_EQ(shapes(meaning), (Shapes{"only_done", "done_came"}));
  meaning = answer({text("a")});
  meaning.finish = dialect::finish_of_word("made_up");
  EXPECT_EQ(shapes(meaning), (Shapes{"done_came", "finish_unknown"}));
  meaning.parts.clear();
  EXPECT_EQ(shapes(meaning), (Shapes{"finish_unknown_alone"}));
  meaning = answer({});
  meaning.finish.reset();
  meaning.shapes = {"done_alone"};
  EXPECT_EQ(shapes(meaning), (Shapes{"done_alone", "ended_empty"}));
  meaning = answer({text("a")});
  meaning.done = false;
  EXPECT_EQ(shapes(meaning), (Shapes{"done_never"}));
  EXPECT_EQ(expected_of(meaning, recording::End::closed, {}).shapes, Shapes{}) << "the body was closed";
  Part search;
  search.kind = PartKind::other;
  search.type = "search";
  for (const auto& [becomes, shapes] :
       {std::pair(LossPolicy::dropped, Shapes{"dropped", "nothing_said", "done_came"}),
        {LossPolicy::refused, {"refused"}}}) {
    const Expected expected =
        expected_of(answer({search}), recording::End::complete, {}, {.losses = {{"search", becomes}}});
    EXPECT_EQ(expected.shapes, shapes);
    EXPECT_EQ(expected.failure.has_value(), becomes == LossPolicy::refused);
    EXPECT_EQ(expected.parts, std::vector<Part>());
    seen.insert(shapes.begin(), shapes.end());
  }
  Choices rescues;
  rescues.rescue_markup = true;
  ClientCapabilities carries;
  carries.functions = {{"f", {}}};
  const std::string rescued = "<tool name=\"f\"></tool>";
  for (const auto& [parts, of_text] :
       {std::pair(std::vector{text(rescued)}, Shapes{"rescued"}),
        {{text(rescued), call("i", "f", "{}")}, {"rescued", "said_twice"}},
        {{text("`" + rescued + "`")}, {"markup_in_code", "code_in_text"}},
        {{text("<function=g></function>")}, {"markup_left", "markup_undeclared"}},
        {{text("<function=f>{")}, {"markup_left", "markup_unclosed"}}}) {
    Shapes shapes = expected_of(answer(parts), recording::End::complete, rescues, carries).shapes;
    shapes.erase("done_came");
    EXPECT_EQ(shapes, of_text) << parts[0].text;
    EXPECT_EQ(expect(answer(parts)).shapes.count("rescued"), 0u) << "nobody promised it";
    seen.insert(shapes.begin(), shapes.end());
  }
  const NameMap map = {{{"f", "F", {}, {}, {{"x"}, {}}, {}}}};
  ClientCapabilities renames;
  renames.renaming = Renaming(&map, {"f"});
  for (const auto& [part, of_names] : {std::pair(call("i", "F", "{}"), Shapes{"names_known"}),
                                       {call("i", "F", "{\"x\":1}"), {"names_known", "names_filled"}},
                                       {call("i", "F", "null"), {"names_known_arguments_not"}},
                                       {call("i", "f", "{}"), {"names_unknown"}}}) {
    const Expected expected = expected_of(answer({part}), recording::End::complete, {}, renames);
    Shapes shapes = expected.shapes;
    shapes.erase("done_came");
    EXPECT_EQ(shapes, of_names) << part.name << part.arguments;
    EXPECT_EQ(expected.parts[0].name, "f");
    seen.insert(shapes.begin(), shapes.end());
  }
  for (const auto& [said, holds] :
       {std::pair("a `b` c", true), {"a\n \t{", true}, {"[1]", true}, {"a {b} [c]", false}, {"", false}}) {
    const Shapes shapes = expect(answer({text(said)})).shapes;
    EXPECT_EQ(shapes.count("code_in_text"), holds ? 1u : 0u) << said;
    seen.insert(shapes.begin(), shapes.end());
  }
  seen.insert(std::string(kStatusError));  // added by the code that knows the exchange
  seen.insert(std::string(kRelayed));
  for (const AnswerShapeEntry& entry : kAnswerShapes) {
    EXPECT_TRUE(seen.contains(std::string(entry.name))) << entry.name;
  }
  EXPECT_EQ(seen.size(), std::size(kAnswerShapes) + 2) << "and tools, done_alone";
}

// Returns the first place at which any of the texts is complete, searched byte by byte.
std::optional<std::size_t> slow_stop(const std::string& said, const std::vector<std::string>& stops) {
  for (std::size_t end = 1; end <= said.size(); ++end) {
    std::optional<std::size_t> begin;
    for (const std::string& stop : stops) {
      if (stop.empty() || !said.substr(0, end).ends_with(stop)) continue;
      begin = std::min(begin.value_or(end), end - stop.size());
    }
    if (begin) return begin;
  }
  return std::nullopt;
}

TEST(StopTexts, FirstToBeWholeCountsAndOfThoseTheLongest) {
  const std::vector<std::vector<std::string>> wanted = {
      {}, {""}, {"a"}, {"b", "ab"}, {"aab", "ba"}, {"bab", "ab", ""}, {"abab", "ba"}, {"bb", "b"}};
  std::size_t found = 0;
  for (unsigned bits = 0; bits < 1U << 8U; ++bits) {
    for (std::size_t size = 0; size <= 8; ++size) {
      std::string said;
      for (std::size_t i = 0; i < size; ++i) said += (bits >> i & 1U) != 0 ? 'b' : 'a';
      for (const auto& stops : wanted) {
        EXPECT_EQ(first_stop(said, stops), slow_stop(said, stops)) << said;
        found += first_stop(said, stops) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(found, 1000u);
}

TEST(Expected, ContentAfterAStopTextIsNotExpected) {
  Choices cuts;
  cuts.cuts_at_stops = true;
  ClientCapabilities carries;
  carries.stops = {"END"};
  carries.stop_text = true;
  Answer meaning = answer({text("One END two"), call("i", "f", "{}")});
  EXPECT_EQ(expected_of(meaning, End::complete, {}, carries).parts, meaning.parts) << "nobody promised it";
  for (const bool fails : {false, true}) {
    if (fails) meaning.error = "overloaded";
    const Expected expected = expected_of(meaning, fails ? End::reset : End::complete, cuts, carries);
    EXPECT_EQ(expected.parts, std::vector<Part>{text("One ")});
    EXPECT_EQ(expected.finish, Finish::stop_text);
    EXPECT_FALSE(expected.failure);
  }
  ClientCapabilities untold = carries;
  untold.stop_text = false;
  EXPECT_EQ(expected_of(meaning, End::complete, cuts, untold).finish, Finish::stop);
  const Answer behind = answer({call("i", "f", "{}"), text("END"), text("more")});
  EXPECT_EQ(expected_of(behind, End::complete, cuts, carries).parts, answer({call("i", "f", "{}")}).parts);
  EXPECT_EQ(expected_of(behind, End::complete, cuts, carries).finish, Finish::calls);
  const Answer broken = answer({call("i", "f", "{"), text("END")});
  EXPECT_TRUE(expected_of(broken, End::complete, cuts, carries).failure);
  const Answer nearly = answer({text("EN"), thinking("D"), text("D")});
  EXPECT_EQ(expected_of(nearly, End::complete, cuts, carries).parts, nearly.parts);
}

TEST(Choices, AreReadFromKnobs) {
  EXPECT_EQ(choices_of({}), Choices());
  const std::map<std::string, std::string> defaults = {
      {"nameless-call", "suppress"},     {"idless-call", "synthesize"},
      {"same-index-new-id", "new-call"}, {"done-without-finish", "close"},
      {"content-filter", "refusal"},     {"think-tags", "reroute"},
      {"reasoning-only", "thinking"},    {"terminal-signals", "finish-or-done"},
      {"overlap", "sequential"},         {"think-tags-as-text", "tolerated"},
      {"leaked-markup", "pass"},         {"end-event", "metadata"}};
  EXPECT_EQ(choices_of(defaults), Choices());
  const auto one = [](const char* knob, const char* value, const auto& set) {
    Choices choices;
    set(choices);
    EXPECT_EQ(choices_of({{knob, value}}), choices) << knob << ": " << value;
    EXPECT_NE(choices, Choices());
  };
  using Nameless = Choices::Nameless;
  one("nameless-call", "synthesize", [](Choices& c) { c.nameless_call = Nameless::synthesize; });
  one("nameless-call", "error", [](Choices& c) { c.nameless_call = Nameless::error; });
  one("idless-call", "drop", [](Choices& c) { c.drop_idless_calls = true; });
  one("same-index-new-id", "same-call", [](Choices& c) { c.same_index_new_id = SameIndexNewId::same_call; });
  one("done-without-finish", "error", [](Choices& c) { c.done_needs_finish = true; });
  one("content-filter", "end_turn", [](Choices& c) { c.filtered_is_refusal = false; });
  one("think-tags", "leave", [](Choices& c) { c.reroute_think_tags = false; });
  one("think-tags-as-text", "forbidden", [](Choices& c) { c.think_tags_may_stay = false; });
  one("leaked-markup", "rescue", [](Choices& c) { c.rescue_markup = true; });
  one("reasoning-only", "add-text", [](Choices& c) { c.add_text_to_thinking = true; });
  one("end-event", "metering", [](Choices& c) { c.metering_ends = true; });
  one("marker", "pr54", [](Choices& c) { c.marker = Choices::Marker::ellipsis; });
  one("marker", "structural", [](Choices& c) { c.marker = Choices::Marker::structural; });
  one("identity", "rewrite", [](Choices& c) { c.rewrites_identity = true; });
  one("upstream-blocks", "strip", [](Choices& c) { c.strips_blocks = true; });
  one("stop-sequences", "cut", [](Choices& c) { c.cuts_at_stops = true; });
  EXPECT_FALSE(Choices().takes_text_out());
  one("terminal-signals", "done", [](Choices& c) { c.only_done_ends = true; });
}

}  // namespace
}  // namespace splitproof::observe::expected_test
