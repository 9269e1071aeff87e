#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/case_list.hpp"
#include "harness/cli/case_sources.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/hunt_target.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/cli/run_stops.hpp"
#include "harness/cli/run_targets.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/fnv1a.hpp"
#include "harness/hunt/hunt.hpp"
#include "harness/hunt/memory_watch.hpp"
#include "harness/report/progress.hpp"
#include "harness/report/summary.hpp"
#include "harness/shard/choose.hpp"
#include "harness/testee/connection_trial.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kUsualTime{60};
constexpr std::size_t kBetweenMeasurements = 64;  // cases
constexpr int kPartOfHangs = 6;                   // exchanges that hang may take this part of the time
constexpr std::uint64_t kMostFuzzCases = 1'000'000'000'000;

struct FuzzCommand {
  std::string command;
  std::string target = "reference";
  Selection selection;
  std::chrono::seconds limit{0};
  std::uint64_t cases = 0;
  std::uint64_t seed = 1;
  unsigned jobs = 0;              ///< 0: usual_jobs().
  std::string out;                ///< Folder for log and cases; empty: none.
  std::vector<std::string> from;  ///< Folders and lists whose cases run first.
  std::string shard;
  bool merge = false;
  bool unguided = false;
  bool strict = false;
  bool json = false;  ///< Print the report in JSON Lines.
  ReportOptions reports;
};

std::string path_in(const std::string& folder, const char* name) {
  return folder.empty() ? std::string() : (std::filesystem::path(folder) / name).string();
}

// A search, step by step.
class FuzzSession {
 public:
  explicit FuzzSession(const FuzzCommand& command) : command_(command), limit_(command.limit) {
    if (limit_.count() == 0 && command.cases == 0 && !command.merge) limit_ = kUsualTime;
  }

  // Searches. Returns the exit code if the command ends here.
  std::optional<int> search() {
    if (command_.merge && command_.from.empty())
      return complain(
          Error{"--merge needs the cases of other searches", {}, 0, "name their folders with --from"});
    auto shard = shard::choose(command_.shard, [](const char*) { return std::nullopt; });
    if (!shard) return complain(shard.error());
    auto earlier = cases_in(command_.from);
    if (!earlier) return complain(earlier.error());
    if (!command_.out.empty())
      if (const auto made = make_folder(command_.out); !made) return complain(made.error());
    auto opened = open_hunt_target(command_.target, command_.selection, InstanceCount::as_in_file);
    if (!opened) return opened.error();
    const HuntTarget& target = **opened;
    if (const auto checked = keep_own(*earlier, target); !checked) return complain(checked.error());
    const SignalsCaught caught((*opened)->stop);
    std::optional<Alarm> alarm;
    if (limit_.count() > 0) {
      alarm.emplace((*opened)->stop, began_ + limit_);
      target.target->limit_hangs(std::chrono::milliseconds(limit_) / kPartOfHangs);
    }
    const Probes owned = probes_of(target);
    std::vector<hunt::CaseProbe*> probes;
    for (const auto& probe : owned) probes.push_back(probe.get());
    const std::string shard_name =
        *shard ? fmt::format("{}/{}", (*shard)->number, (*shard)->count) : std::string();
    std::string listed;
    for (const campaign::Case& one : *earlier) listed += campaign::to_string(one) + "\n";
    const hunt::LogHeading heading{target.target->name(),
                                   target.target->client(),
                                   probes.front()->has_coverage() ? "coverage" : "shapes",
                                   command_.seed,
                                   shard_name,
                                   digest_of_hunt(target, listed),
                                   !command_.unguided};
    auto log = hunt::SearchLog::open(path_in(command_.out, kSearchLog), heading);
    if (!log) return complain(log.error());
    hunt::HuntSettings settings;
    settings.seed = *shard ? fnv1a(fmt::format("{} {}", command_.seed, shard_name)) : command_.seed;
    if (*shard) settings.shard = {(*shard)->number - 1, (*shard)->count};
    settings.guided = !command_.unguided;
    settings.most_cases = command_.cases;
    if (command_.merge) settings.most_cases = std::max<std::size_t>(earlier->size(), 1);
    settings.earlier = *std::move(earlier);
    settings.stop = [this] { return caught_signal != 0 || is_over(); };
    hunt::MemoryWatch memory;
    settings.on_case = [&](std::size_t cases, std::size_t kept) {
      show(cases, kept);
      if (cases % kBetweenMeasurements != 0) return;
      if (const auto bytes = testee::memory_of_descendants()) memory.note(cases, *bytes);
    };
    const hunt::Mutator mutator(target.recordings, target.target->traits());
    const std::size_t continued = log->cases();
    hunt::Hunt hunt(probes, mutator, *log, settings);
    const auto ended = hunt.run();
    if (isatty(STDERR_FILENO) == 1) std::cerr << "\r\033[K" << std::flush;
    for (const hunt::KeptCase& kept : log->kept()) kept_.push_back(kept.one);
    tell_search(probes, hunt.cases(), continued);
    if (const auto growth = memory.growth()) tell_growth(*growth);
    if (const auto written = write_cases(hunt.cases()); !written) return complain(written.error());
    if (!ended) {
      complain(ended.error());
      const bool is_lost =
          std::any_of(probes.begin(), probes.end(), [](const auto* probe) { return probe->is_lost(); });
      return is_lost ? kUnavailable : kWrongInput;
    }
    if (caught_signal != 0) return kInterrupted + caught_signal;
    if (!kept_.empty()) return std::nullopt;
    std::cerr << "splitproof: the time ended before the first case; allow more with --for\n";
    return kNothingSelected;
  }

  // Runs the kept cases as a campaign, which judges, reports and shrinks what they show.
  int report() const {
    RunCommand run;
    run.command = command_.command;
    run.targets = {command_.target};
    run.selection = command_.selection;
    run.selection.only.clear();  // its cases are selected already
    run.seed = command_.seed;
    run.reports = with_json(command_.reports, command_.json);
    run.strict = command_.strict;
    run.case_file = path_in(command_.out, kCasesFile);
    RunContext context;
    context.prints = !command_.json;
    auto listed = campaign::CaseList::parse(text_, "the kept cases");
    if (!listed) return complain(listed.error());
    context.listed = std::make_shared<const campaign::CaseList>(*std::move(listed));
    return run_campaign(run, context);
  }

 private:
  using Probes = std::vector<std::unique_ptr<hunt::CaseProbe>>;

  // Returns a probe for each thread. Two cannot read the same counters.
  Probes probes_of(const HuntTarget& target) const {
    std::size_t jobs = command_.jobs != 0 ? command_.jobs : usual_jobs({target.target.get()});
    jobs = std::min({jobs, target.target->traits().max_concurrency, hunt::kRound});
    Probes probes;
    while (probes.size() < jobs) {
      auto probe = std::make_unique<hunt::CaseProbe>(*target.target, target.contracts, target.profile,
                                                     target.recordings);
      if (!probes.empty() && probe->shares_coverage(*probes.front())) break;
      probes.push_back(std::move(probe));
    }
    return probes;
  }

  bool is_over() const { return limit_.count() > 0 && steady_clock::now() - began_ >= limit_; }

  // Removes the earlier cases of other directions, and of recordings that are not selected.
  static Result<void> keep_own(std::vector<campaign::Case>& earlier, const HuntTarget& target) {
    std::erase_if(earlier, [&](campaign::Case& one) {
      if (one.client.empty()) one.client = target.target->client();
      const bool has_recording =
          std::any_of(target.recordings.begin(), target.recordings.end(),
                      [&](const recording::Recording* recording) { return recording->id == one.recording; });
      return !has_recording || one.client != target.target->client();
    });
    return campaign::CaseList::of(earlier, "--from").check(target.corpus.recordings);
  }

  void show(std::size_t cases, std::size_t kept) {
    if (isatty(STDERR_FILENO) != 1) return;
    constexpr auto kBetween = std::chrono::milliseconds(200);
    if (steady_clock::now() - shown_ < kBetween) return;
    shown_ = steady_clock::now();
    std::cerr << "\r\033[K" << report::counted(cases, "case") << ", kept " << kept << std::flush;
  }

  void tell_search(const std::vector<hunt::CaseProbe*>& probes, std::size_t cases, std::size_t continued) {
    std::set<hunt::Feature> reached;
    std::size_t known = 0;
    for (const hunt::CaseProbe* probe : probes) {
      reached.merge(probe->places_reached());
      known = std::max(known, probe->places_known());
    }
    const std::string signal =
        probes.front()->has_coverage()
            ? fmt::format("the coverage of the target's code, {} of {} places reached", reached.size(),
                          std::max(known, reached.size()))
            : std::string("the shapes of its behaviour, as the target reports no coverage");
    const std::string guide = command_.unguided ? "unguided; measured by " + signal : "guided by " + signal;
    const auto elapsed = std::chrono::ceil<std::chrono::seconds>(steady_clock::now() - began_);
    (command_.json ? std::cerr : std::cout)
        << fmt::format("searched {} in {} with seed {}{}, {}\n", report::counted(cases, "case"),
                       report::rough_time(elapsed), command_.seed,
                       continued > 0 ? fmt::format(", of which {} ran earlier", continued) : "", guide)
        << "kept " << report::counted(kept_.size(), "case") << " that reached something new"
        << (command_.out.empty() ? std::string() : ": " + path_in(command_.out, kCasesFile)) << "\n\n"
        << std::flush;
  }

  void tell_growth(const hunt::MemoryGrowth& growth) const {
    constexpr std::size_t kKilo = 1000;
    (command_.json ? std::cerr : std::cout) << fmt::format(
        "memory: the target grew from {} MB to {} MB in {}, which is {} kB a case: it may leak\n\n",
        growth.from / kKilo / kKilo, growth.to / kKilo / kKilo, report::counted(growth.cases, "case"),
        (growth.to - growth.from) / growth.cases / kKilo);
  }

  Result<void> write_cases(std::size_t cases) {
    text_ = case_list_text(fmt::format("Of splitproof fuzz --target {} --seed {}, after {}", command_.target,
                                       command_.seed, report::counted(cases, "case")),
                           kept_);
    return command_.out.empty() ? Result<void>() : write_file(path_in(command_.out, kCasesFile), text_);
  }

  const FuzzCommand& command_;
  std::chrono::seconds limit_;
  const steady_clock::time_point began_ = steady_clock::now();
  steady_clock::time_point shown_;
  std::vector<campaign::Case> kept_;
  std::string text_;  // the list of these cases
};

int fuzz_target(const FuzzCommand& command) {
  FuzzSession session(command);
  if (const auto ended = session.search()) return *ended;
  return session.report();
}

void add_options(Options& options, FuzzCommand& fuzz) {
  fuzz.command = shown_command(options.words());
  add_target(options, fuzz.target, "target to test");
  add_selection(options, fuzz.selection);
  options
      .time("--for", fuzz.limit,
            "search this long, such as 10m or 8h (default: 60s, unless --cases limits the search)")
      .type("TIME");
  options
      .number("--cases", fuzz.cases, {0, kMostFuzzCases},
              "search until this number of cases has run, also before the search was continued")
      .type("N");
  options.number("--seed", fuzz.seed, {}, "seed of the search").shows_default().type("S");
  options
      .number(
          "--jobs", fuzz.jobs, {1, hunt::kRound},
          "cases at the same time (default: one for each core or place of the target); with coverage, one for each "
          "of its `instances`")
      .type("N");
  options
      .text(
          "--corpus-out", fuzz.out,
          "folder for the log and for the list of kept cases, cases.txt; with the log of the same search, it is "
          "continued")
      .path()
      .type("DIR");
  options
      .texts("--from", fuzz.from,
             "folder of another search, or list of cases, whose cases run first (repeatable)")
      .type("DIR");
  options.flag(
      "--merge", fuzz.merge,
      "run only the cases of --from, and keep those that reach something new: merges several folders");
  options.text("--shard", fuzz.shard, "search I of N that differ: other seeds, and a part of the first cases")
      .type("I/N");
  options.flag("--unguided", fuzz.unguided,
               "make each case from a recording, whatever the cases before it reached, to measure what the "
               "guidance is worth");
  add_strict(options, fuzz.strict);
  add_reports(options, fuzz.reports);
  add_json_report(options, fuzz.json);
}

}  // namespace

const Command kFuzz = {
    "fuzz",
    "Search for cases that reach something new in a target: cuts, edits, recuts and faults of "
    "recordings, guided by its coverage or behaviour",
    "splitproof fuzz --target splitproof/target.yaml --for 8h --corpus-out hunt",
    adding(add_options, fuzz_target)};

}  // namespace splitproof::cli
