#pragma once

#include <string>
#include <vector>

#include "harness/cli/options.hpp"

namespace splitproof::cli {

/// Where recordings and contracts come from, for every command that runs cases.
struct Selection {
  std::vector<std::string> corpus;  ///< empty: the project's own
  std::string only;                 ///< glob over recording or case ids
  std::vector<std::string> contracts;
  std::string client;    ///< protocol; empty: every one
  std::string upstream;  ///< the same
  std::string profile = "default";
};

void add_contracts(Options& options, std::vector<std::string>& folders);
void add_profile(Options& options, std::string& profile);
void add_corpus(Options& options, std::vector<std::string>& folders);

/// Where recordings and contracts come from, and which of the cases they make are meant.
void add_selection(Options& options, Selection& selection);

/// Whether rules of level `should` decide.
void add_strict(Options& options, bool& strict);

/// Whether findings are told rule by rule.
void add_all(Options& options, bool& all);

}  // namespace splitproof::cli
