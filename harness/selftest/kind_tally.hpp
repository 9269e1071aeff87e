#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/selftest/streams.hpp"

namespace splitproof::selftest {

/// Results of all streams of one kind (harness/selftest/kinds/kind.hpp).
struct KindCount {
  std::size_t made = 0;
  std::size_t must = 0;     ///< A `must` detects it without the upstream.
  std::size_t should = 0;   ///< Otherwise, a `should` detects it.
  std::size_t meaning = 0;  ///< Otherwise, a rule detects it that compares with the meaning.
  std::size_t silent = 0;   ///< Otherwise, streams without the required detection; legal kinds have none.
  std::string example;      ///< A silent stream, or a blamed legal one with the rule: "two-calls (TOOL-01)".

  KindCount& operator+=(const KindCount& other);
  bool operator==(const KindCount&) const = default;
};

/// Results by name of the kind, for every kind of the protocol.
using KindTally = std::map<std::string, KindCount, std::less<>>;

KindTally no_kinds_made(std::string_view protocol);

/// Makes every kind of a stream at every possible place and judges the results. Contracts must detect a flaw
/// of Effect::shape by themselves, and a flaw of Effect::content with the meaning. A legal variation with
/// another answer is judged without the original.
KindTally examine_kinds(const contract::Contracts& contracts, const contract::Profile& profile,
                        const Stream& stream);

/// Adds counts from elsewhere.
void add(KindTally& tally, const KindTally& other);

}  // namespace splitproof::selftest
