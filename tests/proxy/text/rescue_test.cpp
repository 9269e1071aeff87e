#include "proxy/text/rescue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace splitproof::text::rescue_test {
namespace {

using turn::BlockKind;
using turn::Event;

constexpr std::size_t kWaiting = 4096;

const std::vector<Function> kDeclared = {{"f", "{}"}, {"g", "{}"}};
const std::string kLeak = "<function=f><parameter=a>1</parameter></function>";

Event words(std::string text, std::size_t part = 0) {
  return turn::Prose{BlockKind::text, std::move(text), part};
}
Event thought(std::string text) { return turn::Prose{BlockKind::thinking, std::move(text)}; }
Event made(std::size_t call, std::string name, std::string arguments) {
  return turn::CallPiece{call, call, "id" + std::to_string(call), std::move(name), std::move(arguments)};
}
Event more(std::size_t call, std::string arguments) {
  return turn::CallPiece{call, call, {}, {}, std::move(arguments)};
}

Rescue rescue() { return Rescue(kDeclared, 0x2a, kWaiting); }

// Writes text unchanged, thinking as [..], a piece of a call as (number name arguments), with `!` before the name of a
// written one, other events as a letter.
std::string show(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) {
    if (const auto* prose = std::get_if<turn::Prose>(&event)) {
      EXPECT_NE(prose->text, "");
      text += prose->kind == BlockKind::thinking ? "[" + prose->text + "]" : prose->text;
    } else if (const auto* piece = std::get_if<turn::CallPiece>(&event)) {
      const bool written = piece->id.starts_with("rescued_");
      text += "(" + std::to_string(piece->call) + " " + (written ? "!" : "") + piece->name + " " +
              piece->arguments + ")";
    } else {
      text += "BPSCUFDEXNZ"[event.index()];
    }
  }
  return text;
}

// Returns the output before the end of the body, `|`, and the rest.
std::string read(const std::vector<Event>& said) {
  Rescue filter = rescue();
  std::vector<Event> events;
  for (const Event& event : said) filter.accept(event, events);
  const std::string out = show(events);
  events.clear();
  filter.finish(events);
  return out + "|" + show(events);
}

const std::string kOut = R"((0 !f {"a":"1"}))";

TEST(Rescue, MakesCallsOfTextAlone) {
  EXPECT_EQ(read({words("x " + kLeak + " y")}), "x " + kOut + " y|");
  EXPECT_EQ(read({thought(kLeak), words("x")}), "[" + kLeak + "]x|");
  EXPECT_EQ(read({turn::Prose{BlockKind::refusal, kLeak}}), kLeak + "|");
  EXPECT_EQ(read({turn::Begin{}, words(kLeak), turn::Usage{}, turn::Finished{}, turn::Done{}}),
            "B" + kOut + "UFD|");
}

TEST(Rescue, ACallEndsWithItsPart) {
  const std::string head = kLeak.substr(0, 20);
  const std::string tail = kLeak.substr(20);
  EXPECT_EQ(read({words(head), words(tail)}), kOut + "|");
  EXPECT_EQ(read({words(head), turn::Usage{}, turn::Finished{}, words(tail)}), "UF" + kOut + "|");
  EXPECT_EQ(read({words(head), thought("t"), words(tail)}), head + "[t]" + tail + "|");
  EXPECT_EQ(read({words(head), words(tail, 1)}), head + tail + "|");
  EXPECT_EQ(read({words(head), turn::Close{0}, words(tail, 1)}), head + "X" + tail + "|");
  EXPECT_EQ(read({words(head), made(0, "g", "{}"), words(tail)}), head + "(0 g {})" + tail + "|");
  EXPECT_EQ(read({made(0, "g", "{"), words(head), more(0, "}"), words(tail)}),
            R"((0 g {)(0  })(1 !f {"a":"1"})|)");
  EXPECT_EQ(read({words(head), turn::Failure{}}), head + "E|");
  EXPECT_EQ(read({words(head)}), "|" + head);
  EXPECT_EQ(read({words(kLeak + " \n"), thought("t")}), kOut + "[t]|");
}

TEST(Rescue, TextIsOutBeforeAThoughtWithoutText) {
  const std::string head = kLeak.substr(0, 20);
  const std::string tail = kLeak.substr(20);
  EXPECT_EQ(read({words(head), turn::Signature{"s", true}, words(tail)}), head + "S" + tail + "|");
  EXPECT_EQ(read({words(head), turn::Sealed{"z"}, words(tail)}), head + "Z" + tail + "|");
  EXPECT_EQ(read({words(head), turn::Signature{"s"}, words(tail)}), "S" + kOut + "|") << "it begins nothing";
}

TEST(Rescue, IdsAreUniqueAndTraceable) {
  Rescue filter = rescue();
  std::vector<Event> events;
  filter.accept(words(kLeak + kLeak), events);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::get<turn::CallPiece>(events[0]).id, "rescued_000000000000002a_0");
  EXPECT_EQ(std::get<turn::CallPiece>(events[1]).id, "rescued_000000000000002a_1");
}

TEST(Rescue, SurrogatesAreJoinedBeforeTheyAreRead) {
  EXPECT_EQ(
      read({words("<function=f><parameter=a>\xED\xA0\xBD"), words("\xED\xB8\x80</parameter></function>")}),
      "(0 !f {\"a\":\"\xF0\x9F\x98\x80\"})|");
  EXPECT_EQ(read({words("x\xED\xA0\xBD"), thought("t")}), "x\xEF\xBF\xBD[t]|");
}

TEST(Rescue, ACallIsSaidOnce) {
  const std::string same = R"({ "a" : "\u0031" })";
  // Made before it.
  EXPECT_EQ(read({made(0, "f", same), words("x" + kLeak + "y")}), "(0 f " + same + ")xy|");
  EXPECT_EQ(read({made(0, "f", "{}"), words(kLeak)}), R"((0 f {})(1 !f {"a":"1"})|)");
  EXPECT_EQ(read({made(0, "g", same), words(kLeak)}), "(0 g " + same + R"()(1 !f {"a":"1"})|)");
  EXPECT_EQ(read({made(0, "f", same), words(kLeak + kLeak)}), "(0 f " + same + R"()(1 !f {"a":"1"})|)");
  // Made after it.
  EXPECT_EQ(read({words(kLeak + "x"), made(0, "f", same), thought("t")}), kOut + "x[t]|");
  EXPECT_EQ(read({words(kLeak), made(0, "f", same), made(1, "f", same)}), kOut + "(1 f " + same + ")|");
  EXPECT_EQ(read({words(kLeak), made(0, "f", R"({"a":1})")}), kOut + R"((1 f {"a":1})|)");
  EXPECT_EQ(read({words(kLeak), made(0, "f", R"({"a":"1","b":0})")}), kOut + R"((1 f {"a":"1","b":0})|)");
  // Written twice.
  EXPECT_EQ(read({words(kLeak + kLeak)}), kOut + R"((1 !f {"a":"1"})|)");
  EXPECT_EQ(read({words(kLeak + kLeak), made(0, "f", same), made(1, "f", same)}),
            kOut + R"((1 !f {"a":"1"})|)");
  // Each cancels one other.
  EXPECT_EQ(read({made(0, "f", same), words(kLeak), made(1, "f", same)}),
            "(0 f " + same + ")(1 f " + same + ")|");
  // Without arguments.
  EXPECT_EQ(read({made(0, "f", ""), words("<function=f></function>"), turn::Done{}}), "(0 f )D|");
  EXPECT_EQ(read({words("<function=f></function>"), made(0, "f", ""), turn::Done{}}), "(0 !f {})D|");
}

TEST(Rescue, OrderOfKeysAndWayOfWritingDoNotMatter) {
  const auto twins = [](const std::string& written, const std::string& called) {
    return read({words("<function=f>" + written + "</function>"), made(0, "f", called)}) ==
           "(0 !f " + written + ")|";
  };
  EXPECT_TRUE(twins(R"({"a":1,"b":[true,null,{"c":"\n"}]})", R"({"b":[ true,null,{"c":"\u000a"}],"a":1})"));
  EXPECT_TRUE(twins("{}", " {\n} "));
  EXPECT_FALSE(twins(R"({"a":1})", R"({"a":1.0})"));
  EXPECT_FALSE(twins(R"({"a":[1,2]})", R"({"a":[2,1]})"));
  EXPECT_FALSE(twins(R"({"a":1})", R"({"a":"1"})"));
  EXPECT_FALSE(twins("{}", "[]"));
}

TEST(Rescue, WaitsForNoMoreThanACallOfTheName) {
  const std::string same = R"({"a":"1"})";
  // After a written call, a call of its name waits, and everything after that.
  EXPECT_EQ(read({words(kLeak), made(0, "g", "{"), words("x")}), kOut + "(1 g {)x|");
  EXPECT_EQ(read({words(kLeak), made(0, "f", "{"), words("x")}), kOut + "|(1 f {)x");
  EXPECT_EQ(read({words(kLeak), made(0, "f", "{"), words("x"), more(0, "}")}), kOut + "(1 f {})x|");
  EXPECT_EQ(read({words(kLeak), made(0, "f", "{\"a\":"), words("x"), more(0, "\"1\"}"), more(0, " ")}),
            kOut + "x|");
  EXPECT_EQ(read({words(kLeak), made(0, "f", same), made(1, "f", "{")}), kOut + "(1 f {)|");
  // A call without a name delays nothing.
  EXPECT_EQ(read({words(kLeak), made(0, "", "{"), words("x"), turn::CallPiece{0, 0, "", "g", "}"}}),
            kOut + "x(1 g {})|");
  EXPECT_EQ(read({words(kLeak), made(0, "", same), words("x"), turn::CallPiece{0, 0, "", "f", ""}}),
            kOut + "x|");
  EXPECT_EQ(read({words(kLeak), made(0, "", "{"), turn::Done{}}), kOut + "(1  {)D|");
  // Before it: an incomplete one.
  EXPECT_EQ(read({made(0, "f", "{"), words("x" + kLeak + "y")}), R"((0 f {)x|(1 !f {"a":"1"})y)");
  EXPECT_EQ(read({made(0, "f", "{"), words("x" + kLeak + "y"), more(0, "}")}),
            R"((0 f {)x(0  })(1 !f {"a":"1"})y|)");
  EXPECT_EQ(read({made(0, "f", "{\"a\":"), words("x" + kLeak + "y"), more(0, "\"1\"}")}),
            "(0 f {\"a\":)x(0  \"1\"})y|");
  EXPECT_EQ(read({made(0, "g", "{"), words(kLeak)}), R"((0 g {)(1 !f {"a":"1"})|)");
}

TEST(Rescue, WhatWaitsIsBounded) {
  const std::string large(kWaiting, 'x');
  EXPECT_EQ(read({words(kLeak), made(0, "f", "{"), words(large), words("y")}),
            kOut + "(1 f {)" + large + "Ey|");
  EXPECT_EQ(read({words(kLeak), made(0, "", large), words("y")}), kOut + "(1  " + large + ")Ey|");
  // Output that has left does not count.
  std::vector<Event> events = {words(kLeak)};
  std::string out = kOut;
  for (std::size_t call = 0; call < 3; ++call) {
    events.push_back(made(call, "f", "{\"" + large.substr(1000) + "\":"));
    events.push_back(more(call, "1}"));
    out += "(" + std::to_string(call + 1) + " f {\"" + large.substr(1000) + "\":1})";
  }
  EXPECT_EQ(read(events), out + "|");
}

// For any cuts of a text the events are the same, and a copy continues like the filter itself.
TEST(Rescue, CopiesGoOnAlike) {
  const std::string text =
      "a " + kLeak + " <tool_call>\n{\"name\":\"g\",\"arguments\":{}}\n</tool_call> `b`\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Rescue filter = rescue();
    std::vector<Event> events;
    filter.accept(words(text.substr(0, cut)), events);
    Rescue copy = filter;
    std::vector<Event> copied = events;
    for (Rescue* one : {&filter, &copy}) {
      std::vector<Event>& said = one == &filter ? events : copied;
      one->accept(words(text.substr(cut)), said);
      ASSERT_EQ(show(said), "a " + kOut + "(1 !g {}) `b`\n");
    }
    EXPECT_EQ(filter, copy);
    filter.finish(events);
    EXPECT_NE(filter, copy);
  }
}

}  // namespace
}  // namespace splitproof::text::rescue_test
