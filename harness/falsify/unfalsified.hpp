#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/result.hpp"

namespace splitproof::falsify {

/// Reason why a clause has no falsifier.
struct Unfalsified {
  std::string rule;
  std::size_t clause = 0;  ///< index within the rule, from 0
  std::string why;
  std::string file;
  std::size_t line = 0;
};

/// Loads every `*.yaml` in `unfalsified/` below each folder of contracts, by folder and file name. The
/// subfolder is optional. Format of a file:
///
///   unfalsified:
///     - rule: ID    clauses: [NUMBER]    why: SENTENCE    # numbers of the rule's clauses, from 1
///
/// Returns one entry for each clause. The Error names the file, the line and a fix. Unknown rules, unknown
/// clauses and duplicates are errors.
Result<std::vector<Unfalsified>> load_unfalsified(const std::vector<std::filesystem::path>& dirs,
                                                  const contract::Contracts& contracts);

}  // namespace splitproof::falsify
