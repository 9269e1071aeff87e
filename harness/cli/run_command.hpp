#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/selection.hpp"

namespace splitproof::cli {

/// The options of the command `run`.
struct RunCommand {
  std::vector<std::string> targets;
  Selection selection;
  std::size_t splits = 32;
  bool sweep = false;
  std::size_t recuts = 8;
  bool faults = false;
  std::uint64_t seed = 1;
  std::string expect;                ///< File of known failures.
  std::string write_expect;          ///< Output file for those of this run.
  std::vector<std::string> reports;  ///< FORMAT:PATH.
  std::string evidence;              ///< Folder for evidence; empty: none.
  unsigned jobs = 0;                 ///< 0: one a core.
  bool strict = false;
  bool all = false;  ///< Print findings instead of their causes.
  bool fail_fast = false;
  bool quick = false;
  bool growth = false;            ///< Measure how the cost of targets grows.
  std::chrono::seconds limit{0};  ///< Time limit; 0: none.
};

}  // namespace splitproof::cli
