#include <fmt/format.h>

#include <iostream>

#include "harness/campaign/baselines.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/mishaps.hpp"
#include "harness/campaign/standing.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/find_case.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/targets.hpp"
#include "harness/report/picture.hpp"
#include "harness/report/side_by_side.hpp"
#include "harness/report/summary.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof::cli {
namespace {

// Beside the events: the ending where it was no ordinary one, and the HTTP answer. Empty where there is nothing to say.
std::string how_it_ended(const testee::Observation& observation) {
  std::string how;
  if (observation.http) how = "status " + std::to_string(observation.http->status);
  if (observation.ending == testee::Ending::complete) return how;
  how += (how.empty() ? "" : ", ") + std::string(testee::name(observation.ending));
  return observation.detail.empty() ? how : how + ": " + report::visible(observation.detail);
}

}  // namespace

int replay(const ReplayCommand& command) {
  const auto supervisor = supervisor_for({command.target});
  if (!supervisor) return complain(supervisor.error());
  const auto contracts = load_contracts(command.selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile(command.selection.profile, command.selection.contracts);
  if (!profile) return complain(profile.error());
  auto found = find_case(command.what, command.selection.corpus);
  if (!found) return complain(found.error());
  const Selection& selection = command.selection;
  if (found->one.client.empty())
    found->one.client = selection.client.empty() ? testee::reference_clients().front() : selection.client;
  const recording::Recording& recording = found->recording;
  warn(recording);
  const testee::StopToken never;  // a signal ends the program, and the supervisor with it what was started
  const auto made = make_target(command.target, *profile, supervisor->get(), never, command.selection.corpus,
                                {found->one.client, found->recording.protocol});
  if (!made) return complain(made.error());
  testee::Testee& target = **made;
  if (found->one.client != target.client() || recording.protocol != target.upstream()) {
    return complain(Error{"target " + command.target + " translates " + target.upstream() +
                              " for clients of " + target.client() + ", which this case does not ask for",
                          {},
                          0,
                          {}});
  }
  if ((!selection.client.empty() && selection.client != found->one.client) ||
      (!selection.upstream.empty() && selection.upstream != recording.protocol) ||
      !campaign::selects(selection.only, found->one)) {
    std::cerr << "splitproof: --client, --upstream and --only leave this case out\n";
    return kNothingSelected;
  }
  const auto upstream = campaign::upstream_of(found->one, recording);
  if (!upstream) return complain(upstream.error());
  campaign::Case as_arrived = found->one;
  as_arrived.split = campaign::Case().split;

  if (const auto started = target.start(); !started) {
    complain(started.error());
    return kUnavailable;
  }
  const testee::Traits traits = testee::traits_of(target);
  const campaign::Judge judge(*contracts, *profile, traits, recording);
  const campaign::Baselines baselines(judge, campaign::asked_of(target, recording));
  const campaign::Upstream arrived = campaign::upstream_of(as_arrived, recording).value();
  const campaign::Reading reading = judge.read(arrived, found->one.fault.has_value());
  const campaign::Baseline baseline = baselines.of(reading, arrived);
  testee::Exchange exchange = judge.exchange(reading, *upstream);
  exchange.name = campaign::to_string(found->one);
  const testee::Observation observation = target.observe(exchange);
  if (observation.ending == testee::Ending::unavailable) {
    std::cerr << "splitproof: target " << command.target
              << " is not available: " << report::visible_lines(observation.detail) << "\n";
    return kUnavailable;
  }
  const observe::Trace trace = judge.trace_of(observation);
  if (command.downstream) {
    std::cout << observation.body;
  } else {
    std::cout << report::side_by_side(recording.protocol, *upstream, observation, trace) << "\n";
  }
  std::ostream& out = command.downstream ? std::cerr : std::cout;
  const std::string how = how_it_ended(observation);
  if (!how.empty()) out << how << "\n";
  report::Tally tally;
  bool any_judged = judge.passes_no_stream();
  std::vector<contract::Judged> all = judge.judge(reading, baseline, *upstream, observation);
  for (contract::Judged& befell : campaign::judge_mishaps(target.mishaps())) all.push_back(std::move(befell));
  for (const contract::Judged& judged : all) {
    const contract::Level level = campaign::level_for(*judged.obligation, traits);
    tally.add(*judged.obligation, judged.verdict, campaign::decides(level, command.strict));
    any_judged |= campaign::says_something(*judged.obligation, judged.verdict);
    const bool passed_on = judged.verdict == contract::Verdict::passed_on;
    if (judged.verdict != contract::Verdict::violated && !passed_on) continue;
    out << fmt::format("{} {}{}: {}\n", judged.obligation->id, contract::name(level),
                       passed_on ? ", passed on from the upstream" : "", report::visible(judged.message));
    out << fmt::format("  the rule: {}\n", report::visible(judged.obligation->says));
  }
  const bool broke = !campaign::standing_of(observation, traits, *upstream).broke.empty();
  if (!broke && !campaign::called_upstream(observation, traits)) {
    std::cerr << "splitproof: target " << command.target << " did not call its upstream\n";
    return kUnavailable;
  }
  const bool conforms = tally.findings() == 0 && any_judged;
  out << report::verdict_word(conforms) << "1 recording, 1 case, " << tally.text()
      << (any_judged ? "" : ", nothing judged") << "\n";
  return conforms ? kConforms : kViolates;
}

}  // namespace splitproof::cli
