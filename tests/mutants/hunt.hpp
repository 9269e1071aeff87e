#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "deck.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::mutants {

/// The first case of a deck, or the first request, that violated an obligation.
struct Kill {
  std::size_t number = 0;  ///< of the case in the deck, from 1
  std::string case_id;     ///< or the recording of a request
  std::string message;
};

/// Results of a deck for a testee.
struct Hunt {
  std::size_t cases = 0;              ///< tried cases
  std::map<std::string, Kill> kills;  ///< by obligation
};

/// Runs a testee through a deck, case by case, and judges each as a campaign does. Ends early once `wanted` is
/// violated; empty: never. Skips recuts with another meaning than the recording, but counts them.
Hunt hunt(const testee::Testee& testee, const std::vector<Dealt>& deck, const contract::Contracts& contracts,
          const contract::Profile& profile, const std::string& wanted = {});

/// The same for the testee's upstream request for each of these requests. Skips a request that it does not report, but
/// counts it.
Hunt hunt_requests(const testee::Testee& testee, const std::vector<recording::Recording>& requests,
                   const contract::Contracts& contracts, const contract::Profile& profile,
                   const std::string& wanted = {});

}  // namespace splitproof::mutants
