#include "harness/observe/read_event.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/line_end.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

constexpr std::string_view kDefaultType = "message";

// Calls `take` with the name of each line's field, and with the offset after the line end.
template <class Take>
void for_each_line(std::string_view block, const Take& take) {
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = find_line_end(block, at);
    const std::string_view line = block.substr(at, end - at);
    at = std::min(end + (block.substr(end).starts_with("\r\n") ? 2 : 1), block.size());
    take(line.substr(0, line.find(':')), line, at);
  }
}

DemandedEvent demanded_of(SseEvent& event, std::string_view body) {
  DemandedEvent demanded;
  demanded.type = event.event.value_or("").empty() ? kDefaultType : *std::move(event.event);
  demanded.data = std::move(event.data);
  demanded.id = std::move(event.id);
  demanded.begin = event.begin;
  demanded.end = event.end;
  demanded.due = event.end + (body[event.end - 1] == '\r' ? 1 : 0);
  for_each_line(body.substr(event.begin, event.end - event.begin),
                [&](std::string_view name, std::string_view line, std::size_t after) {
                  if (name == "id") demanded.sets_id |= line.find('\0') == line.npos;
                  if (name == "event") demanded.type_at = event.begin + after;
                });
  return demanded;
}

std::string text_in(const json& object, const char* key) {
  const auto value = object.find(key);
  return value != object.end() && value->is_string() ? value->get<std::string>() : std::string();
}

}  // namespace

std::vector<DemandedEvent> demanded_events(std::string_view body) {
  SseReader reader;
  reader.feed(body);
  reader.finish();
  std::vector<DemandedEvent> demanded;
  for (SseEvent& event : std::move(reader).take_events())
    if (event.terminated) demanded.push_back(demanded_of(event, body));
  return demanded;
}

bool reports(const ReadEvent& read, const DemandedEvent& demanded) {
  const bool has_id = read.id == demanded.id || (read.id.empty() && !demanded.sets_id);
  return has_id && read.type == demanded.type && read.data == demanded.data;
}

std::string line_of(const ReadEvent& event) {
  return json{{"event", event.type}, {"data", event.data}, {"id", event.id}}.dump() + "\n";
}

std::string line_of_error(std::string_view text) { return json{{"error", text}}.dump() + "\n"; }

Reported reported(std::string_view lines) {
  Reported all;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
    const json line = json::parse(lines.substr(begin, end - begin), nullptr, false);
    if (line.is_object() && line.contains("data")) {
      const std::string type = text_in(line, "event");
      all.events.push_back({type.empty() ? std::string(kDefaultType) : type, text_in(line, "data"),
                            text_in(line, "id"), begin, end});
    } else if (line.is_object() && line.contains("error")) {
      all.errors.push_back({text_in(line, "error"), begin, end});
    }
    begin = end;
  }
  return all;
}

Trace report_trace(std::string_view lines) {
  Trace trace;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    Event event;
    event.data = lines.substr(begin, end - begin);
    event.begin = begin;
    event.end = std::min(end + 1, lines.size());
    event.line = trace.events.size() + 1;
    begin = event.end;
    trace.events.push_back(std::move(event));
  }
  return trace;
}

}  // namespace splitproof::observe
