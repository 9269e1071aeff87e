#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Contracts as plain data. The YAML for the real loader and the input of the naive interpreter are both made from it,
/// so the two share neither parser nor compiler.

namespace splitproof::contract {

struct TestSpec {
  enum class Kind { scalar, is, any_of, none_of, absent, type, min, matches };
  Kind kind = Kind::scalar;
  std::string text;  ///< the JSON, type, number or expression; for absent "true" or "false"
  std::vector<TestSpec> parts;
};

using TestedField = std::pair<std::string, TestSpec>;

struct ClassSpec {
  std::string name;
  int base = -1;         ///< index of an earlier class
  bool element = false;  ///< for the elements of /list
  std::vector<TestedField> tests;
};

struct PatternSpec {
  enum class Kind { symbol, any, none_of, before_first, sequence, choice, star, plus, maybe };
  Kind kind = Kind::symbol;
  std::vector<int> classes;
  std::vector<PatternSpec> parts;
};

struct OperandSpec {
  enum class Kind { field, joined, expected };
  Kind kind = Kind::field;
  int class_index = 0;
  std::string field;
};

struct SituationSpec {
  std::vector<int> occurs;
  std::vector<std::string> ended;
};

struct ClauseSpec {
  std::string form;  ///< the key: never, finally, where, numbered ... unique, equal, json, forbidden
  PatternSpec pattern;
  std::optional<std::vector<int>> among;
  std::optional<int> each;  ///< also the class that is joined
  std::string field;
  std::vector<TestedField> where;
  std::vector<OperandSpec> equal;
  std::string forbidden;
  std::vector<std::pair<int, std::vector<std::string>>> per;  ///< class (-1: all) and fields
  std::string given;
  std::string knob, knob_value;
  std::optional<SituationSpec> when, unless;
};

struct ObligationSpec {
  std::string id;
  std::vector<ClauseSpec> clauses;
};

/// Class 0 is any-event, class 1 `element` (explode /list/*); others follow.
struct ContractSpec {
  std::vector<ClassSpec> classes;
  std::vector<int> error;
  std::vector<ObligationSpec> obligations;
};

using Random = std::mt19937_64;

ContractSpec random_contract(Random& random);
ClauseSpec random_clause(Random& random, const ContractSpec& contract);

/// Lines for `small_trace`.
std::vector<std::string> random_trace(Random& random);

std::string yaml(const ContractSpec& contract);

}  // namespace splitproof::contract
