#include "harness/observe/expect.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/observe/meanings.hpp"

namespace splitproof::observe::expect_test {
namespace {

using nlohmann::json;
using Parts = std::vector<Part>;

recording::Recording recording_with(const char* expect) {
  recording::Recording recording;
  recording.path = "corpus/x.rec.jsonl";
  recording.expect = std::make_shared<const json>(json::parse(expect));
  return recording;
}

Expected before() {
  Answer meaning = answer({thinking("t"), text("a"), call("i", "f", "{}"), text("b")});
  meaning.usage = {3, 1, 2};
  return expected_of(meaning, recording::End::complete, {});
}

Expected after(const char* expect, const char* profile = "default") {
  Expected expected = before();
  const Result<void> applied = apply_expect(recording_with(expect), profile, expected);
  EXPECT_TRUE(applied) << describe(applied.error());
  return expected;
}

TEST(Expect, EmptyExpectationsChangeNothing) {
  Expected expected = before();
  EXPECT_TRUE(apply_expect({}, "default", expected));
  EXPECT_EQ(expected, before());
  EXPECT_EQ(after("{}"), before());
  EXPECT_EQ(after(R"({"profiles": {"other": {"text": "x"}}})"), before());
}

TEST(Expect, PartsReplaceAllParts) {
  const Expected expected = after(R"({"parts": [{"text": "x"}, {"call": {"name": "g", "input": {"b": 2}}},
      {"call": {"id": "j", "name": "h", "arguments": "{\"c\""}}, {"thinking": "y"}]})");
  EXPECT_EQ(expected.parts,
            (Parts{text("x"), call("", "g", "{\"b\":2}", 1), call("j", "h", "{\"c\"", 2), thinking("y")}));
  EXPECT_FALSE(expected.order_open);
}

TEST(Expect, OneKindOfPartsReplacesThatKindAndLeavesTheOrderOpen) {
  Expected expected = after(R"({"text": "x"})");
  EXPECT_EQ(expected.parts, (Parts{thinking("t"), call("i", "f", "{}"), text("x")}));
  EXPECT_TRUE(expected.order_open);
  expected = after(R"({"thinking": "", "calls": []})");
  EXPECT_EQ(expected.parts, (Parts{text("a"), text("b")}));
  EXPECT_FALSE(expected.order_open) << "what is left kept its order";
  expected = after(R"({"text": "", "thinking": "", "calls": [{"name": "g"}, {"name": "h"}]})");
  EXPECT_EQ(expected.parts, (Parts{call("", "g", "", 0), call("", "h", "", 1)}));
  EXPECT_FALSE(expected.order_open);
}

TEST(Expect, EndAndTheCountsAreReplaced) {
  EXPECT_EQ(after(R"({"finish": "length"})").finish, Finish::length);
  EXPECT_EQ(after(R"({"error": true})").failure, Failure::demanded);
  Expected failing = before();
  failing.failure = Failure::cut_off;
  ASSERT_TRUE(apply_expect(recording_with(R"({"error": false})"), "default", failing));
  EXPECT_EQ(failing.failure, std::nullopt);
  EXPECT_EQ(after(R"({"usage": {"input": 4, "cached": 5}})").usage, (Tokens{9, 5, std::nullopt}));
}

TEST(Expect, ProfileHasTheLastWord) {
  const char* expect =
      R"({"text": "x", "finish": "stop", "profiles": {"house": {"text": "y"}, "b": {"finish": "length"}}})";
  EXPECT_EQ(after(expect, "default").parts.back().text, "x");
  EXPECT_EQ(after(expect, "house").parts.back().text, "y");
  EXPECT_EQ(after(expect, "house").finish, Finish::stop);
  EXPECT_EQ(after(expect, "b").finish, Finish::length);
  EXPECT_EQ(after(expect, "b").parts.back().text, "x");
}

TEST(Expect, MistakesAreNamedAndChangeNothing) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"txt": ""})", "`expect` has the unknown member `txt`; known are parts, text"},
      {R"({"profiles": {"house": {"txt": ""}}})", "`expect/profiles/house` has the unknown member `txt`"},
      {R"({"profiles": {"house": {"profiles": {}}}})", "unknown member `profiles`"},
      {R"({"profiles": []})", "`expect/profiles` is no object"},
      {R"([])", "`expect` is no object"},
      {R"({"text": 1})", "`expect/text` is no text"},
      {R"({"text": "x", "error": 1})", "`expect/error` is neither true nor false"},
      {R"({"finish": "end_turn"})", "`expect/finish` cannot be `end_turn`; there are stop, length"},
      {R"({"usage": {"input": -1}})", "`expect/usage/input` is no whole number"},
      {R"({"usage": {"in": 1}})", "`expect/usage` has the unknown member `in`"},
      {R"({"parts": [], "text": ""})", "has `parts` beside text"},
      {R"({"parts": {}})", "`expect/parts` is no list"},
      {R"({"parts": [{"text": ""}]})", "`expect/parts/0/text` is empty"},
      {R"({"parts": [{"text": "a", "thinking": "b"}]})", "`expect/parts/0` is not one of"},
      {R"({"parts": [{}]})", "`expect/parts/0` is not one of"},
      {R"({"calls": [{"name": "f"}, {"id": "i"}]})", "`expect/calls/1` has no `name`"},
      {R"({"calls": [{"name": "f", "input": []}]})", "`expect/calls/0/input` is no object"},
      {R"({"calls": [{"name": "f", "input": {}, "arguments": ""}]})", "both `arguments` and `input`"},
      {R"({"calls": ["f"]})", "`expect/calls/0` is no object"},
  };
  for (const auto& [expect, what] : rows) {
    SCOPED_TRACE(expect);
    Expected expected = before();
    const Result<void> applied = apply_expect(recording_with(expect), "default", expected);
    ASSERT_FALSE(applied);
    const std::string message = describe(applied.error());
    EXPECT_NE(message.find("corpus/x.rec.jsonl:1: "), std::string::npos) << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_EQ(expected, before());
  }
}

}  // namespace
}  // namespace splitproof::observe::expect_test
