#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

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

struct RunCommand {
  std::vector<std::string> targets;
  Selection selection;
  std::size_t splits = 32;
  bool sweep = false;
  std::size_t recuts = 8;
  bool faults = false;
  std::uint64_t seed = 1;
  std::string expect;                ///< file of known failures
  std::string write_expect;          ///< where to write those of this run
  std::vector<std::string> reports;  ///< FORMAT:PATH
  std::string evidence;              ///< folder for what was seen; empty: nowhere
  unsigned jobs = 0;                 ///< 0: one a core
  bool strict = false;
  bool all = false;  ///< print findings instead of their causes
  bool fail_fast = false;
  bool quick = false;
  bool growth = false;            ///< look at how the cost of targets grows
  std::chrono::seconds limit{0};  ///< after which it ends; 0: none
};

struct CheckCommand {
  std::vector<std::string> files;  ///< "-" is standard input
  std::string protocol;            ///< empty: recognised
  std::vector<std::string> contracts;
  std::string profile = "default";
  bool several = false;
  bool json = false;
  bool strict = false;
};

struct DecodeCommand {
  std::string file;
  std::string protocol;  ///< empty: AWS event frames where the body begins with one, else sse
};

struct ReplayCommand {
  std::string what;  ///< case id, recording id or path
  std::string target = "reference";
  Selection selection;
  bool downstream = false;
  bool strict = false;
};

struct ShrinkCommand {
  std::string what;  ///< case id, recording id or path
  std::string target = "reference";
  Selection selection;
  std::string rule;  ///< empty: the first `must` that the case violates
  std::string out;   ///< folder for the smallest recording; empty: nowhere
  std::string as;    ///< a test is printed, for this framework; empty: none
  std::size_t tries = 2000;
};

struct UpstreamCommand {
  std::string what;                 ///< case id, recording id or path
  std::string listen;               ///< HOST:PORT
  std::string framing = "chunked";  ///< as testee::parse_framing knows it
  std::string packing = "piece";    ///< as testee::parse_packing knows it
  std::uint64_t requests = 0;       ///< ends after so many; 0: never
  std::vector<std::string> corpus;  ///< empty: the project's own
};

struct ExplainCommand {
  std::string id;
  std::vector<std::string> contracts;
};

struct ListCommand {
  std::string what;
  bool harm = false;  ///< of obligations: what they rest on
  Selection selection;
};

struct JudgeCommand {
  std::vector<std::string> evidence;  ///< files, and folders of them
  std::vector<std::string> contracts;
  std::string profile;               ///< empty: the one that the evidence was judged by
  std::string expect;                ///< file of known failures
  std::vector<std::string> reports;  ///< FORMAT:PATH
  bool strict = false;
  bool all = false;  ///< print findings instead of their causes
};

struct DiffCommand {
  std::string before;  ///< reports in JSON Lines
  std::string after;
  bool strict = false;
};

struct SelfTestCommand {
  Selection selection;
};

struct FalsifyCommand {
  std::vector<std::string> contracts;
  std::string only;  ///< glob over ids of rules
};

struct ImportCommand {
  std::string kind;
  std::string file;
  std::string protocol;
  std::string out;
  std::string chunks;    ///< sizes, separated by commas
  std::string request;   ///< file with the client request
  bool replace = false;  ///< a recording that is there
};

/// Nothing is left to do but to end with this exit code: help or a mistake has been printed.
struct EarlyExit {
  int code = 0;
};

using Command = std::variant<EarlyExit, RunCommand, CheckCommand, DecodeCommand, ReplayCommand, ShrinkCommand,
                             UpstreamCommand, ExplainCommand, ListCommand, ImportCommand, JudgeCommand,
                             DiffCommand, SelfTestCommand, FalsifyCommand>;

/// Reads the command line. Prints help and version on standard output; a mistake goes to standard error with
/// a suggestion where a known word is near, and ends with exit code 2.
Command parse_arguments(int argc, const char* const* argv);

}  // namespace splitproof::cli
