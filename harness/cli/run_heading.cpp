#include "harness/cli/run_heading.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <iostream>

#include "harness/campaign/growth.hpp"
#include "harness/report/progress.hpp"

namespace splitproof::cli {
namespace {

bool failed(const campaign::TargetResult& target) {
  return !target.unavailable.empty() || target.never_called();
}

}  // namespace

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
                         target.traits().instances, target.traits().can_overlap,
                         target.traits().is_started_here, !target.mishaps().empty(), idle_processors});
  }
}

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

results::RunDetails details_of(const std::string& command, std::chrono::steady_clock::time_point began,
                               const std::vector<const testee::Testee*>& targets) {
  using std::chrono::milliseconds;
  const auto lasted = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began);
  results::RunDetails details;
  if (!command.empty()) details.commands.insert(command);
  const std::time_t at = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() - lasted);
  details.began = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(at));
  details.milliseconds = static_cast<std::uint64_t>(lasted.count());
  details.suites.insert(SPLITPROOF_VERSION);
  for (const testee::Testee* target : targets)
    if (const std::string version = target->version(); !version.empty())
      details.versions[target->name()] = version;
  return details;
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
  if (!heading.shards.empty()) {
    manifest.plan = heading.plan.digest();
    manifest.of = heading.plan.shards;
    manifest.shards = heading.shards;
  }
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

}  // namespace splitproof::cli
