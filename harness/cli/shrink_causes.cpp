#include "harness/cli/shrink_causes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/shrink/shrink.hpp"

namespace splitproof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kTries = 500;  // for each cause
constexpr double kSlow = 0.5;        // seconds a case
constexpr Clock::duration kLeastPart = std::chrono::seconds(2);

// True if each try shows it, and its rule is about one answer, not about the target, several answers or a
// request.
bool is_of_one_answer(const cause::Cause& cause, const contract::Contracts& contracts) {
  return cause.shown.alone && !cause.is_unstable() && contracts.find(cause.rule->id) != nullptr &&
         !cause.shown.of_request;
}

bool is_slow(const campaign::Results& run, std::size_t testee) {
  const double cases = static_cast<double>(run.targets[testee].cases);
  return run.paces[testee].seconds > kSlow * cases;
}

}  // namespace

void shrink_causes(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
                   const campaign::Results& run, std::chrono::milliseconds time,
                   const std::function<bool()>& stop) {
  struct Task {
    cause::Cause& cause;
    const testee::Testee& testee;
    campaign::Case one;
  };
  std::vector<Task> tasks;
  for (cause::Cause& cause : causes) {
    const auto testee = std::find_if(campaign.testees.begin(), campaign.testees.end(),
                                     [&](const auto* one) { return one->name() == cause.target; });
    const auto one = campaign::parse_case(cause.shown.case_id);
    if (testee == campaign.testees.end() || !one || !is_of_one_answer(cause, *campaign.contracts)) continue;
    if (is_slow(run, static_cast<std::size_t>(testee - campaign.testees.begin()))) continue;
    tasks.push_back({cause, **testee, *one});
  }
  const Clock::time_point end = Clock::now() + time;
  for (std::size_t i = 0; i < tasks.size() && !stop(); ++i) {
    const Task& task = tasks[i];
    const Clock::time_point now = Clock::now();
    const Clock::duration part = (end - now) / static_cast<Clock::rep>(tasks.size() - i);
    const Clock::time_point own_end = std::min(end, now + std::max(part, kLeastPart));
    shrink::ShrinkSettings settings;
    settings.contracts = campaign.contracts;
    settings.profile = &campaign.profile;
    settings.most_tries = kTries;
    settings.rule = task.cause.rule->id;
    settings.stop = [&] { return stop() || Clock::now() >= own_end; };
    if (settings.stop()) continue;
    const auto shrunk =
        shrink::shrink(task.testee, campaign.recording(task.cause.in->recording), task.one, settings);
    const bool has_less = shrunk && (!shrunk->exhausted || shrunk->to != shrunk->from);
    if (has_less)
      task.cause.smallest = {shrunk->to.events, shrunk->from.events, shrunk->upstream, shrunk->exhausted};
  }
}

}  // namespace splitproof::cli
