#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case_list.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/cause/cause.hpp"
#include "harness/cli/accepting_knobs.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/evidence_folder.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/expectation_files.hpp"
#include "harness/cli/listed_cases.hpp"
#include "harness/cli/plan_of.hpp"
#include "harness/cli/processors.hpp"
#include "harness/cli/report_files.hpp"
#include "harness/cli/retry_causes.hpp"
#include "harness/cli/run_heading.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/cli/run_stops.hpp"
#include "harness/cli/run_targets.hpp"
#include "harness/cli/shrink_causes.hpp"
#include "harness/cli/source_place.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/target_values.hpp"
#include "harness/cli/trial_options.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/report/console.hpp"
#include "harness/report/expectation_text.hpp"
#include "harness/report/progress.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/merge.hpp"

namespace splitproof::cli {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kQuickTime{60};  // the time limit of --quick
constexpr int kPartOfHangs = 6;  // exchanges that hang, and acts, may take this part of the time

// Returns the first option that a run with --quick would ignore, or "".
std::string option_without_effect(const RunCommand& command) {
  const RunCommand usual;
  if (!command.quick) return {};
  if (command.sweep) return "--sweep";
  return command.splits != usual.splits ? "--splits" : "";
}

// One run of the command, step by step. A step that ends the run returns the exit code.
class RunSession {
 public:
  RunSession(const RunCommand& command, const RunContext& context)
      : context_(context), command_(command), selection_(command.selection), kept_(command.evidence) {
    if (command.limit.count() > 0) limit_ = command.limit;
    const bool takes_its_time = command.growth || command.cases > 0;
    if (!limit_ && command.quick && !takes_its_time) limit_ = kQuickTime;
  }

  int run() {
    for (const auto step : {&RunSession::choose_shard, &RunSession::load, &RunSession::make_targets,
                            &RunSession::start_targets, &RunSession::set_up})
      if (const auto ended = (this->*step)()) return *ended;
    run_cases();
    look_closer();
    return tell();
  }

 private:
  using Ended = std::optional<int>;

  bool has_limit() const { return limit_ || command_.cases > 0; }
  bool is_late() const { return limit_ && steady_clock::now() - began_ >= *limit_ - time_to_shrink(); }
  bool is_over() const { return limit_ && steady_clock::now() - began_ >= *limit_; }
  bool ends_now() const { return caught_signal != 0 || is_over(); }

  // Comes first: Bazel sees a program that ends before this as one without shards.
  Ended choose_shard() {
    auto chosen = chosen_shard(command_);
    if (!chosen) return complain(chosen.error());
    shard_ = std::move(*chosen);
    if (command_.resume && has_limit()) {
      return complain(Error{"--resume cannot continue a run with --for, --quick or --cases",
                            {},
                            0,
                            "omit them; a run that is killed keeps what it finished"});
    }
    if (command_.resume && !command_.evidence.empty()) {
      return complain(Error{"--resume cannot continue the evidence of a run that was killed",
                            {},
                            0,
                            "omit --resume or --evidence"});
    }
    if (!shard_) return std::nullopt;
    heading_.shards = {shard_->number};
    heading_.shard_source = shard_->source;
    return std::nullopt;
  }

  // Loads everything before anything runs, so that wrong input is reported at once.
  Ended load() {
    if (const std::string idle = option_without_effect(command_); !idle.empty())
      return complain(Error{idle + " has no effect with --quick", {}, 0, "leave one of them out"});
    listed_ = context_.listed;
    if (listed_ == nullptr) {
      auto listed = load_listed_cases(command_);
      if (!listed) return complain(listed.error());
      listed_ = std::move(*listed);
    }
    auto supervisor = supervisor_for(names_);
    if (!supervisor) return complain(supervisor.error());
    supervisor_ = std::move(*supervisor);
    for (const std::string& protocol : {selection_.client, selection_.upstream}) {
      if (!protocol.empty() && dialect::find(protocol) == nullptr)
        return complain(unknown_protocol(protocol));
    }
    auto reports = ReportFiles::make(command_.reports, {{command_.expect, "is the expectation file"},
                                                        {command_.write_expect, "is the expectation file"}});
    if (!reports) return complain(reports.error());
    reports_ = std::move(*reports);
    if (!command_.evidence.empty())
      if (const auto made = EvidenceFolder::make(command_.evidence); !made) return complain(made.error());
    auto expectations = load_expectations(command_.expect, command_.write_expect);
    if (!expectations) return complain(expectations.error());
    expectations_ = std::move(*expectations);
    auto contracts = load_contracts(selection_.contracts);
    if (!contracts) return complain(contracts.error());
    contracts_.emplace(std::move(*contracts));
    auto clients = load_clients(selection_.contracts, *contracts_);
    if (!clients) return complain(clients.error());
    heading_.clients = std::move(*clients);
    auto profile = load_profile(selection_.profile, selection_.contracts);
    if (!profile) return complain(profile.error());
    settings_.profile = std::move(*profile);
    auto corpus = load_recordings(selection_.corpus, selection_.only);
    if (!corpus) return complain(corpus.error());
    corpus_ = std::move(*corpus);
    if (listed_ != nullptr)
      if (const auto checked = check_listed_cases(*listed_, selection_, corpus_); !checked)
        return complain(checked.error());
    return corpus_.recordings.empty() && corpus_.errors.empty() && !selection_.only.empty()
               ? Ended(tell_nothing_matches())
               : std::nullopt;
  }

  Ended make_targets() {
    for (const std::string& name : names_) {
      const auto file = context_.files.find(name);
      auto target =
          file != context_.files.end()
              ? make_target(file->second, settings_.profile, supervisor_.get(), stop_, selection_.corpus)
              : make_target(name, settings_.profile, supervisor_.get(), stop_, selection_.corpus,
                            {selection_.client, selection_.upstream});
      if (!target) return complain(target.error());
      const std::string& own_name = (*target)->name();
      if (std::count(heading_.targets.begin(), heading_.targets.end(), own_name) > 0)
        return complain(Error{"target " + own_name + " is given twice", {}, 0, {}});
      heading_.targets.push_back(own_name);
      if (own_name != name) {
        heading_.files[own_name] = name;
        if (const std::string place = place_in_source(name); !place.empty())
          heading_.places[own_name] = place;
      }
      if ((selection_.client.empty() || selection_.client == (*target)->client()) &&
          (selection_.upstream.empty() || selection_.upstream == (*target)->upstream()))
        targets_.push_back(std::move(*target));
    }
    if (targets_.empty()) {
      std::cerr << nobody_translates(selection_, names_);
      return kNothingSelected;
    }
    leave_out_unlisted(targets_, *contracts_, corpus_);
    for (const Error& error : corpus_.errors) complain(error);
    if (listed_ != nullptr) std::cerr << other_directions(*listed_, command_.case_file, corpus_, targets_);
    if (tell_unmatched(targets_, heading_, corpus_.recordings) == targets_.size() && corpus_.errors.empty())
      return kNothingSelected;
    return std::nullopt;
  }

  Ended start_targets() {
    caught_.emplace(stop_);
    if (limit_) {
      at_limit_.emplace(stop_, began_ + *limit_);
      settings_.time_for_acts = std::chrono::milliseconds(*limit_) / kPartOfHangs;
      for (const auto& target : targets_) target->limit_hangs(settings_.time_for_acts);
    }
    start(targets_, heading_);
    return caught_signal != 0 ? Ended(kInterrupted + caught_signal) : std::nullopt;
  }

  Ended set_up() {
    for (const auto& target : targets_) settings_.testees.push_back(target.get());
    for (const recording::Recording& recording : corpus_.recordings) {
      warn(recording);
      settings_.recordings.push_back(&recording);
    }
    settings_.contracts = &*contracts_;
    settings_.clients = &heading_.clients;
    settings_.trials = {{command_.splits, command_.sweep, command_.seed}, command_.recuts, command_.faults};
    settings_.trials.listed = listed_;
    settings_.only = selection_.only;
    settings_.expectations = expectations_.expected;
    settings_.jobs = command_.jobs != 0 ? command_.jobs : usual_jobs(settings_.testees);
    const campaign::Share whole_share = command_.quick ? campaign::kQuick : campaign::Share();
    const bool in_shares = has_limit() && listed_ == nullptr;
    settings_.shares = in_shares ? campaign::by_worth(whole_share) : std::vector{whole_share};
    if (command_.cases > 0) settings_.most_cases = command_.cases;
    settings_.fail_fast = command_.fail_fast;
    settings_.strict = command_.strict;
    if (!command_.evidence.empty()) {
      settings_.keep = [this](const evidence::Evidence& seen, campaign::Round round) {
        kept_.keep(seen, round);
      };
    }
    settings_.on_part = [this](const results::RecordingResult& part) { reports_.grow(part, heading_); };
    if (shard_) settings_.shard = {shard_->number - 1, shard_->count};

    heading_.contracts = contract_digests(*contracts_);
    heading_.rules = campaign::rules_of(*contracts_);
    heading_.corpora = selection_.corpus.empty() ? std::vector<std::string>{kOwnCorpus} : selection_.corpus;
    heading_.profile = settings_.profile.name;
    heading_.options = source_options(selection_, command_.strict);
    heading_.trials = trial_options(command_);
    heading_.seed = command_.seed;
    heading_.strict = command_.strict;
    heading_.quick = command_.quick || command_.cases > 0 || listed_ != nullptr;
    heading_.unreadable = corpus_.errors.size();
    // The project's own corpus has recordings of every protocol, so unread ones are expected.
    if (!selection_.corpus.empty()) heading_.untargeted = count_untargeted(settings_);
    heading_.details = details_of(command_.command, began_, settings_.testees);
    heading_.plan =
        plan_of(command_, heading_, settings_.profile, settings_.recordings, settings_.testees, shard_);
    if (listed_ != nullptr) heading_.plan.options += " of " + campaign::digest_of_list(*listed_);
    if (command_.resume) {
      if (const auto resumed = reports_.resume(heading_); !resumed) return complain(resumed.error());
      settings_.done = reports_.saved();
    }
    reports_.begin(heading_);
    return std::nullopt;
  }

  // The limit that ended the run first.
  std::string text_of_limit() const {
    return command_.cases > 0 && !was_late_ ? report::counted(command_.cases, "case")
                                            : report::rough_time(*limit_);
  }

  std::chrono::milliseconds time_to_shrink() const {
    return limit_ ? std::min(kShrinkTime, std::chrono::milliseconds(*limit_) / 10) : kShrinkTime;
  }

  void run_cases() {
    const IdleProcessors idle;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    report::ProgressLine line(terminal, limit_);
    run_ = campaign::run(
        settings_,
        [&](const campaign::CampaignProgress& progress) {
          const auto elapsed = std::chrono::floor<std::chrono::seconds>(steady_clock::now() - began_);
          std::cerr << line.at(progress, elapsed) << std::flush;
        },
        [&] { return caught_signal != 0 || is_late(); });
    was_late_ = is_late();
    if (terminal) std::cerr << "\r\033[K" << std::flush;
    results::sort(run_.recordings, heading_.targets);
    if (context_.repeatable != nullptr) *context_.repeatable = run_.repeatable;
    add_targets(heading_, run_.targets, targets_);
    add_paces(heading_, run_, settings_.testees, idle.share());
  }

  // Runs more cases to explain the findings.
  void look_closer() {
    summary_ = report::summarise(run_.recordings, heading_);
    const auto stop = [this] { return ends_now(); };
    if (command_.growth) add_growth(heading_, settings_.testees, stop);
    if (command_.all && command_.reports.files.empty()) return;
    examine(summary_.causes);
    if (shard_) examine_candidates();
  }

  // Merged results may have other causes than this shard, and then no target is there to examine them.
  void examine_candidates() {
    std::vector<cause::Cause> others =
        cause::candidates_of(run_.recordings, heading_.rules, heading_.clients, command_.strict);
    std::erase_if(others, [this](const cause::Cause& other) {
      return std::any_of(summary_.causes.begin(), summary_.causes.end(), [&](const cause::Cause& cause) {
        return cause.target == other.target && cause.rule == other.rule &&
               cause.shown.case_id == other.shown.case_id;
      });
    });
    examine(others);
    for (const cause::Cause& cause : others)
      if (report::was_examined(cause)) summary_.notes.push_back(report::note_of(cause));
  }

  void examine(std::vector<cause::Cause>& causes) {
    const auto stop = [this] { return ends_now(); };
    retry_causes(causes, settings_, time_to_shrink() / 3, stop);
    find_accepting_knobs(causes, settings_, time_to_shrink() / 3, stop);
    shrink_causes(causes, settings_, run_, time_to_shrink(), stop);
  }

  bool asked_for_all() const {
    return selection_.only.empty() && listed_ == nullptr && !command_.fail_fast && !heading_.quick &&
           !shard_ && !run_.cut_short;
  }

  int tell() {
    const bool interrupted = caught_signal != 0;
    heading_.details = details_of(command_.command, began_, settings_.testees);
    if (run_.cut_short && !interrupted) summary_.cut_short = {text_of_limit(), run_.planned, run_.unreached};
    // An expectation may be about an omitted or unreadable recording.
    const bool whole = asked_for_all() && !interrupted && corpus_.errors.empty() &&
                       heading_.unavailable == 0 && summary_.unrun == 0;
    if (whole) summary_.stale = results::stale(expectations_.expected, run_.recordings);
    if (!command_.evidence.empty() && !interrupted) kept_.end(manifest_of(heading_));
    summary_.unwritten =
        reports_.write(run_.recordings, heading_, summary_, !interrupted) + kept_.unwritten();
    if (interrupted) {
      if (!run_.recordings.empty()) print(false);
      std::cerr << "splitproof: interrupted after " << report::counted(summary_.cases, "case") << "\n";
      return kInterrupted + caught_signal;
    }
    complain_of(run_.targets);
    if (run_.recordings.empty() && !is_empty_shard()) return tell_nothing_ran();
    if (const auto ended = check_seams()) return *ended;
    if (!command_.write_expect.empty()) {
      const auto text_after = [&](const results::ExpectationFile& before) {
        return report::expectation_text(before, run_.recordings, command_.strict, whole);
      };
      summary_.unwritten +=
          write_expectations(command_.write_expect, expectations_.noted, text_after) ? 0 : 1;
    }
    print(true);
    if (summary_.unwritten > 0 || !corpus_.errors.empty()) return kWrongInput;
    if (summary_.unavailable > 0) return kUnavailable;
    return summary_.conforms() ? kConforms : kViolates;
  }

  // A campaign may have fewer cases than shards.
  bool is_empty_shard() const { return shard_ && summary_.conforms() && !was_late_; }

  void print(bool complete) const {
    if (!context_.prints) {
      if (complete) std::cerr << report::verdict_line(summary_) << "\n";
      return;
    }
    const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    std::cout << report::console_report(run_.recordings, heading_, summary_,
                                        {colour, command_.all, complete, command_.verbose})
              << std::flush;
  }

  int tell_nothing_matches() const {
    std::vector<std::string> ids;
    if (const auto all = load_recordings(selection_.corpus))
      for (const recording::Recording& recording : all->recordings) ids.push_back(recording.id);
    complain(nothing_matches("case", selection_.only, ids, "run splitproof list recordings to see all"));
    return kNothingSelected;
  }

  int tell_nothing_ran() const {
    if (!corpus_.errors.empty()) return kWrongInput;
    if (heading_.unavailable > 0) {
      if (is_over())
        std::cerr << "splitproof: the time ended before the target was ready; allow more with --for, as "
                     "installing and starting count too\n";
      return kUnavailable;
    }
    if (run_.cut_short) {
      std::cerr << "splitproof: the time ended before the first case; allow more with --for\n";
      return kNothingSelected;
    }
    const std::string unclaimed =
        heading_.unclaimed > 0
            ? fmt::format(" ({} not claimed)", report::counted(heading_.unclaimed, "recording"))
            : std::string();
    std::cerr << fmt::format(
        "splitproof: no case is left to run{}; change --only, --corpus, --client or --upstream, or "
        "run splitproof list recordings\n",
        unclaimed);
    return kNothingSelected;
  }

  // A plan cuts a seam of each kind; otherwise the harness has a bug.
  Ended check_seams() const {
    const std::vector<split::SeamKind> uncut = summary_.coverage.uncut();
    if (!asked_for_all() || heading_.unavailable > 0 || uncut.empty()) return std::nullopt;
    std::cerr << "splitproof: internal error: no case cuts seams of these kinds:";
    for (const split::SeamKind kind : uncut) std::cerr << " " << split::name(kind);
    std::cerr << "\n";
    return kInternalError;
  }

  const RunContext& context_;
  const RunCommand& command_;
  const steady_clock::time_point began_ = context_.began;
  const Selection& selection_;
  const std::vector<std::string> names_ =
      command_.targets.empty() ? std::vector<std::string>{"reference"} : command_.targets;
  std::optional<std::chrono::seconds> limit_;
  bool was_late_ = false;  // the cases ended after most of that time
  std::optional<shard::Chosen> shard_;
  testee::StopToken stop_;
  std::unique_ptr<testee::Supervisor> supervisor_;  // null if no target needs it
  ReportFiles reports_;
  Expectations expectations_;
  std::optional<contract::Contracts> contracts_;
  recording::Corpus corpus_;
  std::shared_ptr<const campaign::CaseList> listed_;  // null: the planned cases run
  EvidenceFolder kept_;
  std::vector<std::unique_ptr<testee::Testee>> targets_;
  std::optional<SignalsCaught> caught_;
  std::optional<Alarm> at_limit_;
  campaign::CampaignSettings settings_;
  report::Heading heading_;
  campaign::Results run_;
  report::Summary summary_;
};

int run_alone(const RunCommand& command) {
  RunContext context;
  context.prints = !command.json;
  RunCommand run = command;
  run.reports = with_json(command.reports, command.json);
  if (const auto taken = take_cases(run); !taken) return complain(taken.error());
  return run_campaign(run, context);
}

// A recording's splits are in memory; use other seeds for more.
constexpr std::uint64_t kMostSplits = 10000;
constexpr std::uint64_t kMostJobs = 1024;

void add_options(Options& options, RunCommand& run) {
  run.command = shown_command(options.words());
  options
      .texts("--target", run.targets,
             "target to test: a name from splitproof list targets, mutant:NAME, or the file of a proxy or "
             "client (repeatable; default: reference)")
      .type("T");
  add_selection(options, run.selection);
  options
      .number("--splits", run.splits, {0, kMostSplits},
              "number of random splits of each recording, in addition to recorded, whole, bytes and seams")
      .shows_default()
      .type("N");
  options.flag("--sweep", run.sweep, "also cut at every single byte, and recut the text at every character");
  options
      .number("--recuts", run.recuts, {0, kMostSplits},
              "number of random recuts of each recording, in addition to the other kinds of recut")
      .shows_default()
      .type("N");
  options.flag("--faults", run.faults,
               "also end or damage the upstream at every offset; for targets over HTTP at the end of every "
               "event, and answer with errors");
  options.number("--seed", run.seed, {}, "seed of random splits, recuts and faults")
      .shows_default()
      .type("S");
  options
      .text("--expect", run.expect,
            "file of known failures, one per line: VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB # "
            "reason. Only differences from them fail the run")
      .path()
      .type("FILE");
  options
      .text("--write-expect", run.write_expect,
            "write the failures of this run to a file of known failures, and keep its entries that still "
            "apply")
      .path()
      .type("FILE");
  add_reports(options, run.reports);
  options
      .text("--evidence", run.evidence,
            "store each different outcome once in this folder, for splitproof judge")
      .path()
      .type("DIR");
  options
      .number("--jobs", run.jobs, {1, kMostJobs},
              "number of recordings in flight (default: one per core, or as many as the targets allow)")
      .type("N");
  options
      .text(
          "--shard", run.shard,
          "run only one of N equal parts of the cases; merge joins their reports. The default comes from the "
          "environment of the scheduler (docs/many-machines.md)")
      .type("I/N");
  options.flag("--no-shard", run.no_shard, "run everything, whatever the environment says");
  options.flag("--resume", run.resume,
               "continue the run that was killed, from the part of its report jsonl:PATH");
  options.flag("--quick", run.quick,
               "run only the cases that find most: each recording whole, byte by byte, held back and recut "
               "once; with --faults also one fault. Ends after 60s, or --for, or --cases, or --growth");
  options
      .text(
          "--cases", run.cases_or_file,
          "run at most this number of cases with each target: those that find most. The same number selects "
          "the same cases again. Or run exactly the cases of a file, with a case id on each line")
      .path()
      .type("N|FILE");
  options.flag("--growth", run.growth,
               "after the cases, send targets over HTTP more and more tools, messages, calls and events, "
               "for about 20 s each. Costs that grow with the square become advice");
  options
      .time("--for", run.limit,
            "end after this time, such as 30s, 10m or 1h, and report the findings so far; the cases that "
            "find most run first")
      .type("TIME");
  add_strict(options, run.strict);
  add_all(options, run.all);
  add_verbose(options, run.verbose);
  add_json_report(options, run.json);
  options.flag("--fail-fast", run.fail_fast, "end after the first recording with an unexpected finding");
}

}  // namespace

int run_campaign(const RunCommand& command, const RunContext& context) {
  return RunSession(command, context).run();
}

const Command kRun = {
    "run", "Send recordings through a target, cut, recut and damaged, and judge its output by the contracts",
    "splitproof run --splits 64 --only 'openai.chat/tool-*'", adding(add_options, run_alone)};

}  // namespace splitproof::cli
