#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof::campaign {

using results::RecordingResult;
using results::Row;

inline std::filesystem::path source_root() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return root == nullptr ? "." : root;
}

inline const contract::Contracts& built_in_contracts() {
  static const contract::Contracts kContracts =
      contract::Contracts::load({source_root() / "contracts"}).value();
  return kContracts;
}

inline const results::Rules& built_in_rules() {
  static const results::Rules kRules = rules_of(built_in_contracts());
  return kRules;
}

/// Data of a campaign that runs recordings through the reference in this process, under the built-in contracts.
struct ReferenceCampaign {
  explicit ReferenceCampaign(std::string protocol = testee::reference_upstreams().front())
      : upstream(std::move(protocol)) {}

  std::string upstream;
  contract::Profile profile = contract::load_profile("default", {source_root() / "contracts"}).value();
  testee::InProcess reference{"reference", testee::reference_streams(profile, upstream).value(), upstream};

  std::vector<RecordingResult> run(const std::vector<recording::Recording>& recordings, const Trials& trials,
                                   const std::string& only = {}) const {
    CampaignSettings settings;
    settings.testees = {&reference};
    for (const recording::Recording& recording : recordings) settings.recordings.push_back(&recording);
    settings.contracts = &built_in_contracts();
    settings.profile = profile;
    settings.trials = trials;
    settings.only = only;
    settings.jobs = 2;
    return campaign::run(
               settings, [](const CampaignProgress&) {}, [] { return false; })
        .recordings;
  }
};

/// Returns one line for each violation, with its case.
inline std::vector<std::string> violations(const std::vector<RecordingResult>& results) {
  std::vector<std::string> lines;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      if (row.verdict == contract::Verdict::violated) lines.push_back(row.rule + " " + row.first->case_id);
    }
  }
  return lines;
}

/// Returns the number of a result's obligations that are met or violated. META does not count.
inline std::size_t judged(const RecordingResult& result) {
  std::size_t judged = 0;
  for (const Row& row : result.rows) {
    const bool told = row.verdict == contract::Verdict::met || row.verdict == contract::Verdict::violated;
    judged += told && built_in_rules().at(row.rule).contract != "meta" ? 1 : 0;
  }
  return judged;
}

}  // namespace splitproof::campaign
