#include "harness/report/client_state.hpp"

#include <gtest/gtest.h>

#include "harness/report/bug_kind.hpp"
#include "made_up.hpp"

namespace splitproof::report::client_state_test {
namespace {

std::map<std::string, ClientResult> of_target(const Constructed& all, const Summary& summary,
                                              const std::string& target) {
  std::map<std::string, ClientResult> found;
  for (const ClientResult& one : client_results(all.results, all.heading, summary))
    if (one.target == target) found.emplace(one.client->id, one);
  return found;
}

TEST(ClientState, CrashBreaksEveryClient) {
  const Constructed all = every_kind();
  const Summary summary = all.summary();
  const auto states = of_target(all, summary, "broken-proxy");
  ASSERT_EQ(states.size(), 3U);
  for (const auto& [client, state] : states) {
    EXPECT_EQ(state.state, ClientState::breaks) << client;
    const auto crash =
        std::find_if(summary.causes.begin(), summary.causes.end(),
                     [](const cause::Cause& cause) { return kind_of(cause) == BugKind::crash; });
    const auto number = static_cast<std::size_t>(crash - summary.causes.begin()) + 1;
    EXPECT_EQ(std::count(state.breaks_on.begin(), state.breaks_on.end(), number), 1) << client;
  }
  EXPECT_EQ(states.at("careful").says, "breaks on 1 of 6 bugs");
  EXPECT_EQ(states.at("careless").says, "breaks on 2 of 6 bugs; 4 not tried with it");
}

TEST(ClientState, BugThatWasNotTriedIsNotTested) {
  Constructed all;
  all.heading.targets = {"proxy"};
  all.recording("chat/one", "proxy").row("ANT-08", contract::Verdict::violated);
  all.behaves("chat/one?client=anthropic.messages&gen=whole");
  all.client("tested", "ANT-08", contract::Reaction::accepts)
      .client("untested", "ANT-99", contract::Reaction::throws);
  const auto states = of_target(all, all.summary(), "proxy");
  EXPECT_EQ(states.at("tested").state, ClientState::works);
  EXPECT_EQ(states.at("untested").state, ClientState::not_tested);
  EXPECT_EQ(states.at("untested").says, "1 of 1 bug not tried with it");
}

TEST(ClientState, TargetWithoutABugWorksOnlyIfItWasTested) {
  Constructed all = every_kind();
  EXPECT_EQ(of_target(all, all.summary(), "good-proxy").at("strict").state, ClientState::works);
  all.heading.quick = true;
  EXPECT_EQ(of_target(all, all.summary(), "good-proxy").at("strict").says,
            "no bug that breaks it in 1 recording, in some of their cases");
  all.recording("chat/known", "good-proxy").row("ANT-09", contract::Verdict::violated);
  all.last().expectation = {"*", "*", "*", "known", "known.txt", 1};
  EXPECT_EQ(of_target(all, all.summary(), "good-proxy").at("strict").says,
            "no bug that breaks it in 2 recordings, in some of their cases; 1 known failure not counted");
  all.heading.untested["good-proxy"] = "it answers 401";
  EXPECT_EQ(of_target(all, all.summary(), "good-proxy").at("strict").state, ClientState::not_tested);
  Constructed unjudged = every_kind();
  for (results::RecordingResult& result : unjudged.results)
    if (result.target == "good-proxy")
      for (results::Row& row : result.rows) row.verdict = contract::Verdict::not_judged;
  EXPECT_EQ(of_target(unjudged, unjudged.summary(), "good-proxy").at("strict").state,
            ClientState::not_tested);
}

TEST(BugKind, IsCorruptionIfAClientGoesOnWithAWrongResult) {
  const Constructed all = every_kind();
  std::map<std::string, BugKind> kinds;
  const Summary summary = all.summary();
  for (const cause::Cause& cause : summary.causes) kinds[cause.rule->id] = kind_of(cause);
  const std::map<std::string, BugKind> expected{
      {"RUN-01", BugKind::crash},    {"ANT-20", BugKind::corruption}, {"ANT-08", BugKind::protocol},
      {"ANT-09", BugKind::protocol}, {"META-03", BugKind::protocol},  {"REQ-04", BugKind::request}};
  EXPECT_EQ(kinds, expected);
  Constructed untried = every_kind();
  untried.heading.clients = {};
  const Summary without = untried.summary();
  for (const cause::Cause& cause : without.causes) kinds[cause.rule->id] = kind_of(cause);
  EXPECT_EQ(kinds.at("META-03"), BugKind::corruption);
  EXPECT_EQ(kinds.at("ANT-08"), BugKind::protocol);
}

}  // namespace
}  // namespace splitproof::report::client_state_test
