#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/selftest/kind_tally.hpp"
#include "harness/selftest/passes.hpp"
#include "harness/selftest/tally.hpp"

namespace splitproof::selftest {

/// Of a hundred changes to structure and framing, contracts alone have to see so many.
inline constexpr std::size_t kLeastSeen = 95;

/// What a self-test came to: by protocol, and the reasons that were given for what passes.
struct Findings {
  std::map<std::string, ChangeTally> tallies;  ///< of small changes
  std::map<std::string, KindTally> kinds;      ///< of flaws and legal variations
  std::vector<Pass> passes;
  std::vector<SilentKinds> silences;

  bool operator==(const Findings&) const = default;
};

/// What is wrong with the contracts, or with the reasons, one sentence each: fewer than kLeastSeen in a hundred seen, a
/// place where an answer is altered and nothing sees it, a place that nothing excuses, a kind of flaw that stays silent
/// without a reason, a legal variation that is blamed; where `whole` is true, also a reason that excuses nothing, and a
/// kind that no stream has what it takes for, as are to be expected of a part of the streams only.
std::vector<std::string> objections(const Findings& findings, bool whole);

/// Those of them that are about kinds.
std::vector<std::string> kind_objections(const Findings& findings, bool whole);

/// The table of one protocol, as plain text: a row for each kind of change.
std::string table(const std::string& protocol, const ChangeTally& tally);

/// What passes unseen: under each reason, or none, its places with their number and an example. As plain text.
std::string unseen(const std::string& protocol, const Findings& findings);

/// What became of the kinds of one protocol: a row for each family, as plain text.
std::string kind_table(const std::string& protocol, const KindTally& tally);

/// The kinds of flaw that stay silent: under each reason, or none, with how often, of how many, and an example.
std::string silent_kinds(const std::string& protocol, const Findings& findings);

}  // namespace splitproof::selftest
