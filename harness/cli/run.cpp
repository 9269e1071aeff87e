#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <thread>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/growth.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/cli/accepting_knobs.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/evidence_folder.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/expectation_files.hpp"
#include "harness/cli/processors.hpp"
#include "harness/cli/report_files.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/cli/shrink_causes.hpp"
#include "harness/cli/source_place.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/target_values.hpp"
#include "harness/cli/trial_options.hpp"
#include "harness/cli/unmatched.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/report/console.hpp"
#include "harness/report/expectation_text.hpp"
#include "harness/report/progress.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/merge.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::cli {
namespace {

using std::chrono::steady_clock;

volatile std::sig_atomic_t caught_signal = 0;
testee::StopToken* stop_on_signal = nullptr;  // outlives the signal handler

// The program ends this long after a signal, even within an endless computation or write.
constexpr unsigned kSecondsToEnd = 3;

// The first signal requests a report of the finished part, a second one ends the program at once.
void catch_signal(int signal) {
  caught_signal = signal;
  stop_on_signal->request_stop();
  std::signal(signal, SIG_DFL);
  alarm(kSecondsToEnd);
}

void end_at_once(int /*signal*/) { _exit(kInterrupted + caught_signal); }

class SignalsCaught {
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

 public:
  explicit SignalsCaught(testee::StopToken& stop) {
    stop_on_signal = &stop;
    std::signal(SIGALRM, end_at_once);
    // An ignored signal stays ignored: under nohup a run outlives its terminal.
    for (const int signal : kSignals)
      if (std::signal(signal, catch_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  ~SignalsCaught() {
    alarm(0);
    std::signal(SIGALRM, SIG_DFL);
    for (const int signal : kSignals)
      if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  SignalsCaught(const SignalsCaught&) = delete;
  SignalsCaught& operator=(const SignalsCaught&) = delete;
};

// Requests a stop at a time, unless it is destroyed earlier. Exchanges in flight are abandoned, as after a
// signal.
class Alarm {
 public:
  Alarm(testee::StopToken& stop, testee::Deadline at)
      : thread_([this, &stop, at] {
          if (testee::sleep_until(destroyed_, at) == testee::Io::late) stop.request_stop();
        }) {}
  ~Alarm() {
    destroyed_.request_stop();
    thread_.join();
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  testee::StopToken destroyed_;
  std::thread thread_;
};

// Returns the default number of recordings in flight: the sum of the targets' concurrency, at least one a
// core.
unsigned usual_jobs(const std::vector<const testee::Testee*>& targets) {
  constexpr std::size_t kMostOfTarget = 64;
  std::size_t places = 0;
  for (const testee::Testee* target : targets)
    if (target->traits().outside) places += std::min(target->traits().max_concurrency, kMostOfTarget);
  return std::max({1U, std::thread::hardware_concurrency(), static_cast<unsigned>(places)});
}

// Counts recordings whose protocol no target reads; requests have one for each protocol.
std::size_t count_untargeted(const campaign::CampaignSettings& settings) {
  return static_cast<std::size_t>(std::count_if(
      settings.recordings.begin(), settings.recordings.end(), [&](const recording::Recording* recording) {
        return !campaign::is_about_request(*recording) &&
               std::none_of(
                   settings.testees.begin(), settings.testees.end(),
                   [&](const testee::Testee* testee) { return testee->upstream() == recording->protocol; });
      }));
}

// Starts the targets. Removes failed targets and reports them in the heading.
void start(std::vector<std::unique_ptr<testee::Testee>>& targets, report::Heading& heading) {
  heading.unavailable = std::erase_if(targets, [&](const auto& target) {
    const auto started = target->start();
    if (started) return false;
    complain(started.error());
    heading.untested[target->name()] = started.error().what;
    return true;
  });
}

// Removes recordings with content whose fate no contract lists.
void leave_out_unlisted(const std::vector<std::unique_ptr<testee::Testee>>& targets,
                        const contract::Contracts& contracts, recording::Corpus& corpus) {
  std::erase_if(corpus.recordings, [&](const recording::Recording& recording) {
    for (const auto& target : targets) {
      if (target->upstream() != recording.protocol) continue;
      const Result<void> listed = check_losses(recording, target->client(), contracts);
      if (listed) continue;
      corpus.errors.push_back(listed.error());
      return true;
    }
    return false;
  });
}

// Reports targets without any recording; returns their number.
std::size_t tell_unmatched(const std::vector<std::unique_ptr<testee::Testee>>& targets,
                           const report::Heading& heading,
                           const std::vector<recording::Recording>& recordings) {
  std::size_t told = 0;
  for (const auto& target : targets) {
    const auto file = heading.files.find(target->name());
    const std::string& asked = file == heading.files.end() ? target->name() : file->second;
    const std::string why = why_unmatched(*target, asked, recordings);
    if (why.empty()) continue;
    std::cerr << "splitproof: " << why << "\n";
    ++told;
  }
  return told;
}

std::string nobody_translates(const Selection& selection, const std::vector<std::string>& targets) {
  std::string direction;
  if (!selection.upstream.empty()) direction += " from " + selection.upstream;
  if (!selection.client.empty()) direction += " for clients of " + selection.client;
  return fmt::format(
      "splitproof: {} {} not translate{}; run splitproof list targets to see the directions of "
      "each target\n",
      fmt::join(targets, ", "), targets.size() == 1 ? "does" : "do", direction);
}

bool failed(const campaign::TargetResult& target) {
  return !target.unavailable.empty() || target.never_called();
}

void add_targets(report::Heading& heading, const std::vector<campaign::TargetResult>& targets,
                 const std::vector<std::unique_ptr<testee::Testee>>& made) {
  for (const campaign::TargetResult& target : targets) {
    heading.unclaimed += target.unclaimed;
    heading.unavailable += failed(target) ? 1 : 0;
    if (failed(target)) {
      heading.untested[target.target] =
          target.never_called() ? "it never called its upstream" : target.unavailable;
    }
  }
  for (const auto& target : made) {
    if (const std::string remark = target->remark(); !remark.empty()) heading.notes[target->name()] = remark;
  }
  for (const campaign::TargetResult& target : targets) {
    if (target.unrun == 0) continue;
    std::string& remark = heading.notes[target.target];
    remark += (remark.empty() ? "" : "; ") + std::string("it hangs on every request, so ") +
              report::counted(target.unrun, "recording") + (target.unrun == 1 ? " was" : " were") +
              " not run";
  }
}

void add_paces(report::Heading& heading, const campaign::Results& run,
               const std::vector<const testee::Testee*>& targets, double idle_processors) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const testee::Testee& target = *targets[i];
    if (!target.traits().outside || run.targets[i].cases == 0 || run.paces[i].at_once == 0) continue;
    heading.throughput[target.name()] =
        report::text_of({run.paces[i], run.targets[i].cases, target.traits().max_concurrency,
                         target.traits().can_overlap, !target.mishaps().empty(), idle_processors});
  }
}

// Runs after all cases, because a target may fail under it and need a restart.
void add_growth(report::Heading& heading, const std::vector<const testee::Testee*>& targets,
                const std::function<bool()>& stop) {
  for (const testee::Testee* target : targets) {
    if (!target->traits().over_http) {
      std::cerr << "splitproof: --growth measures only targets over HTTP, and " << target->name()
                << " is not a target over HTTP\n";
    } else if (heading.untested.count(target->name()) == 0) {
      heading.growth[target->name()] = campaign::growth_of(*target, stop);
    }
  }
}

evidence::Manifest manifest_of(const report::Heading& heading) {
  evidence::Manifest manifest;
  manifest.version = SPLITPROOF_VERSION;
  manifest.profile = heading.profile;
  manifest.contracts = heading.contracts;
  manifest.corpora = heading.corpora;
  manifest.options = heading.trials;
  manifest.seed = heading.seed;
  manifest.targets = heading.targets;
  manifest.untested = heading.untested;
  manifest.unreadable = heading.unreadable;
  return manifest;
}

void complain_of(const std::vector<campaign::TargetResult>& targets) {
  for (const campaign::TargetResult& target : targets) {
    if (!target.unavailable.empty()) {
      std::cerr << fmt::format("splitproof: target {} is not available: {}; {} not finished\n", target.target,
                               target.unavailable, report::counted(target.undone, "recording"));
    } else if (target.never_called()) {
      std::cerr << fmt::format(
          "splitproof: target {} never called its upstream in {}; check that it uses the upstream URL "
          "of splitproof\n",
          target.target, report::counted(target.cases, "case"));
    }
  }
}

// One run of the command, step by step. A step that ends the run returns the exit code.
class RunSession {
 public:
  RunSession(const RunCommand& command, const RunContext& context)
      : context_(context), command_(command), selection_(command.selection), kept_(command.evidence) {
    if (command.limit.count() > 0) limit_ = command.limit;
  }

  int run() {
    for (const auto step : {&RunSession::load, &RunSession::make_targets, &RunSession::start_targets})
      if (const auto ended = (this->*step)()) return *ended;
    set_up();
    run_cases();
    look_closer();
    return tell();
  }

 private:
  using Ended = std::optional<int>;

  bool is_over() const { return limit_ && steady_clock::now() - began_ >= *limit_; }
  bool ends_now() const { return caught_signal != 0 || is_over(); }

  // Loads everything before anything runs, so that wrong input is reported at once.
  Ended load() {
    auto supervisor = supervisor_for(names_);
    if (!supervisor) return complain(supervisor.error());
    supervisor_ = std::move(*supervisor);
    for (const std::string& protocol : {selection_.client, selection_.upstream}) {
      if (!protocol.empty() && dialect::find(protocol) == nullptr)
        return complain(Error{"there is no protocol '" + protocol + "'",
                              {},
                              0,
                              "run splitproof list targets to see the protocols"});
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
    return std::nullopt;
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
    if (tell_unmatched(targets_, heading_, corpus_.recordings) == targets_.size() && corpus_.errors.empty())
      return kNothingSelected;
    return std::nullopt;
  }

  Ended start_targets() {
    caught_.emplace(stop_);
    if (limit_) at_limit_.emplace(stop_, began_ + *limit_);
    start(targets_, heading_);
    return caught_signal != 0 ? Ended(kInterrupted + caught_signal) : std::nullopt;
  }

  void set_up() {
    for (const auto& target : targets_) settings_.testees.push_back(target.get());
    for (const recording::Recording& recording : corpus_.recordings) {
      warn(recording);
      settings_.recordings.push_back(&recording);
    }
    settings_.contracts = &*contracts_;
    settings_.trials = {{command_.splits, command_.sweep, command_.seed}, command_.recuts, command_.faults};
    settings_.only = selection_.only;
    settings_.expectations = expectations_.expected;
    settings_.jobs = command_.jobs != 0 ? command_.jobs : usual_jobs(settings_.testees);
    const campaign::Share whole_share = command_.quick ? campaign::kQuick : campaign::Share();
    settings_.shares = limit_ ? campaign::by_worth(whole_share) : std::vector{whole_share};
    settings_.fail_fast = command_.fail_fast;
    settings_.strict = command_.strict;
    if (!command_.evidence.empty()) {
      settings_.keep = [this](const evidence::Evidence& seen, campaign::Round round) {
        kept_.keep(seen, round);
      };
    }
    settings_.on_result = [this](const results::RecordingResult& result) { reports_.grow(result, heading_); };

    heading_.contracts = contract_digests(*contracts_);
    heading_.rules = campaign::rules_of(*contracts_);
    heading_.corpora = selection_.corpus.empty() ? std::vector<std::string>{kOwnCorpus} : selection_.corpus;
    heading_.profile = settings_.profile.name;
    heading_.options = source_options(selection_, command_.strict);
    heading_.trials = trial_options(command_);
    heading_.seed = command_.seed;
    heading_.strict = command_.strict;
    heading_.quick = command_.quick;
    heading_.unreadable = corpus_.errors.size();
    // The project's own corpus has recordings of every protocol, so unread ones are expected.
    if (!selection_.corpus.empty()) heading_.untargeted = count_untargeted(settings_);
    reports_.begin(heading_);
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
        [&] {
          return caught_signal != 0 || (limit_ && steady_clock::now() - began_ >= *limit_ - time_to_shrink());
        });
    if (terminal) std::cerr << "\r\033[K" << std::flush;
    results::sort(run_.recordings, heading_.targets);
    add_targets(heading_, run_.targets, targets_);
    add_paces(heading_, run_, settings_.testees, idle.share());
  }

  // Runs more cases to explain the findings.
  void look_closer() {
    summary_ = report::summarise(run_.recordings, heading_);
    const auto stop = [this] { return ends_now(); };
    if (command_.growth) add_growth(heading_, settings_.testees, stop);
    if (command_.all && command_.reports.empty()) return;
    find_accepting_knobs(summary_.causes, settings_, time_to_shrink() / 3, stop);
    shrink_causes(summary_.causes, settings_, run_, time_to_shrink(), stop);
  }

  bool asked_for_all() const {
    return selection_.only.empty() && !command_.fail_fast && !command_.quick && !run_.cut_short;
  }

  int tell() {
    const bool interrupted = caught_signal != 0;
    if (run_.cut_short && !interrupted)
      summary_.cut_short = {report::rough_time(command_.limit), run_.planned, run_.unreached};
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
    if (run_.recordings.empty()) return tell_nothing_ran();
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

  void print(bool complete) const {
    if (!context_.prints) return;
    const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    std::cout << report::console_report(run_.recordings, heading_, summary_, {colour, command_.all, complete})
              << std::flush;
  }

  int tell_nothing_ran() const {
    if (!corpus_.errors.empty()) return kWrongInput;
    if (heading_.unavailable > 0) {
      if (is_over())
        std::cerr << "splitproof: the time of --for ended before the target was ready; allow more time, as "
                     "installing and starting count too\n";
      return kUnavailable;
    }
    if (run_.cut_short) {
      std::cerr << "splitproof: the time of --for ended before the first case; allow more time\n";
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
  testee::StopToken stop_;
  std::unique_ptr<testee::Supervisor> supervisor_;  // null if no target needs it
  ReportFiles reports_;
  Expectations expectations_;
  std::optional<contract::Contracts> contracts_;
  recording::Corpus corpus_;
  EvidenceFolder kept_;
  std::vector<std::unique_ptr<testee::Testee>> targets_;
  std::optional<SignalsCaught> caught_;
  std::optional<Alarm> at_limit_;
  campaign::CampaignSettings settings_;
  report::Heading heading_;
  campaign::Results run_;
  report::Summary summary_;
};

int run_alone(const RunCommand& command) { return run_campaign(command, RunContext()); }

// A recording's splits are in memory; use other seeds for more.
constexpr std::uint64_t kMostSplits = 10000;
constexpr std::uint64_t kMostJobs = 1024;

void add_options(Options& options, RunCommand& run) {
  options
      .texts("--target", run.targets,
             "target to test: a name from splitproof list targets, mutant:NAME, or the path of a target "
             "file (repeatable; default: reference)")
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
  options.flag("--quick", run.quick,
               "run only the cases that find most, in about a minute: each recording whole, byte by byte, "
               "held back and recut once; with --faults also one fault");
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
