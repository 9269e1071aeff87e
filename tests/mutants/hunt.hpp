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

/// What a deck showed of a testee.
struct Hunt {
  std::size_t cases = 0;              ///< that were tried
  std::map<std::string, Kill> kills;  ///< by obligation
};

/// Puts a testee through a deck, case by case, and judges each as a campaign does. Ends early once `wanted` is violated;
/// empty: it does not. Recuts that would say something else than the recording are passed over, and count as cases.
Hunt hunt(const testee::Testee& testee, const std::vector<Dealt>& deck, const contract::Contracts& contracts,
          const contract::Profile& profile, const std::string& wanted = {});

/// The same of what the testee asks of its upstream for each of these requests. One that it says nothing of is passed over,
/// and counts.
Hunt hunt_requests(const testee::Testee& testee, const std::vector<recording::Recording>& requests,
                   const contract::Contracts& contracts, const contract::Profile& profile,
                   const std::string& wanted = {});

}  // namespace splitproof::mutants
