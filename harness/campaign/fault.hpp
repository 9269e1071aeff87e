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

/// How an exchange goes wrong on purpose. The first three end the upstream's body before the byte at `at`: without a
/// final chunk, by a reset, by silence. A flip damages that byte and leaves the rest, and the end, as they were. Under
/// `leave` the upstream does nothing wrong: the client leaves while that byte is held back. Under `status` the upstream
/// answers with an error's JSON instead, as its protocol has it. A testee in this process notices nothing of the last two.
struct Fault {
  enum class Kind : std::uint8_t { close, reset, stall, flip, leave, status };

  Kind kind = Kind::close;
  std::size_t at = 0;      ///< 0 .. size of the body; of a flip, below it
  std::uint8_t flips = 0;  ///< of a flip: the bits that change, not 0
  int status = 0;          ///< of a status: 400 to 599

  bool operator==(const Fault&) const = default;
};

/// "close@118", "reset@118", "stall@118", "leave@118", "flip@118:80" (the bits in hexadecimal), "status:503".
std::string label(const Fault& fault);

/// Reads a label. An Error where it names no fault, or is not written as `label` would write it.
Result<Fault> parse_fault(std::string_view label);

/// What becomes of what an upstream of `protocol` would have sent; its cuts are left alone. An Error where the body has no
/// byte that the fault asks for.
Result<void> apply(const Fault& fault, std::string_view protocol, Upstream& upstream);

/// Every early end at every offset of a body of `size` bytes, at the body's own end too, and two flips of each byte: of
/// its highest bit, which makes no sense in any text, and of another one, drawn by `seed`.
std::vector<Fault> plan_faults(std::size_t size, std::uint64_t seed);

/// For a testee that is reached over HTTP, of which each case costs thousands of times as much: close and reset at 0, at
/// each end of an event and at the body's end, and a client that leaves at the middle one of the events' ends.
std::vector<Fault> plan_http_faults(std::size_t size, const split::Cuts& event_ends);

/// The statuses that providers answer with. Some proxies turn away from an upstream for a while after them.
std::vector<Fault> plan_statuses();

}  // namespace splitproof::campaign
