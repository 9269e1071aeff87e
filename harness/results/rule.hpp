#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/verdict.hpp"

namespace splitproof::results {

/// Ids of the rules about a target's process: it crashed, hung, or sent garbage.
inline constexpr std::string_view kCrashed = "RUN-01";
inline constexpr std::string_view kHung = "RUN-02";
inline constexpr std::string_view kGarbage = "RUN-03";

/// When a verdict on a rule is evidence about the testee's answer.
enum class Speaks : std::uint8_t {
  always,       ///< met or violated
  if_violated,  ///< for example, a running testee proves nothing about its answers
  never,        ///< it compares answers
};

/// The source of a rule, as in contract::Harm.
struct Harm {
  std::string document;  ///< empty: it is a client
  std::string client;    ///< id of a program; empty: it is a document
  std::string says;

  const std::string& source() const { return document.empty() ? client : document; }
  auto operator<=>(const Harm&) const = default;
};

/// Properties of a rule for readers of results.
struct Rule {
  std::string id;
  contract::Level level = contract::Level::must;
  std::string says;                    ///< the rule, one sentence
  std::string title = {};              ///< the bug that a violation is; empty if the contract names none
  std::string why = {};                ///< consequence of a violation
  std::vector<std::string> seen = {};  ///< public incidents
  std::vector<Harm> harm = {};         ///< its sources
  std::string contract = {};           ///< "house.downstream"
  std::set<std::string> knobs = {};    ///< knobs of the profile that it depends on

  /// Ids of rules whose violation implies a violation of this rule.
  std::vector<std::string> follows = {};
  std::string form = {};     ///< pattern, fields, equality, joined; several with ", "
  bool of_a_shape = false;   ///< applies only to answers of a certain shape
  bool of_requests = false;  ///< applies to upstream requests
  Speaks speaks = Speaks::always;

  /// Names a violation in reports: the title, or the rule if it has no title.
  const std::string& headline() const { return title.empty() ? says : title; }

  auto operator<=>(const Rule&) const = default;
};

/// True if the verdict is evidence about an answer or a missing answer.
bool says_something(const Rule& rule, contract::Verdict verdict);

/// Rules by id.
using Rules = std::map<std::string, Rule, std::less<>>;

}  // namespace splitproof::results
