#include "harness/results/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/expectation_files.hpp"
#include "harness/cli/merge_evidence.hpp"
#include "harness/cli/read_report.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/tell.hpp"
#include "harness/cli/trial_options.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/merge.hpp"
#include "harness/report/summary.hpp"
#include "harness/shard/missing.hpp"

namespace splitproof::cli {
namespace {

struct MergeCommand {
  std::vector<std::string> parts;  ///< Reports in JSON Lines, and folders of reports.
  std::string evidence;            ///< Folder for the joined evidence; empty: none is joined.
  std::string expect;              ///< File of known failures.
  ReportOptions reports;
  bool partial = false;
  bool missing = false;
  std::string scheduler = "list";
  bool all = false;
  bool json = false;  ///< Print the report in JSON Lines.
  bool verbose = false;
};

constexpr const char* kReport = ".jsonl";
constexpr const char* kGrowing = ".jsonl.part";

// Returns the reports in the folders, by name, and the other paths as they are. The report of an unfinished
// run is the part next to it. Each folder has a report, unless it may have only evidence.
Result<std::vector<std::string>> find_reports(const std::vector<std::string>& paths, bool may_have_none) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    std::error_code failed;
    const fs::file_status about = fs::status(path, failed);
    if (fs::exists(about) && !fs::is_directory(about) && !fs::is_regular_file(about))
      return tl::unexpected(
          Error{"is not a regular file", path, 0, "name a file that --report jsonl:PATH wrote, or a folder"});
    if (!fs::is_directory(about)) {
      found.push_back(path);
      continue;
    }
    std::vector<std::string> within;
    for (fs::recursive_directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed)) {
      const std::string name = it->path().string();
      const bool is_report =
          name.ends_with(kGrowing) || (name.ends_with(kReport) && !name.ends_with(evidence::kSuffix));
      if (is_report && it->is_regular_file(failed)) within.push_back(name);
    }
    if (failed) return tl::unexpected(Error{"cannot be read: " + failed.message(), path, 0, {}});
    if (within.empty() && !may_have_none)
      return tl::unexpected(Error{"the folder has no reports", path, 0,
                                  "their names end in .jsonl, as in run --report jsonl:DIR/1.jsonl; merge "
                                  "evidence with --evidence DIR"});
    std::sort(within.begin(), within.end());
    for (const std::string& name : within) {
      const std::string report = name.substr(0, name.rfind('.'));
      if (!name.ends_with(kGrowing) || !std::binary_search(within.begin(), within.end(), report))
        found.push_back(name);
    }
  }
  return found;
}

std::string shards_of(const results::RunHeading& header) {
  return fmt::format("{} {} of {}", header.shards.size() == 1 ? "shard" : "shards",
                     fmt::join(header.shards, ", "), header.plan.shards);
}

// Joins reports.
class ReportMerger {
 public:
  explicit ReportMerger(bool partial) : partial_(partial) {}

  Result<void> take(const std::string& path) {
    auto part = read_report(path, true, &shared_);
    if (!part) return tl::unexpected(part.error());
    const bool is_shard = !part->header.shards.empty();
    if (const auto fits = check_kind(path, *part); !fits) return fits;
    if (!part->complete) {
      if (!is_shard && !partial_) return unfinished(path);
      if (is_shard && !partial_) part->recordings.clear();
      if (is_shard) part->header.shards = {results::kUnfinishedShard};
      part->complete = part->complete || is_shard;
    }
    const std::string options =
        is_shard ? part->header.plan.options : common_trial_options(part->header.trials);
    if (!options_) options_ = options;
    if (!is_shard && options != *options_) {
      return tl::unexpected(Error{"the reports are of different runs: this run had the options '" + options +
                                      "', and the first run had '" + *options_ + "'",
                                  path, 0, "only --only, --target and --jobs may differ"});
    }
    if (!is_shard) part->header.trials = options;  // they reproduce all parts
    if (is_shard && !taken_.empty())
      if (const auto same = results::check_same(part->header.plan, taken_.front().run.header.plan); !same)
        return in(path, same.error());
    // Reports of one run have the same rules, and a thousand copies are large.
    if (taken_.empty()) {
      rules_ = part->header.rules;
      clients_ = part->header.clients;
    }
    if (part->header.rules == rules_) part->header.rules.clear();
    if (part->header.clients == clients_) part->header.clients = {};
    taken_.push_back({path, *std::move(part)});
    return {};
  }

  /// Call it once, after at least one report.
  Result<results::RunResult> end() {
    if (const auto dropped = drop_contained(); !dropped) return tl::unexpected(dropped.error());
    results::RunHeading& first = taken_.front().run.header;
    first.rules.merge(std::move(rules_));
    first.clients = std::max(std::move(first.clients), clients_);
    results::Merger merger;
    for (Taken& one : taken_)
      if (const auto took = merger.take(std::move(one.run)); !took) return in(one.path, took.error());
    return merger.end();
  }

 private:
  struct Taken {
    std::string path;
    results::RunResult run;

    const std::set<std::size_t>& shards() const { return run.header.shards; }
  };

  static tl::unexpected<Error> in(const std::string& path, Error error) {
    error.file = path;
    return tl::unexpected(std::move(error));
  }

  // A folder may have an earlier merge of its reports.
  Result<void> check_kind(const std::string& path, const results::RunResult& part) const {
    if (taken_.empty() || taken_.front().shards().empty() == part.header.shards.empty()) return {};
    const bool is_first = taken_.front().shards().empty();
    const std::string& whole = is_first ? taken_.front().path : path;
    const std::string& other = is_first ? path : taken_.front().path;
    return in(whole, {fmt::format("the report is of no shard, and {} is of {}", other,
                                  shards_of((is_first ? part : taken_.front().run).header)),
                      {},
                      0,
                      "leave one of the two out; the first may be an earlier merge of the same shards"});
  }

  // A report of several shards, which merge --partial wrote, may come with the reports of the same shards. They count
  // once.
  Result<void> drop_contained() {
    std::vector<std::size_t> order(taken_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return taken_[a].shards().size() > taken_[b].shards().size();
    });
    std::map<std::size_t, std::size_t> owners;  // reports by shard
    std::set<std::size_t> dropped;
    for (const std::size_t number : order) {
      const std::set<std::size_t>& shards = taken_[number].shards();
      for (const std::size_t shard : shards) {
        if (shard == results::kUnfinishedShard) continue;
        const auto [known, is_new] = owners.emplace(shard, number);
        if (is_new) continue;
        const std::set<std::size_t>& of_other = taken_[known->second].shards();
        if (of_other == shards) continue;  // the merger keeps one of them
        if (!std::includes(of_other.begin(), of_other.end(), shards.begin(), shards.end()))
          return in(taken_[number].path,
                    {fmt::format("the report has {}, and {} has {}, so some shards are in both",
                                 shards_of(taken_[number].run.header), taken_[known->second].path,
                                 shards_of(taken_[known->second].run.header)),
                     {},
                     0,
                     "leave one of the two out, and merge the reports of its other shards"});
        dropped.insert(number);
      }
    }
    std::vector<Taken> kept;
    for (std::size_t i = 0; i < taken_.size(); ++i)
      if (!dropped.contains(i)) kept.push_back(std::move(taken_[i]));
    taken_ = std::move(kept);
    return {};
  }

  const bool partial_;
  std::vector<Taken> taken_;
  results::SharedContext shared_;
  results::Rules rules_;                // of the first report
  contract::Clients clients_;           // of the first report
  std::optional<std::string> options_;  // of the first report
};

int complain_of_missing(const std::vector<std::size_t>& missing, std::size_t shards) {
  constexpr std::size_t kShown = 20;
  const std::vector<std::size_t> shown(
      missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(std::min(missing.size(), kShown)));
  std::cerr << fmt::format(
      "splitproof: {} of {} {} missing: {}{}; run them again (merge --missing prints how), or pass --partial "
      "for a verdict so far\n",
      missing.size(), report::counted(shards, "shard"), missing.size() == 1 ? "is" : "are",
      fmt::join(shown, ", "), missing.size() > kShown ? ", ..." : "");
  return kUnavailable;
}

// Prints how to start the missing shards again. There are no shards if `shards` is 0.
int print_missing(const std::vector<std::size_t>& missing, std::size_t shards, const std::string& scheduler) {
  if (shards == 0)
    return complain(Error{"the reports are of no shards", {}, 0, "--missing is for reports of run --shard"});
  if (missing.empty()) {
    std::cerr << "splitproof: no shard is missing\n";
    return kNothingSelected;
  }
  std::cout << shard::restart_text(missing, shards, scheduler);
  return kConforms;
}

// Joins the evidence and says so.
Result<void> join(const EvidenceParts& parts, const std::string& folder, std::ostream& out) {
  const auto joined = join_evidence(parts, folder);
  if (!joined) return tl::unexpected(joined.error());
  const std::size_t missing = evidence::missing_shards(parts.whole).size();
  out << fmt::format(
      "splitproof: wrote the evidence of {} in {} to {}{}; judge it with: splitproof judge {}\n",
      report::counted(joined->cases, "case"), report::counted(parts.folders.size(), "folder"), folder,
      missing == 0 ? ""
                   : fmt::format(", {} of {} missing", missing, report::counted(parts.whole.of, "shard")),
      report::shell_quoted(folder));
  return {};
}

// Merges folders that have evidence and no report.
int merge_evidence(const MergeCommand& command, const EvidenceParts& parts) {
  const std::vector<std::size_t> missing = evidence::missing_shards(parts.whole);
  if (command.missing) return print_missing(missing, parts.whole.of, command.scheduler);
  if (!missing.empty() && !command.partial) return complain_of_missing(missing, parts.whole.of);
  const auto joined = join(parts, command.evidence, std::cout);
  return joined ? kConforms : complain(joined.error());
}

// Checks that the reports and the evidence are of the same run. Only runs in shards have a plan.
Result<void> check_same_run(const results::RunResult& whole, const EvidenceParts& parts) {
  const std::string plan = whole.header.shards.empty() ? std::string() : whole.header.plan.digest();
  if (plan != parts.whole.plan) {
    return tl::unexpected(Error{"the evidence and the reports have different plans", parts.folders.front(), 0,
                                "merge the reports and the evidence of the same shards"});
  }
  for (std::size_t i = 0; i < parts.folders.size(); ++i) {
    for (const evidence::Manifest::File& file : parts.manifests[i].files) {
      const auto is_of = [&file](const results::RecordingResult& result) {
        return result.target == file.target && result.recording.id == file.recording;
      };
      if (std::any_of(whole.recordings.begin(), whole.recordings.end(), is_of)) continue;
      return tl::unexpected(
          Error{fmt::format("the evidence of {} with {} is in no report", file.recording, file.target),
                parts.folders[i], 0, "merge the reports and the evidence of the same runs"});
    }
  }
  return {};
}

int merge(const MergeCommand& command) {
  const auto expectations = load_expectations(command.expect, {});
  if (!expectations) return complain(expectations.error());
  std::optional<EvidenceParts> evidence;
  if (!command.evidence.empty()) {
    auto found = find_evidence_parts(command.parts);
    if (!found) return complain(found.error());
    evidence = *std::move(found);
  }
  const auto paths = find_reports(command.parts, evidence.has_value());
  if (!paths) return complain(paths.error());
  if (paths->empty()) {
    if (command.json || !command.reports.files.empty()) {
      return complain(Error{"there are no reports to merge, only evidence", command.parts.front(), 0,
                            "name the reports of the shards too, or judge the merged evidence"});
    }
    return merge_evidence(command, *evidence);
  }
  std::vector<TakenFile> taken{{command.expect, "is the expectation file"}};
  for (const std::string& path : *paths) taken.push_back({path, "is one of the reports to merge"});
  auto reports = ReportFiles::make(with_json(command.reports, command.json), taken);
  if (!reports) return complain(reports.error());
  ReportMerger merger(command.partial);
  for (const std::string& path : *paths)
    if (const auto took = merger.take(path); !took) return complain(took.error());
  auto merged = merger.end();
  if (!merged) return complain(merged.error());
  results::RunResult& whole = *merged;
  const std::vector<std::size_t> missing = results::missing_shards(whole.header);
  if (command.missing)
    return print_missing(missing, whole.header.shards.empty() ? 0 : whole.header.plan.shards,
                         command.scheduler);
  if (!missing.empty() && !command.partial) return complain_of_missing(missing, whole.header.plan.shards);
  if (evidence) {
    if (const auto same = check_same_run(whole, *evidence); !same) return complain(same.error());
    const std::vector<std::size_t> unseen = evidence::missing_shards(evidence->whole);
    if (!unseen.empty() && !command.partial) return complain_of_missing(unseen, evidence->whole.of);
    if (const auto joined = join(*evidence, command.evidence, std::cerr); !joined)
      return complain(joined.error());
  }
  results::join_parts(whole);
  if (const auto covered = results::check_covered(whole); !covered) return complain(covered.error());
  if (whole.recordings.empty()) {
    std::cerr << "splitproof: the reports have no case\n";
    return kNothingSelected;
  }
  for (results::RecordingResult& result : whole.recordings)
    results::apply_expectations(result, expectations->expected);
  if (whole.complete && missing.empty() && !command.expect.empty())
    whole.stale = results::stale(expectations->expected, whole.recordings);
  return tell(whole, *reports, command.all, command.verbose, command.json);
}

void add_options(Options& options, MergeCommand& merge) {
  options
      .texts("REPORT", merge.parts,
             "reports of the parts of one run, written by run --report jsonl:PATH, and folders of reports")
      .required();
  options
      .text("--evidence", merge.evidence,
            "also join the evidence in the folders, and write it to this folder")
      .path()
      .type("DIR");
  options.text("--expect", merge.expect, "file of known failures, as for splitproof run").path().type("FILE");
  add_reports(options, merge.reports);
  options.flag("--partial", merge.partial, "accept reports of interrupted runs, and missing shards");
  options.flag("--missing", merge.missing, "print only the missing shards, to start them again");
  options.text("--as", merge.scheduler, "form of --missing: slurm, k8s, github, parallel or list")
      .one_of({shard::kSchedulers.begin(), shard::kSchedulers.end()})
      .shows_default()
      .type("FORM");
  add_all(options, merge.all);
  add_verbose(options, merge.verbose);
  add_json_report(options, merge.json);
}

}  // namespace

const Command kMerge = {"merge", "Merge the reports of a run's parts into one verdict",
                        "splitproof merge part-1.jsonl part-2.jsonl --report html:whole.html",
                        adding(add_options, merge)};

}  // namespace splitproof::cli
