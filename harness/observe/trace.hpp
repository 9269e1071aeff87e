#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/sse_reader.hpp"

namespace splitproof::observe {

/// Fault of an event itself, before any contract. Its place is the first byte of invalid UTF-8, the place at
/// which JSON parsing failed, or the end of a body without its blank line. No client sees an unterminated
/// event, so its data is kept and never parsed.
enum class StreamFault : std::uint8_t { none, invalid_utf8, broken_json, unterminated_event };

/// Returns the name in contracts: "invalid-utf8", "broken-json", "unterminated-event", or "" for none.
std::string_view name(StreamFault fault);

/// Content of `data:` in a protocol.
struct DataKind {
  bool is_json = true;             ///< false: text, and no event is ever `broken_json`.
  std::vector<std::string> marks;  ///< Data that is intentionally no JSON, such as a closing mark.

  static const DataKind json;  ///< Without marks.
  static const DataKind text;

  bool operator==(const DataKind&) const = default;
};
inline const DataKind DataKind::json;
inline const DataKind DataKind::text{false, {}};

/// One event of a downstream stream, with its bytes.
struct Event {
  std::optional<std::string> event;    ///< Value of the last `event:` line; nullopt without one.
  std::string data;                    ///< `data:` lines joined with LF; invalid UTF-8 as U+FFFD.
  std::string id;                      ///< Last event id in force when the event was dispatched.
  std::optional<std::uint64_t> retry;  ///< Reconnection time that this event's block set, in ms.
  std::shared_ptr<const nlohmann::json>
      json;                ///< Parsed `data` (event_json.hpp); null if it is text, a mark or faulty.
  std::size_t begin = 0;   ///< First byte of the event's first line.
  std::size_t end = 0;     ///< One past the line end of its blank line.
  std::size_t line = 0;    ///< Line of `begin` in its file, counted from 1.
  bool terminated = true;  ///< Its blank line came; otherwise no client sees it.
  StreamFault fault = StreamFault::none;  ///< The first fault found, in the order of the enumeration.
  std::size_t fault_at = 0;               ///< Byte offset of that fault in the body.
  std::string fault_reason;               ///< One sentence about it; empty without a fault.
  std::string
      lone_surrogate;  ///< Escape of the first lone surrogate in a string of the JSON; empty without one.
  std::vector<OddLine> odd;  ///< Lines that no client reads, as in SseEvent.
  bool lone_cr = false;      ///< As in SseEvent.
};

/// End of the HTTP message that carried a stream, as far as the transport knows.
enum class MessageEnd : std::uint8_t { complete, cut };

/// A decoded downstream stream. Comments and blocks without data are not events, and their invalid bytes are
/// not a fault of an event.
struct Trace {
  std::vector<Event> events;
  std::size_t first_event = 0;  ///< Number of its first event in the file, if that holds several responses.
  MessageEnd message_end = MessageEnd::complete;
};

/// Returns the events that a reader has read, with data decoded as `kind` requires.
std::vector<Event> to_events(std::vector<SseEvent> read, const DataKind& kind);

/// Decodes a body as SseReader does, AWS frames with aws_document() as data. Never fails: invalid bytes become
/// an event with a fault. `message_end` stays complete; the caller sets it if it knows better.
Trace read_trace(std::string_view body, const DataKind& kind);

}  // namespace splitproof::observe
