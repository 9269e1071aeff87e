// Connection trials of targets with invented answers: no sockets, and one fault at a time.

#include "harness/campaign/connections.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/isolation.hpp"
#include "harness/campaign/meta.hpp"
#include "tests/harness/testee/project.hpp"

namespace splitproof::campaign::connections_test {

using results::Reproducer;
using results::Row;
namespace {

using contract::Verdict;
using testee::ConnectionTrial;
using testee::Ending;
using testee::TrialEvidence;
using testee::TrialReply;

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// Returns the body of an act's last answer for a client, which is its final result.
std::string body_of(const testee::ConnectionAct& act) {
  std::string bytes;
  for (const testee::ConnectionStep& step : act.attempts.back()) bytes += step.bytes;
  if (bytes.starts_with("HTTP/1.1 204") || bytes.starts_with("HTTP/1.1 304")) return {};
  const std::size_t begin = bytes.find("data:");
  const std::string end = "data: [DONE]\n\n";
  return begin == bytes.npos ? "" : bytes.substr(begin, bytes.find(end) + end.size() - begin);
}

// Gives every client its own answer over one connection, apart from the test's fault.
class Model : public testee::Testee {
 public:
  Model()
      : Testee({.name = "model",
                .client = "openai.chat",
                .upstream = "openai.chat",
                .over_http = true,
                .outside = true,
                .max_concurrency = 4}) {}

  using Testee::traits_;

  testee::Observation observe(const testee::Exchange& /*exchange*/) const override { return {}; }
  void start_over() const override { ++starts; }

  std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& trial) const override {
    auto seen = std::make_shared<TrialEvidence>();
    if (trial.measures_memory) seen->memory_before = seen->memory_most = kMegabyte;
    std::size_t turn = 0;
    for (const auto& round : trial.rounds) {
      auto& replies = seen->rounds.emplace_back();
      for (const testee::TrialClient& client : round) {
        TrialReply& reply = replies.emplace_back();
        reply.body = body_of(client.upstream);
        reply.status = reply.body.empty() ? 502 : 200;
        turn = reuses ? turn + 1 : 1;
        reply.calls = {{1, turn, reply.body.size()}};
      }
    }
    if (trials++ > 0) spoil(*seen);  // the first is the plain one
    spoil_each(*trial.recording, *seen);
    return seen;
  }

  bool reuses = true;
  std::function<void(TrialEvidence&)> spoil = [](TrialEvidence&) {};
  std::function<void(const recording::Recording&, TrialEvidence&)> spoil_each =
      [](const recording::Recording&, TrialEvidence&) {};
  mutable std::size_t trials = 0;
  mutable std::size_t starts = 0;
};

const recording::Recording& plain() { return project().recording("openai.chat/text-plain"); }

std::vector<Row> rows(const Model& model, const contract::Profile& profile = {},
                      const std::string& only = "") {
  return try_connections(model, {&plain()}, profile, only, [] { return false; }).rows;
}

std::map<std::string, Verdict> verdicts(const std::vector<Row>& rows) {
  std::map<std::string, Verdict> all;
  for (const Row& row : rows) all.emplace(row.rule, row.verdict);
  return all;
}

std::set<std::string> violated(const std::vector<Row>& rows) {
  std::set<std::string> ids;
  for (const Row& row : rows)
    if (row.verdict == Verdict::violated) ids.insert(row.rule);
  return ids;
}

TrialReply refusal() {
  TrialReply reply;
  reply.status = 502;
  reply.body = R"({"error":{}})";
  return reply;
}

const Row& row_of(const std::vector<Row>& rows, std::string_view id) {
  return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.rule == id; });
}

TEST(ConnectionActs, AreCasesOfTheirNames) {
  std::set<std::string_view> names;
  for (const ConnectionActKind& act : connection_acts()) {
    EXPECT_TRUE(names.insert(act.name).second) << act.name;
    EXPECT_EQ(connection_act(act.name), &act);
    Case one{"a/b", "openai.chat"};
    one.act = act.name;
    EXPECT_EQ(to_string(one), "a/b?client=openai.chat&act=" + std::string(act.name));
    EXPECT_EQ(parse_case(to_string(one)).value(), one);
    EXPECT_FALSE(parse_case(to_string(one) + "&gen=whole"));
  }
  EXPECT_FALSE(parse_case("a/b?act=sleep"));
  EXPECT_FALSE(parse_case("a/b?act="));
}

TEST(ConnectionActs, ShareNoTextWithOtherTrials) {
  std::set<std::size_t> numbers;
  std::size_t number = 0;
  for (const ConnectionActKind& act : connection_acts()) {
    const ActTrial made = trial_of(act, plain(), 8, number++);
    ASSERT_EQ(made.own.size(), made.trial.rounds.size()) << act.name;
    EXPECT_TRUE(numbers.insert(made.unrequested).second) << act.name;
    for (std::size_t round = 0; round < made.own.size(); ++round) {
      ASSERT_EQ(made.own[round].size(), made.trial.rounds[round].size()) << act.name;
      for (std::size_t place = 0; place < made.own[round].size(); ++place) {
        const std::size_t own = made.own[round][place];
        EXPECT_TRUE(numbers.insert(own).second) << act.name;
        std::set<std::size_t> sent;
        for (const auto& steps : made.trial.rounds[round][place].upstream.attempts)
          for (const testee::ConnectionStep& step : steps) sent.merge(dialect::canaries_in(step.bytes));
        sent.erase(own);
        sent.erase(made.unrequested);
        EXPECT_TRUE(sent.empty()) << act.name << " sends another client's text";
      }
    }
  }
}

TEST(ConnectionTrials, TargetThatAnswersEachClientConforms) {
  const Model model;
  const std::vector<Row> all = rows(model);
  ASSERT_EQ(all.size(), kConnectionRules);
  for (const Row& row : all) {
    EXPECT_EQ(row.verdict, Verdict::met) << row.rule << row.reason;
    EXPECT_GE(row.cases, 4u);
  }
  EXPECT_EQ(model.trials, connection_acts().size() + 1);
  EXPECT_EQ(model.starts, 0u);
}

TEST(ConnectionTrials, TextOfAnyOtherAnswerIsFoundInAnyAnswer) {
  for (const bool in_other_pieces : {false, true}) {
    for (std::size_t place = 0; place < 4; ++place) {
      for (std::size_t other = 0; other < 4; ++other) {
        if (place == other) continue;
        Model model;
        model.spoil = [&](TrialEvidence& seen) {
          if (seen.rounds.size() != 4) return;  // not a crowd
          std::string body = seen.rounds[other].front().body;
          const std::size_t at = body.find("Canary ");
          if (in_other_pieces && at != body.npos)
            body.insert(at + 3, "\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"");
          seen.rounds[place].front().body += body;
        };
        const std::vector<Row> all = rows(model);
        EXPECT_EQ(violated(all), std::set<std::string>{"CONN-01"}) << place << " " << other;
        const Reproducer& shown = *row_of(all, kOwnAnswer).first;
        EXPECT_NE(shown.message.find("client " + std::to_string(place + 1) +
                                     " of 4 got text of the answer to client " + std::to_string(other + 1)),
                  shown.message.npos)
            << shown.message;
        EXPECT_GT(model.starts, 0u);
      }
    }
  }
}

TEST(ConnectionTrials, SuccessWithoutItsOwnAnswerIsFound) {
  Model model;
  model.spoil = [](TrialEvidence& seen) { seen.rounds[1].front().body = "data: [DONE]\n\n"; };
  EXPECT_EQ(violated(rows(model)), std::set<std::string>{"CONN-01"});
}

TEST(ConnectionTrials, ErrorIsFoundAfterAnIdleEndAlone) {
  Model model;
  model.spoil = [](TrialEvidence& seen) { seen.rounds[1].front() = refusal(); };
  const std::vector<Row> all = rows(model);
  // The crowd's second round has an error too, which is right there.
  EXPECT_EQ(violated(all), std::set<std::string>{"CONN-02"});
  const auto ends = static_cast<std::size_t>(std::count_if(connection_acts().begin(), connection_acts().end(),
                                                           [](const auto& act) { return act.closes_idle; }));
  EXPECT_EQ(row_of(all, kIdleEnd).violating, ends);
  EXPECT_EQ(row_of(all, kIdleEnd).cases, ends);
}

// The recording causes the error, and the act does not.
TEST(ConnectionTrials, RecordingWhoseAnswerIsAnErrorIsNotTried) {
  constexpr const char* kError = "data: {\"error\":{\"message\":\"full\"}}\n\n";
  const recording::Recording& other = project().recording("openai.chat/text-multibyte");
  Model model;
  model.spoil_each = [&](const recording::Recording& recording, TrialEvidence& seen) {
    for (auto& round : seen.rounds)
      for (TrialReply& reply : round)
        if (&recording == &plain()) reply.body = kError + reply.body;
  };
  const auto never = [] { return false; };
  const ConnectionRows alone = try_connections(model, {&plain()}, {}, "", never);
  for (const Row& row : alone.rows) {
    EXPECT_EQ(row.verdict, Verdict::not_judged) << row.rule;
    EXPECT_TRUE(row.reason.starts_with("an ordinary request does not get its own answer")) << row.reason;
  }
  EXPECT_EQ(model.trials, 1u);
  const ConnectionRows both = try_connections(model, {&plain(), &other}, {}, "", never);
  EXPECT_EQ(both.recording, &other);
  EXPECT_TRUE(violated(both.rows).empty());
  EXPECT_EQ(row_of(both.rows, kIdleEnd).verdict, Verdict::met);
}

TEST(ConnectionTrials, ErrorMemberThatIsNullIsNoError) {
  EXPECT_FALSE(reports_error("data: {\"type\":\"response.created\",\"response\":{\"error\":null}}\n\n",
                             "openai.responses"));
  EXPECT_FALSE(reports_error("{\"error\":null}", "openai.chat"));
  EXPECT_TRUE(reports_error("{\"error\":{\"message\":\"full\"}}", "openai.chat"));
  EXPECT_TRUE(
      reports_error("event: error\ndata: {\"type\":\"error\",\"error\":{}}\n\n", "anthropic.messages"));
}

TEST(ConnectionTrials, ViolationInOneOfTwoTriesIsNotReported) {
  Model model;
  model.spoil = [&](TrialEvidence& seen) {
    if (model.starts % 2 == 0) seen.rounds[1].front() = refusal();
  };
  EXPECT_TRUE(violated(rows(model)).empty());
  EXPECT_GT(model.starts, 0u);
}

TEST(ConnectionTrials, TextOfAnotherAnswerInOneTryIsEnough) {
  Model model;
  model.spoil = [&](TrialEvidence& seen) {
    if (model.starts % 2 == 0) seen.rounds[1].front().body += seen.rounds[0].front().body;
  };
  EXPECT_EQ(violated(rows(model)), std::set<std::string>{"CONN-01"});
}

TEST(ConnectionTrials, CallsBeyondTheAllowedAreFound) {
  for (const bool declared : {false, true}) {
    contract::Profile profile;
    profile.knobs["upstream-retries"] = declared ? "declared" : "none";
    for (std::size_t calls = 1; calls <= 5; ++calls) {
      Model model;
      model.spoil = [&](TrialEvidence& seen) {
        std::vector<testee::TrialCall>& made = seen.rounds[1].front().calls;
        made.resize(calls, made.front());
      };
      const std::vector<Row> all = rows(model, profile);
      const bool too_often = calls > (declared ? 3u : 1u);
      EXPECT_EQ(violated(all), too_often ? std::set<std::string>{"CONN-03"} : std::set<std::string>())
          << calls;
      if (!too_often) continue;
      // Two acts close a used connection at once. There one more call is right.
      const Row& row = row_of(all, kSentOnce);
      EXPECT_EQ(row.cases - row.violating, !declared && calls == 2 ? 2u : 0u);
    }
  }
}

TEST(ConnectionTrials, GrowthBySentContentIsFound) {
  for (const std::size_t sent : {1u, 15u, 16u, 64u}) {
    for (const std::size_t grown : {0u, 10u, 40u, 64u, 100u}) {
      Model model;
      model.spoil = [&](TrialEvidence& seen) {
        seen.rounds[0].front().calls.front().written = sent * kMegabyte;
        if (seen.memory_most) *seen.memory_most += grown * kMegabyte;
      };
      const bool grows = sent >= 16 && grown >= 40 && grown * 4 >= sent * 3;
      EXPECT_EQ(violated(rows(model)), grows ? std::set<std::string>{"CONN-04"} : std::set<std::string>())
          << sent << " " << grown;
    }
  }
}

TEST(ConnectionTrials, TargetThatHangsDiesOrServesNoMoreIsFound) {
  for (const Ending ending : {Ending::hung, Ending::crashed}) {
    Model model;
    model.spoil = [&](TrialEvidence& seen) { seen.rounds[1].front().ending = ending; };
    EXPECT_EQ(violated(rows(model)), std::set<std::string>{"CONN-04"});
    // A hang costs the target's timeout, so only few are tried.
    EXPECT_EQ(model.trials < connection_acts().size(), ending == Ending::hung);
  }
  Model model;
  model.spoil = [](TrialEvidence& seen) { seen.rounds.back().front() = refusal(); };
  EXPECT_EQ(violated(rows(model)), std::set<std::string>{"CONN-04"});
}

TEST(ConnectionTrials, TargetWithoutReuseRunsTheTrialsWithoutReuse) {
  Model model;
  model.reuses = false;
  EXPECT_EQ(verdicts(rows(model)), (std::map<std::string, Verdict>{{"CONN-01", Verdict::not_exercised},
                                                                   {"CONN-02", Verdict::not_exercised},
                                                                   {"CONN-03", Verdict::met},
                                                                   {"CONN-04", Verdict::met}}));
  Model sharing;
  sharing.reuses = false;
  sharing.spoil = [](TrialEvidence& seen) { seen.rounds[1].front().body = seen.rounds[0].front().body; };
  EXPECT_EQ(violated(rows(sharing)), std::set<std::string>{"CONN-01"});
}

TEST(ConnectionTrials, AreNotJudgedIfNothingCanBeTried) {
  for (const bool http : {false, true}) {
    Model model;
    model.traits_.over_http = http;
    model.spoil = [](TrialEvidence& seen) { seen.lost = "gone"; };
    for (const Row& row : rows(model)) {
      EXPECT_EQ(row.verdict, Verdict::not_judged);
      EXPECT_FALSE(row.reason.empty());
      EXPECT_FALSE(row.first);
    }
  }
}

TEST(ConnectionTrials, OnlySelectedTrialsAreRun) {
  const Model model;
  const std::vector<Row> all = rows(model, {}, "*act=idle-*");
  EXPECT_EQ(model.trials, row_of(all, kOwnAnswer).cases + 1);
  EXPECT_LT(model.trials, connection_acts().size() / 2);
}

}  // namespace
}  // namespace splitproof::campaign::connections_test
