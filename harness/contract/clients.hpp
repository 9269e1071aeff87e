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

/// What a client makes of a stream that breaks a rule, the worst first.
enum class Reaction : std::uint8_t {
  wrong,    ///< goes on with something else than was meant, and says nothing
  throws,   ///< reports an error, be it after trying again
  accepts,  ///< nobody notices
};

/// "silently wrong", "throws", "accepts".
std::string_view name(Reaction reaction);

/// A client program, as it was run.
struct ClientProgram {
  std::string id;          ///< "claude-code"
  std::string name;        ///< "@house/code"
  std::string version;     ///< "2.1.197"
  std::string run;         ///< how it was used
  std::string tried = {};  ///< when, "2026-11-21"; empty where the file does not say

  auto operator<=>(const ClientProgram&) const = default;
};

/// What one client did with one stream.
struct ClientReaction {
  std::string client;  ///< its id
  Reaction reaction = Reaction::accepts;
  std::string says;  ///< one sentence

  auto operator<=>(const ClientReaction&) const = default;
};

/// How a stream that was given to clients violates an obligation.
struct ClientViolation {
  std::string obligation;  ///< its id
  std::string says =
      {};  ///< a glob, as fnmatch(3) reads it, of how a finding of it begins; empty: whatever it says

  /// Whether a finding of the same obligation tells of the same.
  bool is_told_by(const std::string& message) const;

  auto operator<=>(const ClientViolation&) const = default;
};

/// A finding, and the protocol of the clients that it concerns.
struct ClientFinding {
  std::string protocol;
  std::string message;
};

/// A stream that was given to clients.
struct ClientStream {
  std::string protocol;
  std::string name;                       ///< "dup-message-start"; unique within the protocol
  std::string says;                       ///< what is wrong with it, one sentence
  std::vector<ClientViolation> violates;  ///< none where no contract has a rule for it
  std::vector<ClientReaction> does;       ///< one for each client of the protocol, in their order

  /// How it violates that obligation; null where it does not.
  const ClientViolation* violation_of(std::string_view obligation) const;

  auto operator<=>(const ClientStream&) const = default;
};

/// What clients that people use do with streams that break a rule: what a finding costs. It is data, and decides no
/// verdict.
struct Clients {
  std::vector<ClientProgram> programs;
  std::vector<ClientStream> streams;

  auto operator<=>(const Clients&) const = default;

  /// Loads every `*.yaml` in `clients/` below each folder of contracts, by folder and file name; a folder without is
  /// one without clients. Each file:
  ///
  ///   clients: PROTOCOL    tried: DATE   # optional
  ///   programs: {CLIENT: {name, version, run}}
  ///   streams:
  ///     - stream: NAME    says: SENTENCE    violates: [ID or {ID: GLOB}]
  ///       does: {CLIENT: {accepts | throws | wrong: SENTENCE}}   # every client of the file
  ///
  /// An Error names the file, the line and how to fix it; one is returned for an id that `contracts` does not have, for
  /// clients or streams that stand twice, and for a client of which nothing is said.
  static Result<Clients> load(const std::vector<std::filesystem::path>& dirs, const Contracts& contracts);

  /// The client of that id; null when there is none.
  const ClientProgram* find(std::string_view id) const;

  /// The streams that show what a violation of this obligation does: of those that violate it, the ones that violate the
  /// fewest others beside it. With a finding, only of those of its protocol of which it tells.
  std::vector<const ClientStream*> about(std::string_view obligation,
                                         const std::optional<ClientFinding>& finding = {}) const;

  /// What one client does with the streams of `about`.
  struct Impact {
    std::string client;            ///< its id
    std::set<Reaction> reactions;  ///< the worst first

    bool operator==(const Impact&) const = default;
  };

  /// One for each client that was given such a stream, in the order of the files.
  std::vector<Impact> impact(std::string_view obligation,
                             const std::optional<ClientFinding>& finding = {}) const;
};

}  // namespace splitproof::contract
