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

/// Ids of the rules about a target's going on: it crashed, hung, or sent garbage.
inline constexpr std::string_view kCrashed = "RUN-01";
inline constexpr std::string_view kHung = "RUN-02";
inline constexpr std::string_view kGarbage = "RUN-03";

/// When a verdict on a rule says something about what a testee answered.
enum class Speaks : std::uint8_t {
  always,       ///< whether it is met or violated
  if_violated,  ///< that a testee went on running, say, tells nothing of its answers
  never,        ///< it compares answers with each other
};

/// What a rule rests on, as in contract::Harm.
struct Harm {
  std::string document;  ///< empty: it is a client
  std::string client;    ///< id of a program; empty: it is a document
  std::string says;

  const std::string& source() const { return document.empty() ? client : document; }
  auto operator<=>(const Harm&) const = default;
};

/// What a reader of results has to know of a rule.
struct Rule {
  std::string id;
  contract::Level level = contract::Level::must;
  std::string says;                    ///< the rule, one sentence
  std::string title = {};              ///< the bug that a violation is; empty if the contract names none
  std::string why = {};                ///< what breaks without it
  std::vector<std::string> seen = {};  ///< public incidents
  std::vector<Harm> harm = {};         ///< what it rests on
  std::string contract = {};           ///< "house.downstream"
  std::set<std::string> knobs = {};    ///< of the profile, that it depends on

  /// Ids of rules of which a violation entails one of this rule.
  std::vector<std::string> follows = {};
  std::string form = {};     ///< pattern, fields, equality, joined; several with ", "
  bool of_a_shape = false;   ///< it is asked only of answers of a certain shape
  bool of_requests = false;  ///< it is about what is asked of the upstream
  Speaks speaks = Speaks::always;

  /// Names a violation in reports: the title, or the rule if it has no title.
  const std::string& headline() const { return title.empty() ? says : title; }

  auto operator<=>(const Rule&) const = default;
};

/// Whether a verdict says something about an answer, or that there was none where there should have been one.
bool says_something(const Rule& rule, contract::Verdict verdict);

/// Rules by id.
using Rules = std::map<std::string, Rule, std::less<>>;

}  // namespace splitproof::results
