#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>

#include "harness/campaign/client_breaks.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/evidence_files.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/expectation_files.hpp"
#include "harness/cli/report_files.hpp"
#include "harness/cli/run_heading.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/tell.hpp"
#include "harness/evidence/merge.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/join.hpp"
#include "harness/results/merge.hpp"

namespace splitproof::cli {
namespace {

struct JudgeCommand {
  std::vector<std::string> evidence;  ///< Files, and folders of them.
  std::vector<std::string> contracts;
  std::string profile;  ///< Empty: the evidence's profile.
  std::string expect;   ///< File of known failures.
  ReportOptions reports;
  bool strict = false;
  bool all = false;      ///< Print findings instead of their causes.
  bool json = false;     ///< Print the report in JSON Lines.
  bool verbose = false;  ///< Print seams, and rules that were not judged.
  std::string command;   ///< Command line as reports show it.
};

// Evidence of one recording, which its result points to.
struct JudgedFile {
  std::unique_ptr<const evidence::Evidence> evidence;
  results::RecordingResult result;
};

Result<JudgedFile> judge_file(const JudgeCommand& command, campaign::CampaignSettings& settings,
                              const results::Rules& rules, const std::string& path) {
  auto loaded = evidence::load(path);
  if (!loaded) return tl::unexpected(loaded.error());
  if (!loaded->recording) {
    return tl::unexpected(
        Error{"has no recording, so splitproof cannot know the expected output", path, 1, {}});
  }
  const auto check = check_recording(*loaded->recording);
  if (!check) return tl::unexpected(check.error());
  if (auto listed = check_losses(*loaded->recording, loaded->testee.client, *settings.contracts); !listed) {
    listed.error().file = path;
    listed.error().line = 1;
    return tl::unexpected(listed.error());
  }
  const std::string& name = command.profile.empty() ? loaded->profile : command.profile;
  if (command.profile.empty() && contract::names_profile_file(name)) {
    return tl::unexpected(Error{
        "names a profile file, '" + name + "', and splitproof judge does not open files that evidence names",
        path, 1, "pass the profile with --profile"});
  }
  auto profile = load_profile(name.empty() ? Selection().profile : name, command.contracts);
  if (!profile) return tl::unexpected(profile.error());
  settings.profile = std::move(*profile);
  JudgedFile judged{std::make_unique<const evidence::Evidence>(std::move(*loaded)), {}};
  auto result = campaign::judge_again(settings, *judged.evidence);
  if (!result) {
    result.error().file = path;
    return tl::unexpected(result.error());
  }
  judged.result = std::move(*result);
  campaign::mark_client_breaks(judged.result, settings.profile.name, rules, *settings.contracts,
                               *settings.clients);
  results::apply_expectations(judged.result, settings.expectations);
  return judged;
}

// Joins the results of a campaign's rounds for one recording and target.
void add(std::vector<results::RecordingResult>& results, results::RecordingResult result) {
  const auto same = std::find_if(results.begin(), results.end(), [&](const results::RecordingResult& known) {
    return known.target == result.target && known.recording.digest == result.recording.digest &&
           known.recording.id == result.recording.id;
  });
  if (same == results.end()) {
    results.push_back(std::move(result));
  } else {
    results::join(*same, std::move(result));
  }
}

// Sorts targets in the order of the runs' options.
void sort(std::vector<std::string>& targets, const std::vector<evidence::Manifest>& manifests) {
  std::vector<std::string> given;
  for (const evidence::Manifest& manifest : manifests)
    given.insert(given.end(), manifest.targets.begin(), manifest.targets.end());
  const auto place = [&](const std::string& target) { return std::find(given.begin(), given.end(), target); };
  std::stable_sort(targets.begin(), targets.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
}

// Evidence of only some shards leaves the verdict open: CONFORMS SO FAR.
Result<void> take_shards(results::RunHeading& heading, const std::vector<evidence::Manifest>& manifests) {
  std::map<std::string, evidence::Manifest> runs;  // by plan; whole runs have none
  for (const evidence::Manifest& manifest : manifests) {
    const auto [run, is_new] = runs.try_emplace(manifest.plan, manifest);
    run->second.shards.insert(manifest.shards.begin(), manifest.shards.end());
  }
  for (const auto& [plan, run] : runs) {
    const std::vector<std::size_t> missing = evidence::missing_shards(run);
    if (missing.empty()) continue;
    if (runs.size() > 1) {
      return tl::unexpected(
          Error{fmt::format("the evidence is of several runs, and one of them lacks {} of {}", missing.size(),
                            report::counted(run.of, "shard")),
                {},
                0,
                "judge each run by itself"});
    }
    heading.shards = run.shards;
    heading.plan.shards = run.of;
    heading.plan.options = " judged, from plan " + plan;  // its report is not one of the run
  }
  return {};
}

int judge(const JudgeCommand& command) {
  const auto began = std::chrono::steady_clock::now();
  const auto contracts = load_contracts(command.contracts);
  if (!contracts) return complain(contracts.error());
  const auto expectations = load_expectations(command.expect, {});
  if (!expectations) return complain(expectations.error());
  const auto found = find_evidence(command.evidence);
  if (!found) return complain(found.error());
  auto clients = load_clients(command.contracts, *contracts);
  if (!clients) return complain(clients.error());
  std::vector<TakenFile> taken{{command.expect, "is the expectation file"}};
  for (const std::string& file : found->files) taken.push_back({file, "is evidence"});
  auto reports = ReportFiles::make(with_json(command.reports, command.json), taken);
  if (!reports) return complain(reports.error());

  campaign::CampaignSettings settings;
  settings.contracts = &*contracts;
  settings.clients = &*clients;
  settings.expectations = expectations->expected;
  settings.strict = command.strict;
  results::RunHeading heading;
  heading.rules = campaign::rules_of(*contracts);
  std::vector<std::unique_ptr<const evidence::Evidence>> kept;
  std::vector<results::RecordingResult> results;
  for (const std::string& file : found->files) {
    auto judged = judge_file(command, settings, heading.rules, file);
    if (!judged) return complain(judged.error());
    heading.profile = settings.profile.name;
    if (std::find(heading.targets.begin(), heading.targets.end(), judged->result.target) ==
        heading.targets.end())
      heading.targets.push_back(judged->result.target);
    kept.push_back(std::move(judged->evidence));
    if (judged->result.cases > 0) add(results, std::move(judged->result));
  }
  if (results.empty()) {
    std::cerr << "splitproof: the evidence has no case\n";
    return kNothingSelected;
  }
  // Re-judging evidence cannot recover cases that the run did not execute.
  for (const evidence::Manifest& manifest : found->manifests) {
    heading.unreadable += manifest.unreadable;
    heading.unavailable += manifest.untested.size();
    heading.untested.insert(manifest.untested.begin(), manifest.untested.end());
  }
  if (const auto taken = take_shards(heading, found->manifests); !taken) return complain(taken.error());
  sort(heading.targets, found->manifests);
  results::sort(results, heading.targets);
  // A reproducer repeats one run; evidence of several runs has no common options.
  Selection reproduced;
  reproduced.contracts = command.contracts;
  reproduced.profile = command.profile.empty() ? heading.profile : command.profile;
  if (found->manifests.size() == 1) {
    const evidence::Manifest& manifest = found->manifests.front();
    if (manifest.corpora != std::vector<std::string>{kOwnCorpus}) reproduced.corpus = manifest.corpora;
    heading.trials = manifest.options;
    heading.seed = manifest.seed;
  }
  heading.options = source_options(reproduced, command.strict);
  heading.contracts = contract_digests(*contracts);
  heading.clients = std::move(*clients);
  heading.corpora = command.evidence;
  heading.strict = command.strict;
  heading.details = details_of(command.command, began, {});
  return tell({std::move(heading), std::move(results)}, *reports, command.all, command.verbose, command.json);
}

void add_options(Options& options, JudgeCommand& judge) {
  judge.command = shown_command(options.words());
  options.texts("EVIDENCE", judge.evidence, "evidence files, or folders, that run --evidence wrote")
      .required();
  add_contracts(options, judge.contracts);
  options
      .text("--profile", judge.profile,
            "name or path of a profile (default: the profile that the evidence names)")
      .type("NAME");
  options.text("--expect", judge.expect, "file of known failures, as for splitproof run").path().type("FILE");
  add_reports(options, judge.reports);
  add_strict(options, judge.strict);
  add_all(options, judge.all);
  add_verbose(options, judge.verbose);
  add_json_report(options, judge.json);
}

}  // namespace

const Command kJudge = {"judge", "Judge stored evidence again, without running the target",
                        "splitproof judge seen --strict", adding(add_options, judge)};

}  // namespace splitproof::cli
