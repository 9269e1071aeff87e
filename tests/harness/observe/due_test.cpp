#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "harness/observe/expected.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/utf8.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/meanings.hpp"

namespace splitproof::observe::due_test {
namespace {

constexpr std::uint64_t kSeed = 20251104;

Due of(std::vector<Part> parts, const Choices& choices = {}) {
  return FlushRequirement(choices).after(answer(std::move(parts)));
}

Due prose_due(std::size_t bytes) { return {bytes, 0, 0}; }

Choices leave() {
  Choices choices;
  choices.reroute_think_tags = false;
  return choices;
}

// Returns all texts of up to four of these pieces.
std::vector<std::string> tag_texts() {
  const std::vector<std::string> pieces = {"<think>", "</think>", "<thi", "</th", "nk>", "<", "x"};
  std::vector<std::string> texts = {""};
  std::size_t begin = 0;
  for (int length = 0; length < 4; ++length) {
    const std::size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const std::string& piece : pieces) texts.push_back(texts[begin] + piece);
    }
  }
  return texts;
}

TEST(ThinkTags, NothingThatIsDecidedChangesAsMoreTextComes) {
  std::size_t steps = 0;
  for (const std::string& whole : tag_texts()) {
    const ThinkSpan last = think_span(whole);
    for (std::size_t length = 0; length <= whole.size(); ++length) {
      const ThinkSpan now = think_span(std::string_view(whole).substr(0, length));
      const bool in_thinking = now.opens && !now.closes;
      const std::string_view open = in_thinking ? now.thinking : now.rest;
      const std::string_view decided = open.substr(0, open.size() - now.undecided);
      const std::string_view becomes = in_thinking ? last.thinking : last.rest;
      ASSERT_EQ(becomes.substr(0, decided.size()), decided) << whole << " after " << length;
      if (now.closes) {
        ASSERT_EQ(now.thinking, last.thinking);
      }
      ++steps;
    }
  }
  std::printf("%zu steps\n", steps);
  EXPECT_GT(steps, 30000u);
}

// Text is held back only if two continuations give it different meanings.
TEST(ThinkTags, OnlyTextThatMayBecomeATagIsUndecided) {
  for (const std::string& text : tag_texts()) {
    const ThinkSpan now = think_span(text);
    if (now.undecided == 0) continue;
    const std::string tag = now.opens ? "</think>" : "<think>";
    const std::string further = text + tag.substr(now.undecided);
    const ThinkSpan then = think_span(further);
    EXPECT_TRUE(now.opens ? then.closes : then.opens) << text;
    const std::string_view open = now.opens ? now.thinking : now.rest;
    EXPECT_EQ(now.opens ? then.thinking : std::string_view(), open.substr(0, open.size() - now.undecided));
  }
}

TEST(Due, ProseIsDueAtOnce) {
  EXPECT_EQ(of({}), Due());
  EXPECT_EQ(of({text("abc")}), prose_due(3));
  EXPECT_EQ(of({thinking("abc"), text("de"), prose(PartKind::refusal, "f")}), prose_due(6));
  EXPECT_EQ(of({thinking("a"), text("<thi")}), prose_due(5)) << "it does not begin the answer";
}

TEST(Due, TagsAndTheirBeginningsMayWait) {
  for (std::size_t length = 1; length <= 7; ++length) {
    const std::string begun = std::string("<think>").substr(0, length);
    EXPECT_EQ(of({text(begun)}), Due()) << begun;
    EXPECT_EQ(of({text(begun)}, leave()), prose_due(length));
    if (length < 7) {
      EXPECT_EQ(of({text(begun), call("i", "f", "")}), (Due{length, 0, 1})) << "it does not go on";
    }
  }
  EXPECT_EQ(of({text("<thx")}), prose_due(4));
  EXPECT_EQ(of({text("<think>abc")}), prose_due(3));
  EXPECT_EQ(of({text("<think>abc</thin")}), prose_due(3));
  EXPECT_EQ(of({text("<think>abc</thinx")}), prose_due(10));
  EXPECT_EQ(of({text("<think>abc</think>")}), prose_due(3));
  EXPECT_EQ(of({text("<think>abc</think>de</th")}), prose_due(9));
}

TEST(Due, EndThatBeginsACharacterMayWait) {
  const std::string words = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\x8A";
  for (std::size_t length = 0; length <= words.size(); ++length) {
    const std::string begun = words.substr(0, length);
    const std::size_t whole = std::min(find_ill_formed_utf8(begun), length);
    EXPECT_EQ(of({text(begun)}, leave()), prose_due(whole)) << length;
    EXPECT_EQ(of({text(begun)}), prose_due(whole)) << length;
    EXPECT_EQ(of({thinking(begun)}), prose_due(whole)) << length;
    EXPECT_EQ(of({text("<think>" + begun)}), prose_due(whole)) << length;
    EXPECT_EQ(of({call("i", "f", "{\"" + begun)}).arguments, 2 + whole) << length;
  }
}

TEST(Due, CallStartsWithIdAndName) {
  EXPECT_EQ(of({call("i", "f", "")}), (Due{0, 0, 1}));
  EXPECT_EQ(of({call("i", "f", "{\"a\":")}), (Due{0, 5, 1}));
  EXPECT_EQ(of({call("i", "f", " \n {\"a")}), (Due{0, 3, 1})) << "blanks may wait";
  EXPECT_EQ(of({call("i", "f", " \n ")}), (Due{0, 0, 1}));
  for (const char* foreign : {"null", "[1", "\"x\"", "nil"})
    EXPECT_EQ(of({call("i", "f", foreign)}), (Due{0, 0, 1}));
}

TEST(Due, ContentAfterAnOpenCallMayWait) {
  for (const char* open : {"", "{", " ", "{\"a\":\"}\"", "nul", "12"}) {
    const std::size_t bytes = open[0] == '{' ? std::string(open).size() : 0;
    EXPECT_EQ(of({text("a"), call("i", "f", open), text("bc"), call("j", "g", "{")}), (Due{1, bytes, 1}))
        << open;
  }
  for (const char* whole : {"{}", "null", "{\"a\":1} ", "[]"}) {
    const std::size_t bytes = whole[0] == '{' ? std::string(whole).size() : 0;
    EXPECT_EQ(of({text("a"), call("i", "f", whole), text("bc"), call("j", "g", "{")}), (Due{3, bytes + 1, 2}))
        << whole;
  }
}

Due total(const Expected& expected) {
  Due total;
  for (const Part& part : expected.parts) {
    total.prose += part.text.size();
    total.arguments += part.arguments.size();
    total.calls += part.kind == PartKind::call ? 1 : 0;
  }
  return total;
}

bool within(const Due& a, const Due& b) {
  return a.prose <= b.prose && a.arguments <= b.arguments && a.calls <= b.calls;
}

// As an answer grows, its due part never shrinks and never exceeds the expected answer at any end.
TEST(Due, GrowsWithTheAnswerAndStaysWithinTheExpected) {
  std::mt19937_64 random(kSeed);
  std::size_t steps = 0;
  std::size_t complete = 0;
  for (int n = 0; n < 400; ++n) {
    const auto any = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
    std::vector<Part> whole;
    const std::size_t count = 1 + random() % 4;
    for (std::size_t i = 0; i < count; ++i) {
      const auto kind = static_cast<PartKind>(random() % 4);
      if (kind == PartKind::call) {
        whole.push_back(
            call("id" + std::to_string(i), "f", any({"", "{}", "{\"k\":\"v{\"}", "null", "{\"a\":[1]}"})));
      } else {
        whole.push_back(prose(kind, any({"a", "<think>b</think>c", "<think>d", "<thin", "\xE2\x82\xAC<"})));
      }
    }
    for (const bool reroute : {true, false}) {
      Choices choices;
      choices.reroute_think_tags = reroute;
      Due before;
      FlushRequirement count(choices);
      Answer so_far = answer({});
      so_far.begins_with_text = whole.front().kind == PartKind::text;
      so_far.finish = FinishReason{FinishKind::length, "length"};
      for (const Part& part : whole) {
        so_far.parts.push_back(part);
        std::string& grown =
            part.kind == PartKind::call ? so_far.parts.back().arguments : so_far.parts.back().text;
        const std::string target = grown;
        for (std::size_t length = part.kind == PartKind::call ? 0 : 1; length <= target.size(); ++length) {
          grown = target.substr(0, length);
          const Due now = count.after(so_far);
          ASSERT_EQ(now, due_by_definition(so_far, choices));
          ASSERT_TRUE(within(before, now));
          ASSERT_TRUE(within(now, total(expected_of(so_far, recording::End::complete, choices))));
          before = now;
          ++steps;
        }
      }
      if (before == total(expected_of(so_far, recording::End::complete, choices))) ++complete;
    }
  }
  std::printf("seed %llu: %zu steps, %zu answers due to the last byte\n",
              static_cast<unsigned long long>(kSeed), steps, complete);
  EXPECT_GT(steps, 5000u);
  EXPECT_GT(complete, 200u);
}

// The same with rescued calls in text. Once later content has settled everything, all of it is due.
TEST(Due, DueContentGrowsIfCallsInTextAreRescued) {
  Choices choices;
  choices.rescue_markup = true;
  ClientCapabilities carries;
  carries.functions = {{"f", {}}, {"g", {}}};
  const std::string rescued = "<tool name=\"f\"><param name=\"k\">v</param></tool>";
  const std::vector<std::vector<Part>> answers = {
      {text("a " + rescued + " b")},
      {text(rescued + "\n"), call("i", "f", "{\"k\": \"v\"}"), text("b")},
      {text(rescued + rescued), call("i", "f", "{\"k\":\"v\"}"), call("j", "f", "{\"k\":\"v\"}")},
      {call("i", "f", "{\"k\":\"v\"}"), text(rescued + "b" + rescued), call("j", "g", "{}")},
      {text(rescued), call("i", "f", "{\"k\":\"w\"}"), thinking("b")},
      {text("<think>" + rescued + "</think>" + rescued), thinking("b")},
      {text("<tool name=\"f\">never"), thinking("b")},
      {text("\n{\"name\":\"f\",\"input\":{}}\n```\n{\"name\":\"g\",\"input\":{}}\n```\nso"), thinking("b")},
  };
  for (const std::vector<Part>& whole : answers) {
    SCOPED_TRACE(whole.front().text);
    FlushRequirement count(choices, carries);
    Answer so_far = answer({});
    so_far.begins_with_text = whole.front().kind == PartKind::text;
    so_far.finish = FinishReason{FinishKind::length, "length"};
    Due before;
    for (const Part& part : whole) {
      so_far.parts.push_back(part);
      Part& last = so_far.parts.back();
      std::string& grown = part.kind == PartKind::call ? last.arguments : last.text;
      const std::string target = grown;
      for (std::size_t length = part.kind == PartKind::call ? 0 : 1; length <= target.size(); ++length) {
        grown = target.substr(0, length);
        const Due now = count.after(so_far);
        FlushRequirement anew(choices, carries);
        ASSERT_EQ(now, anew.after(so_far)) << length;
        ASSERT_TRUE(within(before, now)) << length;
        ASSERT_TRUE(within(now, total(expected_of(so_far, recording::End::complete, choices, carries))))
            << length;
        before = now;
      }
    }
    EXPECT_EQ(before, total(expected_of(so_far, recording::End::complete, choices, carries)));
  }
}

Choices that_take_out(unsigned of) {
  Choices choices;
  choices.marker = (of & 1U) != 0 ? Choices::Marker::structural : Choices::Marker::none;
  choices.rewrites_identity = (of & 2U) != 0;
  choices.strips_blocks = (of & 4U) != 0;
  choices.cuts_at_stops = (of & 8U) != 0;
  choices.rescue_markup = (of & 16U) != 0;
  return choices;
}

// The translator writes their arguments as an object, so it chooses their bytes.
TEST(Due, ArgumentsOfRescuedCallsAreNotCountedIfCallsComeWhole) {
  Choices choices;
  choices.rescue_markup = true;
  ClientCapabilities carries;
  carries.functions = {{"f", {}}};
  const std::string rescued = "<tool_call>{\"name\": \"f\", \"input\": {\"k\": 1}}</tool_call>";
  const Answer whole = answer({text("a" + rescued + rescued)});
  EXPECT_EQ(FlushRequirement(choices, carries).after(whole), (Due{1, 16, 2}));
  carries.whole_calls = true;
  EXPECT_EQ(FlushRequirement(choices, carries).after(whole), (Due{1, 0, 2}));
}

TEST(Due, TextThatAFilterMayHoldIsNotDue) {
  const auto due = [](unsigned of, std::vector<Part> parts) {
    ClientCapabilities carries;
    carries.model = "gpt-5";
    carries.stops = {"END"};
    carries.functions = {{"f", {}}};
    return FlushRequirement(that_take_out(of), carries).after(answer(std::move(parts)));
  };
  EXPECT_EQ(due(1, {text("a /opt/wind")}), prose_due(2));
  EXPECT_EQ(due(1, {text("a /opt/windsurf/b..")}), prose_due(13));
  EXPECT_EQ(due(1, {text("a /opt/wind b")}), prose_due(13));
  EXPECT_EQ(due(1, {call("i", "f", "{\"/opt/wind")}), (Due{0, 11, 1})) << "no value";
  EXPECT_EQ(due(1, {call("i", "f", "  {\"p\":\"/opt/windsurf")}), (Due{0, 17, 1}));
  EXPECT_EQ(due(1, {call("i", "f", "{\"p\":\"x\\u002f")}), (Due{0, 7, 1}));
  EXPECT_EQ(due(2, {text("so I am Kir")}), prose_due(3));
  EXPECT_EQ(due(2, {text("so I am Kiro")}), prose_due(3));
  EXPECT_EQ(due(2, {text("so I am Kiro.")}), prose_due(14));
  EXPECT_EQ(due(2, {thinking("so I am Kiro"), text("x")}), prose_due(14)) << "its part has ended";
  EXPECT_EQ(due(2, {text("so I am"), call("i", "f", "")}), (Due{7, 0, 1}));
  const std::string rescued = "<tool name=\"f\"><param name=\"k\">/opt/windsurf</param></tool>";
  EXPECT_EQ(due(2 | 16, {text("so I am Ki" + rescued)}), (Due{10, 21, 1})) << "a call ends its part";
  EXPECT_EQ(due(1 | 16, {text(rescued)}), (Due{0, 19, 1}));
  EXPECT_EQ(due(8 | 16, {text("a END" + rescued)}), prose_due(2));
  EXPECT_EQ(due(8 | 16, {text("a EN" + rescued + "D END b" + rescued)}), (Due{6, 21, 1}));
  EXPECT_EQ(due(4, {text("a<user_inf")}), prose_due(1));
  EXPECT_EQ(due(4, {text("a<user_information>b")}), prose_due(1));
  EXPECT_EQ(due(4, {text("a`<user_inf")}), prose_due(11));
  EXPECT_EQ(due(8, {text("a EN")}), prose_due(2));
  EXPECT_EQ(due(8, {text("a END b"), call("i", "f", "{}"), thinking("c")}), prose_due(2))
      << "nor what is behind";
  EXPECT_EQ(due(8, {text("a EN"), text("D b")}), prose_due(7));
  EXPECT_EQ(due(8, {thinking("a EN")}), prose_due(4));
  EXPECT_EQ(due(0, {text("I am Kiro in /opt/windsurf<user_information> EN")}), prose_due(47));
}

// With any filter, the due part never shrinks and never exceeds the expected answer, whether it ends or continues.
// Harmless thinking at the end makes both equal.
TEST(Due, StaysWithinTheOutputOfFilters) {
  std::mt19937_64 random(kSeed);
  ClientCapabilities carries;
  carries.functions = {{"f", {}}};
  carries.model = "claude-4";
  carries.stops = {"END", "a <"};
  const std::vector<std::string> words = {"a",
                                          " ",
                                          "\n",
                                          "I am ",
                                          "Kiro",
                                          ".",
                                          "`",
                                          "{\"k\":\"",
                                          "/opt/",
                                          "/opt/windsurf",
                                          "<user_information>",
                                          "</user_information>",
                                          "<user_",
                                          "EN",
                                          "D",
                                          "END",
                                          "<think>",
                                          "</think>",
                                          "\xE2\x82\xAC",
                                          "<tool name=\"f\"><param name=\"k\">/opt/windsurf</param></tool>"};
  const std::vector<std::string> json = {"{}", "{\"k\":\"/opt/windsurf/a b\"}", "{\"k\":[\"\\/opt\", 1]}",
                                         "null"};
  std::size_t steps = 0;
  std::size_t stopped = 0;
  for (unsigned n = 0; n < 1500; ++n) {
    const Choices choices = that_take_out(n);
    std::vector<Part> whole;
    for (std::size_t count = 1 + random() % 4; count > 0; --count) {
      const auto kind = static_cast<PartKind>(random() % 4);
      if (kind == PartKind::call) {
        whole.push_back(call("id" + std::to_string(count), "f", json[random() % json.size()]));
      } else {
        std::string said;
        for (std::size_t of = 1 + random() % 6; of > 0; --of) said += words[random() % words.size()];
        whole.push_back(prose(kind, said));
      }
    }
    whole.push_back(thinking("z"));
    FlushRequirement count(choices, carries);
    Answer so_far = answer({});
    so_far.begins_with_text = whole.front().kind == PartKind::text;
    so_far.finish = FinishReason{FinishKind::length, "length"};
    std::vector<Due> due;
    for (const Part& part : whole) {
      so_far.parts.push_back(part);
      Part& last = so_far.parts.back();
      std::string& grown = part.kind == PartKind::call ? last.arguments : last.text;
      const std::string target = grown;
      for (std::size_t length = part.kind == PartKind::call ? 0 : 1; length <= target.size(); ++length) {
        grown = target.substr(0, length);
        const Due now = count.after(so_far);
        FlushRequirement anew(choices, carries);
        ASSERT_EQ(now, anew.after(so_far))
            << "answer " << n << ", part " << so_far.parts.size() << ", " << grown;
        ASSERT_TRUE(due.empty() || within(due.back(), now)) << grown;
        const Expected expected = expected_of(so_far, recording::End::complete, choices, carries);
        ASSERT_TRUE(within(now, total(expected)))
            << "answer " << n << ", part " << so_far.parts.size() << ", " << grown;
        due.push_back(now);
        ++steps;
      }
    }
    const Expected expected = expected_of(so_far, recording::End::complete, choices, carries);
    stopped += expected.finish != Finish::length ? 1 : 0;
    ASSERT_EQ(due.back(), total(expected)) << "answer " << n;
  }
  std::printf("seed %llu: %zu steps, %zu answers that a stop sequence ends\n",
              static_cast<unsigned long long>(kSeed), steps, stopped);
  EXPECT_GT(steps, 50000u);
  EXPECT_GT(stopped, 50u);
}

// A call is finished once it is complete and content follows it.
bool may_grow(const Answer& answer, std::size_t place) {
  const Part& part = answer.parts[place];
  const bool is_last = place + 1 == answer.parts.size();
  return is_last || (part.kind == PartKind::call && !is_one_json_value(part.arguments));
}

// Calls that continue in turns, text after open calls, and think spans that continue after them.
TEST(Due, DueOfAGrowingAnswerEqualsDueOfTheWholeAnswer) {
  std::mt19937_64 random(kSeed);
  const std::vector<std::string> words = {"a",    "<think>", "</think>", "</th",
                                          "ink>", "<",       "\xE2\x82", "\xAC"};
  const std::vector<std::string> json = {" ",  "{",    "}", "}", "}",          "{}",
                                         "{}", "null", "[", "]", "\"\xE2\x82", "\xAC\""};
  const auto any = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  std::size_t steps = 0;
  std::size_t unblocked = 0;  // calls that were complete only after later content had come
  for (int n = 0; n < 4000; ++n) {
    Choices choices;
    choices.reroute_think_tags = n % 4 != 0;
    FlushRequirement count(choices);
    Answer so_far = answer({});
    for (std::size_t step = 0; step < 24; ++step) {
      std::vector<std::size_t> growing;
      for (std::size_t place = 0; place < so_far.parts.size(); ++place)
        if (may_grow(so_far, place)) growing.push_back(place);
      if (growing.empty() || random() % 4 == 0) {
        const auto kind = static_cast<PartKind>(random() % 4);
        if (so_far.parts.empty()) so_far.begins_with_text = kind == PartKind::text;
        so_far.parts.push_back(kind == PartKind::call ? call("i", "f", any({"", "{", "{}"}))
                                                      : prose(kind, any(words)));
      } else {
        Part& part = so_far.parts[growing[random() % growing.size()]];
        const bool behind = &part != &so_far.parts.back();
        (part.kind == PartKind::call ? part.arguments : part.text) +=
            any(part.kind == PartKind::call ? json : words);
        unblocked += behind && is_one_json_value(part.arguments) ? 1 : 0;
      }
      // Not after every step: several parts may come at once.
      if (random() % 3 == 0) continue;
      ASSERT_EQ(count.after(so_far), due_by_definition(so_far, choices))
          << "answer " << n << ", step " << step;
      ++steps;
    }
  }
  std::printf("seed %llu: %zu steps, %zu calls ended behind what came later\n",
              static_cast<unsigned long long>(kSeed), steps, unblocked);
  EXPECT_GT(unblocked, 200u);
}

// If arguments or an open span were read again for every later piece, this would exceed the test's time limit.
TEST(Due, EachByteIsReadOnce) {
  constexpr std::size_t kBytes = 4 << 20;
  constexpr std::size_t kPieces = 200'000;
  const std::string arguments = "{\"k\":\"" + std::string(kBytes, 'a') + "\"}";
  for (const Part& first : {call("i", "f", arguments), text("<think>" + std::string(kBytes, 'a'))}) {
    FlushRequirement count{Choices()};
    Answer so_far = answer({first});
    if (first.kind == PartKind::call) so_far.parts.push_back(text("b"));
    Due before = count.after(so_far);
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      so_far.parts.back().text += "b";
      const Due now = count.after(so_far);
      ASSERT_EQ(now.prose, before.prose + 1);
      before = now;
    }
  }
}

}  // namespace
}  // namespace splitproof::observe::due_test
