#include "harness/observe/trace.hpp"

#include <algorithm>
#include <utility>

#include "harness/aws_document.hpp"
#include "harness/observe/event_json.hpp"
#include "harness/observe/framing.hpp"

namespace splitproof::observe {
namespace {

/// Returns the place in the body of byte `at` of the event's data. Exact if the data is well-formed UTF-8,
/// because values are then unchanged.
std::size_t place_in_body(const SseEvent& sse, std::size_t at) {
  std::size_t line = 0;
  std::size_t line_begin = 0;
  for (std::size_t i = 0; i < at; ++i) {
    if (sse.data[i] != '\n') continue;
    ++line;
    line_begin = i + 1;
  }
  return sse.data_at[line] + (at - line_begin);
}

// Makes the data of a frame: its payload with its headers. An invalid frame has none.
void take_headers(SseEvent& frame) {
  frame.data = aws_document(frame.headers, frame.data);
  if (!frame.broken.empty()) frame.data = "\xEF\xBF\xBD";
}

Event to_event(SseEvent&& sse, const DataKind& kind) {
  const bool is_frame = !sse.headers.empty() || !sse.broken.empty();
  if (is_frame) take_headers(sse);
  Event event;
  event.event = std::move(sse.event);
  event.id = std::move(sse.id);
  event.retry = sse.retry;
  event.begin = sse.begin;
  event.end = sse.end;
  event.line = sse.line;
  event.terminated = sse.terminated;
  const auto fail = [&](StreamFault fault, std::size_t at, std::string reason) {
    event.fault = fault;
    event.fault_at = at;
    event.fault_reason = std::move(reason);
  };
  if (!sse.broken.empty()) {
    fail(StreamFault::broken_json, sse.begin, "the frame cannot be read: " + sse.broken);
  } else if (sse.ill_formed_at) {
    fail(StreamFault::invalid_utf8, *sse.ill_formed_at, "the event holds bytes that are not UTF-8");
  } else if (!sse.terminated) {
    fail(StreamFault::unterminated_event, sse.end,
         "the body ends before the blank line that would dispatch the event");
  } else if (kind.is_json && std::find(kind.marks.begin(), kind.marks.end(), sse.data) == kind.marks.end()) {
    auto parsed = parse_event_json(sse.data);
    if (parsed) {
      event.json = std::move(parsed->json);
      event.lone_surrogate = std::move(parsed->lone_surrogate);
    } else {
      fail(StreamFault::broken_json, is_frame ? sse.data_at.front() : place_in_body(sse, parsed.error().at),
           "the data is not JSON: " + parsed.error().reason);
    }
  }
  event.data = std::move(sse.data);
  event.odd = std::move(sse.odd);
  event.lone_cr = sse.lone_cr;
  return event;
}

}  // namespace

std::string_view name(StreamFault fault) {
  switch (fault) {
    case StreamFault::none:
      return "";
    case StreamFault::invalid_utf8:
      return "invalid-utf8";
    case StreamFault::broken_json:
      return "broken-json";
    case StreamFault::unterminated_event:
      return "unterminated-event";
  }
  return "";
}

std::vector<Event> to_events(std::vector<SseEvent> read, const DataKind& kind) {
  std::vector<Event> events;
  events.reserve(read.size());
  for (SseEvent& sse : read) events.push_back(to_event(std::move(sse), kind));
  return events;
}

Trace read_trace(std::string_view body, const DataKind& kind) {
  FrameReader reader(framing_of_answer(body));
  reader.feed(body);
  reader.finish();
  Trace trace;
  trace.events = to_events(std::move(reader).take_events(), kind);
  return trace;
}

}  // namespace splitproof::observe
