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

/// Something that does not hold, and how to mend it.
struct Objection {
  std::string file;  ///< of the contract, or of the list of unfalsified clauses
  std::size_t line = 0;
  std::string what;
  std::vector<std::string> details;  ///< a line each
  std::string advice;
};

/// What of a contract file was examined.
struct Examined {
  std::string file;
  std::size_t rules = 0;
  std::size_t clauses = 0;
  std::size_t falsifiers = 0;
  std::size_t controls = 0;  ///< different files
};

struct Examination {
  std::vector<Examined> files;        ///< in the order of the contracts
  std::vector<Unfalsified> excused;   ///< clauses that no falsifier shows, with their reasons
  std::vector<Objection> objections;  ///< in the order of the contracts, and last the entries that are stale
};

/// Holds rules to their falsifiers:
///
/// - each falsifier names its own rule, has a control, and trips exactly the rules that it names;
/// - its control trips none;
/// - each clause is shown by a falsifier of a rule of the same folder: one in which no other clause of its rule is violated,
///   so that it would trip the rule no more if the clause were deleted. Else an entry of `unfalsified` says why. One
///   that says so of a clause which is shown is stale.
///
/// A falsifier is held to the built-in rules, those of its own folder, and those that it names: of another folder's it knows
/// nothing. `built_in` is the folder of the built-in ones. Examined are the rules whose ids the pattern `only` fits, and all
/// falsifiers that are theirs or name them; empty: all are. `standard` is the profile `default`. An Error tells of an example
/// that cannot be read.
Result<Examination> examine(const contract::Contracts& contracts, const std::filesystem::path& built_in,
                            const contract::Profile& standard, const std::vector<Unfalsified>& unfalsified,
                            const std::string& only);

}  // namespace splitproof::falsify
