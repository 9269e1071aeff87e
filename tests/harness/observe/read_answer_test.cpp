// Answers as a client reports them, and what a stream demands.

#include "harness/observe/read_answer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace splitproof::observe::read_answer_test {
namespace {

Part part_of(PartKind kind, std::string text) {
  Part part;
  part.kind = kind;
  part.text = std::move(text);
  return part;
}

TEST(ReadAnswer, AbsentAndNullMembersAreEmpty) {
  const auto answer = read_answer(R"({"text":"Ebb","stop":"STOP","calls":null,"usage":{"output":5}})");
  ASSERT_TRUE(answer) << answer.error();
  EXPECT_EQ(answer->text, "Ebb");
  EXPECT_EQ(answer->stop, "stop");
  EXPECT_EQ(answer->thinking, "");
  EXPECT_TRUE(answer->calls.empty());
  EXPECT_FALSE(answer->input);
  EXPECT_EQ(answer->output, 5u);
  EXPECT_FALSE(answer->error);
  EXPECT_EQ(read_answer(R"({"error":""})")->error, "");
}

TEST(ReadAnswer, LoneSurrogateBecomesReplacementAndPairIsOneCharacter) {
  EXPECT_EQ(read_answer(R"({"text":"\ud83d"})")->text, "\xEF\xBF\xBD");
  EXPECT_EQ(read_answer(R"({"text":"\ud83c\udf0a"})")->text, "\xF0\x9F\x8C\x8A");
}

TEST(ReadAnswer, NamesTheWrongMember) {
  const auto wrong = [](std::string_view json) { return read_answer(json).error(); };
  EXPECT_EQ(wrong("[]"), "`answer` is not an object");
  EXPECT_EQ(wrong(R"({"txt":""})"), "`answer` has an unknown member `txt`");
  EXPECT_EQ(wrong(R"({"text":7})"), "`text` is not a string");
  EXPECT_EQ(wrong(R"({"calls":{}})"), "`calls` is not a list");
  EXPECT_EQ(wrong(R"({"calls":[{"input":""}]})"), "`a call` has an unknown member `input`");
  EXPECT_EQ(wrong(R"({"calls":[{"arguments":{}}]})"), "`arguments` is not a string in a call");
  EXPECT_EQ(wrong(R"({"usage":{"input":1.5}})"), "`input` of the usage is not a whole number");
  EXPECT_EQ(wrong(R"({"usage":{"input":-1}})"), "`input` of the usage is not a whole number");
}

TEST(ReadAnswer, LinesAreReadBack) {
  ReadAnswer answer;
  answer.text = "Ebb\n\xC3\xB6";
  answer.calls = {{"call_1", "tide", R"({"port":"Cove"})"}};
  answer.input = 17;
  answer.error = "terminated";
  answer.unreported = {"thinking", "usage"};
  const std::string lines = line_of_told(3) + line_of_told(4) + line_of(answer);
  EXPECT_EQ(reported_answer(lines), answer);
  EXPECT_EQ(answer_line(lines), line_of(answer));
  EXPECT_EQ(told_in(lines), 4u);
  EXPECT_EQ(told_in(line_of(answer)), std::nullopt);
  EXPECT_EQ(reported_answer(line_of_told(3)), std::nullopt);
  for (const char* none : {"", "\n", "{", "{\"answer\":7}\n"}) EXPECT_FALSE(reported_answer(none)) << none;
}

TEST(DemandedAnswer, SeparatesThinkingAndLeavesOutRefusals) {
  Answer meaning;
  meaning.parts = {part_of(PartKind::thinking, "Nine?"), part_of(PartKind::text, "At "),
                   part_of(PartKind::refusal, "No."), part_of(PartKind::text, "nine.")};
  const DemandedAnswer demanded = demanded_answer(meaning);
  EXPECT_EQ(demanded.answer.text, "At nine.");
  EXPECT_EQ(demanded.answer.thinking, "Nine?");
  EXPECT_EQ(demanded.prose, "Nine?At nine.");
}

TEST(DemandedAnswer, ArgumentsAreComparedAsValues) {
  EXPECT_TRUE(are_equal_arguments(R"({"a":1,"b":[2]})", R"({ "b" : [2], "a" : 1.0 })"));
  EXPECT_TRUE(are_equal_arguments("", "{}"));
  EXPECT_TRUE(are_equal_arguments("ls -l", "ls -l"));
  EXPECT_TRUE(are_equal_arguments("[9007199254740993,1e3]", "[9007199254740992,1000]"));
  EXPECT_TRUE(are_equal_arguments(R"(["\ud83c tide"])", "[\"\xEF\xBF\xBD tide\"]"));
  EXPECT_TRUE(are_equal_arguments(R"({"a":1,"a":2})", R"({"a":2})"));
  EXPECT_FALSE(are_equal_arguments("{\"a\":1}", "{\"a\":2}"));
  EXPECT_FALSE(are_equal_arguments("{\"a\":1}", "{\"a\":1,\"b\":1}"));
  EXPECT_FALSE(are_equal_arguments("{\"a\":", ""));
}

}  // namespace
}  // namespace splitproof::observe::read_answer_test
