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

/// What is wrong with an event itself, before any contract is asked. Invalid UTF-8 stands where its first
/// byte stands, broken JSON where parsing failed, an unterminated event where the body ends without its blank
/// line. The last is an event no client ever sees, so its data is shown as far as it came and never parsed.
enum class StreamFault : std::uint8_t { none, invalid_utf8, broken_json, unterminated_event };

/// The name contracts use: "invalid-utf8", "broken-json", "unterminated-event"; empty for none.
std::string_view name(StreamFault fault);

/// What a protocol puts into `data:`.
struct DataKind {
  bool is_json = true;             ///< else it is text, and no event is ever `broken_json`
  std::vector<std::string> marks;  ///< data that is no JSON by design, such as what closes a stream

  static const DataKind json;  ///< without marks
  static const DataKind text;

  bool operator==(const DataKind&) const = default;
};
inline const DataKind DataKind::json;
inline const DataKind DataKind::text{false, {}};

/// One event of a downstream stream, with the bytes it came from.
struct Event {
  std::optional<std::string> event;    ///< value of the last `event:` line; none without one
  std::string data;                    ///< `data:` lines joined with LF; invalid UTF-8 as U+FFFD
  std::string id;                      ///< last event id in force when the event was dispatched
  std::optional<std::uint64_t> retry;  ///< reconnection time that this event's block set, in ms
  std::shared_ptr<const nlohmann::json>
      json;                ///< `data` parsed (event_json.hpp); null where text, a mark or faulty
  std::size_t begin = 0;   ///< first byte of the event's first line
  std::size_t end = 0;     ///< one past the line end of its blank line
  std::size_t line = 0;    ///< of `begin` in its file, counted from 1
  bool terminated = true;  ///< its blank line came; else no client ever sees it
  StreamFault fault = StreamFault::none;  ///< the first fault found, in the order of the enumeration
  std::size_t fault_at = 0;               ///< byte offset of that fault in the body
  std::string fault_reason;               ///< one sentence about it; empty without a fault
  std::string
      lone_surrogate;  ///< the escape of the first lone surrogate in a string of the JSON; empty without one
  std::vector<OddLine>
      odd;  ///< what no client reads between the event before and this one's end, as SseEvent has it
  bool lone_cr = false;  ///< as SseEvent has it
};

/// How the HTTP message that carried a stream ended, as far as the transport knows.
enum class MessageEnd : std::uint8_t { complete, cut };

/// A downstream stream, decoded. Comments and blocks without data are not events, and what is wrong with
/// their bytes is no fault of an event's.
struct Trace {
  std::vector<Event> events;
  std::size_t first_event =
      0;  ///< number of the first of them in its file, where one holds several responses
  MessageEnd message_end = MessageEnd::complete;
};

/// The events that a reader has read, their data decoded as `kind` says.
std::vector<Event> to_events(std::vector<SseEvent> read, const DataKind& kind);

/// Decodes a whole body as SseReader does, and its data as `kind` says. Never fails: whatever is wrong with
/// the bytes becomes a fault event. `message_end` is left at complete; who knows better sets it.
Trace read_trace(std::string_view body, const DataKind& kind);

}  // namespace splitproof::observe
