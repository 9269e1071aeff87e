#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/result.hpp"

namespace splitproof::falsify {

/// Why no falsifier shows a clause.
struct Unfalsified {
  std::string rule;
  std::size_t clause = 0;  ///< its number among the rule's, from 0
  std::string why;
  std::string file;
  std::size_t line = 0;
};

/// Loads every `*.yaml` in `unfalsified/` below each folder of contracts, by folder and file name; a folder without is one
/// whose clauses all have falsifiers. Each file:
///
///   unfalsified:
///     - rule: ID    clauses: [NUMBER]    why: SENTENCE    # numbers are those of the rule's clauses, from 1
///
/// One entry for each clause. An Error names the file, the line and how to fix it; one is returned for a rule or a clause
/// that `contracts` do not have, and for a clause that stands twice.
Result<std::vector<Unfalsified>> load_unfalsified(const std::vector<std::filesystem::path>& dirs,
                                                  const contract::Contracts& contracts);

}  // namespace splitproof::falsify
