#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/falsify/examination.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

struct FalsifyCommand {
  std::vector<std::string> contracts;
  std::string only;  ///< Glob over ids of rules.
  bool json = false;
};

// Prints the counts of each contract file.
void print_files(const std::vector<falsify::Examined>& files) {
  std::cout << fmt::format("{:>6} {:>8} {:>11} {:>9}\n", "rules", "clauses", "falsifiers", "controls");
  for (const falsify::Examined& one : files) {
    std::cout << fmt::format("{:>6} {:>8} {:>11} {:>9}  {}\n", one.rules, one.clauses, one.falsifiers,
                             one.controls, one.file);
  }
}

void print_excused(const std::vector<falsify::Unfalsified>& excused) {
  if (!excused.empty()) std::cout << "\nClauses without a falsifier, and why:\n";
  for (const falsify::Unfalsified& one : excused)
    std::cout << fmt::format("  {}, clause {}: {}\n", one.rule, one.clause + 1, one.why);
}

void print(const falsify::Objection& objection) {
  std::cout << fmt::format("\n{}:{}: {}\n", objection.file, objection.line, objection.what);
  for (const std::string& detail : objection.details) std::cout << "  " << detail << "\n";
  std::cout << "  to fix it: " << objection.advice << "\n";
}

nlohmann::ordered_json to_json(const falsify::Objection& objection) {
  return {{"file", objection.file},
          {"line", objection.line},
          {"message", objection.what},
          {"details", objection.details},
          {"fix", objection.advice}};
}

std::vector<std::string> ids_of(const contract::Contracts& contracts) {
  std::vector<std::string> ids;
  for (const contract::Obligation* rule : contracts.obligations()) ids.push_back(rule->id);
  return ids;
}

falsify::Examined sum_of(const std::vector<falsify::Examined>& files) {
  falsify::Examined all;
  for (const falsify::Examined& one : files) {
    all.rules += one.rules;
    all.clauses += one.clauses;
    all.falsifiers += one.falsifiers;
    all.controls += one.controls;
  }
  return all;
}

int falsify(const FalsifyCommand& command) {
  const auto folders = contract_folders(command.contracts);
  if (!folders) return complain(folders.error());
  const auto contracts = contract::Contracts::load(*folders);
  if (!contracts) return complain(contracts.error());
  const auto standard = load_profile("default", command.contracts);
  if (!standard) return complain(standard.error());
  const auto unfalsified = falsify::load_unfalsified(*folders, *contracts);
  if (!unfalsified) return complain(unfalsified.error());
  const auto made = falsify::examine(*contracts, folders->front(), *standard, *unfalsified, command.only);
  if (!made) return complain(made.error());
  if (made->files.empty()) {
    complain(
        nothing_matches("rule", command.only, ids_of(*contracts), "run splitproof list rules to see all"));
    return kNothingSelected;
  }
  if (command.json) {
    for (const falsify::Objection& objection : made->objections) print_json(to_json(objection));
  } else {
    print_files(made->files);
    print_excused(made->excused);
    for (const falsify::Objection& objection : made->objections) print(objection);
    std::cout << (made->objections.empty() && made->excused.empty() ? "" : "\n");
  }
  const falsify::Examined all = sum_of(made->files);
  (command.json ? std::cerr : std::cout)
      << report::verdict_word(made->objections.empty()) << report::counted(all.rules, "rule") << ", "
      << report::counted(all.clauses, "clause") << " (" << made->excused.size() << " excused), "
      << report::counted(all.falsifiers, "falsifier") << ", " << report::counted(all.controls, "control")
      << ", " << report::counted(made->objections.size(), "finding") << "\n";
  return made->objections.empty() ? kConforms : kViolates;
}

void add_options(Options& options, FalsifyCommand& falsify) {
  add_contracts(options, falsify.contracts);
  options.text("--only", falsify.only, "check only rules whose id matches").type("GLOB");
  options.flag("--json", falsify.json, "print a JSON object for each finding");
}

}  // namespace

const Command kFalsify = {
    "falsify", "Check with the falsifiers that every rule and every clause can be violated",
    "splitproof falsify --contracts house --only 'HOUSE-*'", adding(add_options, falsify)};

}  // namespace splitproof::cli
