#include "harness/dialect/json_events.hpp"

#include <algorithm>
#include <utility>

#include "harness/observe/json_progress.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/trace.hpp"
#include "harness/utf8.hpp"

namespace splitproof::dialect {

using Kind = observe::WireJson::Kind;

ReadJson read_json(const observe::SseEvent& event, std::size_t most) {
  // A lenient client's U+FFFD is not the provider's text, and JSON is UTF-8 (RFC 8259, 8.1).
  if (event.ill_formed_data) return tl::unexpected(JsonFault{0, "not UTF-8"});
  if (event.data.size() > most) return tl::unexpected(JsonFault{most, "too large"});
  return observe::parse_wire_json(event.data);
}

std::string why_unread(const ReadJson& read) {
  return read ? "not a JSON object" : read.error().reason + " at byte " + std::to_string(read.error().at);
}

JsonEvent read_json_event(const observe::SseEvent& event, std::size_t most) {
  const bool error_event = event.event == "error";
  const std::string_view data = observe::trim_json(event.data);
  if (data.empty() && !error_event) return {};
  ReadJson read = read_json(event, most);
  if (read && read->is(Kind::object)) return {JsonEvent::Kind::object, *std::move(read)};
  if (!event.terminated) return {};
  if (data == kDoneMark && !error_event) return {JsonEvent::Kind::done};
  if (!error_event) return {JsonEvent::Kind::unreadable, {}, "an event cannot be read: " + why_unread(read)};
  const bool said = !read && !data.empty() && data.size() <= kMaxErrorText;
  return {JsonEvent::Kind::unreadable, {}, said ? std::string(data) : reported_message({})};
}

std::optional<observe::WireJson> read_document(std::string_view body, std::size_t most) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (body.size() > most || find_ill_formed_utf8(body) != body.npos) return std::nullopt;
  if (body.starts_with(kMark)) body.remove_prefix(kMark.size());
  auto document = observe::parse_wire_json(body);
  if (!document || !document->is(Kind::object)) return std::nullopt;
  return *std::move(document);
}

bool is_unnamed(const observe::SseEvent& event) {
  return !event.event || event.event->empty() || *event.event == "message";
}

std::string reported_message(const observe::WireJson& error) {
  const std::string_view said = error.is(Kind::string) ? error.string() : error.at("message").string();
  return said.empty() ? "the server reported an error" : observe::replace_surrogates(said);
}

MemberTexts members_of(const observe::WireJson& object, std::initializer_list<std::string_view> told) {
  MemberTexts members;
  if (!object.is(Kind::object)) return members;
  for (const observe::WireJson& child : object.children) {
    if (child.is(Kind::null) || std::find(told.begin(), told.end(), child.key) != told.end()) continue;
    members[observe::replace_surrogates(child.key)] = observe::compact(child);
  }
  return members;
}

std::string object_of(const MemberTexts& members) {
  std::string text;
  for (const auto& [key, value] : members)
    text += (text.empty() ? "" : ",") + observe::json_string(key) + ":" + value;
  return "{" + text + "}";
}

}  // namespace splitproof::dialect
