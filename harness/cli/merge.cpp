#include "harness/results/merge.hpp"

#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/expectation_files.hpp"
#include "harness/cli/read_report.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/tell.hpp"
#include "harness/cli/trial_options.hpp"

namespace splitproof::cli {
namespace {

struct MergeCommand {
  std::vector<std::string> parts;  ///< reports in JSON Lines
  std::string expect;              ///< file of known failures
  std::vector<std::string> reports;
  bool partial = false;
  bool all = false;
};

int merge(const MergeCommand& command) {
  const auto expectations = load_expectations(command.expect, {});
  if (!expectations) return complain(expectations.error());
  std::vector<TakenFile> taken{{command.expect, "is the expectation file"}};
  for (const std::string& part : command.parts) taken.push_back({part, "is one of the reports to merge"});
  auto reports = ReportFiles::make(command.reports, taken);
  if (!reports) return complain(reports.error());
  std::optional<results::RunResult> whole;
  std::string options;
  for (const std::string& path : command.parts) {
    auto part = read_report(path, command.partial);
    if (!part) return complain(part.error());
    const std::string own_options = common_trial_options(part->header.trials);
    if (!whole) options = own_options;
    if (options != own_options) {
      return complain(Error{"the reports are of different runs: this run had the options '" + own_options +
                                "', and the first run had '" + options + "'",
                            path, 0, "only --only, --target and --jobs may differ"});
    }
    part->header.trials = options;  // they reproduce all parts
    auto more = whole ? results::merge(std::move(*part), *whole) : results::merge(*part, *part);
    if (!more) {
      more.error().file = path;
      return complain(more.error());
    }
    whole = std::move(*more);
  }
  if (whole->recordings.empty()) {
    std::cerr << "splitproof: the reports have no case\n";
    return kNothingSelected;
  }
  for (results::RecordingResult& result : whole->recordings)
    results::apply_expectations(result, expectations->expected);
  if (whole->complete && !command.expect.empty())
    whole->stale = results::stale(expectations->expected, whole->recordings);
  return tell(*whole, *reports, command.all);
}

void add_options(Options& options, MergeCommand& merge) {
  options.texts("REPORT", merge.parts, "reports of the parts of one run, written by run --report jsonl:PATH")
      .required();
  options.text("--expect", merge.expect, "file of known failures, as for splitproof run").path().type("FILE");
  add_reports(options, merge.reports);
  options.flag("--partial", merge.partial, "accept reports of interrupted runs");
  add_all(options, merge.all);
}

}  // namespace

const Command kMerge = {"merge", "Merge the reports of a run's parts into one verdict",
                        "splitproof merge part-1.jsonl part-2.jsonl --report html:whole.html",
                        adding(add_options, merge)};

}  // namespace splitproof::cli
