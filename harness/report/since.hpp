#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "harness/cause/cause.hpp"
#include "harness/results/run.hpp"

namespace splitproof::report {

/// The findings of an earlier run, for `--since`.
struct Since {
  std::string report;                                   ///< Path of the earlier report.
  std::set<std::pair<std::string, std::string>> known;  ///< Targets and violated rules.
  std::size_t fixed = 0;  ///< Number of known rules that the later run meets and never violates.
  bool same_cases =
      true;  ///< Both runs have the same options and recordings; otherwise "new" may mean "new case".

  /// True if the earlier run has no finding of the rule of this cause with its target.
  bool is_new(const cause::Cause& cause) const;
};

/// Compares with an earlier run. If each run has one target, its name may differ.
Since since(std::string report, const results::RunResult& before, const results::RunHeading& heading,
            const std::vector<results::RecordingResult>& results);

}  // namespace splitproof::report
