#pragma once

#include "harness/campaign/campaign.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof {

/// The project's contracts, default profile and recordings, loaded once.
struct Project {
  contract::Contracts contracts;
  contract::Profile profile;
  recording::Corpus corpus;                            ///< of the reference's default upstream
  std::vector<recording::Recording> of_all_upstreams;  ///< all upstreams, the default one included
  testee::StreamFactory reference;
  results::Rules rules;  ///< of the contracts, and the harness's own

  /// Returns the existing recording of that id.
  const recording::Recording& recording(const std::string& id) const;

  /// Returns a campaign of one testee over the whole corpus, without random splits.
  campaign::CampaignSettings settings(const testee::Testee& testee) const;
};

const Project& project();

/// Runs `campaign::run` without an observer or a stop.
std::vector<results::RecordingResult> run_quietly(const campaign::CampaignSettings& settings);

/// Returns a minimal heading.
report::Heading plain_heading();

}  // namespace splitproof
