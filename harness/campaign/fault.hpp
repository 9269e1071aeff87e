#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"
#include "harness/results/upstream.hpp"
#include "harness/split/split.hpp"

namespace splitproof::campaign {

using results::Upstream;

/// A deliberate error in an exchange. `close`, `reset` and `stall` end the upstream's body before the byte at
/// `at`, without a final chunk, by a reset, or by silence. `flip` damages that byte and keeps the rest and
/// the end. `leave` is an error of the client: it leaves while that byte is held back. `status` replaces the
/// answer by an error's JSON in the upstream's protocol. The last two do not affect a testee in this process.
struct Fault {
  enum class Kind : std::uint8_t { close, reset, stall, flip, leave, status };

  Kind kind = Kind::close;
  std::size_t at = 0;      ///< 0 .. size of the body; for a flip less than the size.
  std::uint8_t flips = 0;  ///< flip: the bits that change, not 0.
  int status = 0;          ///< status: 400 to 599.

  bool operator==(const Fault&) const = default;
};

/// Returns "close@118", "reset@118", "stall@118", "leave@118", "flip@118:80" (bits in hexadecimal) or
/// "status:503".
std::string label(const Fault& fault);

/// Parses a label. Returns an Error if it names no fault or is not in the form of `label`.
Result<Fault> parse_fault(std::string_view label);

/// Applies a fault to an upstream of `protocol`; keeps its cuts. Returns an Error if the body is too short
/// for the fault.
Result<void> apply(const Fault& fault, std::string_view protocol, Upstream& upstream);

/// The size of the longest body with faults at every offset, and the number of places in a longer body. A case
/// of a long body costs as much as its size, so faults everywhere would cost its square.
inline constexpr std::size_t kMostFaultyEverywhere = 4096;
inline constexpr std::size_t kFaultPlaces = 256;

/// Returns every early end at every offset of a body of `size` bytes, including its end, and two flips of
/// each byte. One flips the highest bit, which is invalid in any text; `seed` draws the other. In a body of
/// more than kMostFaultyEverywhere bytes, these are at kFaultPlaces offsets, evenly spread, and at the end.
std::vector<Fault> plan_faults(std::size_t size, std::uint64_t seed);

/// Returns the faults for a testee over HTTP; there a case costs thousands of times as much. These are close
/// and reset at 0, at each event end and at the body's end. A client leaves at the middle event end.
std::vector<Fault> plan_http_faults(std::size_t size, const split::Cuts& event_ends);

/// Returns the statuses that providers answer with. Afterwards some proxies avoid an upstream for a while.
std::vector<Fault> plan_statuses();

}  // namespace splitproof::campaign
