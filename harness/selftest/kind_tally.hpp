#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/selftest/streams.hpp"

namespace splitproof::selftest {

/// What became of all streams of one kind (harness/selftest/kinds/kind.hpp).
struct KindCount {
  std::size_t made = 0;
  std::size_t must = 0;     ///< a rule that decides sees it, and needs no upstream for that
  std::size_t should = 0;   ///< of the others, a rule that advises does
  std::size_t meaning = 0;  ///< of the others, a rule does that knows what was meant
  std::size_t silent =
      0;  ///< of the others, those that a kind of this effect must not have: a legal one has none
  std::string
      example;  ///< of a silent one, or of a legal one that is blamed, with the rule: "two-calls (TOOL-01)"

  KindCount& operator+=(const KindCount& other);
  bool operator==(const KindCount&) const = default;
};

/// By the name of the kind; every kind of the protocol is there.
using KindTally = std::map<std::string, KindCount, std::less<>>;

KindTally no_kinds_made(std::string_view protocol);

/// Makes every kind of a stream, wherever it can be made, and has what becomes of it judged. What a flaw of Effect::shape
/// is, contracts have to see by themselves; of Effect::content, knowing what was meant. A legal variation that
/// is another answer is judged without the first.
KindTally examine_kinds(const contract::Contracts& contracts, const contract::Profile& profile,
                        const Stream& stream);

/// Adds what was counted elsewhere.
void add(KindTally& tally, const KindTally& other);

}  // namespace splitproof::selftest
