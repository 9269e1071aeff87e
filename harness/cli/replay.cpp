#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/case_lab.hpp"
#include "harness/campaign/client_breaks.hpp"
#include "harness/campaign/further_turn.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/mishaps.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/runner.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/open_case.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/replay_act.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/contract/clients.hpp"
#include "harness/report/side_by_side.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

// Prints bytes unchanged, except to a terminal.
void print_bytes(const std::string& bytes) {
  std::cout.flush();
  if (isatty(STDOUT_FILENO) == 1)
    std::cout << bytes;
  else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
    std::cout.setstate(std::ios::badbit);
}

bool is_violation(const contract::Judged& judged) {
  return judged.verdict == contract::Verdict::violated || judged.verdict == contract::Verdict::passed_on;
}

// Writes a violation for a person; nothing for another verdict.
void write_violation(const contract::Judged& judged, contract::Level level, std::ostream& out) {
  if (!is_violation(judged)) return;
  const bool passed_on = judged.verdict == contract::Verdict::passed_on;
  out << fmt::format("{} {}{}: {}\n  the rule: {}\n", judged.obligation->id, contract::name(level),
                     passed_on ? ", passed on from the upstream" : "", visible(judged.message),
                     visible(judged.obligation->says));
}

// Prints a violation as `check --json` does; nothing for another verdict.
void print_violation(const std::string& what, const contract::Judged& judged, contract::Level level) {
  if (!is_violation(judged)) return;
  nlohmann::ordered_json line = {{"case", what},
                                 {"obligation", judged.obligation->id},
                                 {"level", contract::name(level)},
                                 {"verdict", contract::name(judged.verdict)}};
  line["event"] = judged.event ? nlohmann::ordered_json(*judged.event) : nlohmann::ordered_json();
  line["bytes"] = {judged.begin, judged.end};
  line["line"] = judged.line;
  line["message"] = judged.message;
  print_json(line);
}

// Describes an unusual end and the HTTP answer, besides the events. Returns "" for an ordinary one.
std::string how_it_ended(const testee::Observation& observation) {
  std::string how;
  if (observation.http) how = "status " + std::to_string(observation.http->status);
  if (observation.ending == testee::Ending::complete) return how;
  how += (how.empty() ? "" : ", ") + std::string(testee::name(observation.ending));
  return observation.detail.empty() ? how : how + ": " + visible(observation.detail);
}

// Returns the turn after the target's answer; nullopt if no client continues from it.
std::optional<campaign::FurtherTurn> second_turn_of(const OpenCase& open) {
  campaign::Seen seen(*open.target);
  campaign::CaseLab lab(open.contracts, open.profile, open.target->traits(), open.found.recording,
                        std::ref(seen));
  return campaign::further_turn(open.found.one.turn, lab.judge(), lab.recorded());
}

// Returns the ids of violated `should` rules that decide, because a client breaks on this very stream.
std::set<std::string> rules_that_break_clients(const std::vector<contract::Judged>& all,
                                               const std::string& body, const OpenCase& open,
                                               const contract::Clients& clients) {
  std::vector<results::Symptom> symptoms;
  for (const contract::Judged& judged : all) {
    if (judged.verdict != contract::Verdict::violated) continue;
    results::Symptom& symptom = symptoms.emplace_back();
    symptom.rule = judged.obligation->id;
    symptom.level = campaign::level_for(*judged.obligation, open.target->traits());
    symptom.message = judged.message;
  }
  return campaign::rules_that_break_clients(symptoms, body, open.target->client(), open.profile.name,
                                            campaign::rules_of(open.contracts), open.contracts, clients);
}

int replay(const ReplayCommand& command) {
  const auto open = open_case(command.what, command.target, command.selection);
  if (!open) return open.error();
  const auto clients = load_clients(command.selection.contracts, open->contracts);
  if (!clients) return complain(clients.error());
  const campaign::Case& one = open->found.one;
  testee::Testee& target = *open->target;
  if (const auto upstream = campaign::upstream_of(one, open->found.recording); !upstream)
    return complain(upstream.error());

  if (const auto started = target.start(); !started) {
    complain(started.error());
    return kUnavailable;
  }
  if (!one.act.empty() && (command.json || command.downstream))
    return complain(
        Error{"--json and --downstream have no effect on a case with an act", {}, 0, "leave them out"});
  if (!one.act.empty()) return replay_act(command, *open);
  const testee::Traits traits = target.traits();
  std::optional<campaign::FurtherTurn> second;
  if (one.turn != campaign::Turn::first && !(second = second_turn_of(*open))) {
    complain(Error{"no such turn can follow the answer of " + command.target + " to " + one.recording,
                   {},
                   0,
                   "the answer failed, or it has fewer than two calls; replay the case without its turn"});
    return kNothingSelected;
  }
  const recording::Recording& recording = second ? second->recording : open->found.recording;
  campaign::Runner runner(target, recording);
  campaign::CaseLab lab(
      open->contracts, open->profile, traits, recording,
      [&](const results::Upstream&, const testee::Exchange& exchange) { return runner.run(one, exchange); },
      second ? second->answered : nullptr, second ? second->streamed : nullptr);
  const campaign::Judge& judge = lab.judge();
  auto run = lab.run(one);
  if (!run) return complain(run.error());
  const testee::Observation& observation = run->seen;
  if (observation.ending == testee::Ending::unavailable) {
    std::cerr << "splitproof: target " << command.target << " is not available: " << observation.detail
              << "\n";
    return kUnavailable;
  }
  const observe::Trace trace = judge.trace_of(observation);
  if (command.downstream) {
    print_bytes(observation.body);
  } else if (!command.json) {
    if (second || campaign::is_about_request(recording))
      std::cout << report::requests_side_by_side(observation) << "\n";
    std::cout << report::side_by_side(recording.protocol, run->upstream, observation, trace) << "\n";
  }
  std::ostream& out = command.downstream || command.json ? std::cerr : std::cout;
  if (const std::string how = how_it_ended(observation); !how.empty()) out << how << "\n";
  report::Tally tally;
  bool any_judged = judge.passes_no_stream();
  std::vector<contract::Judged>& all = run->all;
  for (contract::Judged& befell : campaign::judge_mishaps(target.mishaps())) all.push_back(std::move(befell));
  const std::set<std::string> breaking = rules_that_break_clients(all, observation.body, *open, *clients);
  for (const contract::Judged& judged : all) {
    const contract::Level level = campaign::level_for(*judged.obligation, traits);
    tally.add(judged.obligation->id, judged.verdict,
              results::decides(level, command.strict) || breaking.contains(judged.obligation->id));
    any_judged |=
        results::says_something(campaign::rule_of(*judged.obligation), judged.verdict) ||
        (second && campaign::is_of_requests(*judged.obligation) && judged.verdict == contract::Verdict::met);
    if (command.json)
      print_violation(command.what, judged, level);
    else
      write_violation(judged, level, out);
  }
  const bool broke = !campaign::judgeability_of(observation, traits, run->upstream).broke.empty();
  if (!broke && !campaign::is_about_request(recording) && !campaign::called_upstream(observation, traits)) {
    std::cerr << "splitproof: target " << command.target << " did not call its upstream\n";
    return kUnavailable;
  }
  const bool conforms = tally.findings() == 0 && any_judged;
  out << report::verdict_word(conforms) << "1 recording, 1 case, " << tally.text()
      << (any_judged ? "" : ", no rule judged") << "\n";
  return conforms ? kConforms : kViolates;
}

void add_options(Options& options, ReplayCommand& replay) {
  options.text("CASE", replay.what, "id of a case, or id or path of a recording").required();
  add_target(options, replay.target, "target to test");
  add_selection(options, replay.selection);
  options.flag("--downstream", replay.downstream, "write only the downstream bytes");
  options.flag("--json", replay.json, "print a JSON object for each violation");
  add_strict(options, replay.strict);
}

}  // namespace

const Command kReplay = {"replay", "Run one case and show upstream chunks next to downstream events",
                         "splitproof replay 'openai.chat/text-plain?client=anthropic.messages&cuts=118'",
                         adding(add_options, replay)};

}  // namespace splitproof::cli
