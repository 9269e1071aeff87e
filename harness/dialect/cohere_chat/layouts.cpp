#include "harness/dialect/cohere_chat/layouts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/json_member.hpp"
#include "harness/split/event_json.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// Calls `change` with each event from message-start to message-end, and its replacement, which is initially the event
/// itself.
template <class Change>
FrameReplacements change_each(const CohereBody& body, const Change& change) {
  FrameReplacements replacements;
  for (std::size_t i = 0; i < body.frames.size(); ++i) {
    if (body.frames[i].json == nullptr) continue;
    std::vector<std::string> events = {std::string(body.frames[i].bytes)};
    change(body.frames[i], events);
    replacements[i] = std::move(events);
  }
  return replacements;
}

std::string written_event(const CohereFrame& frame, bool is_named) {
  const std::string_view line_end = frame.after.substr(0, frame.after.size() / 2);
  const bool has_name = frame.before.starts_with("event:");
  if (has_name == is_named) return std::string(frame.bytes);
  const std::string_view data = frame.bytes.substr(frame.before.size());
  const std::string name = is_named ? "event: " + frame.type + std::string(line_end) : "";
  return name + "data: " + std::string(data);
}

FrameReplacements names_never(const CohereBody& body) {
  return change_each(body, [](const CohereFrame& frame, std::vector<std::string>& events) {
    events = {written_event(frame, false)};
  });
}

FrameReplacements names_everywhere(const CohereBody& body) {
  return change_each(body, [](const CohereFrame& frame, std::vector<std::string>& events) {
    events = {written_event(frame, true)};
  });
}

FrameReplacements done_after(const CohereBody& body) {
  return change_each(body, [](const CohereFrame& frame, std::vector<std::string>& events) {
    if (frame.type == "message-end") events.push_back("data: [DONE]" + std::string(frame.after));
  });
}

/// Puts an empty piece before the first piece of each block, and before each call's arguments.
FrameReplacements pieces_empty_first(const CohereBody& body) {
  return change_each(body, [](const CohereFrame& frame, std::vector<std::string>& events) {
    const Json& index = member(*frame.json, "index");
    const Json& message = member(member(*frame.json, "delta"), "message");
    Json empty;
    if (frame.type == "content-start") {
      const std::string type = string_at(member(message, "content"), "type");
      if (type == "text" || type == "thinking") empty = {{"content", {{type, ""}}}};
      if (!empty.is_null())
        empty = {{"type", "content-delta"}, {"index", index}, {"delta", {{"message", empty}}}};
    }
    if (frame.type == "tool-call-start") {
      empty = {{"tool_calls", {{"function", {{"arguments", ""}}}}}};
      empty = {{"type", "tool-call-delta"}, {"index", index}, {"delta", {{"message", empty}}}};
    }
    if (!empty.is_null() && index.is_number_unsigned()) events.push_back(frame.beside(empty));
  });
}

FrameReplacements pieces_never_empty(const CohereBody& body) {
  return change_each(body, [](const CohereFrame& frame, std::vector<std::string>& events) {
    if (!frame.key.empty() && frame.piece.empty()) events.clear();
  });
}

/// Moves the first piece of each block, or of a call's arguments, into the event that starts it, if it follows directly.
FrameReplacements pieces_in_start(const CohereBody& body) {
  FrameReplacements replacements;
  for (std::size_t i = 0; i + 1 < body.frames.size(); ++i) {
    const CohereFrame& start = body.frames[i];
    const CohereFrame& first = body.frames[i + 1];
    if (start.json == nullptr || first.json == nullptr || first.piece.empty()) continue;
    const Json& index = member(*start.json, "index");
    if (!index.is_number_unsigned() || index != member(*first.json, "index")) continue;
    const bool is_call = start.type == "tool-call-start" && first.key == "arguments";
    const Json::json_pointer at(is_call ? std::string("/delta/message/tool_calls/function/arguments")
                                        : "/delta/message/content/" + std::string(first.key));
    const bool is_content =
        start.type == "content-start" &&
        string_at(member(member(member(*start.json, "delta"), "message"), "content"), "type") == first.key;
    if ((!is_call && !is_content) || start.json->value(at, Json("")) != "") continue;
    Json whole = *start.json;
    whole[at] = first.piece;
    replacements[i] = {start.with(whole)};
    replacements[i + 1] = {};
  }
  return replacements;
}

FrameReplacements unknown_everywhere(const CohereBody& body) {
  return change_each(body, [](const CohereFrame& frame, std::vector<std::string>& events) {
    if (frame.type == "message-start" || frame.type == "content-end" || frame.type == "tool-call-end")
      events.push_back(frame.beside({{"type", "tide-turned"}, {"text", "slack"}}));
  });
}

}  // namespace

const std::vector<CohereLayout>& all_cohere_layouts() {
  static const std::vector<CohereLayout> kLayouts = {
      {"names:never", names_never},
      {"names:everywhere", names_everywhere},
      {"done:after", done_after},
      {"pieces:empty-first", pieces_empty_first},
      {"pieces:never-empty", pieces_never_empty},
      {"pieces:in-start", pieces_in_start},
      {"unknown:everywhere", unknown_everywhere},
  };
  return kLayouts;
}

}  // namespace splitproof::dialect
