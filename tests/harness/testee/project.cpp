#include "project.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "harness/campaign/recorded.hpp"

namespace splitproof {
namespace {

template <class T>
T loaded(Result<T> result) {
  if (!result) throw std::runtime_error(describe(result.error()));
  return std::move(*result);
}

Project load() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  const std::filesystem::path source = root != nullptr ? root : ".";
  Project project;
  project.contracts = loaded(contract::Contracts::load({source / "contracts"}));
  project.rules = campaign::rules_of(project.contracts);
  project.profile = loaded(contract::load_profile("default", {source / "contracts"}));
  project.corpus = recording::load_corpus({(source / "corpus").string()});
  project.of_all_upstreams = project.corpus.recordings;
  std::erase_if(project.corpus.recordings, [](const recording::Recording& recording) {
    return recording.protocol != testee::reference_upstreams().front();
  });
  project.reference = loaded(testee::reference_streams(project.profile));
  if (!project.corpus.errors.empty()) throw std::runtime_error(describe(project.corpus.errors.front()));
  return project;
}

}  // namespace

const recording::Recording& Project::recording(const std::string& id) const {
  const auto found = std::find_if(corpus.recordings.begin(), corpus.recordings.end(),
                                  [&](const recording::Recording& recording) { return recording.id == id; });
  if (found == corpus.recordings.end()) throw std::out_of_range(id);
  return *found;
}

campaign::CampaignSettings Project::settings(const testee::Testee& testee) const {
  campaign::CampaignSettings settings;
  settings.testees = {&testee};
  for (const recording::Recording& recording : corpus.recordings) settings.recordings.push_back(&recording);
  settings.contracts = &contracts;
  settings.profile = profile;
  settings.trials.splits.seed = 1;
  settings.jobs = 2;
  return settings;
}

const Project& project() {
  static const Project project = load();
  return project;
}

std::vector<results::RecordingResult> run_quietly(const campaign::CampaignSettings& settings) {
  return campaign::run(
             settings, [](const campaign::CampaignProgress&) {}, [] { return false; })
      .recordings;
}

report::Heading plain_heading() {
  report::Heading heading;
  heading.rules = project().rules;
  return heading;
}

}  // namespace splitproof
