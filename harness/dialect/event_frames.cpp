#include "harness/dialect/event_frames.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/line_end.hpp"
#include "harness/split/event_json.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the end of the line that begins at `begin`, and its text.
std::pair<std::size_t, std::string_view> line_at(std::string_view body, std::size_t begin) {
  const std::size_t end = find_line_end(body, begin);
  const std::string_view line = body.substr(begin, end - begin);
  if (end == body.size()) return {end, line};
  return {end + (body.substr(end).starts_with("\r\n") ? 2 : 1), line};
}

}  // namespace

EventFrame event_frame_at(std::string_view body, std::size_t begin) {
  std::size_t end = begin;
  bool says = false;  // a line other than a comment
  bool ordinary = true;
  std::string_view text;
  while (end < body.size()) {
    const auto [next, line] = line_at(body, end);
    end = next;
    if (line.empty()) break;
    const bool is_data = line.starts_with("data: ");
    ordinary = ordinary && text.empty() && (is_data || (line.starts_with("event: ") && !says));
    if (is_data) text = line.substr(6);
    says = says || !line.starts_with(':');
  }
  EventFrame frame;
  frame.bytes = body.substr(begin, end - begin);
  frame.says_nothing = !says;
  if (!ordinary || text.empty()) return frame;
  const auto at = static_cast<std::size_t>(text.data() - frame.bytes.data());
  const std::string_view after = frame.bytes.substr(at + text.size());
  if (after != "\n\n" && after != "\r\n\r\n" && after != "\r\r") return frame;
  frame.json = split::parse_event(text);
  if (frame.json == nullptr || !frame.json->is_object()) {
    frame.json = nullptr;
    return frame;
  }
  frame.before = frame.bytes.substr(0, at);
  frame.after = after;
  frame.type = string_at(*frame.json, "type");
  return frame;
}

std::string EventFrame::with(const Json& other) const {
  if (other == *json) return std::string(bytes);
  return std::string(before) + split::write_event(other) + std::string(after);
}

std::string EventFrame::beside(const Json& other) const {
  const std::string_view line_end = after.substr(0, after.size() / 2);
  const bool named = before.starts_with("event:");
  return (named ? "event: " + string_at(other, "type") + std::string(line_end) : "") +
         "data: " + split::write_event(other) + std::string(after);
}

bool has_fractions(const Json& json) {
  if (json.is_number_float()) return true;
  return json.is_structured() && std::any_of(json.begin(), json.end(), has_fractions);
}

}  // namespace splitproof::dialect
