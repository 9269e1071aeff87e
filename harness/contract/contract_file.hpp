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

/// One rule with the conditions under which it applies. Without `clauses:` an obligation is its only clause.
/// A clause's `per` replaces the obligation's; its conditions are asked for on top of the obligation's.
struct Clause {
  std::vector<Conditions> conditions;
  std::size_t slicing = 0;  ///< index into ContractFile::slicings
  ClauseRule rule;
  Wording wording;
};

/// Whether a contract's rules are read beside every protocol's: `sse`, about frames, `text`, about what is said, and
/// `meaning`, about what becomes of an upstream's irregularities.
inline bool is_for_every_protocol(std::string_view contract) {
  return contract == "sse" || contract == "text" || contract == "meaning";
}

/// The contract that is read beside that of every side `PROTOCOL.upstream`, of what is asked of a server.
inline constexpr std::string_view kUpstream = "upstream";
inline constexpr std::string_view kUpstreamSide = ".upstream";

/// The protocol of a contract `PROTOCOL.downstream`; empty for another.
inline std::string_view downstream_protocol(std::string_view contract) {
  constexpr std::string_view kSide = ".downstream";
  return contract.ends_with(kSide) ? contract.substr(0, contract.size() - kSide.size()) : std::string_view();
}

/// The side `PROTOCOL.upstream` whose requests the examples of a contract's rules are: the contract itself, or for
/// `upstream` that of the protocol which names the folder of the file. Empty where they are no requests.
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
  bool text_data = false;  ///< else JSON
  std::vector<std::pair<std::string, std::size_t>>
      stated;  ///< which of data, ends, begins, recognised; lines
  Alphabet alphabet;
  std::vector<std::size_t> success;     ///< classes that end a stream well
  std::vector<std::size_t> error;       ///< classes that end it with an error
  std::vector<std::size_t> begins;      ///< classes that open a stream
  std::vector<std::size_t> recognised;  ///< classes by which a protocol is recognised
  std::vector<Slicing> slicings;        ///< each once; the first is the whole trace
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
/// `ends`, `begins` and `recognised` are refused for all but PROTOCOL.downstream, and `data` for all but that and sse: such
/// files are read beside every protocol's, so that they would decide how its streams are read and end, or read no streams. Throws Mistake with file and
/// line.
ContractFile read_contract(const std::string& path);

/// What a rule is called in lists: pattern, fields, equality or joined.
const char* form(const ClauseRule& rule);

}  // namespace splitproof::contract
