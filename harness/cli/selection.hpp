#pragma once

#include <string>
#include <vector>

#include "harness/cli/options.hpp"

namespace splitproof::cli {

/// The recordings, contracts and profile that a command uses.
struct Selection {
  std::vector<std::string> corpus;  ///< Empty: the project's own.
  std::string only;                 ///< Glob over recording or case ids.
  std::vector<std::string> contracts;
  std::string client;    ///< Protocol; empty: all.
  std::string upstream;  ///< Protocol; empty: all.
  std::string profile = "default";
};

void add_contracts(Options& options, std::vector<std::string>& folders);
void add_profile(Options& options, std::string& profile);
/// Adds --target, for a command with one target.
void add_target(Options& options, std::string& target, const std::string& role);

void add_corpus(Options& options, std::vector<std::string>& folders);

/// Adds the options for all members.
void add_selection(Options& options, Selection& selection);

/// Adds --strict: a violated `should` fails the run.
void add_strict(Options& options, bool& strict);

/// Adds --all: prints each finding instead of the causes.
void add_all(Options& options, bool& all);

/// Adds --json: prints the report in JSON Lines instead of text, and the verdict on standard error.
void add_json_report(Options& options, bool& json);

/// Adds --verbose: prints also the seams that were cut and the rules that were not judged.
void add_verbose(Options& options, bool& verbose);

}  // namespace splitproof::cli
