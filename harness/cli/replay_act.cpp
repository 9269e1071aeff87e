#include "harness/cli/replay_act.hpp"

#include <fmt/format.h>

#include <iostream>

#include "harness/campaign/connections.hpp"
#include "harness/campaign/isolation.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

std::string call_text(const std::vector<testee::TrialCall>& calls) {
  std::string text;
  for (const testee::TrialCall& call : calls)
    text +=
        fmt::format("{}request {} on connection {}", text.empty() ? "" : ", ", call.turn, call.connection);
  return text.empty() ? "no request reached the upstream" : text;
}

void print(const testee::TrialReply& reply, std::size_t round, const std::string& client) {
  std::cout << fmt::format("round {}: status {}, {}{}{}; {}\n", round + 1, reply.status,
                           testee::name(reply.ending), reply.detail.empty() ? "" : ": ",
                           splitproof::visible(reply.detail), call_text(reply.calls));
  std::string text = campaign::joined_text(reply.body, client);
  if (text.empty()) text = reply.body;
  constexpr std::size_t kShown = 300;
  if (!text.empty()) std::cout << "  " << splitproof::visible(text.substr(0, kShown)) << "\n";
}

}  // namespace

int replay_act(const ReplayCommand& command, const OpenCase& open) {
  const recording::Recording& recording = open.found.recording;
  if (!campaign::canary_stream(recording, 0))
    return complain(Error{
        "no act can run with " + recording.id + ": it has no text, and only text can identify each answer",
        {},
        0,
        "use the recording that the report names"});
  campaign::ConnectionTrials trials(*open.target, recording, open.profile);
  std::string lost = trials.begin();
  campaign::ActOutcome outcome;
  if (lost.empty()) {
    outcome = trials.try_act(*campaign::connection_act(open.found.one.act));
    lost = outcome.lost;
  }
  if (!lost.empty()) {
    std::cerr << "splitproof: no act could run with target " << command.target << ": "
              << splitproof::visible(lost) << "\n";
    return kUnavailable;
  }
  std::cout << fmt::format("The upstream {}. Each client gets its own text.\n\n", outcome.act->says);
  for (std::size_t round = 0; round < outcome.first_try.rounds.size(); ++round)
    for (const testee::TrialReply& reply : outcome.first_try.rounds[round])
      print(reply, round, open.target->client());
  std::cout << "\n";
  report::Tally tally;
  for (const results::Row& row : trials.rows_of({outcome})) {
    tally.add(row.rule, row.verdict, results::decides(row, command.strict));
    if (!row.first) continue;
    std::cout << fmt::format("{} {}: {}\n  the rule: {}\n", row.rule, contract::name(row.level),
                             splitproof::visible(row.first->message),
                             splitproof::visible(campaign::meta_obligation(row.rule).says));
  }
  const bool conforms = tally.findings() == 0;
  std::cout << report::verdict_word(conforms) << "1 recording, 1 case, " << tally.text() << "\n";
  return conforms ? kConforms : kViolates;
}

}  // namespace splitproof::cli
