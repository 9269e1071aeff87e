#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/result.hpp"

namespace splitproof::contract {

/// A client's reaction to a stream that violates a rule, the worst first.
enum class Reaction : std::uint8_t {
  wrong,    ///< Continues silently with a wrong result.
  throws,   ///< Reports an error, perhaps after a retry.
  accepts,  ///< Nobody notices.
};

/// Returns "silently wrong", "throws" or "accepts".
std::string_view name(Reaction reaction);

/// A client program, as tested.
struct ClientProgram {
  std::string id;          ///< "claude-code".
  std::string name;        ///< "@house/code".
  std::string version;     ///< "2.1.197".
  std::string run;         ///< Description of its use.
  std::string tried = {};  ///< Date of the test, "2026-11-21"; empty if the file has none.
  /// Target file in harness/clients with which `.ci/client-tables` measured it; empty: its reactions are written by hand.
  std::string target = {};

  auto operator<=>(const ClientProgram&) const = default;
};

/// One client's reaction to one stream.
struct ClientReaction {
  std::string client;  ///< Client id.
  Reaction reaction = Reaction::accepts;
  std::string says;         ///< One sentence.
  bool is_by_hand = false;  ///< Written by hand, although its program has a target file.

  auto operator<=>(const ClientReaction&) const = default;
};

/// An obligation that a tested stream violates.
struct ClientViolation {
  std::string obligation;  ///< Obligation id.
  std::string says = {};   ///< Glob of fnmatch(3) for a finding's message; empty: any.

  /// True if a finding of the same obligation has a matching message.
  bool is_told_by(const std::string& message) const;

  auto operator<=>(const ClientViolation&) const = default;
};

/// A finding, and the protocol of its clients.
struct ClientFinding {
  std::string protocol;
  std::string message;
};

/// A stream that clients were tested with.
struct ClientStream {
  std::string protocol;
  std::string name;                       ///< "dup-message-start"; unique within the protocol.
  std::string says;                       ///< Its defect, one sentence.
  std::vector<ClientViolation> violates;  ///< Empty if no contract has a rule for it.
  std::vector<ClientReaction> does;       ///< One for each client of the protocol, in their order.

  /// Returns its violation of that obligation, or null.
  const ClientViolation* violation_of(std::string_view obligation) const;

  auto operator<=>(const ClientStream&) const = default;
};

/// Reactions of real clients to streams that violate a rule: the cost of a finding. They do not affect
/// verdicts.
struct Clients {
  std::vector<ClientProgram> programs;
  std::vector<ClientStream> streams;

  auto operator<=>(const Clients&) const = default;

  /// Loads every `*.yaml` in `clients/` below each folder of contracts, by folder and file name. The
  /// subfolder is optional. Format of a file:
  ///
  ///   clients: PROTOCOL    tried: DATE   # optional
  ///   programs: {CLIENT: {name, version, run, tried, target}}   # the last two are optional
  ///   streams:
  ///     - stream: NAME    says: SENTENCE    violates: [ID or {ID: GLOB}]
  ///       does: {CLIENT: {accepts | throws | wrong: SENTENCE}}   # every client of the file; perhaps by: hand
  ///
  /// The Error names the file, the line and a fix. Unknown ids, duplicate clients or streams, and clients
  /// without a reaction are errors.
  static Result<Clients> load(const std::vector<std::filesystem::path>& dirs, const Contracts& contracts);

  /// Returns the client with that id, or null.
  const ClientProgram* find(std::string_view id) const;

  /// Returns the streams that show the effect of violating this obligation: those with the fewest other
  /// violations. With a finding, only streams of its protocol that match it.
  std::vector<const ClientStream*> about(std::string_view obligation,
                                         const std::optional<ClientFinding>& finding = {}) const;

  /// One client's reactions to the streams of `about`.
  struct Impact {
    std::string client;            ///< Client id.
    std::set<Reaction> reactions;  ///< The worst first.

    bool operator==(const Impact&) const = default;
  };

  /// Returns one entry for each client that was tested with such a stream, in the order of the files.
  std::vector<Impact> impact(std::string_view obligation,
                             const std::optional<ClientFinding>& finding = {}) const;
};

}  // namespace splitproof::contract
