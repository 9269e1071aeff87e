#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "harness/contract/judge.hpp"
#include "tests/harness/contract/naive.hpp"
#include "tests/harness/contract/small_trace.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::contract::agreement_test {
namespace {

constexpr std::uint64_t kSeed = 20240817;
constexpr std::size_t kContracts = kSanitized ? 60 : 300;
constexpr std::size_t kTraces = 10;
constexpr std::size_t kObligations = 8;

struct Case {
  std::vector<std::string> lines;
  bool cut = false;
  std::string expected;
};

observe::Trace trace_of(const Case& one) {
  std::string text;
  for (const std::string& line : one.lines) text += line + "\n";
  observe::Trace trace = small_trace(text);
  if (one.cut) trace.message_end = observe::MessageEnd::cut;
  return trace;
}

std::vector<NaiveVerdict> judge_compiled(const Contracts& contracts, const Case& one) {
  const auto expected = json_document(one.expected);
  Context evidence;
  evidence.expected = expected.get();
  evidence.features = {"tools"};
  std::vector<NaiveVerdict> verdicts;
  for (const Judged& judged :
       judge(contracts, "test", {"default", {{"overlap", "sequential"}}}, trace_of(one), evidence)) {
    verdicts.push_back({judged.verdict, judged.event});
  }
  return verdicts;
}

std::string describe(const NaiveVerdict& verdict) {
  return fmt::format("{}{}", name(verdict.verdict),
                     verdict.event ? fmt::format(" at event {}", *verdict.event) : "");
}

bool disagree(const ContractSpec& spec, const Case& one) {
  const auto contracts = load_text(yaml(spec));
  return contracts && judge_compiled(*contracts, one) != judge_naively(spec, trace_of(one), one.expected);
}

/// Removes parts to find the smallest obligation and trace on which the two still disagree.
std::string shrunk(ContractSpec spec, Case one, std::size_t obligation) {
  spec.obligations = {spec.obligations[obligation]};
  auto& clauses = spec.obligations[0].clauses;
  for (std::size_t i = 0; i < clauses.size() && clauses.size() > 1;) {
    ContractSpec smaller = spec;
    smaller.obligations[0].clauses.erase(smaller.obligations[0].clauses.begin() +
                                         static_cast<std::ptrdiff_t>(i));
    if (disagree(smaller, one)) {
      spec = smaller;
    } else {
      ++i;
    }
  }
  for (std::size_t i = 0; i < one.lines.size();) {
    Case smaller = one;
    smaller.lines.erase(smaller.lines.begin() + static_cast<std::ptrdiff_t>(i));
    if (disagree(spec, smaller)) {
      one = smaller;
    } else {
      ++i;
    }
  }
  std::string text = yaml(spec);
  for (const std::string& line : one.lines) text += line + "\n";
  return text + fmt::format("cut {}, expected '{}'\ncompiled: {}\nnaive: {}\n", one.cut, one.expected,
                            describe(judge_compiled(*load_text(yaml(spec)), one)[0]),
                            describe(judge_naively(spec, trace_of(one), one.expected)[0]));
}

TEST(Agreement, CompiledRulesAgreeWithNaiveOnes) {
  Random random(kSeed);
  std::size_t refusals = 0;
  std::size_t counts[4] = {};
  for (std::size_t n = 0; n < kContracts; ++n) {
    ContractSpec spec = random_contract(random);
    while (spec.obligations.size() < kObligations) {
      ObligationSpec obligation{fmt::format("R-{}", spec.obligations.size()), {random_clause(random, spec)}};
      while (random() % 3 == 0) obligation.clauses.push_back(random_clause(random, spec));
      bool is_refused = false;
      for (const ClauseSpec& clause : obligation.clauses) is_refused = is_refused || refused(clause);
      if (is_refused) {
        ContractSpec alone = spec;
        alone.obligations = {obligation};
        ASSERT_FALSE(load_text(yaml(alone))) << yaml(alone);
        ++refusals;
        continue;
      }
      spec.obligations.push_back(obligation);
    }
    const auto contracts = load_text(yaml(spec));
    ASSERT_TRUE(contracts) << splitproof::describe(contracts.error()) << "\n" << yaml(spec);
    for (std::size_t t = 0; t < kTraces; ++t) {
      Case one;
      one.lines = random_trace(random);
      one.cut = random() % 4 == 0;
      if (random() % 2 == 0) one.expected = R"({"v": "a", "w": ""})";
      const auto compiled = judge_compiled(*contracts, one);
      const auto naive = judge_naively(spec, trace_of(one), one.expected);
      ASSERT_EQ(compiled.size(), naive.size());
      for (std::size_t i = 0; i < naive.size(); ++i) {
        ++counts[static_cast<std::size_t>(naive[i].verdict)];
        ASSERT_EQ(compiled[i], naive[i]) << "contract " << n << " of seed " << kSeed << ":\n"
                                         << shrunk(spec, one, i);
      }
    }
  }
  std::printf(
      "seed %llu: %zu contracts x %zu traces; met %zu, violated %zu, not exercised %zu, not judged %zu; "
      "refused %zu\n",
      static_cast<unsigned long long>(kSeed), kContracts, kTraces, counts[0], counts[1], counts[2], counts[3],
      refusals);
  for (const std::size_t count : counts) EXPECT_GT(count, 3 * kContracts);
  EXPECT_GT(refusals, kContracts / 3);
}

}  // namespace
}  // namespace splitproof::contract::agreement_test
