#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/contract/conditions.hpp"
#include "harness/contract/equal_rule.hpp"
#include "harness/contract/field_rule.hpp"
#include "harness/contract/joined_rule.hpp"
#include "harness/contract/obligation.hpp"
#include "harness/contract/sequence_rule.hpp"
#include "harness/contract/sum_rule.hpp"
#include "harness/contract/wording.hpp"

namespace splitproof::contract {

using ClauseRule = std::variant<SequenceRule, WhereRule, OrderRule, SumRule, EqualRule, JoinedRule>;

/// One rule with its conditions. Without `clauses:` an obligation has one clause. A clause's `per` replaces
/// the obligation's; its conditions are added to the obligation's.
struct Clause {
  std::vector<Conditions> conditions;
  std::size_t slicing = 0;  ///< index into ContractFile::slicings
  ClauseRule rule;
  Wording wording;
};

/// True for contracts whose rules apply to every protocol: `sse` about frames, `text` about content, and
/// `meaning` about irregular upstreams.
inline bool is_for_every_protocol(std::string_view contract) {
  return contract == "sse" || contract == "text" || contract == "meaning";
}

/// The contract that applies to every side `PROTOCOL.upstream`, about requests to a server.
inline constexpr std::string_view kUpstream = "upstream";
inline constexpr std::string_view kUpstreamSide = ".upstream";

/// Returns the protocol of a contract `PROTOCOL.downstream`, or "".
inline std::string_view downstream_protocol(std::string_view contract) {
  constexpr std::string_view kSide = ".downstream";
  return contract.ends_with(kSide) ? contract.substr(0, contract.size() - kSide.size()) : std::string_view();
}

/// Returns the side `PROTOCOL.upstream` of the requests in a contract's examples. This is the contract
/// itself; for `upstream` the file's folder names the protocol. Returns "" if the examples are not requests.
inline std::string side_of_requests(std::string_view contract, const std::filesystem::path& file) {
  if (contract == kUpstream) return file.parent_path().filename().string() + std::string(kUpstreamSide);
  return std::string(contract.ends_with(kUpstreamSide) ? contract : std::string_view());
}

struct CompiledObligation {
  Obligation about;
  std::vector<Clause> clauses;
};

/// A contract file, compiled.
struct ContractFile {
  std::string contract;
  std::string path;
  std::size_t contract_line = 0;
  bool text_data = false;  ///< otherwise JSON
  /// Keys of data, ends, begins, recognised, with lines.
  std::vector<std::pair<std::string, std::size_t>> stated;
  Alphabet alphabet;
  std::vector<std::size_t> success;     ///< classes that end a stream well
  std::vector<std::size_t> error;       ///< classes that end it with an error
  std::vector<std::size_t> begins;      ///< classes that open a stream
  std::vector<std::size_t> recognised;  ///< classes that identify a protocol
  std::vector<Slicing> slicings;        ///< distinct; the first is the whole trace
  std::vector<CompiledObligation> obligations;
};

/// Reads and compiles one file:
///
///   contract: PROTOCOL.downstream, sse, text, meaning, transport, PROTOCOL.upstream or upstream
///   version: 1   data: json (default) or text
///   ends: {success: [CLASS], error: [CLASS]}                     begins: [CLASS]    recognised: [CLASS]
///   explode: {CLASS: /path/*}                events: {CLASS: {FIELD: TEST}}
///   obligations:
///     - id, level, title, says, why, seen, falsifiers
///       one rule with per, given, profile, when, unless, message; or clauses: [such rules]
///       harm: [{document: TITLE, says: SENTENCE} or {client: ID, does: SENTENCE, stream: FILE}]
///
/// Only PROTOCOL.downstream may have `ends`, `begins` and `recognised`, and only that and sse may have
/// `data`. The other contracts apply to all protocols or to no streams, so they must not define this. Throws
/// Mistake with file and line.
ContractFile read_contract(const std::string& path);

/// Returns the name of a rule's form in lists: pattern, fields, equality or joined.
const char* form(const ClauseRule& rule);

}  // namespace splitproof::contract
