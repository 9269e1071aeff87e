#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cli/selection.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/report/summary.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// Returns the default number of recordings in flight: the sum of the targets' concurrency, at least one a core.
unsigned usual_jobs(const std::vector<const testee::Testee*>& targets);

/// Counts recordings whose protocol no target reads; requests have one for each protocol.
std::size_t count_untargeted(const campaign::CampaignSettings& settings);

/// Starts the targets. Removes failed targets and reports them in the heading.
void start(std::vector<std::unique_ptr<testee::Testee>>& targets, report::Heading& heading);

/// Removes recordings with content whose fate no contract lists.
void leave_out_unlisted(const std::vector<std::unique_ptr<testee::Testee>>& targets,
                        const contract::Contracts& contracts, recording::Corpus& corpus);

/// Reports targets without any recording; returns their number.
std::size_t tell_unmatched(const std::vector<std::unique_ptr<testee::Testee>>& targets,
                           const report::Heading& heading,
                           const std::vector<recording::Recording>& recordings);

/// Returns the error if none of the targets has the selected protocols.
std::string nobody_translates(const Selection& selection, const std::vector<std::string>& targets);

}  // namespace splitproof::cli
