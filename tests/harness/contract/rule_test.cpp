#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/contract/json_value.hpp"
#include "harness/contract/judge.hpp"
#include "harness/utf8.hpp"
#include "tests/harness/contract/small_trace.hpp"

namespace splitproof::contract::rule_test {
namespace {

constexpr std::string_view kClasses = R"(contract: test.downstream
version: 1
ends: {success: [done], error: [fail]}
explode: {choice: /choices/*, call: /choices/*/calls/*}
events:
  a: {/t: a}
  b: {/t: b}
  c: {/t: c}
  ab: {/t: [a, b]}
  fail: {/t: fail}
  done: {"@data": "[DONE]"}
  later: {is: sooner, /k: {min: 1}}
  sooner: {/t: a}
  empty: {"": {is: {}}}
  afterwards: {/t: a, "@ended": error}
  finish: {is: choice, /reason: {not: null}}
  broken: {"@fault": {not: null}}
obligations:
  - id: R
    level: must
    says: The rule.
)";

constexpr std::size_t kEnd = static_cast<std::size_t>(-1);

struct Case {
  const char* rule;
  const char* trace;
  Verdict verdict;
  std::size_t event = 0;  ///< of a violation; kEnd for the end of the stream
};

Judged judge_rule(const std::string& rule, const observe::Trace& trace, const Context& evidence = {}) {
  const auto contracts = load_text(std::string(kClasses) + rule);
  if (!contracts) {
    ADD_FAILURE() << describe(contracts.error());
    return {};
  }
  Judged judged = judge(*contracts, "test", {"default", {{"overlap", "sequential"}}}, trace, evidence).at(0);
  judged.obligation = nullptr;  // it belongs to `contracts`
  return judged;
}

void check(const std::vector<Case>& cases, const Context& evidence = {}) {
  for (const Case& one : cases) {
    SCOPED_TRACE(fmt::format("{} on {}", one.rule, one.trace));
    const Judged judged =
        judge_rule(fmt::format("    clauses: [{{{}}}]\n", one.rule), small_trace(one.trace), evidence);
    EXPECT_EQ(name(judged.verdict), name(one.verdict)) << judged.reason << judged.message;
    if (one.verdict != Verdict::violated) continue;
    EXPECT_EQ(judged.event.value_or(kEnd), one.event) << judged.message;
  }
}

constexpr Verdict kMet = Verdict::met;
constexpr Verdict kViolated = Verdict::violated;
constexpr Verdict kNotExercised = Verdict::not_exercised;
constexpr Verdict kNotJudged = Verdict::not_judged;

TEST(Rule, Never) {
  check({
      {"never: a a", "a b c", kMet},
      {"never: a a", "b a c c a", kViolated, 4},
      {"never: a a", "b c", kNotExercised},
      {"never: a any", "b b a", kMet},
      {"never: a any", "b a\nx|!broken-json", kViolated, 2},
      {"never: \"a any a\", among: [c]", "a b a", kMet},
      {"never: \"a any a\", among: [c]", "a b c a", kViolated, 3},
      {"never: \"^ not(a fail)\"", "a b", kMet},
      {"never: \"^ not(a fail)\"", "b a", kViolated, 0},
      {"never: \"^ b\", among: [a]", "c a b", kMet},
      {"never: \"^ b\", among: [a]", "c b a", kViolated, 1},
      {"never: \"(^ b | c) a\"", "c c b a", kMet},
      {"never: \"(^ b | c) a\"", "b a", kViolated, 1},
      {"never: \"(^ b | c) a\"", "b c a", kViolated, 2},
      {"never: a (b c)+ a", "a b c b c a", kViolated, 5},
      {"never: \"a b? c* fail\"", "a a c c fail", kViolated, 4},
      {"never: ab a, per: /k", "a1 b2 a2", kViolated, 2},
      {"never: ab a, per: /k", "a1 b2 b a3", kMet},
      {"never: a c", "a b c", kViolated, 2},
      {"never: any any", "a", kMet},
      {"never: any any", "", kNotExercised},
      {"never: broken", "a\nx|!invalid-utf8", kViolated, 1},
  });
}

TEST(Rule, Finally) {
  check({
      {"finally: b", "a b", kMet},
      {"finally: b", "a", kViolated, kEnd},
      {"finally: b", "", kViolated, kEnd},
      {"finally: b", "b a b", kViolated, 2},
      {"finally: any* b", "a b a", kViolated, kEnd},
      {"finally: (a b)*", "c", kNotExercised},
      {"finally: (a b)*", "a b a", kViolated, kEnd},
      {"finally: \"^ a b\"", "a b", kMet},
      {"finally: a b, per: /k", "a1 a2 b2 b1", kMet},
      {"finally: a b, per: /k", "a1 a2 b2", kViolated, kEnd},
      {"finally: a b, per: /k", "c1", kNotExercised},
      {"finally: b, unless: {ended: [error, cut]}", "a fail", kNotExercised},
      {"finally: b, when: {ended: error}", "a fail", kViolated, kEnd},
      {"finally: \"done\"", "a\nx|[DONE]", kMet},
  });
}

TEST(Rule, EachWhere) {
  check({
      {"each: a, where: {/k: 1}", "b2 a1", kMet},
      {"each: a, where: {/k: 1}", "a1 a2", kViolated, 1},
      {"each: a, where: {/k: 1}", "a", kViolated, 0},
      {"each: a, where: {/k: {absent: true}}", "a", kMet},
      {"each: a, where: {/k: {not: 1}}", "a", kViolated, 0},
      {"each: a, where: {/k: {not: 1}}", "a2", kMet},
      {"each: a, where: {/k: [1, {absent: true}]}", "a a1", kMet},
      {"each: a, where: {/k: {is: [1, 2]}}", "{\"t\":\"a\",\"k\":[1,2]}", kMet},
      {"each: a, where: {/k: [1, 2]}", "{\"t\":\"a\",\"k\":[1,2]}", kViolated, 0},
      {"each: a, where: {/k: {type: integer, min: 2}}", "a2", kMet},
      {"each: a, where: {/k: {type: integer, min: 2}}", "a1", kViolated, 0},
      {"each: a, where: {/k: {type: integer}}", "{\"t\":\"a\",\"k\":1.5}", kViolated, 0},
      {"each: a, where: {/k: {min: 3}}", "{\"t\":\"a\",\"k\":\"\xC3\xA4\xC3\xB6\"}", kViolated, 0},
      {"each: a, where: {/k: {matches: \"x+\"}}", "{\"t\":\"a\",\"k\":\"xx\"}", kMet},
      {"each: a, where: {/k: {matches: \"x+\"}}", "{\"t\":\"a\",\"k\":\"xxy\"}", kViolated, 0},
      {"each: a, where: {/k: \"1\"}", "a1", kViolated, 0},
      {"each: a, where: {/k: ~}", "{\"t\":\"a\",\"k\":null}", kMet},
      {"each: any-event, where: {\"@fault\": null}", "a\nx|!unterminated-event", kViolated, 1},
      {"each: any-event, where: {\"@event\": [x, null]}", "x|{}\n{}", kMet},
      {"each: later, where: {/k: 1}", "a0 a1", kMet},
      {"each: empty, where: {\"@id\": \"\"}", "{}", kMet},
      {"each: a, where: {/a~1b/0: 1}", "{\"t\":\"a\",\"a/b\":[1]}", kMet},
      {"each: a, where: {/k/00: {absent: true}}", "{\"t\":\"a\",\"k\":[1]}", kMet},
      {"each: a, where: {/k/1: {absent: true}}", "{\"t\":\"a\",\"k\":[1]}", kMet},
      {"each: afterwards, where: {/k: 1}", "a2", kNotExercised},
      {"each: afterwards, where: {/k: 1}", "a2 fail", kViolated, 0},
  });
}

TEST(Rule, EachInOrder) {
  check({
      {"each: a, numbered: /k", "a0 b a1 a2", kMet},
      {"each: a, numbered: /k", "a0 a2", kViolated, 1},
      {"each: a, numbered: /k", "a0 a", kViolated, 1},
      {"each: a, numbered: /k, per: /t", "a0 a1", kMet},
      {"each: a, counted: /k", "a0 a1 a0 a a1 a2", kMet},
      {"each: a, counted: /k", "a1", kViolated, 0},
      {"each: a, counted: /k", "a0 a0 a2", kViolated, 2},
      {"each: a, counted: /t", "a", kViolated, 0},
      {"each: a, increasing: /k", "a1 a a4", kMet},
      {"each: a, increasing: /k", "a1 a1", kViolated, 1},
      {"each: a, increasing: /t", "a", kViolated, 0},
      {"each: a, nondecreasing: /k", "a1 a1 a2", kMet},
      {"each: a, nondecreasing: /k", "a1 a2 a1", kViolated, 2},
      {"each: a, constant: /k", "a1 a a1", kMet},
      {"each: a, constant: /k", "a1 a2", kViolated, 1},
      {"each: a, unique: /k", "a1 a a a2", kMet},
      {"each: a, unique: /k", "a1 a2 a1", kViolated, 2},
      {"each: c, unique: /k", "a1", kNotExercised},
  });
}

TEST(Rule, FirstFieldThatAnEventHasIsInOrder) {
  check({
      {"each: a, nondecreasing: [/x, /k]", R"({"t":"a","x":3}
a4
{"t":"a","x":4,"k":1})",
       kMet},
      {"each: a, nondecreasing: [/x, /k]", R"({"t":"a","x":3}
a2)",
       kViolated, 1},
  });
}

TEST(Rule, SumIsAtMost) {
  const char* rule = "each: a, sum: {of: [/x, /y], at_most: /k}";
  check({
      {rule, R"({"t":"a","x":2,"y":3,"k":5})", kMet},
      {rule, R"({"t":"a","x":2,"y":4,"k":5})", kViolated, 0},
      {rule, R"({"t":"a","x":5,"k":5})", kMet},
      {rule, R"({"t":"a","x":null,"y":6,"k":5})", kViolated, 0},
      {rule, R"({"t":"a","x":18446744073709551615,"y":6,"k":5})", kViolated, 0},
      {rule, R"({"t":"a","x":18446744073709551615,"y":6,"k":18446744073709551615})", kMet},
      {rule, R"({"t":"a","x":6,"y":6})", kNotExercised},
      {rule, R"({"t":"a","x":6,"y":"six","k":5})", kNotExercised},
      {rule, R"({"t":"a","x":-6,"k":-7})", kNotExercised},
      {rule, "a5", kNotExercised},
      {rule, "b", kNotExercised},
      {rule, "a5\n{\"t\":\"a\",\"x\":2,\"y\":4,\"k\":5}", kViolated, 1},
  });
}

TEST(Rule, SumIsAnotherField) {
  const char* rule = "each: a, sum: {of: [/x, /y], is: /k, or_with: /z}";
  check({
      {rule, R"({"t":"a","x":2,"y":3,"k":5})", kMet},
      {rule, R"({"t":"a","x":2,"y":3,"k":5,"z":1})", kMet},
      {rule, R"({"t":"a","x":2,"y":3,"k":6,"z":1})", kMet},
      {rule, R"({"t":"a","x":2,"y":3,"k":7,"z":1})", kViolated, 0},
      {rule, R"({"t":"a","x":2,"y":3,"k":6})", kViolated, 0},
      {rule, R"({"t":"a","x":2,"k":6})", kNotExercised},
      {rule, R"({"t":"a","x":2,"y":null,"k":6})", kNotExercised},
  });
}

TEST(Rule, Joined) {
  check({
      {"joined: [a, /s], json: object", "{\"t\":\"a\",\"s\":\"{\\\"x\\\":\"}\n{\"t\":\"a\",\"s\":\"[1]}\"}",
       kMet},
      {"joined: [a, /s], json: object", "{\"t\":\"a\",\"s\":\"{}\"}\n{\"t\":\"a\",\"s\":\"{}\"}\nb",
       kViolated, 1},
      {"joined: [a, /s], json: object", "{\"t\":\"a\",\"s\":\"[]\"}", kViolated, 0},
      {"joined: [a, /s], json: object", "{\"t\":\"a\",\"s\":\"\"}", kMet},
      {"joined: [a, /s], json: object", "{\"t\":\"a\",\"s\":null}\na", kViolated, 0},
      {"joined: [a, /s], json: object", "a", kMet},
      {"joined: [a, /s], json: object", "b", kNotExercised},
      {"joined: [a, /s], json: prefix", R"({"t":"a","s":" {\"x\":"}
{"t":"a","s":"[1"})",
       kMet},
      {"joined: [a, /s], json: prefix", R"({"t":"a","s":"{\"x\":1} "})", kMet},
      {"joined: [a, /s], json: prefix", R"({"t":"a","s":" "})", kMet},
      {"joined: [a, /s], json: prefix", R"({"t":"a","s":"{\"x\":}"})", kViolated, 0},
      {"joined: [a, /s], json: prefix", R"({"t":"a","s":"{}"}
{"t":"a","s":"{"})",
       kViolated, 1},
      {"joined: [a, /s], json: prefix", R"({"t":"a","s":"[1"})", kViolated, 0},
      {"joined: [a, /s], json: prefix", R"({"t":"a","s":7})", kViolated, 0},
      {"joined: [a, /s], forbidden: [\"x.z\", \"q\"]",
       "{\"t\":\"a\",\"s\":\"ax\"}\n{\"t\":\"a\",\"s\":\"yzb\"}", kViolated, 1},
      {"joined: [a, /s], forbidden: [\"x.z\"], per: /k",
       "{\"t\":\"a\",\"s\":\"xy\",\"k\":1}\n{\"t\":\"a\",\"s\":\"z\",\"k\":2}", kMet},
  });
}

TEST(Rule, EveryBeginningOfAnObjectIsAPrefix) {
  const std::string object = R"( {"a\u00e9": [1.5e3, {"b": null}, "}"], "c": -0, "d": [true, false]} )";
  for (std::size_t size = 0; size <= object.size(); ++size)
    EXPECT_TRUE(begins_json_object(object.substr(0, size))) << object.substr(0, size);
  for (const char* no : {"x", "[", "null", "\"a\"", "{]", "{1", "{\"a\" 1", "{\"a\":tu", "{}{", "{},"})
    EXPECT_FALSE(begins_json_object(no)) << no;
}

TEST(Rule, Equal) {
  const auto request = json_document(R"({"model": "m", "none": null})");
  const auto response = json_document(R"({"status": 200, "headers": {"Content-Type": "m"}})");
  const auto expected = json_document(R"({"text": "xy", "stop": "m"})");
  Context evidence;
  evidence.request = request.get();
  evidence.response = response.get();
  evidence.expected = expected.get();
  check(
      {
          {"each: a, equal: [\"@event\", /t]", "a|{\"t\":\"a\"}", kMet},
          {"each: a, equal: [\"@event\", /t]", "a", kViolated, 0},
          {"each: a, equal: [/x, /y]", "a", kMet},
          {"each: a, equal: [/x, request./none]", "a", kViolated, 0},
          {"each: a, equal: [/x, request./model]", "{\"t\":\"a\",\"x\":\"m\"}", kMet},
          {"each: a, equal: [/x, response./headers/content-type]", "{\"t\":\"a\",\"x\":\"m\"}", kMet},
          {"each: a, equal: [/k, response./status]", "a200", kMet},
          {"each: b, equal: [/s, \"joined(a, /s)\"], per: /k",
           "{\"t\":\"a\",\"s\":\"x\",\"k\":1}\n{\"t\":\"a\",\"s\":\"z\",\"k\":2}\n{\"t\":\"a\",\"s\":\"y\","
           "\"k\":1}\n"
           "{\"t\":\"b\",\"s\":\"xy\",\"k\":1}",
           kMet},
          {"each: b, equal: [/s, \"joined(a, /s)\"]", "{\"t\":\"a\",\"s\":\"x\"}\n{\"t\":\"b\",\"s\":\"y\"}",
           kViolated, 1},
          {"equal: [\"joined(a, /s)\", expected./text]",
           "{\"t\":\"a\",\"s\":\"x\"}\n{\"t\":\"a\",\"s\":\"y\"}", kMet},
          {"equal: [\"joined(a, /s)\", expected./text]", "{\"t\":\"a\",\"s\":\"x\"}\nb", kViolated, 0},
          {"equal: [\"joined(a, /s)\", expected./text]", "b", kViolated, kEnd},
          {"equal: [\"joined(a, /s)\", expected./text]", "{\"t\":\"a\",\"s\":1}", kViolated, 0},
          {"equal: [expected./stop, request./model]", "a", kMet},
          {"equal: [expected./nothing, request./nothing]", "a", kNotExercised},
          {"equal: [got./text, expected./text]", "a", kNotJudged},
          {"each: a, equal: [/x, got./text]", "a", kNotJudged},
          {"each: a, equal: [/x, got./text]", "b", kNotExercised},
      },
      evidence);
}

TEST(Rule, EqualShowsWhereLongValuesDiffer) {
  for (const char* character : {"x", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8C\x8A"}) {
    for (std::size_t same = 0; same < 120; ++same) {
      std::string common;
      for (std::size_t i = 0; i < same; ++i) common += character;
      const auto a = json_document("\"" + common + "A" + common + "\"");
      const auto b = json_document("\"" + common + "B\"");
      const auto [shown, other] = excerpts(a.get(), b.get());
      for (const std::string& text : {shown, other}) {
        EXPECT_LE(text.size(), 60u);
        EXPECT_EQ(find_ill_formed_utf8(text), std::string::npos) << text;
      }
      EXPECT_NE(shown.find('A'), std::string::npos) << shown;
      EXPECT_NE(other.find('B'), std::string::npos) << other;
    }
  }
  EXPECT_EQ(excerpts(nullptr, json_document("1").get()), std::pair(std::string("absent"), std::string("1")));
}

TEST(Rule, EqualNamesTheMemberThatDiffers) {
  const auto shown = [](const char* a, const char* b) {
    return excerpts(json_document(a).get(), json_document(b).get());
  };
  using Texts = std::pair<std::string, std::string>;
  EXPECT_EQ(shown(R"({"a":1})", R"({"a":2})"), Texts(R"({"a":1})", R"({"a":2})"))
      << "short values are shown whole";
  // Values in JSON that is itself a string.
  EXPECT_EQ(shown(R"({"a":"{\"b\":[{\"c\":\"x\"}]}","z":1})", R"({"a":"{\"b\":[{\"c\":\"y\"}]}","z":1})"),
            Texts(R"("x" under a/b/0/c)", R"("y")"));
  EXPECT_EQ(shown(R"({"a":"{\"b\":1}"})", "{}"), Texts(R"({"b":1} under a)", "nothing"));
  EXPECT_EQ(shown("{}", R"({"the notes of a":"{\"b\":1}"})"),
            Texts("nothing under the notes of a", R"({"b":1})"));
  EXPECT_EQ(shown(R"({"the notes of a":"{\"b\":1}"})", R"({"the notes of a":"{\"b\":2}"})"),
            Texts("1 under the notes of a, /b", "2"));
  // Arrays of different sizes differ as a whole.
  EXPECT_EQ(shown(R"({"a":"[\"x\"]"})", R"({"a":"[\"x\",1]"})"), Texts(R"(["x"] under a)", R"(["x",1])"));
  const std::string common(80, 'm');
  const auto with = [&](int n) { return "{\"m\":\"" + common + "\",\"n\":" + std::to_string(n) + "}"; };
  EXPECT_EQ(shown(with(1).c_str(), with(2).c_str()), Texts("1 under n", "2"));
  // Short arrays are shown whole. So is the difference between text and JSON.
  EXPECT_EQ(shown(R"(["{\"b\":1}"])", R"([{"b":1}])"), Texts(R"(["{\"b\":1}"])", R"([{"b":1}])"));
  const std::string held = "[{\"a\":\"{\\\"b\\\":\\\"" + common + "\\\"}\"}]";
  EXPECT_TRUE(shown("[]", held.c_str()).second.starts_with(R"([{"a":{"b":"mmm)"))
      << shown("[]", held.c_str()).second;
}

TEST(Rule, Slices) {
  check({
      {"never: a a, per: [/k, /m]", "{\"t\":\"a\",\"k\":1,\"m\":1}\n{\"t\":\"a\",\"k\":1,\"m\":2}\na1", kMet},
      {"never: a a, per: [/k, /m]", "{\"t\":\"a\",\"k\":1,\"m\":1}\n{\"t\":\"a\",\"k\":1.0,\"m\":1}",
       kViolated, 1},
      {"never: a b, per: {a: /k, b: /m}", "a1\n{\"t\":\"b\",\"m\":2,\"k\":1}", kMet},
      {"never: a b, per: {a: /k, b: /m}", "a1\n{\"t\":\"b\",\"m\":1,\"k\":2}", kViolated, 1},
      {"never: a c, per: {a: /k, b: /m}", "a1 c1", kMet},
  });
}

TEST(Rule, Elements) {
  const char* two_choices =
      R"({"id":"x","choices":[{"i":0,"reason":null,"calls":[{"n":0},{"n":1}]},{"i":1,"reason":"stop","calls":[{"n":0}]}]})";
  check({
      {"each: call, numbered: /n, per: ^/i", two_choices, kMet},
      {"each: call, numbered: /n", two_choices, kViolated, 0},
      {"each: call, where: {^^/id: x}", two_choices, kMet},
      {"each: call, where: {^^/id: y}", two_choices, kViolated, 0},
      {"each: finish, where: {/i: 1, ^/id: x, /reason: stop}", two_choices, kMet},
      {"each: finish, where: {/i: 0}", two_choices, kViolated, 0},
      {"finally: \"(choice call+)+\"", two_choices, kMet},
      {"finally: \"choice choice call+\"", two_choices, kViolated, 0},
      {"never: finish any", two_choices, kMet},
      {"never: any any", two_choices, kMet},
      {"never: finish any", "{\"choices\":[{\"reason\":\"stop\"}]}\na", kViolated, 1},
      {"never: call", "{\"choices\":{\"calls\":[1]}}\nx|!broken-json", kNotExercised},
  });
}

TEST(Rule, Conditions) {
  Context evidence;
  evidence.features = {"tools"};
  check(
      {
          {"never: a, given: tools", "a", kViolated, 0},
          {"never: a, given: [tools, images]", "a", kNotExercised},
          {"never: a, profile: {overlap: sequential}", "a", kViolated, 0},
          {"never: a, profile: {overlap: [indexed, sequential]}", "a", kViolated, 0},
          {"never: a, profile: {overlap: indexed}", "a", kNotExercised},
          {"never: a, profile: {unheard: of}", "a", kNotJudged},
          {"never: a, when: {occurs: b}", "a", kNotExercised},
          {"never: a, when: {occurs: b}, per: /k", "a1 b", kViolated, 0},
          {"never: a, when: {occurs: [b, c]}", "a c", kViolated, 0},
          {"never: a, when: {occurs: b, ended: error}", "a b", kNotExercised},
          {"never: a, unless: {occurs: b, ended: error}", "a b", kNotExercised},
          {"never: a, unless: {occurs: b, ended: error}", "a fail", kNotExercised},
          {"never: a, unless: {occurs: b, ended: error}", "a c", kViolated, 0},
          {"never: a, unless: {ended: complete}", "a", kNotExercised},
          {"each: a, where: {\"@ended\": error}", "a fail", kMet},
          {"each: a, where: {\"@ended\": complete}", "a", kMet},
      },
      evidence);
  observe::Trace cut = small_trace("a");
  cut.message_end = observe::MessageEnd::cut;
  EXPECT_EQ(judge_rule("    never: a\n    when: {ended: cut}\n", cut).verdict, Verdict::violated);
  cut = small_trace("fail a");
  cut.message_end = observe::MessageEnd::cut;
  EXPECT_EQ(judge_rule("    never: a\n    when: {ended: error}\n", cut).verdict, Verdict::violated);
}

TEST(Rule, ClausesTogether) {
  const auto verdict_of = [](const char* clauses, const char* trace) {
    return judge_rule(clauses, small_trace(trace));
  };
  const char* both = "    clauses: [{never: c}, {never: b}]\n";
  EXPECT_EQ(verdict_of(both, "a b c").event, 1u);
  EXPECT_EQ(verdict_of(both, "a").verdict, kNotExercised);
  const char* unknown = "    clauses: [{equal: [got./a, got./b]}, {never: b}, {never: c c}]\n";
  EXPECT_EQ(verdict_of(unknown, "c").verdict, kNotJudged);
  EXPECT_EQ(verdict_of(unknown, "b").verdict, kViolated);
  EXPECT_EQ(verdict_of("    clauses: [{never: b c}, {never: c c}]\n", "c").verdict, kMet);

  const char* shared = "    per: /k\n    clauses: [{never: a a}]\n";
  EXPECT_EQ(verdict_of(shared, "a1 a2").verdict, kMet);
  EXPECT_EQ(verdict_of(shared, "a1 a2 a1").verdict, kViolated);

  // A clause's `per` replaces the obligation's; its conditions are added.
  const char* per =
      "    per: /k\n    when: {occurs: fail}\n    clauses: [{never: a a, per: /t, unless: {occurs: c}}]\n";
  EXPECT_EQ(verdict_of(per, "a1 a2 fail").verdict, kViolated);
  EXPECT_EQ(verdict_of(per, "a1 a2").verdict, kNotExercised);
  EXPECT_EQ(verdict_of(per, "a1 a2 fail c").verdict, kNotExercised);
}

TEST(Rule, MessagesNameThePlace) {
  const Judged first = judge_rule("    each: a\n    per: /k\n    where: {/s: {min: 1}}\n",
                                  small_trace("b\nstart|{\"t\":\"a\",\"k\":1,\"s\":\"\"}"));
  EXPECT_EQ(first.message,
            "/k 1: /s is \"\", wanted at least 1 character, at event 1 (start, line 4), bytes 100-190");
  EXPECT_EQ(first.line, 4u);
  EXPECT_EQ(first.begin, 100u);
  EXPECT_EQ(first.end, 190u);
  const Judged last = judge_rule("    finally: b\n", small_trace("a"));
  EXPECT_EQ(last.message, "the stream ended before a required event, at the end of the stream, byte 90");
  EXPECT_EQ(last.begin, 90u);
  EXPECT_EQ(last.end, 90u);
}

TEST(Rule, DeepJsonIsReadWithoutRecursion) {
  observe::Trace trace;
  for (const char* piece : {"{\\\"a\\\":", "[", "]", "}"}) {
    std::string text;
    const std::size_t times = piece[0] == '[' || piece[0] == ']' ? 200000 : 1;
    for (std::size_t i = 0; i < times; ++i) text += piece;
    trace.events.push_back(small_trace("{\"t\":\"a\",\"s\":\"" + text + "\"}").events.at(0));
  }
  EXPECT_EQ(judge_rule("    joined: [a, /s]\n    json: object\n", trace).verdict, kMet);
}

TEST(Rule, ExpressionsTakeLinearTime) {
  const std::string text(200000, 'a');
  EXPECT_EQ(judge_rule("    each: a\n    where: {/s: {matches: \"(a*)*(a|aa)+b\"}}\n",
                       small_trace("{\"t\":\"a\",\"s\":\"" + text + "\"}"))
                .verdict,
            kViolated);
}

}  // namespace
}  // namespace splitproof::contract::rule_test
