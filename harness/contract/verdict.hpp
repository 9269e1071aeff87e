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

/// The verdict on an obligation for one trace. A violated clause decides; then a clause that could not be
/// judged. Otherwise the obligation is met if any clause was exercised.
///
/// A clause is exercised in these cases:
///   never, finally   it read an event;
///   finally          also if it read none but must match something, so that "ends with its closing
///                    event" is violated by a stream without events (but not by an empty slice);
///   each, joined     an event of its class occurred;
///   equal            an event of its classes occurred, or a compared document has the value.
///
/// It is never exercised if a condition (`given`, `profile`, `when`, `unless`) is false.
///
/// `passed_on` is a violation in the upstream's own stream that a relay forwarded; the testee does not fail
/// by it. Judging a single trace never returns it.
enum class Verdict : std::uint8_t { met, violated, not_exercised, not_judged, passed_on };

/// True if `a` decides and `b` does not. It compares two clauses of one obligation, or two requests of one
/// exchange. results::stronger decides between several cases.
bool outweighs(Verdict a, Verdict b);

/// Returns "must", "should" or "info".
std::string_view name(Level level);

/// Returns "met", "violated", "not exercised", "not judged" or "passed on".
std::string_view name(Verdict verdict);

/// Information besides the trace. A rule that needs a null member is not judged.
struct Context {
  const nlohmann::json* request = nullptr;   ///< the client's request
  const nlohmann::json* response = nullptr;  ///< {"status": 200, "headers": {...}} as the client saw it
  const nlohmann::json* expected = nullptr;  ///< the expected meaning
  const nlohmann::json* got = nullptr;       ///< the meaning that a strict client assembled
  const nlohmann::json* words = nullptr;     ///< texts about the two, for messages
  std::set<std::string> features;            ///< features of the case, for `given`
  std::string unread = {};                   ///< reason why features may be missing; empty: none are
};

/// The result of one clause. Indexes refer to the reading, not to the trace.
struct ClauseResult {
  Verdict verdict = Verdict::met;
  std::string reason;                        ///< reason for not exercised or not judged
  std::optional<std::size_t> subject;        ///< violated: place; nullopt at the end of the stream
  std::optional<std::size_t> slice;          ///< violated: slice
  std::string detail;                        ///< violated: description for a clause without `message`
  std::optional<std::size_t> first = {};     ///< violated: the other event of the violation
  std::string field = {};                    ///< violated: the field that a rule on fields read
  std::string found = {};                    ///< violated: its value; empty for patterns
  std::string wanted = {};                   ///< violated: the wanted value; empty for patterns
  std::string elsewhere = {};                ///< violated: other slices that contain the missing text
  std::optional<observe::OddLine> odd = {};  ///< violated: its line, if it is outside of events

  static ClauseResult not_exercised(std::string reason);
  static ClauseResult not_judged(std::string reason);
  static ClauseResult violated(std::optional<std::size_t> subject, std::optional<std::size_t> slice,
                               std::string detail);
};

/// The nature of a violation without its place in the stream. Violations that differ only in place are equal.
struct Violation {
  std::size_t clause = 0;  ///< index among the obligation's
  std::string slice;       ///< label of its `per:`; empty without it
  std::string field;       ///< pointer to the field that the rule read; or empty
  std::string found;       ///< its value; a description if no contract states the rule
  std::string wanted;      ///< the wanted value
  std::string fault;       ///< defect of the event itself

  auto operator<=>(const Violation&) const = default;
};

}  // namespace splitproof::contract
