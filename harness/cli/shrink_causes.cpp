#include "harness/cli/shrink_causes.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/shrink/shrink.hpp"

namespace splitproof::cli {
namespace {

constexpr std::chrono::seconds kShrinkTime{30};
constexpr std::size_t kTries = 500;  // for each cause

// Its rule says something of one answer, and not of the target or of several answers.
bool is_of_one_answer(const cause::Cause& cause, const contract::Contracts& contracts) {
  return cause.shown.alone && contracts.find(cause.rule->id) != nullptr;
}

}  // namespace

void shrink_causes(std::vector<cause::Cause>& causes, const campaign::Settings& campaign,
                   const std::function<bool()>& stop) {
  const auto end = std::chrono::steady_clock::now() + kShrinkTime;
  shrink::Settings settings;
  settings.contracts = campaign.contracts;
  settings.profile = &campaign.profile;
  settings.most_tries = kTries;
  settings.stop = [&] { return stop() || std::chrono::steady_clock::now() >= end; };
  for (cause::Cause& cause : causes) {
    const auto testee = std::find_if(campaign.testees.begin(), campaign.testees.end(),
                                     [&](const auto* one) { return one->name() == cause.target; });
    const auto one = campaign::parse_case(cause.shown.case_id);
    if (settings.stop()) return;
    if (testee == campaign.testees.end() || !one || !is_of_one_answer(cause, *campaign.contracts)) continue;
    settings.rule = cause.rule->id;
    const auto shrunk = shrink::shrink(**testee, *cause.in->recording, *one, settings);
    if (shrunk)
      cause.smallest = {shrunk->to.events, shrunk->from.events, shrunk->to.cuts, shrunk->upstream.body};
  }
}

}  // namespace splitproof::cli
