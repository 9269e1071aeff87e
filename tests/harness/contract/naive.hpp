#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/contract/verdict.hpp"
#include "harness/observe/trace.hpp"
#include "tests/harness/contract/contract_spec.hpp"

namespace splitproof::contract {

struct NaiveVerdict {
  Verdict verdict = Verdict::met;
  std::optional<std::size_t> event;  ///< place of a violation; none: the end of the stream

  bool operator==(const NaiveVerdict&) const = default;
};

/// Interprets a contract in the most direct way, at any cost: it tests classes each time, matches patterns by trying
/// every way, and searches for slices. Returns one verdict for each obligation.
///
/// The random cases use the profile {overlap: sequential} and the feature `tools`. `expected` is a JSON text; empty if
/// unknown.
std::vector<NaiveVerdict> judge_naively(const ContractSpec& contract, const observe::Trace& trace,
                                        const std::string& expected);

/// True if the language refuses this rule: a `never` that matches without an event, or a `^` with only one class.
bool refused(const ClauseSpec& clause);

}  // namespace splitproof::contract
