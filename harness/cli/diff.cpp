#include <iostream>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/read_report.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/report/difference.hpp"

namespace splitproof::cli {
namespace {

struct DiffCommand {
  std::string before;  ///< Reports in JSON Lines.
  std::string after;
  bool strict = false;
  bool json = false;
};

int diff(const DiffCommand& command) {
  const auto before = read_report(command.before, false);
  if (!before) return complain(before.error());
  const auto after = read_report(command.after, false);
  if (!after) return complain(after.error());
  const auto difference = report::difference(*before, *after, command.strict);
  if (!difference) return complain(difference.error());
  std::cout << (command.json ? difference->json : difference->text);
  return difference->worse ? kViolates : kConforms;
}

void add_options(Options& options, DiffCommand& diff) {
  options.text("OLD", diff.before, "report of the old version, written by run --report jsonl:PATH")
      .required();
  options.text("NEW", diff.after, "report of the new version").required();
  add_strict(options, diff.strict);
  options.flag("--json", diff.json, "print a JSON object for each change, and one with the verdict");
}

}  // namespace

const Command kDiff = {
    "diff",
    "Compare the reports of two runs: list the rules that the new version newly violates or no "
    "longer violates",
    "splitproof diff old.jsonl new.jsonl", adding(add_options, diff)};

}  // namespace splitproof::cli
