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
#include "harness/cli/run_command.hpp"
#include "harness/cli/shrink_causes.hpp"
#include "harness/cli/source_place.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/targets.hpp"
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

volatile std::sig_atomic_t caught_signal = 0;
testee::StopToken* stop_on_signal = nullptr;  // outlives the handler's being set

// So long after a signal the program ends, whatever it does: it may be within a computation or a write that has no end.
constexpr unsigned kSecondsToEnd = 3;

// The first signal asks for a report of what is finished, a second one ends the program at once.
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
    // One that comes ignored stays so: under nohup a run outlives its terminal.
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

// Asks for a stop at a time, unless it is destroyed before: what is in flight then is given up, as by a signal.
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

// As many recordings in flight as the targets bear, and one a core at least.
unsigned usual_jobs(const std::vector<const testee::Testee*>& targets) {
  constexpr std::size_t kMostOfTarget = 64;
  std::size_t places = 0;
  for (const testee::Testee* target : targets)
    if (target->traits().outside) places += std::min(target->traits().max_concurrency, kMostOfTarget);
  return std::max({1U, std::thread::hardware_concurrency(), static_cast<unsigned>(places)});
}

// Recordings whose protocol none of the targets reads; a client's request is one for each protocol.
std::size_t count_untargeted(const campaign::Settings& settings) {
  return static_cast<std::size_t>(std::count_if(
      settings.recordings.begin(), settings.recordings.end(), [&](const recording::Recording* recording) {
        return !campaign::is_about_request(*recording) &&
               std::none_of(
                   settings.testees.begin(), settings.testees.end(),
                   [&](const testee::Testee* testee) { return testee->upstream() == recording->protocol; });
      }));
}

// Makes targets ready, and drops those that cannot be: returns how many.
// Leaves those that could be started; the others are told in the heading.
void start(std::vector<std::unique_ptr<testee::Testee>>& targets, report::Heading& heading) {
  heading.unavailable = std::erase_if(targets, [&](const auto& target) {
    const auto started = target->start();
    if (started) return false;
    complain(started.error());
    heading.untested[target->name()] = started.error().what;
    return true;
  });
}

// Recordings with something in them of which nobody said what must become of it.
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

// Says of which targets nothing will be run: returns how many.
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
      "splitproof: {} {} not translate{}; see splitproof list targets for the directions that there are\n",
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
          target.never_called() ? "it called its upstream in no case" : target.unavailable;
    }
  }
  for (const auto& target : made) {
    if (const std::string remark = target->remark(); !remark.empty())
      heading.remarks[target->name()] = remark;
  }
  for (const campaign::TargetResult& target : targets) {
    if (target.unrun == 0) continue;
    std::string& remark = heading.remarks[target.target];
    remark += (remark.empty() ? "" : "; ") + std::string("it hangs whatever it is asked, so ") +
              report::counted(target.unrun, "recording") + (target.unrun == 1 ? " was" : " were") +
              " not run";
  }
}

void add_paces(report::Heading& heading, const campaign::Results& run,
               const std::vector<const testee::Testee*>& targets, double idle_processors) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const testee::Testee& target = *targets[i];
    if (!target.traits().outside || run.targets[i].cases == 0 || run.paces[i].at_once == 0) continue;
    heading.bears[target.name()] =
        report::text_of({run.paces[i], run.targets[i].cases, target.traits().max_concurrency,
                         target.traits().can_overlap, !target.mishaps().empty(), idle_processors});
  }
}

// After all cases, as a target that does not bear it may have to be started again.
void add_growth(report::Heading& heading, const std::vector<const testee::Testee*>& targets,
                const std::function<bool()>& stop) {
  for (const testee::Testee* target : targets) {
    if (!target->traits().over_http) {
      std::cerr << "splitproof: --growth looks at targets over HTTP, and " << target->name() << " is none\n";
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
          "splitproof: target {} called its upstream in none of {}; is it configured to call the one it is given?\n",
          target.target, report::counted(target.cases, "case"));
    }
  }
}

int run_campaign(const RunCommand& command) {
  using std::chrono::steady_clock;
  const steady_clock::time_point began = steady_clock::now();
  const std::vector<std::string> names =
      command.targets.empty() ? std::vector<std::string>{"reference"} : command.targets;
  testee::StopToken stop;
  const auto supervisor = supervisor_for(names);
  if (!supervisor) return complain(supervisor.error());
  const Selection& selection = command.selection;
  for (const std::string& protocol : {selection.client, selection.upstream}) {
    if (!protocol.empty() && dialect::find(protocol) == nullptr)
      return complain(Error{"there is no protocol '" + protocol + "'", {}, 0, "see splitproof list targets"});
  }
  auto reports = ReportFiles::make(command.reports, {{command.expect, "is the expectation file"},
                                                     {command.write_expect, "is the expectation file"}});
  if (!reports) return complain(reports.error());
  if (!command.evidence.empty())
    if (const auto made = EvidenceFolder::make(command.evidence); !made) return complain(made.error());
  const auto expectations = load_expectations(command.expect, command.write_expect);
  if (!expectations) return complain(expectations.error());
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  auto clients = load_clients(selection.contracts, *contracts);
  if (!clients) return complain(clients.error());
  const auto profile = load_profile(selection.profile, selection.contracts);
  if (!profile) return complain(profile.error());
  auto corpus = load_recordings(selection.corpus, selection.only);
  if (!corpus) return complain(corpus.error());

  std::vector<std::unique_ptr<testee::Testee>> targets;
  report::Heading heading;
  for (const std::string& name : names) {
    auto target = make_target(name, *profile, supervisor->get(), stop, selection.corpus,
                              {selection.client, selection.upstream});
    if (!target) return complain(target.error());
    const std::string own_name = (*target)->name();
    if (std::count(heading.targets.begin(), heading.targets.end(), own_name) > 0)
      return complain(Error{"target " + own_name + " is given twice", {}, 0, {}});
    heading.targets.push_back(own_name);
    if (own_name != name) {
      heading.files[own_name] = name;
      if (const std::string place = place_in_source(name); !place.empty()) heading.places[own_name] = place;
    }
    if ((selection.client.empty() || selection.client == (*target)->client()) &&
        (selection.upstream.empty() || selection.upstream == (*target)->upstream()))
      targets.push_back(std::move(*target));
  }
  if (targets.empty()) {
    std::cerr << nobody_translates(selection, names);
    return kNothingSelected;
  }
  leave_out_unlisted(targets, *contracts, *corpus);
  for (const Error& error : corpus->errors) complain(error);
  if (tell_unmatched(targets, heading, corpus->recordings) == targets.size() && corpus->errors.empty())
    return kNothingSelected;

  campaign::Settings settings;
  const SignalsCaught caught(stop);
  const auto limit = command.limit.count() > 0 ? std::optional(command.limit) : std::nullopt;
  const auto is_over = [&] { return limit && steady_clock::now() - began >= *limit; };
  std::optional<Alarm> at_limit;
  if (limit) at_limit.emplace(stop, began + *limit);
  start(targets, heading);
  if (caught_signal != 0) return kInterrupted + caught_signal;
  for (const auto& target : targets) settings.testees.push_back(target.get());
  for (const recording::Recording& recording : corpus->recordings) {
    warn(recording);
    settings.recordings.push_back(&recording);
  }
  settings.contracts = &*contracts;
  settings.profile = *profile;
  settings.trials = {{command.splits, command.sweep, command.seed}, command.recuts, command.faults};
  settings.only = selection.only;
  settings.expectations = expectations->expected;
  settings.jobs = command.jobs != 0 ? command.jobs : usual_jobs(settings.testees);
  const campaign::Share whole_share = command.quick ? campaign::kQuick : campaign::Share();
  settings.shares = command.limit.count() > 0 ? campaign::by_worth(whole_share) : std::vector{whole_share};
  settings.fail_fast = command.fail_fast;
  settings.strict = command.strict;
  EvidenceFolder kept(command.evidence);
  if (!command.evidence.empty())
    settings.keep = [&](const evidence::Evidence& seen, campaign::Round round) { kept.keep(seen, round); };

  heading.contracts = contract_digests(*contracts);
  heading.rules = campaign::rules_of(*contracts);
  heading.clients = std::move(*clients);
  heading.corpora = selection.corpus.empty() ? std::vector<std::string>{kOwnCorpus} : selection.corpus;
  heading.profile = profile->name;
  heading.options = source_options(selection, command.strict);
  heading.trials = trial_options(command);
  heading.seed = command.seed;
  heading.strict = command.strict;
  heading.quick = command.quick;
  heading.unreadable = corpus->errors.size();
  // The project's own corpus has recordings of every protocol, and nobody means all of them.
  if (!selection.corpus.empty()) heading.untargeted = count_untargeted(settings);
  reports->begin(heading);
  settings.on_result = [&](const results::RecordingResult& result) { reports->grow(result, heading); };

  const IdleProcessors idle;
  const auto elapsed = [&] { return std::chrono::floor<std::chrono::seconds>(steady_clock::now() - began); };
  const std::chrono::milliseconds for_shrinking =
      limit ? std::min(kShrinkTime, std::chrono::milliseconds(*limit) / 10) : kShrinkTime;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  report::ProgressLine line(terminal, limit);
  campaign::Results run = campaign::run(
      settings,
      [&](const campaign::CampaignProgress& progress) {
        std::cerr << line.at(progress, elapsed()) << std::flush;
      },
      [&] { return caught_signal != 0 || (limit && steady_clock::now() - began >= *limit - for_shrinking); });
  if (terminal) std::cerr << "\r\033[K" << std::flush;
  const std::vector<results::RecordingResult>& results = run.recordings;
  results::sort(run.recordings, heading.targets);
  add_targets(heading, run.targets, targets);
  add_paces(heading, run, settings.testees, idle.share());
  report::Summary summary = report::summarise(results, heading);
  if (command.growth) add_growth(heading, settings.testees, [&] { return caught_signal != 0 || is_over(); });

  if (!command.all || !command.reports.empty()) {
    const auto ends_now = [&] { return caught_signal != 0 || is_over(); };
    find_accepting_knobs(summary.causes, settings, for_shrinking / 3, ends_now);
    shrink_causes(summary.causes, settings, run, for_shrinking, ends_now);
  }

  const bool interrupted = caught_signal != 0;
  if (run.cut_short && !interrupted)
    summary.cut_short = {report::rough_time(command.limit), run.planned, run.unreached};
  const bool asked_for_all = selection.only.empty() && !command.fail_fast && !command.quick && !run.cut_short;
  // What was left out, or could not be read, may be what an expectation is about.
  const bool whole = asked_for_all && !interrupted && corpus->errors.empty() && heading.unavailable == 0 &&
                     summary.unrun == 0;
  if (whole) summary.stale = results::stale(expectations->expected, results);
  if (!command.evidence.empty() && !interrupted) kept.end(manifest_of(heading));
  summary.unwritten = reports->write(results, heading, summary, !interrupted) + kept.unwritten();
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  if (interrupted) {
    if (!results.empty())
      std::cout << report::console_report(results, heading, summary, {colour, command.all, false})
                << std::flush;
    std::cerr << "splitproof: interrupted after " << report::counted(summary.cases, "case") << "\n";
    return kInterrupted + caught_signal;
  }
  complain_of(run.targets);
  if (results.empty() && !corpus->errors.empty()) return kWrongInput;
  if (results.empty() && heading.unavailable > 0) {
    if (is_over())
      std::cerr << "splitproof: the time of --for is over; getting a target ready is part of it\n";
    return kUnavailable;
  }
  if (results.empty() && run.cut_short) {
    std::cerr << "splitproof: the time of --for was over before the first case; give it more\n";
    return kNothingSelected;
  }
  if (results.empty()) {
    const std::string unclaimed =
        heading.unclaimed > 0
            ? fmt::format(" ({} not claimed)", report::counted(heading.unclaimed, "recording"))
            : std::string();
    std::cerr << fmt::format(
        "splitproof: no case is left to run{}; see --only, --corpus, --client and --upstream, and splitproof list "
        "recordings\n",
        unclaimed);
    return kNothingSelected;
  }
  const std::vector<split::SeamKind> uncut = summary.coverage.uncut();
  if (asked_for_all && heading.unavailable == 0 && !uncut.empty()) {
    std::cerr << "splitproof: internal error: seams of these kinds were not cut:";
    for (const split::SeamKind kind : uncut) std::cerr << " " << split::name(kind);
    std::cerr << "\n";
    return kInternalError;
  }
  if (!command.write_expect.empty()) {
    const auto text_after = [&](const results::ExpectationFile& before) {
      return report::expectation_text(before, results, command.strict, whole);
    };
    summary.unwritten += write_expectations(command.write_expect, expectations->noted, text_after) ? 0 : 1;
  }
  std::cout << report::console_report(results, heading, summary, {colour, command.all});
  if (summary.unwritten > 0 || !corpus->errors.empty()) return kWrongInput;
  if (summary.unavailable > 0) return kUnavailable;
  return summary.conforms() ? kConforms : kViolates;
}

constexpr std::uint64_t kMostSplits =
    10000;  // a recording's splits are held in memory; other seeds draw others
constexpr std::uint64_t kMostJobs = 1024;

void add_options(Options& options, RunCommand& run) {
  options
      .texts("--target", run.targets,
             "what to test: a name of splitproof list targets, mutant:NAME, or the path of a target file "
             "(repeatable; default: reference)")
      .type("T");
  add_selection(options, run.selection);
  options
      .number("--splits", run.splits, {0, kMostSplits},
              "random splits of every recording, beside recorded, whole, bytes and seams")
      .shows_default()
      .type("N");
  options.flag("--sweep", run.sweep, "every single cut too, of bytes and of recut text");
  options
      .number("--recuts", run.recuts, {0, kMostSplits},
              "random recuts of every recording's text and arguments, beside each other kind of recut it has")
      .shows_default()
      .type("N");
  options.flag(
      "--faults", run.faults,
      "end the upstream early and damage it, at every offset; over HTTP, at every event's end, and let "
      "it answer with errors");
  options.number("--seed", run.seed, {}, "of random splits, recuts and faults").shows_default().type("S");
  options
      .text("--expect", run.expect,
            "known failures, one a line: VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB # reason; only "
            "what differs from them fails")
      .path()
      .type("FILE");
  options
      .text("--write-expect", run.write_expect,
            "write the failures of this run as such a file, keeping what it says already and still holds")
      .path()
      .type("FILE");
  add_reports(options, run.reports);
  options
      .text("--evidence", run.evidence,
            "store what was seen there, every different outcome once, for splitproof judge")
      .path()
      .type("DIR");
  options
      .number("--jobs", run.jobs, {1, kMostJobs},
              "recordings in flight (default: one a core, or as many as the targets bear)")
      .type("N");
  options.flag(
      "--quick", run.quick,
      "only what finds most, in about a minute with a proxy: of every recording one unbroken read, byte by byte, "
      "held back, one recut, and with --faults one fault");
  options.flag(
      "--growth", run.growth,
      "afterwards, look for costs that grow with the square of what targets over HTTP are sent: ever more "
      "tools, messages, calls, events and so on, for some 20 s each; what is found is advice");
  options
      .time(
          "--for", run.limit,
          "end after this time, such as 30s, 10m or 1h, with what was found; what finds most is tried first, on all "
          "recordings")
      .type("TIME");
  add_strict(options, run.strict);
  add_all(options, run.all);
  options.flag("--fail-fast", run.fail_fast,
               "end with the first recording that has a finding that was not expected");
}

}  // namespace

const Command kRun = {
    "run",
    "Run a campaign: recordings, cut, recut and broken, through a target, judged against the contracts",
    "splitproof run --splits 64 --only 'openai.chat/tool-*'", adding(add_options, run_campaign)};

}  // namespace splitproof::cli
