#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/selftest/kind_tally.hpp"
#include "harness/selftest/passes.hpp"
#include "harness/selftest/tally.hpp"

namespace splitproof::selftest {

/// Minimum percentage of changes of structure and framing that contracts alone must detect.
inline constexpr std::size_t kLeastSeen = 95;

/// Results of a self-test by protocol, and the reasons for undetected changes.
struct Findings {
  std::map<std::string, ChangeTally> tallies;  ///< Results of small changes.
  std::map<std::string, KindTally> kinds;      ///< Results of flaws and legal variations.
  std::vector<Pass> passes;
  std::vector<SilentKinds> silences;

  bool operator==(const Findings&) const = default;
};

/// Returns the faults of contracts or reasons, one sentence each. Faults are: fewer than kLeastSeen percent
/// detected; an undetected place that alters the answer; an undetected place without a reason; a silent kind
/// of flaw without a reason; a blamed legal variation. If `whole` is true, also a reason without use, and a
/// kind without a suitable stream. Both are expected for a part of the streams.
std::vector<std::string> objections(const Findings& findings, bool whole);

/// Returns the objections to kinds.
std::vector<std::string> kind_objections(const Findings& findings, bool whole);

/// Returns the table of one protocol as plain text, with a row for each kind of change.
std::string table(const std::string& protocol, const ChangeTally& tally);

/// Returns undetected changes as plain text. It groups the places by reason, with their number and an
/// example.
std::string unseen(const std::string& protocol, const Findings& findings);

/// Returns the results for the kinds of one protocol as plain text, with a row for each family.
std::string kind_table(const std::string& protocol, const KindTally& tally);

/// Returns the silent kinds of flaw, grouped by reason, with counts and an example.
std::string silent_kinds(const std::string& protocol, const Findings& findings);

}  // namespace splitproof::selftest
