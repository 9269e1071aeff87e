#include "harness/campaign/connections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/isolation.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/dialect/canary.hpp"
#include "harness/glob.hpp"

namespace splitproof::campaign {

using results::Reproducer;
using results::Row;
namespace {

using contract::Verdict;
using testee::Ending;
using testee::TrialEvidence;
using testee::TrialReply;

enum ConnectionRule : std::size_t { kOwnRule, kIdleRule, kOnceRule, kEndsRule };
constexpr std::array kConnectionIds{kOwnAnswer, kIdleEnd, kSentOnce, kRecovers};
constexpr auto kLongSettle = std::chrono::milliseconds(500);  // of a second try
constexpr std::size_t kDeclaredRetries = 2;                   // default of the owners' SDKs
constexpr std::size_t kSecondRound = 1;                       // the round of the second client
constexpr std::size_t kMostHungActs = 2;                      // no other act is tried after this many hangs
constexpr std::size_t kShownOfForeign = 100;
// Smaller values prove nothing. A garbage-collected runtime grows by up to 35 MB while it reads data that it
// does not store.
constexpr std::size_t kLeastSent = std::size_t{16} << 20;
constexpr std::size_t kLeastGrowth = std::size_t{40} << 20;
constexpr int kFirstError = 400;

bool is_crowd(const ConnectionActKind& act) { return act.name == crowd_act().name; }

std::string client_name(const ActTrial& trial, std::size_t round, std::size_t place) {
  const std::size_t last = trial.own.size() - 1;  // this round may be repeated
  const std::size_t in_round = trial.own[std::min(round, last)].size();
  if (in_round > 1) return fmt::format("client {} of {} in round {}", place + 1, in_round, round + 1);
  return fmt::format("client {} of {}", std::min(round, last) + 1, trial.own.size());
}

// "status 502", "no answer: nobody listens on ..."
std::string reply_in_words(const TrialReply& reply) {
  std::string text = reply.status != 0 ? "status " + std::to_string(reply.status) : "no answer";
  if (reply.ending == Ending::complete) return text;
  text += ", " + std::string(testee::name(reply.ending));
  return reply.detail.empty() ? text : text + ": " + reply.detail;
}

std::string owner_of(const ActTrial& trial, std::size_t number) {
  if (number == trial.unrequested) return "an answer without a request";
  for (std::size_t round = 0; round < trial.own.size(); ++round) {
    for (std::size_t place = 0; place < trial.own[round].size(); ++place)
      if (trial.own[round][place] == number) return "the answer to " + client_name(trial, round, place);
  }
  return "an answer of an earlier trial";
}

std::size_t most_written(const TrialEvidence& seen) {
  std::size_t most = 0;
  for (const auto& round : seen.rounds)
    for (const TrialReply& reply : round)
      for (const testee::TrialCall& call : reply.calls) most = std::max(most, call.written);
  return most;
}

bool has_hung(const TrialEvidence& seen) {
  return std::any_of(seen.rounds.begin(), seen.rounds.end(), [](const auto& round) {
    return std::any_of(round.begin(), round.end(),
                       [](const TrialReply& reply) { return reply.ending == Ending::hung; });
  });
}

// Returns evidence that an exchange did not end, that the target ended or stopped serving, or that it grows.
std::string trouble(const ActTrial& trial, const TrialEvidence& seen) {
  for (std::size_t round = 0; round < seen.rounds.size(); ++round) {
    for (std::size_t place = 0; place < seen.rounds[round].size(); ++place) {
      const TrialReply& reply = seen.rounds[round][place];
      if (reply.ending == Ending::hung || reply.ending == Ending::crashed)
        return client_name(trial, round, place) + " got " + reply_in_words(reply);
    }
  }
  const std::size_t sent = most_written(seen);
  if (seen.memory_before && sent >= kLeastSent) {
    const std::size_t growth = *seen.memory_most - std::min(*seen.memory_before, *seen.memory_most);
    if (growth >= std::max(kLeastGrowth, sent / 4 * 3))
      return fmt::format("the target grew by {} MB while it was sent {} MB", growth >> 20, sent >> 20);
  }
  const auto& last = seen.rounds.back();
  if (!std::all_of(last.begin(), last.end(), testee::is_served)) {
    return fmt::format("the target serves no more requests: the last of {} requests got {}",
                       seen.rounds.size() - trial.own.size() + 1, reply_in_words(last.front()));
  }
  return {};
}

}  // namespace

std::string act_case(const testee::Testee& testee, const recording::Recording& recording,
                     const ConnectionActKind& act) {
  Case one{recording.id, testee.client()};
  one.act = act.name;
  return to_string(one);
}

bool asks_for_acts(const std::string& only) { return only.find("act=") != only.npos; }

bool ActOutcome::violates(std::size_t rule) const {
  return rule == kOwnRule ? seen[rule] > 0 : tries > 0 && seen[rule] == tries;
}

ConnectionTrials::ConnectionTrials(const testee::Testee& testee, const recording::Recording& recording,
                                   const contract::Profile& profile)
    : testee_(testee), recording_(recording), may_retry_([&] {
        const auto knob = profile.knobs.find("upstream-retries");
        return knob != profile.knobs.end() && knob->second == "declared";
      }()) {}

std::string ConnectionTrials::begin() {
  if (!testee_.traits().over_http) return "only a target over HTTP has its own connections to an upstream";
  if (testee_.traits().upstream_socket)
    return "the target speaks to its upstream over WebSocket, and the acts are about HTTP";
  const ActTrial plain = trial_of(plain_act(), recording_, 1, trials_++);
  const auto seen = testee_.try_connections(plain.trial);
  if (seen == nullptr) return "splitproof cannot test the connections of this target";
  if (!seen->lost.empty()) return seen->lost;
  for (std::size_t round = 0; round < plain.own.size(); ++round) {
    const TrialReply& reply = seen->rounds[round].front();
    if (reply.calls.empty() || is_error(reply) || !has_own_answer(reply, plain.own[round].front())) {
      testee_.start_over();
      recording_fails_ = true;
      const bool is_told = testee::is_served(reply) && is_error(reply);
      return fmt::format("an ordinary request does not get its own answer: {} got {}{}",
                         client_name(plain, round, 0), reply_in_words(reply),
                         is_told ? " with an error" : "");
    }
    usual_calls_ = std::max(usual_calls_, reply.calls.size());
    for (const testee::TrialCall& call : reply.calls) reuses_ |= call.turn > 1;
  }
  return {};
}

bool ConnectionTrials::is_error(const TrialReply& reply) const {
  return reply.ending != Ending::complete || reply.status >= kFirstError ||
         reports_error(reply.body, testee_.client());
}

bool ConnectionTrials::has_own_answer(const TrialReply& reply, std::size_t own) const {
  if (!testee::is_served(reply)) return false;
  const std::string text = joined_text(reply.body, testee_.client());
  const std::vector<std::string> pieces = dialect::canary_pieces(own);
  return std::all_of(pieces.begin(), pieces.end(), [&](const std::string& piece) {
    return text.find(piece) != text.npos || reply.body.find(piece) != reply.body.npos;
  });
}

// Describes text in a client's answer that belongs to another client.
std::string ConnectionTrials::foreign_text(const ActTrial& trial, std::size_t round, std::size_t place,
                                           const TrialReply& reply, ActOutcome& outcome) const {
  const std::size_t own = trial.own[std::min(round, trial.own.size() - 1)][place];
  std::set<std::size_t> numbers = dialect::canaries_in(reply.body);
  numbers.merge(dialect::canaries_in(joined_text(reply.body, testee_.client())));
  numbers.erase(own);
  if (numbers.empty()) return {};
  if (outcome.shown.empty()) {
    const std::string piece = dialect::canary_pieces(*numbers.begin()).front();
    const std::size_t at = reply.body.find(piece.substr(0, piece.find(' ', piece.find(' ') + 1) + 1));
    if (at != reply.body.npos) {  // otherwise it came in pieces
      outcome.shown_at = std::max(reply.body.rfind('\n', at) + 1, at - std::min(at, kShownOfForeign));
      outcome.shown = reply.body.substr(outcome.shown_at, at - outcome.shown_at + kShownOfForeign);
    }
  }
  return client_name(trial, round, place) + " got text of " + owner_of(trial, *numbers.begin());
}

std::string ConnectionTrials::sent_too_often(const ConnectionActKind& act, const TrialEvidence& seen) const {
  for (std::size_t round = 0; round < seen.rounds.size(); ++round) {
    const std::vector<testee::TrialCall>& calls = seen.rounds[round].front().calls;
    std::size_t most = usual_calls_ + (may_retry_ ? kDeclaredRetries : 0);
    const bool closed_at_once =
        act.may_resend && round == kSecondRound && !calls.empty() && calls.front().turn > 1;
    if (closed_at_once && !may_retry_) ++most;
    if (calls.size() > most)
      return fmt::format(
          "the request of client {} reached the upstream {} times, not {}", round + 1, calls.size(),
          closed_at_once && !may_retry_ ? fmt::format("{} or {}", most - 1, most) : fmt::format("{}", most));
  }
  return {};
}

ConnectionTrials::Found ConnectionTrials::judge(const ConnectionActKind& act, const ActTrial& trial,
                                                const TrialEvidence& seen, ActOutcome& outcome) const {
  Found found;
  for (std::size_t round = 0; round < seen.rounds.size(); ++round) {
    for (std::size_t place = 0; place < seen.rounds[round].size() && found[kOwnRule].empty(); ++place) {
      const TrialReply& reply = seen.rounds[round][place];
      found[kOwnRule] = foreign_text(trial, round, place, reply, outcome);
      if (!found[kOwnRule].empty() || (round == 0 && !act.first_is_plain) || is_error(reply)) continue;
      if (!has_own_answer(reply, trial.own[std::min(round, trial.own.size() - 1)][place]))
        found[kOwnRule] =
            client_name(trial, round, place) + " got " + reply_in_words(reply) + " without its own answer";
    }
  }
  for (const std::size_t round : {kSecondRound, kSecondRound + 1}) {
    if (!act.closes_idle || !found[kIdleRule].empty()) continue;
    const TrialReply& reply = seen.rounds[round].front();
    if (is_error(reply) && reply.ending != Ending::hung && reply.ending != Ending::crashed)
      found[kIdleRule] =
          client_name(trial, round, 0) + " got " + reply_in_words(reply) + " instead of its answer";
  }
  if (!is_crowd(act)) found[kOnceRule] = sent_too_often(act, seen);
  found[kEndsRule] = trouble(trial, seen);
  return found;
}

ActOutcome ConnectionTrials::try_act(const ConnectionActKind& act) {
  ActOutcome outcome;
  outcome.act = &act;
  if (is_crowd(act) && testee_.traits().max_concurrency < 2) {
    outcome.lost = "the target takes one request at a time";
    return outcome;
  }
  outcome.applies = {true, act.closes_idle, !is_crowd(act), true};
  for (bool again = true; again && outcome.tries < 2;) {
    ActTrial trial = trial_of(act, recording_, testee_.traits().max_concurrency, trials_++);
    if (outcome.tries > 0) trial.trial.settle = kLongSettle;
    const auto seen = testee_.try_connections(trial.trial);
    outcome.lost = seen == nullptr ? "splitproof cannot test the connections of this target" : seen->lost;
    if (!outcome.lost.empty()) return outcome;
    ++outcome.tries;
    if (outcome.tries == 1) outcome.first_try = *seen;
    const Found found = judge(act, trial, *seen, outcome);
    again = false;
    for (std::size_t rule = 0; rule < kConnectionRules; ++rule) {
      if (found[rule].empty()) continue;
      again = true;
      ++outcome.seen[rule];
      if (outcome.found[rule].empty()) outcome.found[rule] = found[rule];
    }
    if (again) testee_.start_over();
  }
  return outcome;
}

std::vector<Row> ConnectionTrials::not_judged(const std::string& reason) {
  std::vector<Row> rows;
  for (const std::string_view id : kConnectionIds) {
    Row& row = rows.emplace_back();
    row.rule = id;
    row.level = meta_obligation(id).level;
    row.verdict = Verdict::not_judged;
    row.reason = reason;
  }
  return rows;
}

std::vector<Row> ConnectionTrials::rows_of(const std::vector<ActOutcome>& outcomes) const {
  std::vector<Row> rows = not_judged("no act ran");
  for (std::size_t rule = 0; rule < kConnectionRules; ++rule) {
    Row& row = rows[rule];
    std::string others;
    for (const ActOutcome& outcome : outcomes) {
      if (!outcome.lost.empty() || !outcome.applies[rule]) continue;
      ++row.cases;
      if (row.verdict == Verdict::not_judged) row.verdict = Verdict::met;
      if (!outcome.violates(rule)) continue;
      row.verdict = Verdict::violated;
      ++row.violating;
      if (row.first) {
        others += (others.empty() ? "" : ", ") + std::string(outcome.act->name);
        continue;
      }
      Reproducer& first = row.first.emplace();
      first.case_id = act_case(testee_, recording_, *outcome.act);
      first.fault = true;
      if (rule == kOwnRule) {
        first.downstream = outcome.shown;
        first.place.begin = outcome.shown_at;
        first.place.end = outcome.shown_at + outcome.shown.size();
      }
      first.message =
          fmt::format("the upstream {}: {}, in {} of {} {}", outcome.act->says, outcome.found[rule],
                      outcome.seen[rule], outcome.tries, outcome.tries == 1 ? "try" : "tries");
    }
    if (!others.empty()) row.first->message += "; the same with the acts " + others;
    const bool needs_reuse = rule == kOwnRule || rule == kIdleRule;
    if (row.verdict == Verdict::met && needs_reuse && !reuses_) {
      row.verdict = Verdict::not_exercised;
      row.reason = "the target opens a new connection to its upstream for each request";
    } else if (row.verdict == Verdict::met || row.verdict == Verdict::violated) {
      row.reason.clear();
    }
  }
  return rows;
}

namespace {

// Tries all acts whose case `only` selects. The trial without an act must have succeeded.
std::vector<Row> rows_of_acts(ConnectionTrials& trials, const testee::Testee& testee,
                              const recording::Recording& recording, const std::string& only,
                              const std::function<bool()>& stop) {
  std::vector<ActOutcome> outcomes;
  std::size_t hung = 0;
  for (const ConnectionActKind& act : connection_acts()) {
    const bool selected = only.empty() || matches(only, act_case(testee, recording, act));
    if (!selected || stop() || hung >= kMostHungActs) continue;
    outcomes.push_back(trials.try_act(act));
    hung += has_hung(outcomes.back().first_try) ? 1 : 0;
  }
  return trials.rows_of(outcomes);
}

}  // namespace

ConnectionRows try_connections(const testee::Testee& testee,
                               const std::vector<const recording::Recording*>& recordings,
                               const contract::Profile& profile, const std::string& only,
                               const std::function<bool()>& stop) {
  std::string why;
  for (const recording::Recording* recording : recordings) {
    ConnectionTrials trials(testee, *recording, profile);
    const std::string obstacle = trials.begin();
    if (obstacle.empty()) return {recording, rows_of_acts(trials, testee, *recording, only, stop)};
    if (why.empty()) why = obstacle;
    if (!trials.recording_fails() || stop()) break;
  }
  return {recordings.front(), ConnectionTrials::not_judged(why)};
}

}  // namespace splitproof::campaign
