#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::campaign {

/// How an upstream misbehaves on purpose. The first three end the body before the byte at `at`: without a final chunk,
/// by a reset, by silence. A flip damages that byte and leaves the rest, and the end, as they were.
struct Fault {
  enum class Kind : std::uint8_t { close, reset, stall, flip };

  Kind kind = Kind::close;
  std::size_t at = 0;      ///< 0 .. size of the body; of a flip, below it
  std::uint8_t flips = 0;  ///< of a flip: the bits that change, not 0

  bool operator==(const Fault&) const = default;
};

/// "close@118", "reset@118", "stall@118", "flip@118:80" (the bits in hexadecimal).
std::string label(const Fault& fault);

/// Reads a label. An Error where it names no fault, or is not written as `label` would write it.
Result<Fault> parse_fault(std::string_view label);

/// What becomes of a body that would have ended as `end`. An Error where the body has no byte that the fault asks for.
Result<void> apply(const Fault& fault, std::string& body, recording::End& end);

/// Every fault at every offset of a body of `size` bytes: each early end, at the body's own end too, and two flips of
/// each byte: of its highest bit, which makes no sense in any text, and of another one, drawn by `seed`.
std::vector<Fault> plan_faults(std::size_t size, std::uint64_t seed);

}  // namespace splitproof::campaign
