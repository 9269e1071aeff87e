#include "harness/dialect/anthropic_messages/layouts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCounts[] = {"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"};

bool takes_arguments(const std::string& block) { return block.ends_with("tool_use"); }

/// Calls `change` with each event up to message_stop, and its replacement, which is initially the event
/// itself.
template <class Change>
FrameReplacements change_each(const AnthropicBody& body, const Change& change) {
  FrameReplacements replacements;
  for (std::size_t i = 0; i < std::min(body.stop + 1, body.frames.size()); ++i) {
    if (body.frames[i].json == nullptr) continue;
    std::vector<std::string> events = {std::string(body.frames[i].bytes)};
    change(body.frames[i], events);
    replacements[i] = std::move(events);
  }
  return replacements;
}

/// Returns an event of the same block.
Json delta_for(const AnthropicFrame& frame, Json delta) {
  return {
      {"type", "content_block_delta"}, {"index", member(*frame.json, "index")}, {"delta", std::move(delta)}};
}

FrameReplacements ping_everywhere(const AnthropicBody& body) {
  bool started = false;
  return change_each(body, [&](const AnthropicFrame& frame, std::vector<std::string>& events) {
    started = started || frame.type == "message_start";
    if (started && frame.type != "message_stop") events.push_back(frame.beside({{"type", "ping"}}));
  });
}

FrameReplacements ping_never(const AnthropicBody& body) {
  return change_each(body, [](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (frame.type == "ping") events.clear();
  });
}

/// Adds an empty delta after the start of each block of a kind.
template <class Test>
FrameReplacements empty_first(const AnthropicBody& body, const Test& is_such, const Json& delta) {
  return change_each(body, [&](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (frame.type == "content_block_start" && is_such(body.blocks[frame.block]))
      events.push_back(frame.beside(delta_for(frame, delta)));
  });
}

FrameReplacements input_empty_first(const AnthropicBody& body) {
  return empty_first(body, takes_arguments, {{"type", "input_json_delta"}, {"partial_json", ""}});
}

FrameReplacements text_empty_first(const AnthropicBody& body) {
  return empty_first(body, [](const std::string& block) { return block == "text"; },
                     {{"type", "text_delta"}, {"text", ""}});
}

FrameReplacements nothing_empty(const AnthropicBody& body) {
  return change_each(body, [](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (!frame.key.empty() && frame.piece.empty()) events.clear();
  });
}

/// Removes `input` from the starts of a client's calls, or makes it null, if it is {}. Does not change other
/// starts.
FrameReplacements put_input(const AnthropicBody& body, bool null) {
  return change_each(body, [&](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (frame.type != "content_block_start" || body.blocks[frame.block] != "tool_use") return;
    if (member(member(*frame.json, "content_block"), "input") != Json::object()) return;
    Json start = *frame.json;
    if (null) {
      start["content_block"]["input"] = nullptr;
    } else {
      start["content_block"].erase("input");
    }
    events = {frame.with(start)};
  });
}

FrameReplacements input_absent(const AnthropicBody& body) { return put_input(body, false); }
FrameReplacements input_null(const AnthropicBody& body) { return put_input(body, true); }

/// Moves the first piece of each text block into its start.
FrameReplacements text_in_start(const AnthropicBody& body) {
  FrameReplacements replacements;
  std::optional<std::size_t> start;  // start of the current block, while it has no text
  for (std::size_t i = 0; i < body.stop && i < body.frames.size(); ++i) {
    const AnthropicFrame& frame = body.frames[i];
    if (frame.json == nullptr) continue;
    if (frame.type == "content_block_start") start = i;
    if (frame.type != "content_block_delta" || !start) continue;
    const AnthropicFrame& first = body.frames[*start];
    const std::string key(frame.key);
    const bool fits = (key == "text" || key == "thinking") && body.blocks[first.block] == key &&
                      frame.block == first.block &&
                      member(member(*first.json, "content_block"), key.c_str()) == "";
    if (fits && frame.piece.empty()) continue;
    if (fits) {
      Json json = *first.json;
      json["content_block"][key] = frame.piece;
      replacements[*start] = {first.with(json)};
      replacements[i] = {};
    }
    start.reset();
  }
  return replacements;
}

const Json& signature_of(const AnthropicFrame& frame) {
  static const Json kNone;
  if (frame.json == nullptr || frame.type != "content_block_delta") return kNone;
  const Json& delta = member(*frame.json, "delta");
  return string_at(delta, "type") == "signature_delta" ? member(delta, "signature") : kNone;
}

FrameReplacements signature_twice(const AnthropicBody& body) {
  return change_each(body, [](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (signature_of(frame).is_string()) events.push_back(events.front());
  });
}

/// Moves the signature of each thinking block with one signature into its start.
FrameReplacements signature_in_start(const AnthropicBody& body) {
  FrameReplacements replacements;
  std::map<std::size_t, std::size_t> starts;  // by block
  for (std::size_t i = 0; i < body.stop && i < body.frames.size(); ++i) {
    const AnthropicFrame& frame = body.frames[i];
    if (frame.type == "content_block_start" && body.blocks[frame.block] == "thinking")
      starts[frame.block] = i;
    const auto start = starts.find(frame.block);
    const Json& signature = signature_of(frame);
    if (!signature.is_string() || start == starts.end() || replacements.contains(start->second)) continue;
    Json json = *body.frames[start->second].json;
    json["content_block"]["signature"] = signature;
    replacements[start->second] = {body.frames[start->second].with(json)};
    replacements[i] = {};
  }
  return replacements;
}

/// The only frame of a type, and its data.
struct CountedEvents {
  std::size_t frame;
  Json json;
};

std::optional<CountedEvents> counted(const AnthropicBody& body, const char* type) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < body.stop && i < body.frames.size(); ++i) {
    if (body.frames[i].type != type || body.frames[i].json == nullptr) continue;
    if (found) return std::nullopt;
    found = i;
  }
  if (!found || has_fractions(*body.frames[*found].json)) return std::nullopt;
  return CountedEvents{*found, *body.frames[*found].json};
}

Json* usage_in(Json& event) {
  Json* holder = event.contains("message") ? &event["message"] : &event;
  const auto usage = holder->is_object() ? holder->find("usage") : holder->end();
  return usage != holder->end() && usage->is_object() ? &*usage : nullptr;
}

/// Changes the counts of message_start and message_delta, unless something between them could end the answer.
template <class Change>
FrameReplacements change_usage(const AnthropicBody& body, const Change& change) {
  auto start = counted(body, "message_start");
  auto delta = counted(body, "message_delta");
  if (!start || !delta || start->frame > delta->frame || !body.ends()) return {};
  const auto ends = [](const AnthropicFrame& frame) { return frame.type.empty() || frame.type == "error"; };
  const auto frames = std::span(body.frames).first(body.stop);
  if (std::any_of(frames.begin(), frames.end(), ends)) return {};
  Json* const at_start = usage_in(start->json);
  Json* const at_end = usage_in(delta->json);
  if (at_start == nullptr || at_end == nullptr) return {};
  change(*at_start, *at_end);
  return {{start->frame, {body.frames[start->frame].with(start->json)}},
          {delta->frame, {body.frames[delta->frame].with(delta->json)}}};
}

/// Repeats the counts of message_start in message_delta.
FrameReplacements usage_again(const AnthropicBody& body) {
  return change_usage(body, [](const Json& start, Json& end) {
    for (const char* count : kCounts) {
      if (member(start, count).is_number_unsigned() && member(end, count).is_null())
        end[count] = start[count];
    }
  });
}

/// Removes counts from message_delta that message_start has.
FrameReplacements usage_once(const AnthropicBody& body) {
  return change_usage(body, [](const Json& start, Json& end) {
    for (const char* count : kCounts) {
      if (member(end, count).is_number_unsigned() && member(end, count) == member(start, count))
        end.erase(count);
    }
  });
}

/// Makes counts 0 in message_start, as if unknown, and puts them into message_delta.
FrameReplacements usage_late(const AnthropicBody& body) {
  return change_usage(body, [](Json& start, Json& end) {
    for (const char* count : kCounts) {
      if (!member(start, count).is_number_unsigned()) continue;
      if (member(end, count).is_null()) end[count] = start[count];
      start[count] = 0;
    }
  });
}

FrameReplacements stop_twice(const AnthropicBody& body) {
  return change_each(body, [](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (frame.type == "message_delta") events.push_back(events.front());
  });
}

/// Puts the counts into a message_delta before the one with the stop reason.
FrameReplacements stop_after_usage(const AnthropicBody& body) {
  return change_each(body, [](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (frame.type != "message_delta" || !member(member(*frame.json, "delta"), "stop_reason").is_string())
      return;
    const Json& usage = member(*frame.json, "usage");
    if (!usage.is_object() || has_fractions(usage)) return;
    const Json first = {{"type", "message_delta"},
                        {"delta", {{"stop_reason", nullptr}, {"stop_sequence", nullptr}}},
                        {"usage", usage}};
    events = {frame.beside(first), std::string(frame.bytes)};
  });
}

// Next to a call without a name, which may be left out, unknown content can be all content of the answer. That changes its
// meaning.
FrameReplacements unknown_everywhere(const AnthropicBody& body) {
  const bool has_nameless_call =
      std::any_of(body.frames.begin(), body.frames.end(), [](const AnthropicFrame& frame) {
        return frame.type == "content_block_start" &&
               member(member(*frame.json, "content_block"), "name") == "";
      });
  return change_each(body, [&](const AnthropicFrame& frame, std::vector<std::string>& events) {
    if (has_nameless_call) return;
    if (frame.type == "content_block_start")
      events.push_back(frame.beside(delta_for(frame, {{"type", "tide_delta"}, {"tide", "ebb"}})));
    if (frame.type == "message_start" || frame.type == "content_block_stop")
      events.push_back(frame.beside({{"type", "tide_turned"}, {"text", "slack"}}));
  });
}

/// Adds white space after the last member, in varying amounts.
FrameReplacements json_padded(const AnthropicBody& body) {
  constexpr std::size_t kMost = 16;
  std::size_t width = 0;
  return change_each(body, [&](const AnthropicFrame& frame, std::vector<std::string>& events) {
    width = (width + 7) % kMost;
    std::string& bytes = events.front();
    bytes.insert(bytes.rfind('}', bytes.size() - frame.after.size()), width, ' ');
  });
}

}  // namespace

const std::vector<AnthropicLayout>& all_anthropic_deals() {
  static const std::vector<AnthropicLayout> kDeals = {
      {"ping:everywhere", ping_everywhere},
      {"ping:never", ping_never},
      {"text:in-start", text_in_start},
      {"text:empty-first", text_empty_first},
      {"text:never-empty", nothing_empty},
      {"input:empty-first", input_empty_first},
      {"input:absent", input_absent},
      {"input:null", input_null},
      {"signature:in-start", signature_in_start},
      {"signature:twice", signature_twice},
      {"usage:again", usage_again},
      {"usage:once", usage_once},
      {"usage:late", usage_late},
      {"stop:twice", stop_twice},
      {"stop:after-usage", stop_after_usage},
      {"unknown:everywhere", unknown_everywhere},
      {"json:padded", json_padded},
  };
  return kDeals;
}

}  // namespace splitproof::dialect
