// Text of a violation: the words of its clause, with placeholders for values of the stream.

#include "harness/contract/wording.hpp"

#include <gtest/gtest.h>

#include "harness/contract/judge.hpp"
#include "tests/harness/contract/small_trace.hpp"

namespace splitproof::contract::wording_test {
namespace {

std::string contract_with(const std::string& rule) {
  return "contract: x.downstream\nversion: 1\nevents: {a: {/t: a}, b: {/t: b}, end: {/t: end}}\n"
         "obligations:\n  - id: X-1\n    level: must\n    says: The rule.\n" +
         rule;
}

Judged judge_rule(const std::string& rule, const char* events) {
  const auto contracts = load_text(contract_with(rule));
  if (!contracts) {
    ADD_FAILURE() << describe(contracts.error());
    return {};
  }
  return judge(*contracts, "x", {}, small_trace(events), {}).front();
}

std::string found(const std::string& rule, const char* events) { return judge_rule(rule, events).found; }

std::string mistake(const std::string& rule) {
  const auto contracts = load_text(contract_with(rule));
  return contracts ? "" : contracts.error().what;
}

TEST(Wording, TextsAboutMeaningsFillHoles) {
  const auto expected = json_document(R"({"error":true})");
  const auto got = json_document(R"({"error":false})");
  const auto words = json_document(R"({"failure":"failed: it broke","client":"no error"})");
  Context context;
  context.expected = expected.get();
  context.got = got.get();
  const auto said = [&](const std::string& sentence) {
    const auto contracts = load_text(
        contract_with("    equal: [got./error, expected./error]\n    message: \"" + sentence + "\"\n"));
    return contracts ? judge(*contracts, "x", {}, small_trace("a"), context).front().found
                     : contracts.error().what;
  };
  const char* plain = "got./error is false, but expected./error is true";
  EXPECT_EQ(said("it {words./failure}"), plain) << "there are no words";
  context.words = words.get();
  EXPECT_EQ(said("it {words./failure}, the client gets {words./client}"),
            "it failed: it broke, the client gets no error");
  EXPECT_EQ(said("it {words./nothing}"), plain) << "there is no such member";
}

// An answer has its texts in one of three members.
TEST(Wording, TextUnderAnotherMemberIsNamed) {
  const auto expected = json_document(R"({"text":"","refusal":"I cannot."})");
  const auto got = json_document(R"({"text":"I cannot.","refusal":""})");
  Context context;
  context.expected = expected.get();
  context.got = got.get();
  const auto said = [&](const std::string& member) {
    const auto contracts = load_text(contract_with("    equal: [got./" + member + ", expected./" + member +
                                                   "]\n    message: \"{found}, not {wanted}\"\n"));
    return judge(*contracts, "x", {}, small_trace("a"), context).front().found;
  };
  EXPECT_EQ(said("text"), "\"I cannot.\", not \"\"; this text is under refusal of the upstream's answer");
  EXPECT_EQ(said("refusal"), "\"\", not \"I cannot.\"; this text is under text of the client's message");
}

// A number is not a text fragment, so the placeholders have no values.
TEST(Wording, WithoutValuesTheRuleSpeaksForItself) {
  const std::string rule =
      "    each: b\n    equal: [/t, \"joined(a, /k)\"]\n    message: \"it is {found}, not {wanted}\"\n";
  EXPECT_EQ(found(rule, "a1 b"), "/k is not a string");
}

// {"t": TYPE, "k": KEY, "s": TEXT}
std::string event(const char* type, int key, const char* text) {
  return std::string("x|{\"t\":\"") + type + "\",\"k\":" + std::to_string(key) + ",\"s\":\"" + text + "\"}\n";
}

TEST(Wording, MissingTextIsNamedWhereItIs) {
  const std::string rule =
      "    per: /k\n    each: b\n    equal: [/s, \"joined(a, /s)\"]\n    message: \"{found}, not {wanted}\"\n";
  EXPECT_EQ(found(rule, (event("a", 1, "one") + event("b", 2, "one")).c_str()),
            "\"one\", not \"\"; this text is under /k 1");
  EXPECT_EQ(
      found(rule,
            (event("a", 1, "o") + event("a", 2, "n") + event("a", 3, "e") + event("b", 3, "one")).c_str()),
      "\"one\", not \"e\"; this text is under /k 1; /k 2; /k 3");
  EXPECT_EQ(found(rule, (event("a", 1, "o") + event("a", 3, "x") + event("b", 3, "one")).c_str()),
            "\"one\", not \"x\"")
      << "a part of the text alone proves nothing";
  const std::string whole =
      "    each: b\n    equal: [/s, \"joined(a, /s)\"]\n    message: \"{found}, not {wanted}\"\n";
  EXPECT_EQ(found(whole, (event("a", 1, "x") + event("b", 2, "one")).c_str()), "\"one\", not \"x\"");
}

TEST(Wording, ValuesOfTheEventThatBreaksTheRuleAndOfTheOther) {
  const std::string rule =
      "    never: a a\n    among: [b]\n    message: \"{/k} of {/t} after {first/k}, {first}\"\n";
  EXPECT_EQ(found(rule, "a1 b a2 b a3 a4"),
            "4 of \"a\" after 3, event 4 (\"{\\\"k\\\":3,\\\"t\\\":\\\"a\\\"}\", line 13)");
}

TEST(Wording, TheShortestMatchNamesTheOtherEvent) {
  const std::string rule = "    never: a b* a\n    message: \"{first/k}\"\n";
  EXPECT_EQ(found(rule, "b1 a2 b3 b4 a5"), "2");
  const std::string wild = "    never: a any* end\n    message: \"{first/k}\"\n";
  EXPECT_EQ(found(wild, "a1 b2 a3 b4 end"), "3") << "the latest at which the match can begin";
}

TEST(Wording, AMatchThatBeginsBeforeTheFirstEventHasNoOther) {
  const std::string rule = "    never: ^ b\n    among: [a]\n    message: \"b after {first}\"\n";
  EXPECT_EQ(found(rule, "b1"), "b after the beginning of the stream");
}

TEST(Wording, TheOtherEventIsOfTheSameSlice) {
  const std::string rule = "    per: /k\n    never: a a\n    message: \"{key}: {first}\"\n";
  const Judged judged =
      judge_rule(rule, "x|{\"t\":\"a\",\"k\":7}\ny|{\"t\":\"a\",\"k\":8}\nz|{\"t\":\"a\",\"k\":7}");
  EXPECT_EQ(judged.found, "7: event 0 (x, line 1)");
  EXPECT_EQ(judged.message, "7: event 0 (x, line 1), at event 2 (z, line 7), bytes 200-290");
}

TEST(Wording, AnEndIsToldInItsOwnWords) {
  const std::string rule =
      "    per: /k\n    finally: a b\n"
      "    message: {event: \"{/t} after {first/t}\", end: \"{key} has no b since {first/t}\"}\n";
  EXPECT_EQ(found(rule, "a1 a1"), "\"a\" after \"a\"");
  EXPECT_EQ(found(rule, "a1 b1 a2"), "2 has no b since \"a\"");
}

TEST(Wording, OrdersNameTheEventTheyCompareWith) {
  EXPECT_EQ(found("    each: a\n    unique: /k\n    message: \"{found} stood in {first/k}\"\n", "a1 a2 a1"),
            "1 stood in 1");
  EXPECT_EQ(
      found("    each: a\n    increasing: /k\n    message: \"{found}, {wanted}, {first/t}\"\n", "a4 b a3"),
      "3, more than 4, \"a\"");
  EXPECT_EQ(found("    each: a\n    constant: /k\n    message: \"{found} but {first/k}\"\n", "a4 a4 a3"),
            "3 but 4");
}

TEST(Wording, FieldsTellWhatWasFoundAndWanted) {
  EXPECT_EQ(
      found("    each: a\n    where: {/k: {type: string}}\n    message: \"{found} instead of {wanted}\"\n",
            "a4"),
      "4 instead of a string");
  EXPECT_EQ(found("    each: a\n    where: {/t: a, /k: 1}\n    message: \"{field} is {found}\"\n", "a4"),
            "/k is 4");
  EXPECT_EQ(found("    each: a\n    numbered: /k\n    message: \"{field} is {found}\"\n", "a4"), "/k is 4");
  EXPECT_EQ(found("    each: a\n    equal: [/k, /t]\n    message: \"{found} or {wanted}\"\n", "a4"),
            "4 or \"a\"");
}

TEST(Wording, BracesAreDoubled) {
  EXPECT_EQ(found("    never: a\n    message: \"{{}} {/k}\"\n", "a1"), "{} 1");
}

TEST(Wording, WithoutWordsTheFormSpeaks) {
  EXPECT_EQ(found("    never: a b\n", "x|{\"t\":\"a\"}\ny|{\"t\":\"b\"}"),
            "y must not occur here, after event 0 (x, line 1)");
  EXPECT_EQ(found("    finally: a b\n", "x|{\"t\":\"a\"}"), "the stream ended before a required event");
}

// Keep-alives move later events, but the violation stays the same.
TEST(Wording, AViolationIsTheSameAtAnotherPlace) {
  const std::string rule = "    never: a a\n    among: [b]\n    message: \"{first}\"\n";
  EXPECT_EQ(judge_rule(rule, "a1 a1").violation, judge_rule(rule, "end end a1 a1").violation);
  const std::string fields = "    each: a\n    where: {/k: 1}\n";
  EXPECT_EQ(judge_rule(fields, "a2").violation, judge_rule(fields, "end a2").violation);
  EXPECT_NE(judge_rule(fields, "a2").violation, judge_rule(fields, "a3").violation);
}

TEST(Wording, OldKeyOfTheMessageIsRead) {
  const std::string rule = "    each: a\n    where: {/k: 1}\n";
  const std::string message = "\"{field} is {found}\"\n";
  EXPECT_EQ(found(rule + "    tells: " + message, "a2"), "/k is 2");
  EXPECT_EQ(found(rule + "    tells: " + message, "a2"), found(rule + "    message: " + message, "a2"));
  EXPECT_EQ(mistake(rule + "    tells: " + message + "    message: " + message),
            "'tells' is the old name of 'message', and the rule has both");
}

TEST(Wording, MistakesAreToldWhenTheContractIsRead) {
  const char* never = "    never: a a\n";
  for (const auto& [rule, tells, what] : std::initializer_list<std::array<std::string, 3>>{
           {never, "\"{nothing}\"", "there is no placeholder '{nothing}'"},
           {never, "\"{}\"", "there is no placeholder '{}'"},
           {never, "\"{/k\"", "in '{/k' a '{' has no closing brace"},
           {never, "\"k}\"", "in 'k}' a '}' has no opening brace"},
           {never, "\"{key}\"", "'{key}' needs the key of a slice, and the rule has no 'per'"},
           {never, "\"{found}\"", "'{found}' is only for rules on fields or joined text"},
           {"    each: a\n    equal: [/k, /t]\n", "\"{field}\"",
            "'{field}' needs a field, which only 'each' with 'where' or an order reads"},
           {never, "\"{words./text}\"", "'{words./text}' is only for rules that compare meanings"},
           {never, "{end: x}", "only a rule of the form 'finally' can be violated by the end of the stream"},
           {"    each: a\n    where: {/k: 1}\n", "\"{first}\"",
            "'{first}' needs another event, and this form of rule reads only one"},
           {"    finally: a\n", "\"{/k}\"",
            "'{/k}' needs a value of an event, and the end of the stream has none"},
       }) {
    SCOPED_TRACE(tells);
    EXPECT_EQ(mistake(rule + "    message: " + tells + "\n"), what);
  }
}

}  // namespace
}  // namespace splitproof::contract::wording_test
