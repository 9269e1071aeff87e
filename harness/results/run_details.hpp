#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace splitproof::results {

/// When and how a run was made. The details do not affect verdicts.
struct RunDetails {
  std::set<std::string> commands;  ///< Command lines, quoted for a shell: one, or one for each merged part.
  std::string began;               ///< "2026-11-29T10:01:07Z"; of merged parts the first. Empty: not known.
  std::uint64_t milliseconds = 0;  ///< Duration; of merged parts the longest. 0: not known.
  std::set<std::string> suites;    ///< Versions of splitproof: one, or one for each merged part.
  std::map<std::string, std::string> versions;  ///< Versions of targets, by name; only known ones.

  bool operator==(const RunDetails&) const = default;
};

/// Joins the details of two parts of a run. The function is associative, commutative and idempotent.
RunDetails joined(RunDetails a, const RunDetails& b);

}  // namespace splitproof::results
