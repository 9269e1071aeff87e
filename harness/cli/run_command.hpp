#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/report_files.hpp"
#include "harness/cli/selection.hpp"

namespace splitproof::cli {

/// The options of the command `run`.
struct RunCommand {
  std::string command;  ///< Command line as reports show it; empty: not known.
  std::vector<std::string> targets;
  Selection selection;
  std::size_t splits = 32;
  bool sweep = false;
  std::size_t recuts = 8;
  bool faults = false;
  std::uint64_t seed = 1;
  std::string expect;        ///< File of known failures.
  std::string write_expect;  ///< Output file for those of this run.
  ReportOptions reports;
  std::string evidence;   ///< Folder for evidence; empty: none.
  unsigned jobs = 0;      ///< 0: one a core.
  std::string shard;      ///< "3/16": only this part of the cases. Empty: as the environment says.
  bool no_shard = false;  ///< All cases, whatever the environment says.
  bool resume = false;    ///< Continue the run that left a part of its report.
  bool strict = false;
  bool all = false;      ///< Print findings instead of their causes.
  bool json = false;     ///< Print the report in JSON Lines.
  bool verbose = false;  ///< Print seams, and rules that were not judged.
  bool fail_fast = false;
  bool quick = false;
  std::string cases_or_file;      ///< Value of --cases; take_cases() divides it into the next two.
  std::size_t cases = 0;          ///< Maximum number of cases of each target; 0: no limit.
  std::string case_file;          ///< File with the cases to run; empty: the planned cases run.
  bool growth = false;            ///< Measure how the cost of targets grows.
  std::chrono::seconds limit{0};  ///< Time limit; 0: none.
};

}  // namespace splitproof::cli
