#include "tests/harness/contract/contract_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>

namespace splitproof::contract {
namespace {

std::size_t below(Random& random, std::size_t n) { return random() % n; }
bool chance(Random& random, std::size_t percent) { return below(random, 100) < percent; }

template <class T>
const T& pick(Random& random, const std::vector<T>& choices) {
  return choices[below(random, choices.size())];
}

template <class T>
T pick(Random& random, std::initializer_list<T> choices) {
  return choices.begin()[below(random, choices.size())];
}

const std::vector<std::string> kValues = {"null",  "0",    "1",      "2",     "1.0",  "\"a\"",
                                          "\"b\"", "\"\"", "\"{}\"", "\"{\"", "true", "[]"};
const std::vector<std::string> kLetters = {"\"a\"", "\"b\"", "\"c\""};
const std::vector<std::string> kFields = {"/t", "/k", "/v", "/list/0/v", "", "@event", "@fault", "@ended"};
const std::vector<std::string> kEventFields = {"/t", "/k", "/v", "@event", "@data"};
const std::vector<std::string> kElementFields = {"/v", "/k", "^/k", "^/t", "@event"};

TestSpec random_test(Random& random, std::size_t depth) {
  TestSpec test;
  test.kind = static_cast<TestSpec::Kind>(below(random, 8));
  switch (test.kind) {
    case TestSpec::Kind::scalar:
      test.text = pick(random, kValues);
      if (test.text == "[]") test.text = "1";
      break;
    case TestSpec::Kind::is:
      test.text = pick(random, kValues);
      break;
    case TestSpec::Kind::absent:
      test.text = chance(random, 50) ? "true" : "false";
      break;
    case TestSpec::Kind::type:
      test.text = pick(random, {"null", "boolean", "integer", "number", "string", "array", "object"});
      break;
    case TestSpec::Kind::min:
      test.text = pick(random, {"0", "1", "2"});
      break;
    case TestSpec::Kind::matches:
      test.text = pick(random, {"a|b", "[^a]*", "a"});
      break;
    case TestSpec::Kind::any_of:
    case TestSpec::Kind::none_of:
      if (depth == 0) {
        test.kind = TestSpec::Kind::scalar;
        test.text = pick(random, kLetters);
        break;
      }
      test.parts.push_back(random_test(random, depth - 1));
      if (test.kind == TestSpec::Kind::any_of) test.parts.push_back(random_test(random, depth - 1));
  }
  return test;
}

TestSpec letter(Random& random) { return {TestSpec::Kind::scalar, pick(random, kLetters), {}}; }

int random_class(Random& random, const ContractSpec& contract) {
  return static_cast<int>(below(random, contract.classes.size()));
}

std::vector<int> random_classes(Random& random, const ContractSpec& contract) {
  std::vector<int> classes = {random_class(random, contract)};
  while (chance(random, 40)) classes.push_back(random_class(random, contract));
  return classes;
}

PatternSpec random_pattern(Random& random, const ContractSpec& contract, std::size_t depth, bool at_head) {
  using Kind = PatternSpec::Kind;
  PatternSpec pattern;
  if (at_head && chance(random, 25)) {
    pattern.kind = Kind::sequence;
    pattern.parts.push_back({Kind::before_first, {}, {}});
    pattern.parts.push_back(random_pattern(random, contract, depth, false));
    return pattern;
  }
  const std::size_t roll = below(random, depth == 0 ? 4 : 10);
  if (roll < 4) {
    pattern.kind = roll == 2 ? Kind::any : roll == 3 ? Kind::none_of : Kind::symbol;
    if (pattern.kind == Kind::symbol) pattern.classes = {random_class(random, contract)};
    if (pattern.kind == Kind::none_of) pattern.classes = random_classes(random, contract);
    return pattern;
  }
  if (roll < 8) {
    pattern.kind = roll == 7 ? Kind::choice : Kind::sequence;
    const std::size_t count = 2 + below(random, 2);
    for (std::size_t i = 0; i < count; ++i) {
      const bool head = at_head && (i == 0 || pattern.kind == Kind::choice);
      pattern.parts.push_back(random_pattern(random, contract, depth - 1, head));
    }
    return pattern;
  }
  pattern.kind = pick(random, {Kind::star, Kind::plus, Kind::maybe});
  pattern.parts.push_back(random_pattern(random, contract, depth - 1, false));
  return pattern;
}

const std::vector<std::string>& fields_of(const ContractSpec& contract, int class_index) {
  return contract.classes[static_cast<std::size_t>(class_index)].element ? kElementFields : kEventFields;
}

OperandSpec random_operand(Random& random, const ContractSpec& contract, std::optional<int> each) {
  OperandSpec operand;
  operand.kind = static_cast<OperandSpec::Kind>(each ? below(random, 3) : 1 + below(random, 2));
  operand.class_index = random_class(random, contract);
  operand.field = operand.kind == OperandSpec::Kind::field    ? pick(random, fields_of(contract, *each))
                  : operand.kind == OperandSpec::Kind::joined ? pick(random, {"/v", "/t"})
                                                              : pick(random, {"/v", "/w", "/none"});
  return operand;
}

SituationSpec random_situation(Random& random, const ContractSpec& contract) {
  SituationSpec situation;
  if (chance(random, 70)) situation.occurs = random_classes(random, contract);
  if (situation.occurs.empty() || chance(random, 40)) {
    situation.ended = {pick(random, {"complete", "cut", "error"})};
    if (chance(random, 40)) situation.ended.push_back("error");
  }
  return situation;
}

void random_per(Random& random, const ContractSpec& contract, ClauseSpec& clause) {
  if (chance(random, 20)) {
    const std::size_t width = 1 + below(random, 2);
    std::vector<int> used;
    for (const int id : random_classes(random, contract)) {
      if (std::find(used.begin(), used.end(), id) != used.end()) continue;
      used.push_back(id);
      std::vector<std::string> fields;
      while (fields.size() < width) fields.push_back(pick(random, fields_of(contract, id)));
      clause.per.emplace_back(id, fields);
    }
    return;
  }
  std::vector<std::string> fields = {pick(random, {"/k", "/t", "/v", "^/k", "@event"})};
  if (chance(random, 30)) fields.push_back(pick(random, {"/k", "/t", "/v"}));
  clause.per.emplace_back(-1, fields);
}

std::string yaml(const TestSpec& test) {
  switch (test.kind) {
    case TestSpec::Kind::scalar:
      return test.text;
    case TestSpec::Kind::is:
      return fmt::format("{{is: {}}}", test.text);
    case TestSpec::Kind::any_of:
      return fmt::format("[{}, {}]", yaml(test.parts[0]), yaml(test.parts[1]));
    case TestSpec::Kind::none_of:
      return fmt::format("{{not: {}}}", yaml(test.parts[0]));
    case TestSpec::Kind::absent:
      return fmt::format("{{absent: {}}}", test.text);
    case TestSpec::Kind::type:
      return fmt::format("{{type: {}}}", test.text);
    case TestSpec::Kind::min:
      return fmt::format("{{min: {}}}", test.text);
    case TestSpec::Kind::matches:
      return fmt::format("{{matches: \"{}\"}}", test.text);
  }
  return "";
}

std::string yaml(const std::vector<TestedField>& tests) {
  std::string text;
  for (const auto& [field, test] : tests) {
    text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", field, yaml(test));
  }
  return text;
}

std::string names(const ContractSpec& contract, const std::vector<int>& classes, const char* separator) {
  std::string text;
  for (const int id : classes) {
    text += (text.empty() ? "" : separator) + contract.classes[static_cast<std::size_t>(id)].name;
  }
  return text;
}

std::string yaml(const PatternSpec& pattern, const ContractSpec& contract) {
  using Kind = PatternSpec::Kind;
  std::string text;
  switch (pattern.kind) {
    case Kind::symbol:
      return names(contract, pattern.classes, " ");
    case Kind::any:
      return "any";
    case Kind::none_of:
      return fmt::format("not({})", names(contract, pattern.classes, " "));
    case Kind::before_first:
      return "^";
    case Kind::sequence:
      for (const PatternSpec& part : pattern.parts) text += (text.empty() ? "" : " ") + yaml(part, contract);
      return text;
    case Kind::choice:
      for (const PatternSpec& part : pattern.parts) text += (text.empty() ? "" : "|") + yaml(part, contract);
      return "(" + text + ")";
    case Kind::star:
      return "(" + yaml(pattern.parts[0], contract) + ")*";
    case Kind::plus:
      return "(" + yaml(pattern.parts[0], contract) + ")+";
    case Kind::maybe:
      return "(" + yaml(pattern.parts[0], contract) + ")?";
  }
  return text;
}

std::string yaml(const OperandSpec& operand, const ContractSpec& contract) {
  if (operand.kind == OperandSpec::Kind::field) return fmt::format("\"{}\"", operand.field);
  if (operand.kind == OperandSpec::Kind::expected) return fmt::format("\"expected.{}\"", operand.field);
  return fmt::format("\"joined({}, {})\"", names(contract, {operand.class_index}, ""), operand.field);
}

std::string yaml(const SituationSpec& situation, const ContractSpec& contract) {
  std::string text;
  if (!situation.occurs.empty()) text += fmt::format("occurs: [{}]", names(contract, situation.occurs, ", "));
  if (!situation.ended.empty()) {
    text += fmt::format("{}ended: [{}]", text.empty() ? "" : ", ", fmt::join(situation.ended, ", "));
  }
  return "{" + text + "}";
}

std::string yaml(const ClauseSpec& clause, const ContractSpec& contract) {
  std::vector<std::string> keys;
  const auto each = clause.each ? names(contract, {*clause.each}, "") : std::string();
  if (clause.form == "never" || clause.form == "finally") {
    keys.push_back(fmt::format("{}: \"{}\"", clause.form, yaml(clause.pattern, contract)));
    if (clause.among) keys.push_back(fmt::format("among: [{}]", names(contract, *clause.among, ", ")));
  } else if (clause.form == "object" || clause.form == "prefix" || clause.form == "forbidden") {
    keys.push_back(fmt::format("joined: [{}, {}]", each, clause.field));
    keys.push_back(clause.form == "forbidden" ? fmt::format("forbidden: [\"{}\"]", clause.forbidden)
                                              : "json: " + clause.form);
  } else {
    if (clause.each) keys.push_back("each: " + each);
    if (clause.form == "where") {
      keys.push_back(fmt::format("where: {{{}}}", yaml(clause.where)));
    } else if (clause.form == "equal") {
      keys.push_back(
          fmt::format("equal: [{}, {}]", yaml(clause.equal[0], contract), yaml(clause.equal[1], contract)));
    } else {
      keys.push_back(fmt::format("{}: \"{}\"", clause.form, clause.field));
    }
  }
  if (!clause.per.empty() && clause.per.front().first == -1) {
    keys.push_back(fmt::format("per: [\"{}\"]", fmt::join(clause.per.front().second, "\", \"")));
  } else if (!clause.per.empty()) {
    std::string per;
    for (const auto& [id, fields] : clause.per) {
      per += fmt::format("{}{}: [\"{}\"]", per.empty() ? "" : ", ", names(contract, {id}, ""),
                         fmt::join(fields, "\", \""));
    }
    keys.push_back(fmt::format("per: {{{}}}", per));
  }
  if (!clause.given.empty()) keys.push_back("given: " + clause.given);
  if (!clause.knob.empty())
    keys.push_back(fmt::format("profile: {{{}: {}}}", clause.knob, clause.knob_value));
  if (clause.when) keys.push_back("when: " + yaml(*clause.when, contract));
  if (clause.unless) keys.push_back("unless: " + yaml(*clause.unless, contract));
  return fmt::format("{{{}}}", fmt::join(keys, ", "));
}

}  // namespace

ClauseSpec random_clause(Random& random, const ContractSpec& contract) {
  ClauseSpec clause;
  clause.form = pick(
      random, {"never", "never", "never", "finally", "finally", "where", "numbered", "counted", "increasing",
               "nondecreasing", "constant", "unique", "equal", "object", "prefix", "forbidden"});
  if (clause.form == "never" || clause.form == "finally") {
    clause.pattern = random_pattern(random, contract, 3, true);
    if (chance(random, 30)) clause.among = random_classes(random, contract);
  } else if (clause.form == "equal") {
    if (chance(random, 60)) clause.each = random_class(random, contract);
    clause.equal = {random_operand(random, contract, clause.each),
                    random_operand(random, contract, clause.each)};
  } else {
    clause.each = random_class(random, contract);
    clause.field = pick(random, fields_of(contract, *clause.each));
    if (clause.form == "where") clause.where.emplace_back(clause.field, random_test(random, 2));
    if (clause.form == "object" || clause.form == "prefix" || clause.form == "forbidden") clause.field = "/v";
    clause.forbidden = pick(random, {"ab", "b", "aa+"});
  }
  if (chance(random, 50)) random_per(random, contract, clause);
  if (chance(random, 10)) clause.given = pick(random, {"tools", "images"});
  if (chance(random, 15)) {
    clause.knob = pick(random, {"overlap", "unset"});
    clause.knob_value = pick(random, {"sequential", "indexed"});
  }
  if (chance(random, 15)) clause.when = random_situation(random, contract);
  if (chance(random, 15)) clause.unless = random_situation(random, contract);
  return clause;
}

ContractSpec random_contract(Random& random) {
  ContractSpec contract;
  contract.classes.push_back({"any-event", -1, false, {}});
  contract.classes.push_back({"element", -1, true, {}});
  const std::size_t count = 3 + below(random, 4);
  for (std::size_t i = 0; i < count; ++i) {
    ClassSpec spec;
    spec.name = fmt::format("c{}", i);
    const bool derived = chance(random, 40);
    if (derived) spec.base = static_cast<int>(1 + below(random, contract.classes.size() - 1));
    spec.element = derived && contract.classes[static_cast<std::size_t>(spec.base)].element;
    const bool simple = chance(random, 60);
    const std::string field = spec.element ? pick(random, kElementFields) : pick(random, kFields);
    const TestSpec test = simple ? letter(random) : random_test(random, 2);
    spec.tests.emplace_back(!simple ? field : spec.element ? "/v" : "/t", test);
    contract.classes.push_back(std::move(spec));
  }
  contract.error = {static_cast<int>(2 + below(random, count))};
  for (int id = contract.error.front(); id != -1; id = contract.classes[static_cast<std::size_t>(id)].base) {
    for (TestedField& test : contract.classes[static_cast<std::size_t>(id)].tests) {
      if (test.first == "@ended") test.first = "/k";
    }
  }
  return contract;
}

std::vector<std::string> random_trace(Random& random) {
  std::vector<std::string> lines;
  const std::size_t count = below(random, 9);
  for (std::size_t i = 0; i < count; ++i) {
    if (chance(random, 5)) {
      lines.push_back("named|!broken-json");
      continue;
    }
    std::vector<std::string> members = {fmt::format("\"t\": {}", pick(random, kLetters))};
    if (chance(random, 70)) members.push_back(fmt::format("\"k\": {}", below(random, 2)));
    if (chance(random, 70)) {
      members.push_back(
          fmt::format("\"v\": {}", chance(random, 50) ? pick(random, kLetters) : pick(random, kValues)));
    }
    if (chance(random, 40)) {
      std::vector<std::string> elements;
      for (std::size_t n = below(random, 4); n > 0; --n) {
        // one draw each, because arguments have no order of evaluation
        const std::string value = pick(random, kLetters);
        elements.push_back(fmt::format("{{\"v\": {}, \"k\": {}}}", value, below(random, 2)));
      }
      members.push_back(fmt::format("\"list\": [{}]", fmt::join(elements, ", ")));
    }
    lines.push_back(fmt::format("{}{{{}}}", chance(random, 30) ? "a|" : "", fmt::join(members, ", ")));
  }
  return lines;
}

std::string yaml(const ContractSpec& contract) {
  std::string text = "contract: test.downstream\nversion: 1\nexplode: {element: /list/*}\nevents:\n";
  for (std::size_t i = 2; i < contract.classes.size(); ++i) {
    const ClassSpec& spec = contract.classes[i];
    const std::string base =
        spec.base == -1 ? ""
                        : fmt::format("is: {}, ", contract.classes[static_cast<std::size_t>(spec.base)].name);
    text += fmt::format("  {}: {{{}{}}}\n", spec.name, base, yaml(spec.tests));
  }
  text += fmt::format("ends: {{error: [{}]}}\nobligations:\n", names(contract, contract.error, ", "));
  for (const ObligationSpec& obligation : contract.obligations) {
    text += fmt::format("  - id: {}\n    level: must\n    says: Rule.\n    clauses:\n", obligation.id);
    for (const ClauseSpec& clause : obligation.clauses)
      text += fmt::format("      - {}\n", yaml(clause, contract));
  }
  if (contract.obligations.empty()) text += "  []\n";
  return text;
}

}  // namespace splitproof::contract
