#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/case_list.hpp"
#include "harness/cli/case_sources.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/hunt_target.hpp"
#include "harness/cli/run_stops.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/hunt/cover.hpp"
#include "harness/hunt/probe.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

constexpr std::uint64_t kMostRuns = 100;
constexpr std::size_t kShownNames = 20;

struct DistilCommand {
  std::vector<std::string> results;  ///< Lists, folders of searches, and reports.
  std::string target = "reference";
  Selection selection;
  std::uint64_t runs = 2;
  std::string out;  ///< File for the list; empty: standard output.
};

// What a case reached in each of several equal runs.
struct DistilledCase {
  campaign::Case one;
  std::vector<hunt::Feature> stable;
  bool applies = true;
};

void show_names(const std::string& heading, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::cerr << heading << "\n";
  for (std::size_t i = 0; i < std::min(names.size(), kShownNames); ++i)
    std::cerr << "  " << visible(names[i]) << "\n";
  if (names.size() > kShownNames) std::cerr << "  and " << names.size() - kShownNames << " more\n";
}

// Runs all cases several times. A feature that a case reaches only sometimes goes to `unstable`, and no case keeps it.
Result<void> run_all(hunt::CaseProbe& probe, std::uint64_t runs, std::vector<DistilledCase>& cases,
                     std::set<hunt::Feature>& unstable) {
  for (std::uint64_t run = 0; run < runs; ++run) {
    for (DistilledCase& one : cases) {
      if (caught_signal != 0) return {};
      auto reached = probe.run(one.one);
      if (!reached) return tl::unexpected(reached.error());
      one.applies = reached->applies;
      if (run == 0) {
        one.stable = std::move(reached->features);
        continue;
      }
      std::set_symmetric_difference(one.stable.begin(), one.stable.end(), reached->features.begin(),
                                    reached->features.end(), std::inserter(unstable, unstable.end()));
    }
  }
  for (DistilledCase& one : cases)
    std::erase_if(one.stable, [&](hunt::Feature feature) { return unstable.contains(feature); });
  return {};
}

int distil_cases(const DistilCommand& command) {
  auto listed = cases_in(command.results);
  if (!listed) return complain(listed.error());
  auto opened = open_hunt_target(command.target, command.selection, InstanceCount::one);
  if (!opened) return opened.error();
  const HuntTarget& target = **opened;
  std::set<std::string> recordings;
  for (const recording::Recording* recording : target.recordings) recordings.insert(recording->id);
  std::vector<DistilledCase> cases;
  for (campaign::Case& one : *listed) {
    if (one.client.empty()) one.client = target.target->client();
    if (one.client == target.target->client() && recordings.contains(one.recording))
      cases.push_back({std::move(one), {}});
  }
  if (cases.empty()) {
    std::cerr << "splitproof: no case is left for " << command.target << " to run\n";
    return kNothingSelected;
  }
  const SignalsCaught caught((*opened)->stop);
  hunt::CaseProbe probe(*target.target, target.contracts, target.profile, target.recordings);
  std::set<hunt::Feature> unstable;
  if (const auto ran = run_all(probe, command.runs, cases, unstable); !ran) {
    complain(ran.error());
    return probe.is_lost() ? kUnavailable : kWrongInput;
  }
  if (caught_signal != 0) return kInterrupted + caught_signal;
  std::vector<std::vector<hunt::Feature>> features;
  std::set<hunt::Feature> all;
  for (const DistilledCase& one : cases) {
    features.push_back(one.stable);
    all.insert(one.stable.begin(), one.stable.end());
  }
  std::vector<campaign::Case> chosen;
  for (const std::size_t place : hunt::greedy_cover(features)) chosen.push_back(cases[place].one);
  const std::string total =
      fmt::format("{} of {} {} all {}", chosen.size(), report::counted(cases.size(), "case"),
                  chosen.size() == 1 ? "reaches" : "reach",
                  report::counted(all.size(), probe.has_coverage() ? "feature" : "shape"));
  const std::string text = case_list_text("Of splitproof distil: " + total, chosen);
  if (command.out.empty()) {
    std::cout << text;
  } else if (const auto written = write_file(command.out, text); !written) {
    return complain(written.error());
  }
  std::vector<std::string> names;
  for (const hunt::Feature feature : unstable) names.push_back(probe.name(feature));
  show_names(fmt::format("left out, because equal runs differ in {}:",
                         report::counted(unstable.size(), probe.has_coverage() ? "feature" : "shape")),
             names);
  const std::vector<std::string> unreached = probe.unreached();
  show_names(fmt::format("no case reaches {}:", report::counted(unreached.size(), "place")), unreached);
  std::cerr << "splitproof: " << total << "\n";
  return kConforms;
}

void add_options(Options& options, DistilCommand& distil) {
  options
      .texts("RESULTS", distil.results,
             "list of cases, folder of a search (fuzz --corpus-out), or report in JSON Lines (repeatable)")
      .required();
  add_target(options, distil.target, "target to run the cases with");
  add_selection(options, distil.selection);
  options
      .number("--runs", distil.runs, {1, kMostRuns},
              "number of times each case runs; what differs between them is left out and named")
      .shows_default()
      .type("N");
  options.text("--out", distil.out, "file for the list (default: standard output)").path().type("FILE");
}

}  // namespace

const Command kDistil = {"distil",
                         "Find few cases that reach all that many cases reach, as a list for run --cases",
                         "splitproof distil hunt --target splitproof/target.yaml --out gate.txt",
                         adding(add_options, distil_cases)};

}  // namespace splitproof::cli
