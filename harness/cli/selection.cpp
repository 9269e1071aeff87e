#include "harness/cli/selection.hpp"

namespace splitproof::cli {

void add_contracts(Options& options, std::vector<std::string>& folders) {
  options.texts("--contracts", folders, "folder of contracts to add to the built-in contracts (repeatable)")
      .type("DIR");
}

void add_profile(Options& options, std::string& profile) {
  options
      .text("--profile", profile,
            "profile with the choices where clients disagree: a name, such as claude-code, or a file")
      .shows_default()
      .type("NAME");
}

void add_target(Options& options, std::string& target, const std::string& role) {
  options.text("--target", target, role + ": a name, mutant:NAME, or the path of a target file")
      .shows_default()
      .type("T");
}

void add_corpus(Options& options, std::vector<std::string>& folders) {
  options.texts("--corpus", folders, "folder of recordings (repeatable; default: the built-in corpus)")
      .type("DIR");
}

void add_selection(Options& options, Selection& selection) {
  add_corpus(options, selection.corpus);
  options
      .text("--only", selection.only,
            "only recordings or cases whose id matches, such as '*/tool-*'; * also matches /")
      .type("GLOB");
  add_contracts(options, selection.contracts);
  options.text("--client", selection.client, "only targets that speak this protocol to clients")
      .type("PROTOCOL");
  options.text("--upstream", selection.upstream, "only targets that speak this protocol to upstreams")
      .type("PROTOCOL");
  add_profile(options, selection.profile);
}

void add_strict(Options& options, bool& strict) {
  options.flag("--strict", strict, "let rules of level `should` decide the verdict too");
}

void add_all(Options& options, bool& all) {
  options.flag("--all", all, "print the findings rule by rule instead of their causes");
}

void add_json_report(Options& options, bool& json) {
  options.flag("--json", json, "print the report in JSON Lines, and the verdict on standard error");
}

void add_verbose(Options& options, bool& verbose) {
  options.flag(
      "--verbose", verbose,
      "print the details of all bugs, how often each kind of seam was cut, and the rules that were not judged");
}

}  // namespace splitproof::cli
