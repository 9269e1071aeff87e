#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/falsify/unfalsified.hpp"
#include "harness/result.hpp"

namespace splitproof::falsify {

/// A violated condition, with advice.
struct Objection {
  std::string file;  ///< the contract, or the list of unfalsified clauses
  std::size_t line = 0;
  std::string what;
  std::vector<std::string> details;  ///< one line each
  std::string advice;
};

/// Counts for one contract file.
struct Examined {
  std::string file;
  std::size_t rules = 0;
  std::size_t clauses = 0;
  std::size_t falsifiers = 0;
  std::size_t controls = 0;  ///< distinct files
};

struct Examination {
  std::vector<Examined> files;        ///< in the order of the contracts
  std::vector<Unfalsified> excused;   ///< clauses without a falsifier, with reasons
  std::vector<Objection> objections;  ///< in the order of the contracts; stale entries last
};

/// Checks rules against their falsifiers:
///
/// - Each falsifier names its own rule, has a control, and trips exactly the rules that it names.
/// - Its control trips none.
/// - Each clause has a falsifier of a rule in the same folder that violates no other clause of its rule.
///   Deleting the clause would then make the rule pass. Otherwise `unfalsified` gives a reason; an entry for
///   a clause with a falsifier is stale.
///
/// A falsifier is judged by the built-in rules, by those of its own folder, and by the rules that it names.
/// `built_in` is the folder of the built-in rules. `only` is a pattern for rule ids; empty: all. It selects
/// the rules, their falsifiers and the falsifiers that name them. `standard` is the profile `default`.
/// Returns an Error if an example cannot be read.
Result<Examination> examine(const contract::Contracts& contracts, const std::filesystem::path& built_in,
                            const contract::Profile& standard, const std::vector<Unfalsified>& unfalsified,
                            const std::string& only);

}  // namespace splitproof::falsify
