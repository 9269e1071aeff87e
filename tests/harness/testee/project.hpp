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

/// What the project ships, loaded once: its contracts, its default profile, its recordings.
struct Project {
  contract::Contracts contracts;
  contract::Profile profile;
  recording::Corpus corpus;                            ///< of the reference's default upstream
  std::vector<recording::Recording> of_all_upstreams;  ///< these, and those of the others
  testee::StreamFactory reference;
  results::Rules rules;  ///< of the contracts, and the harness's own

  /// The recording of that id, which must exist.
  const recording::Recording& recording(const std::string& id) const;

  /// A campaign of one testee over the whole corpus, with no random splits.
  campaign::CampaignSettings settings(const testee::Testee& testee) const;
};

const Project& project();

/// `campaign::run` that nobody watches or stops.
std::vector<results::RecordingResult> run_quietly(const campaign::CampaignSettings& settings);

/// A heading that says no more than it must.
report::Heading plain_heading();

}  // namespace splitproof
