#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/observe/sse_reader.hpp"

namespace splitproof::contract {

enum class Level : std::uint8_t { must, should, info };

/// What became of an obligation on one trace. Of the clauses of an obligation, a violated one decides; else
/// one that could not be judged; else it is met if any clause was exercised.
///
/// A clause is exercised
///   never, finally   when it read an event;
///   finally          also when it read none but must match something: "ends with its closing event" is violated
///   by a
///                    stream without one, and by a stream without events. (In slices only: no event, no
///                    slice.)
///   each             when an event of its class occurred;
///   joined           when an event of its class occurred;
///   equal            when an event of its classes occurred, or a document it compares has the value;
/// and never where a condition (`given`, `profile`, `when`, `unless`) does not hold.
///
/// What judges traces alone never says `passed_on`: a violation that stood in the upstream's own stream, which a testee
/// within one protocol handed on. It is the upstream's, and no testee fails by it.
enum class Verdict : std::uint8_t { met, violated, not_exercised, not_judged, passed_on };

/// True if `a` decides and `b` does not: for two clauses of one obligation, or for one obligation and two requests of one exchange.
/// results::stronger decides between several cases.
bool outweighs(Verdict a, Verdict b);

/// "must", "should", "info".
std::string_view name(Level level);

/// "met", "violated", "not exercised", "not judged", "passed on".
std::string_view name(Verdict verdict);

/// What is known besides the trace. A rule that needs what is null is not judged.
struct Context {
  const nlohmann::json* request = nullptr;   ///< the client's request
  const nlohmann::json* response = nullptr;  ///< {"status": 200, "headers": {...}} as the client saw it
  const nlohmann::json* expected = nullptr;  ///< the meaning that must come out
  const nlohmann::json* got = nullptr;       ///< the meaning a strict client assembled
  const nlohmann::json* words = nullptr;     ///< texts about the two, for messages
  std::set<std::string> features;            ///< of the case; what `given` asks for
  std::string unread = {};                   ///< why more features may hold than are known; empty: none do
};

/// What became of one clause. Indices are those of the reading, not of the trace.
struct ClauseResult {
  Verdict verdict = Verdict::met;
  std::string reason;                  ///< why not exercised or not judged
  std::optional<std::size_t> subject;  ///< violated: where; none at the end of the stream
  std::optional<std::size_t> slice;    ///< violated: in which slice
  std::string detail;  ///< violated: what is wrong with it, where the clause has no words of its own
  std::optional<std::size_t> first = {};  ///< violated: the other event that it is about
  std::string field = {};                 ///< violated: the field that a rule on fields read,
  std::string found = {};                 ///< what was read, and
  std::string wanted = {};                ///< what the rule asks for; both empty for patterns
  std::string elsewhere = {};  ///< violated: the other slices that hold the text that is missing in this one
  std::optional<observe::OddLine> odd = {};  ///< violated: the line that it is about, where no event holds it

  static ClauseResult not_exercised(std::string reason);
  static ClauseResult not_judged(std::string reason);
  static ClauseResult violated(std::optional<std::size_t> subject, std::optional<std::size_t> slice,
                               std::string detail);
};

/// What went wrong, apart from its place in the stream: equal for two violations of an obligation that differ in nothing
/// else.
struct Violation {
  std::size_t clause = 0;  ///< its number among the obligation's
  std::string slice;       ///< the label of its `per:`; empty without one
  std::string field;       ///< pointer to the field that the rule read; empty where it reads none
  std::string found;   ///< what was read there; what is wrong, in words, where no contract states the rule
  std::string wanted;  ///< what the rule asks for instead
  std::string fault;   ///< what is wrong with the event itself

  auto operator<=>(const Violation&) const = default;
};

}  // namespace splitproof::contract
