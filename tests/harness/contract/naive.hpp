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
  std::optional<std::size_t> event;  ///< violated: where; none at the end of the stream

  bool operator==(const NaiveVerdict&) const = default;
};

/// The surroundings of the random cases: profile {overlap: sequential}, feature `tools`.
/// `expected` is a JSON text; empty when it is not known.
///
/// Interprets a contract as directly as the language is described, without regard to cost: classes are tested
/// anew each time, patterns are matched by trying every way, slices are searched for. One verdict for each
/// obligation.
std::vector<NaiveVerdict> judge_naively(const ContractSpec& contract, const observe::Trace& trace,
                                        const std::string& expected);

/// Whether the language refuses this rule: a `never` that matches without an event, a `^` with one class
/// only.
bool refused(const ClauseSpec& clause);

}  // namespace splitproof::contract
