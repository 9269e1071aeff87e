#include "harness/cli/run_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <thread>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/unmatched.hpp"

namespace splitproof::cli {

unsigned usual_jobs(const std::vector<const testee::Testee*>& targets) {
  constexpr std::size_t kMostOfTarget = 64;
  std::size_t places = 0;
  for (const testee::Testee* target : targets)
    if (target->traits().outside) places += std::min(target->traits().max_concurrency, kMostOfTarget);
  return std::max({1U, std::thread::hardware_concurrency(), static_cast<unsigned>(places)});
}

std::size_t count_untargeted(const campaign::CampaignSettings& settings) {
  return static_cast<std::size_t>(std::count_if(
      settings.recordings.begin(), settings.recordings.end(), [&](const recording::Recording* recording) {
        return !campaign::is_about_request(*recording) &&
               std::none_of(
                   settings.testees.begin(), settings.testees.end(),
                   [&](const testee::Testee* testee) { return testee->traits().takes(recording->protocol); });
      }));
}

void start(std::vector<std::unique_ptr<testee::Testee>>& targets, report::Heading& heading) {
  heading.unavailable = std::erase_if(targets, [&](const auto& target) {
    const auto started = target->start();
    if (started) return false;
    complain(started.error());
    heading.untested[target->name()] = started.error().what;
    return true;
  });
}

void leave_out_unlisted(const std::vector<std::unique_ptr<testee::Testee>>& targets,
                        const contract::Contracts& contracts, recording::Corpus& corpus) {
  std::erase_if(corpus.recordings, [&](const recording::Recording& recording) {
    for (const auto& target : targets) {
      if (!target->traits().takes(recording.protocol)) continue;
      const Result<void> listed = check_losses(recording, target->client(), contracts);
      if (listed) continue;
      corpus.errors.push_back(listed.error());
      return true;
    }
    return false;
  });
}

std::size_t tell_unmatched(const std::vector<std::unique_ptr<testee::Testee>>& targets,
                           const report::Heading& heading,
                           const std::vector<recording::Recording>& recordings) {
  std::size_t told = 0;
  for (const auto& target : targets) {
    const auto file = heading.files.find(target->name());
    const std::string& asked = file == heading.files.end() ? target->name() : file->second;
    const std::string why = why_unmatched(*target, asked, recordings);
    if (why.empty()) continue;
    std::cerr << "splitproof: " << why << "\n";
    ++told;
  }
  return told;
}

std::string nobody_translates(const Selection& selection, const std::vector<std::string>& targets) {
  std::string direction;
  if (!selection.upstream.empty()) direction += " from " + selection.upstream;
  if (!selection.client.empty()) direction += " for clients of " + selection.client;
  return fmt::format(
      "splitproof: {} {} not translate{}; run splitproof list targets to see the directions of "
      "each target\n",
      fmt::join(targets, ", "), targets.size() == 1 ? "does" : "do", direction);
}

}  // namespace splitproof::cli
