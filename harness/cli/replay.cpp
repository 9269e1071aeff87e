#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <optional>

#include "harness/campaign/baselines.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/further_turn.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/mishaps.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/runner.hpp"
#include "harness/campaign/standing.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/open_case.hpp"
#include "harness/cli/replay_act.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/report/side_by_side.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

// As they are, past what makes output visible; to a terminal they are text like any other.
void print_bytes(const std::string& bytes) {
  std::cout.flush();
  if (isatty(STDOUT_FILENO) == 1)
    std::cout << bytes;
  else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
    std::cout.setstate(std::ios::badbit);
}

// Beside the events: the ending where it was no ordinary one, and the HTTP answer. Empty where there is nothing to say.
std::string how_it_ended(const testee::Observation& observation) {
  std::string how;
  if (observation.http) how = "status " + std::to_string(observation.http->status);
  if (observation.ending == testee::Ending::complete) return how;
  how += (how.empty() ? "" : ", ") + std::string(testee::name(observation.ending));
  return observation.detail.empty() ? how : how + ": " + visible(observation.detail);
}

// The turn behind what the target makes of the recording; none where no client goes on from that.
std::optional<campaign::FurtherTurn> second_turn_of(const OpenCase& open) {
  const recording::Recording& recording = open.found.recording;
  const campaign::Judge first(open.contracts, open.profile, testee::traits_of(*open.target), recording);
  const campaign::Baselines baselines(first, campaign::asked_of(*open.target, recording));
  return campaign::further_turn(open.found.one.turn, first, baselines.recorded());
}

int replay(const ReplayCommand& command) {
  const auto open = open_case(command.what, command.target, command.selection);
  if (!open) return open.error();
  const campaign::Case& one = open->found.one;
  testee::Testee& target = *open->target;
  const auto upstream = campaign::upstream_of(one, open->found.recording);
  if (!upstream) return complain(upstream.error());
  campaign::Case as_arrived = one;
  as_arrived.split = campaign::Case().split;

  if (const auto started = target.start(); !started) {
    complain(started.error());
    return kUnavailable;
  }
  if (!one.act.empty()) return replay_act(command, *open);
  const testee::Traits traits = testee::traits_of(target);
  std::optional<campaign::FurtherTurn> second;
  if (one.turn != campaign::Turn::first && !(second = second_turn_of(*open))) {
    complain(Error{"there is no such turn behind the answer of " + command.target + " to " + one.recording,
                   {},
                   0,
                   "the answer failed, or has no two calls; replay the case without its turn"});
    return kNothingSelected;
  }
  const recording::Recording& recording = second ? second->recording : open->found.recording;
  const campaign::Judge judge(open->contracts, open->profile, traits, recording,
                              second ? second->answered : nullptr, second ? second->streamed : nullptr);
  const campaign::Baselines baselines(judge, campaign::asked_of(target, recording));
  const results::Upstream arrived = campaign::upstream_of(as_arrived, recording).value();
  const campaign::UpstreamReading reading = judge.read(arrived, one.fault.has_value());
  const campaign::Baseline baseline = baselines.of(reading, arrived);
  testee::Exchange exchange = judge.exchange(reading, *upstream);
  exchange.name = campaign::to_string(one);
  const testee::Observation observation = campaign::Runner(target, recording).run(one, exchange);
  if (observation.ending == testee::Ending::unavailable) {
    std::cerr << "splitproof: target " << command.target << " is not available: " << observation.detail
              << "\n";
    return kUnavailable;
  }
  const observe::Trace trace = judge.trace_of(observation);
  if (command.downstream) {
    print_bytes(observation.body);
  } else {
    if (second || campaign::is_about_request(recording))
      std::cout << report::requests_side_by_side(observation) << "\n";
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
    tally.add(judged.obligation->id, judged.verdict, results::decides(level, command.strict));
    any_judged |=
        results::says_something(campaign::rule_of(*judged.obligation), judged.verdict) ||
        (second && campaign::is_of_requests(*judged.obligation) && judged.verdict == contract::Verdict::met);
    const bool passed_on = judged.verdict == contract::Verdict::passed_on;
    if (judged.verdict != contract::Verdict::violated && !passed_on) continue;
    out << fmt::format("{} {}{}: {}\n", judged.obligation->id, contract::name(level),
                       passed_on ? ", passed on from the upstream" : "", visible(judged.message));
    out << fmt::format("  the rule: {}\n", visible(judged.obligation->says));
  }
  const bool broke = !campaign::standing_of(observation, traits, *upstream).broke.empty();
  const bool may_refuse = campaign::is_about_request(recording);
  if (!broke && !may_refuse && !campaign::called_upstream(observation, traits)) {
    std::cerr << "splitproof: target " << command.target << " did not call its upstream\n";
    return kUnavailable;
  }
  const bool conforms = tally.findings() == 0 && any_judged;
  out << report::verdict_word(conforms) << "1 recording, 1 case, " << tally.text()
      << (any_judged ? "" : ", nothing judged") << "\n";
  return conforms ? kConforms : kViolates;
}

void add_options(Options& options, ReplayCommand& replay) {
  options.text("CASE", replay.what, "a case id, or a recording's id or path").required();
  options
      .text("--target", replay.target,
            "what to run it through: a name, mutant:NAME, or the path of a target file")
      .shows_default()
      .type("T");
  add_selection(options, replay.selection);
  options.flag("--downstream", replay.downstream, "write the bare downstream bytes instead");
  add_strict(options, replay.strict);
}

}  // namespace

const Command kReplay = {"replay", "Run one case and show upstream chunks and downstream events side by side",
                         "splitproof replay 'openai.chat/text-plain?client=anthropic.messages&cuts=118'",
                         adding(add_options, replay)};

}  // namespace splitproof::cli
