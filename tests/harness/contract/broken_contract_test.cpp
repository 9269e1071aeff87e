#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "tests/harness/contract/small_trace.hpp"

namespace splitproof::contract::broken_contract_test {
namespace {

/// Seven lines; rules begin on line 8.
constexpr std::string_view kHead = R"(contract: test.downstream
version: 1
explode: {part: /parts/*}
events:
  a: {/t: a}
  b: {is: a, /k: 1}
obligations:
)";

constexpr std::string_view kRule = "  - id: R\n    level: must\n    says: Rule.\n";

struct Broken {
  std::string text;
  std::size_t line;
  const char* word;  ///< part of the error
};

void check(const std::vector<Broken>& cases) {
  for (const Broken& one : cases) {
    SCOPED_TRACE(one.text);
    const auto loaded = load_text(one.text);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().line, one.line) << describe(loaded.error());
    EXPECT_NE(describe(loaded.error()).find(one.word), std::string::npos) << describe(loaded.error());
    EXPECT_NE(loaded.error().file.find("rules.yaml"), std::string::npos);
  }
}

std::string rule(const std::string& lines) { return std::string(kHead) + std::string(kRule) + lines; }
std::string events(const std::string& lines) {
  return "contract: test.downstream\nversion: 1\nevents:\n" + lines + "obligations: []\n";
}

TEST(BrokenContract, Yaml) {
  check({
      {"contract: [", 2, "not YAML"},
      {"contract: sse\nversion: 1\n# \xff\n", 3, "not YAML"},
      {"", 0, "must be a map"},
      {"- a\n", 1, "must be a map"},
      {"contract: sse\ncontract: sse\n", 2, "occurs twice"},
      {"contract: sse\nversion: &x 1\n", 2, "anchors"},
      {"contract: sse\nversion: *x\n", 2, "aliases (*NAME) are not allowed"},
      {"contract: sse\nversion: &x 1\nfoo: *x\n", 2, "anchors"},
      {"contract: !!str sse\n", 1, "tag"},
      {"contract: !foo sse\n", 1, "tag"},
      {"contract: sse\n<<: {version: 1}\n", 2, "merge keys"},
      {"contract: sse\n? [a]\n: b\n", 2, "key"},
      {"contract: sse\nversion: 1\nobligations: []\n---\ncontract: sse\n", 4, "second YAML document"},
  });
}

TEST(BrokenContract, Head) {
  check({
      {"version: 1\nobligations: []\n", 1, "lacks the key 'contract'"},
      {"contract: sse\nobligations: []\n", 1, "lacks the key 'version'"},
      {"contract: sse\nversion: 2\nobligations: []\n", 2, "version 2"},
      {"contract: sse\nversion: 1\n", 1, "lacks the key 'obligations'"},
      {"contract: sse\nversion: 1\nobligations: {}\n", 3, "must be a list"},
      {"contract: test.sideways\nversion: 1\nobligations: []\n", 1, "downstream"},
      {"contract: sse\nversion: 1\ncheck: x\nobligations: []\n", 3, "unknown key 'check'"},
      {"contract: sse\nversion: 1\ndata: xml\nobligations: []\n", 3, "xml"},
      {"contract: t.downstream\nversion: 1\nends: {success: [x]}\nobligations: []\n", 3, "no class 'x'"},
      {"contract: t.downstream\nversion: 1\nends: {done: [x]}\nobligations: []\n", 3, "unknown key 'done'"},
      {"contract: t.downstream\nversion: 1\nbegins: [x]\nobligations: []\n", 3, "no class 'x'"},
      {"contract: t.downstream\nversion: 1\nrecognised: x\nobligations: []\n", 3, "no class 'x'"},
      {"contract: t.downstream\nversion: 1\nexplode: {x: /a/*}\nrecognised: x\nobligations: []\n", 4,
       "the class 'x' matches elements of events"},
      {"contract: t.downstream\nversion: 1\nevents: {x: {\"@ended\": cut}}\nends: {error: [x]}\nobligations: []\n",
       4, "@ended"},
      {"contract: sse\nversion: 1\nends: {error: [any-event]}\nobligations: []\n", 3,
       "'ends' is not allowed in sse"},
      {"contract: sse\nversion: 1\nbegins: [any-event]\nobligations: []\n", 3,
       "'begins' is not allowed in sse"},
      {"contract: sse\nversion: 1\nrecognised: any-event\nobligations: []\n", 3,
       "'recognised' is not allowed in sse"},
      {"contract: transport\nversion: 1\nends: {error: [any-event]}\nobligations: []\n", 3,
       "'ends' is not allowed in transport"},
      {"contract: transport\nversion: 1\ndata: text\nobligations: []\n", 3,
       "'data' is not allowed in transport"},
      {"contract: test.upstream\nversion: 1\nbegins: [any-event]\nobligations: []\n", 3,
       "'begins' is not allowed in test.upstream"},
  });
}

TEST(BrokenContract, Classes) {
  check({
      {events("  a: x\n"), 4, "must be a map"},
      {events("  a: {}\n"), 4, "at least one test"},
      {events("  any: {/t: a}\n"), 4, "built in"},
      {events("  any-event: {/t: a}\n"), 4, "built in"},
      {events("  \"a b\": {/t: a}\n"), 4, "cannot name"},
      {events("  a: {t: a}\n"), 4, "'t' is not a JSON pointer"},
      {events("  a: {/t~2: a}\n"), 4, "~2"},
      {events("  a: {\"@when\": a}\n"), 4, "@when"},
      {events("  a: {is: b}\n"), 4, "no class 'b'"},
      {events("  a: {is: b}\n  b: {is: c}\n  c: {is: a}\n"), 6, "refers to itself"},
      {events("  a: {is: a}\n"), 4, "refers to itself"},
      {events("  a: {^/t: a}\n"), 4, "leads outside"},
      {events("  a: {/t: {like: a}}\n"), 4, "no test 'like'"},
      {events("  a: {/t: {type: text}}\n"), 4, "no type 'text'"},
      {events("  a: {/t: {min: few}}\n"), 4, "few"},
      {events("  a: {/t: {absent: yes}}\n"), 4, "true or false"},
      {events("  a: {/t: []}\n"), 4, "empty list"},
      {events("  a: {/t: {}}\n"), 4, "empty test"},
      {events("  a: {/t: {matches: \"(a\"}}\n"), 4, "regular expression"},
      {events("  a: {/t: {matches: \"(?=a)\"}}\n"), 4, "(?="},
      {events("  a: {/t: {matches: \"(a)\\\\1\"}}\n"), 4, "regular expression"},
      {events("  a: {/t: {matches: 'a{1,1001}'}}\n"), 4, "regular expression"},
      {events("  a: {/t: {matches: 'a{99999999999999999999}'}}\n"), 4, "does not support"},
      {events("  a: {/t: {matches: \"\\\\pL\"}}\n"), 4, "\\p"},
      {events("  a: {/t: a}\nexplode: {a: /x/*}\n"), 4, "defined twice"},
      {events("  a: {/t: a}\nexplode: {c: /x/y}\n"), 5, "'/*'"},
      {events("  a: {/t: a}\nexplode: {c: /x/*/y}\n"), 5, "'/*'"},
  });
}

TEST(BrokenContract, Obligations) {
  const std::string head(kHead);
  check({
      {head + "  - {level: must, says: x, never: a}\n", 8, "lacks the key 'id'"},
      {head + "  - {id: R, says: x, never: a}\n", 8, "lacks the key 'level'"},
      {head + "  - {id: R, level: must, never: a}\n", 8, "lacks the key 'says'"},
      {head + "  - {id: R, level: must, title: " + std::string(61, 't') + ", says: x, never: a}\n", 8,
       "'title' has 61 characters"},
      {head + "  - {id: R, level: shall, says: x, never: a}\n", 8, "no level 'shall'"},
      {head + "  - {id: \"R 1\", level: must, says: x, never: a}\n", 8, "cannot be an id"},
      {head + "  - {id: META-03, level: must, says: x, never: a}\n", 8, "'META-03' cannot be an id"},
      {head + "  - {id: [R], level: must, says: x, never: a}\n", 8, "a list"},
      {head + "  - {id: R, level: must, says: x}\n", 8, "has no form"},
      {head + "  - x\n", 8, "must be a map"},
      {rule("    never: a\n    never: b\n"), 12, "occurs twice"},
      {rule("    never: a\n    finally: b\n"), 8, "'finally' cannot be combined with 'never'"},
      {rule("    never: a\n    where: {/t: a}\n"), 8, "'where' cannot be combined"},
      {rule("    never: a\n    clauses: [{never: b}]\n"), 8, "is next to 'clauses'"},
      {rule("    clauses:\n      - {never: a}\n      - {sometimes: b}\n"), 13, "unknown key 'sometimes'"},
      {rule("    clauses:\n      - {per: /k}\n"), 12, "has no form"},
      {rule("    clauses: []\n"), 11, "must be a list of rules"},
      {rule("    nevr: a\n"), 11, "unknown key 'nevr'"},
      {rule("    never: a\n    seen: {}\n"), 12, "seen"},
      {rule("    never: a\n    falsifiers: [{file: x}]\n"), 12, "lacks the key 'trips'"},
      {rule("    never: a\n    falsifiers: [{file: x, trips: [Q]}]\n"), 12, "'Q'"},
      {rule("    never: a\n    falsifiers: [{file: x, evidence: x, trips: [Q]}]\n"), 12, "both"},
      {rule("    never: a\n    falsifiers: [{evidence: x, trips: [Q]}]\n"), 12, "wrong kind"},
      {rule("    never: a\n  - id: R\n    level: must\n    says: x\n    never: b\n"), 12, "'R' occurs twice"},
      {rule("    never: a\n    follows: [Q]\n"), 8, "'R' follows 'Q', which does not exist"},
      {rule("    never: a\n    follows: [R]\n"), 8, "'R' follows itself"},
  });
}

TEST(BrokenContract, Rules) {
  std::string long_pattern;
  for (int i = 0; i < 63; ++i) long_pattern += " a";
  check({
      {rule("    never: x\n"), 11, "no class 'x'"},
      {rule("    never: a (b\n"), 11, "')' is missing"},
      {rule("    never: a b)\n"), 11, "no '(' before it"},
      {rule("    never: \"a | \"\n"), 11, "missing"},
      {rule("    never: \"* a\"\n"), 11, "a class is missing"},
      {rule("    never: a ^\n"), 11, "the start of the stream"},
      {rule("    never: \"(^ a)+\"\n"), 11, "cannot be repeated"},
      {rule("    never: \"^ a\"\n"), 11, "it only requires that 'a' occurs"},
      {rule("    never: \"^ a a\"\n"), 11, "it only requires that 'a' occurs"},
      {rule("    never: a*\n"), 11, "without any event"},
      {rule("    never: \"^ a*\"\n    among: [b]\n"), 11, "without any event"},
      {rule("    never: not a\n"), 11, "'( )'"},
      {rule("    never: not()\n"), 11, "same as 'any'"},
      {rule("    never: []\n"), 11, "a list"},
      {rule("    never: a\n    among: [x]\n"), 12, "no class 'x'"},
      {rule("    never: " + long_pattern + "\n"), 11, "more than 62"},
      {rule("    never: \"" + std::string(3000, '(') + "\"\n"), 11, "2,000"},
      {rule("    each: x\n    numbered: /k\n"), 11, "no class 'x'"},
      {rule("    each: a\n"), 8, "exactly one test"},
      {rule("    each: a\n    numbered: /k\n    unique: /k\n"), 8, "exactly one test"},
      {rule("    each: a\n    numbered: k\n"), 12, "'k' is not a JSON pointer"},
      {rule("    each: a\n    numbered: ^/k\n"), 12, "leads outside"},
      {rule("    each: part\n    numbered: ^^/k\n"), 12, "leads outside"},
      {rule("    each: a\n    where: /k\n"), 12, "must be a map"},
      {rule("    joined: [a, /s]\n"), 11, "either 'json' or 'forbidden'"},
      {rule("    joined: a\n    json: object\n"), 11, "a class and a field"},
      {rule("    joined: [a, /s]\n    json: array\n"), 12, "json: array"},
      {rule("    joined: [a, /s]\n    forbidden: [\"(\"]\n"), 12, "regular expression"},
      {rule("    equal: [/a, got./b]\n"), 11, "names no event"},
      {rule("    equal: [got./a]\n"), 11, "two operands"},
      {rule("    each: a\n    sum: {of: [], is: /b}\n"), 12, "of: [/field, /field]"},
      {rule("    each: a\n    sum: {of: [/a]}\n"), 12, "one of is and at_most"},
      {rule("    each: a\n    sum: {of: [/a], is: /b, at_most: /c}\n"), 12, "one of is and at_most"},
      {rule("    each: a\n    sum: {of: [/a], at_most: /c, or_with: /b}\n"), 12, "cannot be combined with"},
      {rule("    each: a\n    sum: {is: /b}\n"), 12, "of"},
      {rule("    equal: [got./a, sent./b]\n"), 11, "not an operand"},
      {rule("    equal: [got./a, \"joined(a)\"]\n"), 11, "joined(CLASS, /field)"},
      {rule("    equal: [got.a, got./b]\n"), 11, "not a JSON pointer"},
      {rule("    never: a\n    per: k\n"), 12, "not a JSON pointer"},
      {rule("    never: a\n    per: {x: /k}\n"), 12, "no class 'x'"},
      {rule("    never: a\n    per: {a: /k, b: [/k, /l]}\n"), 12, "differ in length"},
      {rule("    never: a\n    per: []\n"), 12, "no key"},
      {rule("    never: a\n    when: {happens: a}\n"), 12, "unknown key 'happens'"},
      {rule("    never: a\n    when: {occurs: x}\n"), 12, "no class 'x'"},
      {rule("    never: a\n    unless: {ended: [badly]}\n"), 12, "'badly'"},
      {rule("    never: a\n    unless: {}\n"), 12, "empty"},
      {rule("    never: a\n    profile: sequential\n"), 12, "must be a map"},
      {rule("    never: a\n    given: {}\n"), 12, "given"},
  });
}

/// Loading any file returns.
TEST(BrokenContract, HostileFiles) {
  const std::size_t size = (1 << 20) - 100;
  const std::vector<std::string> pieces = {
      "[",  "{", "- ",  "? ",  "{a: ", "[a, ", "a: ", "!",   "&a ",  "*a",
      "\"", "'", "|\n", "\n ", "\t",   "%",    "# ",  "a\n", "\xFF", std::string(1, '\0')};
  for (const std::string& piece : pieces) {
    SCOPED_TRACE(piece);
    std::string text;
    while (text.size() < size) text += piece;
    EXPECT_FALSE(load_text(text));
    EXPECT_FALSE(load_text("contract: sse\nversion: 1\nobligations: " + text));
  }
  EXPECT_FALSE(load_text(std::string(2 << 20, ' ')));
}

TEST(BrokenContract, LongChainOfClassesIsNoRecursion) {
  std::string lines;
  for (int i = 0; i < 10000; ++i) {
    lines += "  c" + std::to_string(i) + ": {is: c" + std::to_string(i + 1) + ", /k: 1}\n";
  }
  EXPECT_TRUE(load_text(events(lines + "  c10000: {/t: a}\n")));
}

}  // namespace
}  // namespace splitproof::contract::broken_contract_test
