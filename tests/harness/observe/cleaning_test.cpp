#include "harness/observe/cleaning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/read_file.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::cleaning_test {
namespace {

using nlohmann::json;

// Returns the functions declared for the rows of tests/harness/observe/leaked_markup.jsonl.
DeclaredFunctions functions_of_rows() {
  const json schema = {{"properties",
                        {{"n", {{"type", "integer"}}},
                         {"x", {{"type", "number"}}},
                         {"b", {{"type", "boolean"}}},
                         {"z", {{"type", "null"}}},
                         {"o", {{"type", "object"}}},
                         {"l", {{"type", "array"}}},
                         {"s", {{"type", "string"}}},
                         {"either", {{"type", {"integer", "null"}}}}}}};
  return {{"read_tide", declared_function(&schema)}, {"read", {}}, {"list", {}}, {"mcp__sea.chart:v1", {}}};
}

// Returns parts in the form of a row: a text is itself, a call is ["name","arguments"].
json written(const std::vector<Part>& parts) {
  json list = json::array();
  for (const Part& part : parts) {
    list.push_back(part.kind == PartKind::call ? json{part.name, part.arguments} : json(part.text));
  }
  return list;
}

struct Row {
  std::string of;  // its topic
  std::string text;
  json parts;
};

std::vector<Row> rows() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  const auto file = read_file(std::string(root) + "/tests/harness/observe/leaked_markup.jsonl");
  std::vector<Row> rows;
  for (std::size_t at = 0; file && at < file->size();) {
    const std::size_t end = std::min(file->find('\n', at), file->size());
    const json row = json::parse(file->substr(at, end - at));
    rows.push_back({row["of"], row["text"], row["parts"]});
    at = end + 1;
  }
  return rows;
}

TEST(Cleaning, MakesCallsOfTextAsTheTableHasThem) {
  const DeclaredFunctions functions = functions_of_rows();
  std::size_t calls = 0;
  for (const Row& row : rows()) {
    const json parts = written(cleaned(row.text, functions));
    EXPECT_EQ(parts, row.parts) << row.of << "\n" << row.text;
    for (const json& part : row.parts) calls += part.is_array() ? 1 : 0;
  }
  std::printf("%zu rows, %zu calls\n", rows().size(), calls);
  EXPECT_GT(rows().size(), 360u);
}

TEST(Cleaning, LeavesAllTextWhereNothingIsDeclared) {
  for (const Row& row : rows()) {
    const json all = row.text.empty() ? json::array() : json{row.text};
    EXPECT_EQ(written(cleaned(row.text, {})), all) << row.of;
  }
}

// Returns how many bytes are certainly text.
std::size_t prose_of(const Cleaning& cleaning) {
  std::size_t prose = cleaning.behind().size();
  for (const Cleaning::Call& call : cleaning.calls()) prose += call.before.size();
  return prose;
}

// Certain calls and text never change, and at the end everything is certain.
TEST(Cleaning, WhatIsDecidedStays) {
  const DeclaredFunctions functions = functions_of_rows();
  for (const Row& row : rows()) {
    Cleaning whole;
    whole.read(row.text, functions, true);
    Cleaning grows;
    for (std::size_t length = 0; length <= row.text.size(); ++length) {
      const std::string begun = row.text.substr(0, length);
      grows.read(begun, functions, false);
      Cleaning anew;
      anew.read(begun, functions, false);
      ASSERT_EQ(prose_of(grows), prose_of(anew)) << row.of << " after " << length;
      ASSERT_EQ(grows.undecided(), anew.undecided()) << row.of << " after " << length;
      ASSERT_EQ(grows.calls(), anew.calls()) << row.of << " after " << length;
      ASSERT_LE(grows.calls().size(), whole.calls().size()) << row.of << " after " << length;
      for (std::size_t i = 0; i < grows.calls().size(); ++i)
        ASSERT_EQ(grows.calls()[i], whole.calls()[i]) << row.of << " after " << length;
      ASSERT_LE(prose_of(grows), prose_of(whole)) << row.of << " after " << length;
    }
    grows.read(row.text, functions, true);
    EXPECT_EQ(written(grows.parts(row.text)), row.parts) << row.of;
    std::size_t prose = 0;
    for (const Part& part : whole.parts(row.text)) prose += part.text.size();
    EXPECT_EQ(prose_of(grows), prose) << row.of;
  }
}

struct Tail {
  std::string text;
  std::size_t undecided;
};

TEST(Cleaning, OnlyWhatMayBecomeACallMayWait) {
  const DeclaredFunctions functions = functions_of_rows();
  const std::string invoke = "<invoke name=\"read\">";
  const std::vector<Tail> tails = {
      {"", 0},
      {"plain", 0},
      {"a <", 1},
      {"a < b", 0},
      {"a <inv", 4},
      {"a <inx", 0},
      {"a <invoke name=\"re", 16},
      {"a <invoke name=\"rex", 0},
      {"a <invoke name=\"other\">", 0},
      {"a " + invoke, invoke.size()},
      {"a " + invoke + " ", invoke.size() + 1},
      {"a " + invoke + " a", 0},
      {"a " + invoke + " <", invoke.size() + 2},
      {"a " + invoke + "</inv", invoke.size() + 5},
      {"a " + invoke + "</inx", 0},
      {"a " + invoke + "<parameter name=\"", invoke.size() + 17},
      {"a " + invoke + "<parameter name=\"\"", 0},
      {"a " + invoke + "<parameter name=\"a", invoke.size() + 18},
      {"a " + invoke + "<parameter name=\"a>", 0},
      {"a " + invoke + "<parameter name=\"a\"", invoke.size() + 19},
      {"a " + invoke + "<parameter name=\"a\" ", 0},
      {"a " + invoke + "<parameter=a", 0},
      {"a " + invoke + "<parameter name=\"a\"></parameter><parameter name=\"a\"", invoke.size() + 51},
      {"a " + invoke + "<parameter name=\"a\"></parameter><parameter name=\"a\">", 0},
      {"a " + invoke + " <invo", 5},
      {"a " + invoke + " and more</invoke>", 0},
      {"a " + invoke + "<parameter name=\"k\">x</invoke>", invoke.size() + 30},
      {"a " + invoke + "<parameter name=\"k\"></invoke></parameter>", invoke.size() + 41},
      {"a " + invoke + "<parameter name=\"k\"></invoke></parameter>x", 0},
      {"a " + invoke + "<parameter name=\"k\"></parameter>x</invoke>", 0},
      {"a " + invoke + "</invoke>", 0},
      {"a " + invoke + "</invoke>\n \n", 0 + 3},
      {"a " + invoke + "</invoke>\n \nb", 0},
      {"a <function_calls>", 16},
      {"a <function_calls>\n", 17},
      {"a <function_calls>\nb", 0},
      {"a <function_calls>" + invoke + "</invoke></func", 6},
      {"a " + invoke + "</invoke></func", 0},
      {"a <tool_call>", 11},
      {"a <tool_call>re", 13},
      {"a <tool_call>rx", 0},
      {"a <tool_call>{\"id\":", 17},
      {"a <tool_call>{\"x\":", 0},
      {"a <tool_call>read", 15},
      {"a <tool_call>read\n", 16},
      {"a <tool_call>read\n<arg_key>k</arg_key>", 36},
      {"a <tool_call>read\n<arg_key>k</arg_key> <arg_value>x <", 51},
      {"a <tool_call>read\n<arg_key>k</arg_key>x", 0},
      {"a <tool_call>read x", 0},
      {"a <tool_call>{\"name\":\"read\",\"input\":{}}", 37},
      {"a <tool_call>{\"name\":\"read\",\"input\":{}}\n</", 40},
      {"a <tool_call>{\"name\":\"read\",\"input\":{}} x", 0},
      {"a <tool_call>{\"name\":\"read\"}", 0},
      {"a <tool_call>{\"name\":\"other\",\"input\":{}}", 0},
      {"a <tool_call>{x", 0},
      {"a <tool_call>{x}</tool_call>", 0},
      {"a <function=read_tide", 19},
      {"a <function=read_tide>\n<par", 25},
      {"a <function=read> {\"a", 19},
      {"a <function=read> {a", 0},
      {"a <function=read>{}", 17},
      {"a <function=read>{} <", 19},
      {"a <function=read>{}x", 0},
      {"a <function=read>{\"a\":1,\"a\":2}", 0},
      {"a <function=read>x", 0},
      {"a: <inv", 0},
      {"a: " + invoke, 0},
      {"a:\n<inv", 4},
      {"a: " + invoke + "</invoke><inv", 4},
      {"> <inv", 0},
      {"> \n<inv", 4},
      {"<tool_result><inv", 0},
      {"<tool_result>\n  ", 0},
      {"<tool_result></tool_result><inv", 4},
      {"<tool_resul", 0},
      {"~", 0},
      {"~~~", 0},
      {"~~~\n<inv", 0},
      {"~~~\n~~~\n<inv", 4},
      {"~~~\n{", 0},
      {"``<inv", 0},
      {"``` ` <inv", 0},
      {"a ``b`` <inv", 4},
      {"`a <inv", 0},
      {"`a` <inv", 4},
      {"  ", 2},
      {"a\n \t", 2},
      {"a  ", 0},
      {"{\"name\":\"read\",", 15},
      {"{\"nome\":\"read\",", 0},
      {"{\"name\" \"", 0},
      {"a {\"name\"", 0},
      {"so: \n{\"name\"", 0},
      {"so,\n{\"name\"", 0},
      {"[\n{\"name\"", 0},
      {"<tool_call>\nx\n{\"name\"", 0},
      {"<tool_call>\nx</tool_call>\n{\"name\"", 7},
      {"> {\"name\"", 0},
      {"{\"name\":\"read\",\"arguments\":{}}", 30},
      {"{\"name\":\"read\",\"arguments\":{}} ", 31},
      {"{\"name\":\"read\",\"arguments\":{}} x", 0},
      {"{\"name\":\"other\",\"arguments\":{}}", 0},
      {"{\"name\":\"read\",\"arguments\":{}}\n", 1},
      {"a\n``", 2},
      {"a\n```js", 5},
      {"a\n```js on", 0},
      {"a\n```js\n", 6},
      {"a\n```js\nx", 0},
      {"a\n```js\nx\n``", 0},
      {"a\n```\n{\"id\":", 10},
      {"a\n```\n{\"ix\":", 0},
      {"```\n{\"name\":\"read\",\"arguments\":{}}\n```", 38},
      {"```\n{\"name\":\"read\",\"arguments\":{}}\n```x", 0},
      {"```\n{\"name\":\"read\",\"arguments\":{}}\n```\n", 1},
      {"so:\n```js\n", 0},
      {"so:\n``", 0},
      {"so:\n```", 0},
      {"<tool_call>\nx\n```", 0},
      {"<|tool_call_begin|>functions.re", 31},
      {"<|tool_call_begin|>functions.rx", 0},
      {"<|tool_call_begin|>functions.read:1", 35},
      {"<|tool_call_begin|>functions.read:x", 0},
      {"<|tool_call_begin|>functions.read:1<|tool_call_arg", 50},
      {"<|tool_call_begin|>functions.read:1 ", 0},
      {"<|tool_call_begin|>functions.read:1<|tool_call_argument_begin|>", 63},
      {"<|tool_call_begin|>functions.read:1<|tool_call_argument_begin|>{", 64},
      {"<|tool_call_begin|>functions.read:1<|tool_call_argument_begin|>[", 0},
      {"<|tool_call_begin|>functions.read:1<|tool_call_argument_begin|>{} x", 0},
  };
  for (const Tail& tail : tails) {
    Cleaning cleaning;
    cleaning.read(tail.text, functions, false);
    EXPECT_EQ(cleaning.undecided(), tail.undecided) << tail.text;
  }
}

TEST(Cleaning, ACallHasAtMostSoManyBytes) {
  const DeclaredFunctions functions = {{"f", {}}};
  const auto of_size = [](std::size_t size) {
    const std::string begin = "<function=f>\n<parameter=k>";
    const std::string end = "</parameter></function>";
    return begin + std::string(size - begin.size() - end.size(), 'x') + end;
  };
  EXPECT_EQ(cleaned(of_size(kMostCallBytes), functions).front().kind, PartKind::call);
  EXPECT_EQ(cleaned("<tool_call>\n" + of_size(kMostCallBytes) + "\n</tool_call>", functions).size(), 1u);
  EXPECT_EQ(cleaned(of_size(kMostCallBytes + 1), functions).front().text, of_size(kMostCallBytes + 1));
  const auto json_of_size = [](std::size_t size) {
    const std::string begin = "{\"name\":\"f\",\"arguments\":{\"k\":\"";
    return begin + std::string(size - begin.size() - 3, 'x') + "\"}}";
  };
  EXPECT_EQ(cleaned("  " + json_of_size(kMostCallBytes) + " ", functions).front().kind, PartKind::call);
  EXPECT_EQ(cleaned(json_of_size(kMostCallBytes + 1), functions).size(), 1u);
  EXPECT_EQ(cleaned(json_of_size(kMostCallBytes + 1), functions).front().kind, PartKind::text);
  const std::string block = "```json\n" + json_of_size(kMostCallBytes - 12) + "\n```";
  EXPECT_EQ(block.size(), kMostCallBytes);
  EXPECT_EQ(cleaned(" " + block + "  \n", functions).front().kind, PartKind::call);
  EXPECT_EQ(cleaned("`" + block + "`", functions).front().kind, PartKind::text);
  Cleaning cleaning;
  cleaning.read(of_size(kMostCallBytes + 9).substr(0, kMostCallBytes - 1), functions, false);
  EXPECT_EQ(cleaning.undecided(), kMostCallBytes - 1);
  cleaning.read(of_size(kMostCallBytes + 9).substr(0, kMostCallBytes), functions, false);
  EXPECT_EQ(cleaning.undecided(), 0u);
}

TEST(Cleaning, WhiteSpaceHasAtMostSoManyBytes) {
  const DeclaredFunctions functions = {{"f", {}}};
  const std::string call = "<invoke name=\"f\"></invoke>";
  const std::string most(kMostSpaceBytes, ' ');
  const auto count = [&](const std::string& text) { return cleaned(text, functions).size(); };
  EXPECT_EQ(count(call + most), 1u);
  EXPECT_EQ(count(call + most + ' '), 2u);
  EXPECT_EQ(count(call + most + call), 2u);
  EXPECT_EQ(count(call + most + ' ' + call), 3u);
  EXPECT_EQ(count("<function_calls>" + most + call + most + "</function_calls>"), 1u);
  EXPECT_EQ(count("<function_calls>" + most + ' ' + call), 2u);
  EXPECT_EQ(count("<function_calls>" + call + most + " </function_calls>"), 2u);
  EXPECT_EQ(count(most + "{\"name\":\"f\",\"input\":{}}" + most), 1u);
  EXPECT_EQ(cleaned(most + " {\"name\":\"f\",\"input\":{}}", functions).front().kind, PartKind::text);
  EXPECT_EQ(cleaned("{\"name\":\"f\",\"input\":{}} " + most, functions).front().kind, PartKind::text);
}

// Texts of 64 KiB that make a reader go back repeatedly. Quadratic reading takes minutes here, which exceeds the test's
// time limit.
TEST(Cleaning, HostileTextsAreReadQuickly) {
  const DeclaredFunctions functions = {{"f", {}}};
  std::string chain;
  for (int i = 0; chain.size() < 2000; ++i)
    chain += "</parameter><parameter name=\"k" + std::to_string(i) + "\">v";
  for (const std::string& unit :
       {std::string("<invoke name=\"f\"><parameter name=\"a\">"), std::string("<tool_call>{"),
        std::string("{\"id\":\n"), std::string("{\"name\":\"f\",\"arguments\":\n"), std::string("[\n{"),
        std::string("```\n{\n"), std::string("<function=f>{\"a\":\""), std::string("<"),
        std::string("<function_calls>"), std::string(" "), std::string("\n ```\n"), std::string("`"),
        std::string("<tool_call>f<arg_key>"), std::string("{\"id\":[\n"),
        "<invoke name=\"f\"><parameter name=\"a\">" + chain,
        chain + "<invoke name=\"f\"><parameter name=\"a\">"}) {
    std::string text;
    while (text.size() < (kSanitized ? 16384 : 65536)) text += unit;
    for (const char* end : {"", "}", "</parameter></invoke>"}) {
      const std::vector<Part> parts = cleaned(text + end, functions);
      EXPECT_FALSE(parts.empty());
    }
  }
  // Nested to the maximum, and closed: valid JSON, but not a call.
  std::string open, close;
  for (int i = 0; i < 8000; ++i) {
    open += "{\"id\":\n";
    close += "}";
  }
  EXPECT_EQ(cleaned(open + "1" + close, functions).size(), 1u);
}

}  // namespace
}  // namespace splitproof::observe::cleaning_test
