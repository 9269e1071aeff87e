#include "harness/dialect/openai_responses/layouts.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;
using Role = ResponsesRole;
using Events = std::vector<std::string>;

/// Calls `change` with each event up to the end, and its replacement, which is initially the event itself.
template <class Change>
FrameReplacements change_each(const ResponsesBody& body, const Change& change) {
  FrameReplacements replacements;
  if (!body.started) return replacements;
  for (std::size_t i = 0; i < std::min(body.end + 1, body.frames.size()); ++i) {
    if (body.frames[i].json == nullptr) continue;
    Events events = {std::string(body.frames[i].bytes)};
    change(body.frames[i], events);
    replacements[i] = std::move(events);
  }
  return replacements;
}

/// Removes the events of some roles from a regular body.
FrameReplacements without(const ResponsesBody& body, std::initializer_list<Role> roles) {
  if (!body.regular) return {};
  return change_each(body, [&](const ResponsesFrame& frame, Events& events) {
    if (std::find(roles.begin(), roles.end(), frame.role) != roles.end()) events.clear();
  });
}

/// Sends each string at once, in the event that ends it.
FrameReplacements deltas_never(const ResponsesBody& body) {
  std::set<std::string> ended;
  for (const ResponsesFrame& frame : body.frames)
    if (frame.role == Role::all) ended.insert(frame.key);
  if (!body.regular) return {};
  return change_each(body, [&](const ResponsesFrame& frame, Events& events) {
    if (frame.role == Role::delta && ended.contains(frame.key)) events.clear();
  });
}

/// Removes the events that end strings.
FrameReplacements ends_never(const ResponsesBody& body) { return without(body, {Role::all}); }

FrameReplacements parts_never(const ResponsesBody& body) {
  return without(body, {Role::part_start, Role::part_end});
}

/// Sends each item only in output_item.done.
FrameReplacements items_whole(const ResponsesBody& body) {
  return without(body, {Role::delta, Role::all, Role::part_start, Role::part_end});
}

/// Also removes the item's addition.
FrameReplacements items_unannounced(const ResponsesBody& body) {
  if (!body.in_order) return {};
  return without(body,
                 {Role::item_start, Role::delta, Role::all, Role::part_start, Role::part_end, Role::about});
}

FrameReplacements items_never_done(const ResponsesBody& body) {
  return body.repeats && body.spoken ? without(body, {Role::item_end}) : FrameReplacements();
}

/// Sends all content only in the last event.
FrameReplacements items_at_the_end(const ResponsesBody& body) {
  if (!body.repeats) return {};
  return without(body, {Role::item_start, Role::item_end, Role::delta, Role::all, Role::part_start,
                        Role::part_end, Role::about});
}

/// Removes all items from the last event.
FrameReplacements output_empty(const ResponsesBody& body) {
  if (!body.regular || !body.repeats_exactly) return {};
  Json last = *body.frames[body.end].json;
  if (has_fractions(member(last["response"], "usage"))) return {};
  last["response"]["output"] = Json::array();
  return {{body.end, {body.frames[body.end].with(last)}}};
}

/// Changes a member of every event of an item, such as item_id, or removes it.
template <class Change>
FrameReplacements change_items(const ResponsesBody& body, const char* key, const Change& change) {
  if (!body.regular) return {};
  return change_each(body, [&](const ResponsesFrame& frame, Events& events) {
    if (!frame.json->contains(key)) return;
    Json json = *frame.json;
    change(json);
    events = {frame.with(json)};
  });
}

FrameReplacements ids_drift(const ResponsesBody& body) {
  std::size_t number = 0;
  return change_items(body, "item_id",
                      [&](Json& json) { json["item_id"] = "drift_" + std::to_string(++number); });
}

FrameReplacements ids_never(const ResponsesBody& body) {
  return change_items(body, "item_id", [](Json& json) { json.erase("item_id"); });
}

FrameReplacements index_never(const ResponsesBody& body) {
  const auto lacks = [](const ResponsesFrame& frame) {
    return frame.role == Role::about && !frame.json->contains("item_id");
  };
  if (std::any_of(body.frames.begin(), body.frames.end(), lacks)) return {};
  return change_items(body, "output_index", [](Json& json) { json.erase("output_index"); });
}

FrameReplacements sequence_never(const ResponsesBody& body) {
  return change_each(body, [](const ResponsesFrame& frame, Events& events) {
    if (!frame.json->contains("sequence_number") || has_fractions(*frame.json)) return;
    Json json = *frame.json;
    json.erase("sequence_number");
    events = {frame.with(json)};
  });
}

/// Adds a field to deltas that hides their length, with other characters and another length each time.
FrameReplacements obfuscation_everywhere(const ResponsesBody& body) {
  std::size_t number = 0;
  return change_each(body, [&](const ResponsesFrame& frame, Events& events) {
    if (frame.role != Role::delta) return;
    constexpr std::string_view kNoise = "q7Rt0ZxkW3vLm9Ab";
    number = (number + 5) % kNoise.size();
    Json json = *frame.json;
    json["obfuscation"] = std::string(kNoise.substr(number)) + std::string(kNoise.substr(0, number / 2));
    events = {frame.with(json)};
  });
}

FrameReplacements obfuscation_never(const ResponsesBody& body) {
  return change_each(body, [](const ResponsesFrame& frame, Events& events) {
    if (!frame.json->contains("obfuscation")) return;
    Json json = *frame.json;
    json.erase("obfuscation");
    events = {frame.with(json)};
  });
}

/// Returns an additional event of another type. It gets a number if the first has one.
std::string beside(const ResponsesFrame& frame, const char* type) {
  Json event = {{"type", type}};
  if (frame.json->contains("sequence_number")) event["sequence_number"] = 0;
  return frame.beside(event);
}

FrameReplacements keepalive_everywhere(const ResponsesBody& body) {
  return change_each(body, [&](const ResponsesFrame& frame, Events& events) {
    if (body.end == body.frames.size() || &frame != &body.frames[body.end])
      events.push_back(beside(frame, "keepalive"));
  });
}

/// Adds an empty piece before the first piece of each string.
FrameReplacements empty_first(const ResponsesBody& body) {
  std::set<std::string> begun;
  return change_each(body, [&](const ResponsesFrame& frame, Events& events) {
    if (frame.role != Role::delta || !begun.insert(frame.key).second) return;
    Json json = *frame.json;
    json["delta"] = "";
    events.insert(events.begin(), frame.with(json));
  });
}

FrameReplacements never_empty(const ResponsesBody& body) {
  return change_each(body, [](const ResponsesFrame& frame, Events& events) {
    if (frame.role == Role::delta && frame.said.empty()) events.clear();
  });
}

/// Moves the last piece of each string into the event that has all of it.
FrameReplacements ends_continue(const ResponsesBody& body) {
  if (!body.regular) return {};
  std::map<std::string, std::size_t> last;
  std::set<std::string> ended;
  for (std::size_t i = 0; i < body.end; ++i) {
    if (body.frames[i].role == Role::delta) last[body.frames[i].key] = i;
    if (body.frames[i].role == Role::all) ended.insert(body.frames[i].key);
  }
  FrameReplacements replacements;
  for (const auto& [key, frame] : last)
    if (ended.contains(key)) replacements[frame] = {};
  return replacements;
}

/// Two successive calls begin together, and their pieces alternate.
FrameReplacements calls_interleaved(const ResponsesBody& body) {
  if (!body.regular) return {};
  FrameReplacements replacements;
  for (std::size_t item = 0; item + 1 < body.items.size(); ++item) {
    const auto& a = body.items[item];
    const auto& b = body.items[item + 1];
    const auto is_call = [&](const std::vector<std::size_t>& frames) {
      return std::any_of(frames.begin(), frames.end(), [&](std::size_t frame) {
        const std::string& type = body.frames[frame].type;
        return type == "response.function_call_arguments.delta" ||
               type == "response.custom_tool_call_input.delta";
      });
    };
    const bool adjacent = b.front() == a.back() + 1 && a.back() - a.front() + 1 == a.size() &&
                          b.back() - b.front() + 1 == b.size();
    if (!adjacent || !is_call(a) || !is_call(b)) continue;
    Events events;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      if (i < a.size()) events.emplace_back(body.frames[a[i]].bytes);
      if (i < b.size()) events.emplace_back(body.frames[b[i]].bytes);
    }
    for (const auto* frames : {&a, &b})
      for (const std::size_t frame : *frames) replacements[frame] = {};
    replacements[a.front()] = std::move(events);
    ++item;
  }
  return replacements;
}

FrameReplacements names_never(const ResponsesBody& body) {
  return change_each(body, [](const ResponsesFrame& frame, Events& events) {
    if (!frame.type.empty()) events = {std::string(frame.bytes.substr(frame.before.rfind("data:")))};
  });
}

FrameReplacements unknown_everywhere(const ResponsesBody& body) {
  return change_each(body, [](const ResponsesFrame& frame, Events& events) {
    if (frame.role == Role::item_start || frame.role == Role::item_end)
      events.push_back(beside(frame, "response.tide.turned"));
  });
}

/// Adds white space after the last member, in varying amounts.
FrameReplacements json_padded(const ResponsesBody& body) {
  constexpr std::size_t kMost = 16;
  std::size_t width = 0;
  return change_each(body, [&](const ResponsesFrame& frame, Events& events) {
    width = (width + 7) % kMost;
    std::string& bytes = events.front();
    bytes.insert(bytes.rfind('}', bytes.size() - frame.after.size()), width, ' ');
  });
}

}  // namespace

const std::vector<ResponsesLayout>& all_responses_deals() {
  static const std::vector<ResponsesLayout> kDeals = {
      {"deltas:never", deltas_never},
      {"deltas:empty-first", empty_first},
      {"deltas:never-empty", never_empty},
      {"ends:never", ends_never},
      {"ends:continue", ends_continue},
      {"parts:never", parts_never},
      {"items:whole", items_whole},
      {"items:unannounced", items_unannounced},
      {"items:never-done", items_never_done},
      {"items:at-the-end", items_at_the_end},
      {"output:empty", output_empty},
      {"calls:interleaved", calls_interleaved},
      {"ids:drift", ids_drift},
      {"ids:never", ids_never},
      {"index:never", index_never},
      {"sequence:never", sequence_never},
      {"obfuscation:everywhere", obfuscation_everywhere},
      {"obfuscation:never", obfuscation_never},
      {"keepalive:everywhere", keepalive_everywhere},
      {"names:never", names_never},
      {"unknown:everywhere", unknown_everywhere},
      {"json:padded", json_padded},
  };
  return kDeals;
}

}  // namespace splitproof::dialect
