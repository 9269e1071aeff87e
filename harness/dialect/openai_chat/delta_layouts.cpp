#include "harness/dialect/openai_chat/delta_layouts.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/call_layouts.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

// In the order of the enumeration.
constexpr std::array<std::string_view, kDeltaLayouts> kNames = {
    "finish:fused", "finish:alone",    "finish:repeated",   "usage:with-finish",
    "usage:after",  "usage:before",    "role:first-alone",  "role:fused",
    "role:never",   "tools:one-chunk", "tools:interleaved",
};

const Json& choice_of(const Json& chunk) { return chunk["choices"][0]; }
Json& choice_of(Json& chunk) { return chunk["choices"][0]; }

bool speaks(const ChatFrame& frame) { return frame.is_chunk() && frame.said.voice != ChatVoice::none; }

/// Moves the members of the finishing choice, except its delta, to the event of the last text or call.
ChatReplacements fuse_finish(const ChatBody& body) {
  if (speaks(body.frames[body.finish])) return {};
  std::size_t last = body.finish;
  while (last > 0 && body.frames[last - 1].is_transparent()) --last;
  if (last == 0 || !speaks(body.frames[--last])) return {};

  Json fused = body.chunk(last);
  Json rest = body.chunk(body.finish);
  for (const auto& [key, value] : choice_of(body.chunk(body.finish)).items()) {
    if (key != "index" && key != "delta" && key != "logprobs") choice_of(fused)[key] = value;
  }
  choice_of(rest)["finish_reason"] = nullptr;
  return {{last, {fused}}, {body.finish, kept(body, body.finish, rest)}};
}

ChatReplacements repeat_finish(const ChatBody& body) {
  const Json& chunk = body.chunk(body.finish);
  Json again = head_of(chunk);
  choice_of(again)["finish_reason"] = choice_of(chunk)["finish_reason"];
  return {{body.finish, {chunk, again}}};
}

ChatReplacements pack_finish(const ChatBody& body, DeltaLayout packing) {
  if (!body.finishes()) return {};
  if (packing == DeltaLayout::finish_fused) return fuse_finish(body);
  if (packing == DeltaLayout::finish_repeated) return repeat_finish(body);
  if (!speaks(body.frames[body.finish])) return {};
  const Json& chunk = body.chunk(body.finish);
  return {{body.finish, {opening_of(chunk), ending_of(chunk)}}};
}

/// Returns the frame of the only usage, or nullopt if there are several or it cannot move to the finish.
std::optional<std::size_t> only_usage(const ChatBody& body) {
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < body.done; ++i) {
    const ChatSaid& said = body.frames[i].said;
    if (!said.any_usage()) continue;
    if (only || said.other_usage) return std::nullopt;
    only = i;
  }
  if (!only || !body.finishes()) return std::nullopt;
  for (std::size_t i = std::min(*only, body.finish); i < std::max(*only, body.finish); ++i) {
    if (body.frames[i].kind == ChatFrame::Kind::other) return std::nullopt;
  }
  return only;
}

Json without_usage(Json chunk) {
  chunk.erase("usage");
  return chunk;
}

Json usage_event(const Json& like, const Json& usage) {
  Json event = head_of(like);
  event["choices"] = Json::array();
  event["usage"] = usage;
  return event;
}

ChatReplacements pack_usage(const ChatBody& body, DeltaLayout packing) {
  const auto found = only_usage(body);
  if (!found) return {};
  const std::size_t place = *found;
  const std::size_t finish = body.finish;
  const Json& usage = body.chunk(place)["usage"];
  Json finishing = without_usage(body.chunk(finish));
  const Json event = usage_event(finishing, usage);
  ChatReplacements replacements;
  if (place != finish) replacements[place] = kept(body, place, without_usage(body.chunk(place)));
  switch (packing) {
    case DeltaLayout::usage_with_finish:
      if (place == finish) return {};
      finishing["usage"] = usage;
      replacements[finish] = {finishing};
      return replacements;
    case DeltaLayout::usage_before:
      if (place < finish) return {};
      replacements[finish] = {event, finishing};
      return replacements;
    default:
      if (place > finish && !body.frames[place].said.choice) return {};
      if (place > finish) {
        replacements[place].push_back(event);
      } else {
        replacements[finish] = {finishing, event};
      }
      return replacements;
  }
}

/// Returns `chunk` without the role.
Json without_role(Json chunk) {
  choice_of(chunk)["delta"].erase("role");
  return chunk;
}

ChatReplacements part_role(const ChatBody& body) {
  const ChatFrame& frame = body.frames[body.role];
  if (!speaks(frame) && !frame.said.finish) return {};
  Json alone = head_of(*frame.chunk);
  Json& delta = choice_of(alone)["delta"];
  delta["role"] = choice_of(*frame.chunk)["delta"]["role"];
  delta["content"] = "";
  return {{body.role, {alone, without_role(*frame.chunk)}}};
}

ChatReplacements fuse_role(const ChatBody& body) {
  if (!body.frames[body.role].is_transparent()) return {};
  std::size_t next = body.role + 1;
  while (next < body.frames.size() && body.frames[next].is_transparent()) ++next;
  if (next == body.frames.size() || !speaks(body.frames[next])) return {};
  Json fused = body.chunk(next);
  Json delta = Json::object();
  delta["role"] = choice_of(body.chunk(body.role))["delta"]["role"];
  for (const auto& [key, value] : choice_of(fused)["delta"].items()) {
    if (key != "role") delta[key] = value;
  }
  choice_of(fused)["delta"] = delta;
  return {{body.role, kept(body, body.role, without_role(body.chunk(body.role)))}, {next, {fused}}};
}

ChatReplacements pack_role(const ChatBody& body, DeltaLayout packing) {
  if (body.role == body.frames.size()) return {};
  if (packing == DeltaLayout::role_first_alone) return part_role(body);
  if (packing == DeltaLayout::role_fused) return fuse_role(body);
  ChatReplacements replacements;
  for (std::size_t i = body.role; i < body.frames.size(); ++i) {
    if (body.frames[i].said.role) replacements[i] = kept(body, i, without_role(body.chunk(i)));
  }
  return replacements;
}

using Neighbours = std::vector<const ChatRun*>;

/// Two or more successive runs that begin regular calls.
std::vector<Neighbours> neighbours(const ChatBody& body, const RechunkedCalls& calls,
                                   const std::vector<ChatRun>& runs) {
  std::vector<Neighbours> groups;
  const ChatRun* previous = nullptr;
  for (const ChatRun& run : runs) {
    if (!begins_regular_call(body, calls, run)) {
      previous = nullptr;
      continue;
    }
    const auto first = [&](const ChatRun& of) { return calls.calls[*of.call].first; };
    const bool follows =
        previous != nullptr &&
        body.transparent_between(previous->events.empty() ? first(*previous) : previous->events.back(),
                                 first(run)) &&
        !body.frames[first(*previous)].said.any_usage();
    if (!follows) groups.emplace_back();
    groups.back().push_back(&run);
    previous = &run;
  }
  std::erase_if(groups, [](const Neighbours& group) { return group.size() < 2; });
  return groups;
}

Json element_of(const Json& chunk) { return choice_of(chunk)["delta"]["tool_calls"][0]; }

void join_starts(const ChatBody& body, const RechunkedCalls& calls, const Neighbours& group,
                 ChatReplacements& replacements) {
  std::vector<Json> elements;
  for (const ChatRun* run : group) {
    const std::size_t first = calls.calls[*run->call].first;
    elements.push_back(element_of(body.chunk(first)));
    replacements[first] = kept(body, first, emptied(body.chunk(first)));
  }
  const std::size_t start = calls.calls[*group.front()->call].first;
  replacements[start] = dealt(body.chunk(start), {calling(elements)});
}

/// Returns the text in three parts, without empty ones.
std::vector<std::string> thirds(const std::u16string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    std::size_t end = text.size() * i / 3;
    if (end < text.size() && !split::begins_character(text, end)) --end;
    if (end > begin) parts.push_back(split::narrow(text.substr(begin, end - begin)));
    begin = std::max(begin, end);
  }
  return parts;
}

void interleave(const ChatBody& body, const RechunkedCalls& calls, const Neighbours& group,
                ChatReplacements& replacements) {
  std::vector<Json> deltas;
  std::array<std::vector<std::string>, 2> parts;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t first = calls.calls[*group[i]->call].first;
    deltas.push_back(calling({with_arguments(body.chunk(first), "")}));
    parts[i] = thirds(group[i]->text);
    replacements[first] = kept(body, first, emptied(body.chunk(first)));
    for (const std::size_t frame : group[i]->events)
      replacements[frame] = kept(body, frame, emptied(body.chunk(frame)));
  }
  for (std::size_t part = 0; part < 3; ++part) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (part >= parts[i].size()) continue;
      deltas.push_back(calling({continuation(calls.calls[*group[i]->call], parts[i][part])}));
    }
  }
  const std::size_t start = calls.calls[*group.front()->call].first;
  replacements[start] = dealt(body.chunk(start), deltas);
}

}  // namespace

std::string_view label_of(DeltaLayout packing) { return kNames[static_cast<std::size_t>(packing)]; }

ChatReplacements pack(const ChatBody& body, const RechunkedCalls& calls, const std::vector<ChatRun>& runs,
                      DeltaLayout packing) {
  switch (packing) {
    case DeltaLayout::finish_fused:
    case DeltaLayout::finish_alone:
    case DeltaLayout::finish_repeated:
      return pack_finish(body, packing);
    case DeltaLayout::usage_with_finish:
    case DeltaLayout::usage_after:
    case DeltaLayout::usage_before:
      return pack_usage(body, packing);
    case DeltaLayout::role_first_alone:
    case DeltaLayout::role_fused:
    case DeltaLayout::role_never:
      return pack_role(body, packing);
    default: {
      ChatReplacements replacements;
      for (const Neighbours& group : neighbours(body, calls, runs)) {
        if (packing == DeltaLayout::tools_one_chunk) join_starts(body, calls, group, replacements);
        if (packing == DeltaLayout::tools_interleaved) interleave(body, calls, group, replacements);
      }
      return replacements;
    }
  }
}

}  // namespace splitproof::dialect
