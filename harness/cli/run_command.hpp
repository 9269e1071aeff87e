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
  std::string expect;                ///< file of known failures
  std::string write_expect;          ///< output file for those of this run
  std::vector<std::string> reports;  ///< FORMAT:PATH
  std::string evidence;              ///< folder for evidence; empty: none
  unsigned jobs = 0;                 ///< 0: one a core
  bool strict = false;
  bool all = false;  ///< print findings instead of their causes
  bool fail_fast = false;
  bool quick = false;
  bool growth = false;            ///< measure how the cost of targets grows
  std::chrono::seconds limit{0};  ///< time limit; 0: none
};

}  // namespace splitproof::cli
