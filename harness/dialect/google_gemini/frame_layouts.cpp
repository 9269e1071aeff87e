#include "harness/dialect/google_gemini/frame_layouts.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// A frame of the body as it changes.
struct EditedFrame {
  std::size_t frame;
  std::optional<Json> json;  ///< nullopt: comments.
};

split::Recut written_body(const GeminiBody& body, std::vector<EditedFrame> frames) {
  std::vector<GeminiElement> elements;
  for (EditedFrame& frame : frames)
    elements.push_back(
        {frame.frame, frame.json ? std::make_shared<const Json>(*std::move(frame.json)) : nullptr});
  return body.with(elements);
}

/// Returns the frames, or nullopt if one of them cannot be rewritten, or if the answer has no single end.
std::optional<std::vector<EditedFrame>> editable_frames(const GeminiBody& body) {
  std::vector<EditedFrame> frames;
  std::size_t ends = 0;
  bool ended = false;
  for (std::size_t i = 0; i < body.frames.size(); ++i) {
    const GeminiFrame& frame = body.frames[i];
    if (!frame.json && !frame.says_nothing) return std::nullopt;
    frames.push_back({i, frame.json ? std::optional(*frame.json) : std::nullopt});
    if (!frame.json) continue;
    if (candidate_of(*frame.json) == nullptr && frame.json->contains("candidates")) return std::nullopt;
    const Json* parts = parts_of(*frame.json);
    if (ended && parts != nullptr && !parts->empty()) return std::nullopt;
    if (has_finish(*frame.json)) ++ends;
    ended = ends > 0;
  }
  return ends == 1 ? std::optional(std::move(frames)) : std::nullopt;
}

split::Recut gemini_unchanged(const GeminiBody& body) {
  split::Recut same;
  for (const GeminiFrame& frame : body.frames) same.append(frame.bytes);
  return same;
}

bool has_parts(const EditedFrame& frame) {
  const Json* parts = frame.json ? parts_of(*frame.json) : nullptr;
  return parts != nullptr && !parts->empty();
}

/// True if the candidate has members other than its content, which stay in their frame.
bool has_gemini_notes(const Json& frame) {
  const Json& candidate = *candidate_of(frame);
  return candidate.size() > candidate.count("content") + candidate.count("index");
}

/// True if the frame has counts of tokens, which replace those of earlier frames.
bool has_counts(const Json& frame) {
  const Json& usage = member(frame, "usageMetadata");
  return usage.is_object() && std::any_of(usage.items().begin(), usage.items().end(), [](const auto& count) {
           return count.key().ends_with("TokenCount");
         });
}

/// Moves the members of a candidate, except its content, from one frame to another.
void move_end(Json& from, Json& to) {
  Json& candidate = from["candidates"][0];
  const Json members = candidate;
  for (const auto& [key, value] : members.items()) {
    if (key == "content" || key == "index") continue;
    to["candidates"][0][key] = value;
    candidate.erase(key);
  }
  if (!from.contains("usageMetadata")) return;
  to["usageMetadata"] = from["usageMetadata"];
  from.erase("usageMetadata");
}

split::Recut parts_joined(const GeminiBody& body) {
  auto frames = editable_frames(body);
  if (!frames) return gemini_unchanged(body);
  std::optional<std::size_t> last;
  Json parts = Json::array();
  Json counts = Json::object();
  for (std::size_t i = 0; i < frames->size(); ++i) {
    if (!has_parts((*frames)[i])) continue;
    if (last && has_gemini_notes(*(*frames)[*last].json)) return gemini_unchanged(body);
    const Json& json = *(*frames)[i].json;
    if (last && member(json, "modelVersion") != member(*(*frames)[*last].json, "modelVersion"))
      return gemini_unchanged(body);
    for (const Json& part : *parts_of(json)) parts.push_back(part);
    if (has_counts(json)) counts = json["usageMetadata"];
    last = i;
  }
  if (!last) return gemini_unchanged(body);
  if (!counts.empty()) (*(*frames)[*last].json)["usageMetadata"] = counts;
  std::vector<EditedFrame> kept;
  for (std::size_t i = 0; i < frames->size(); ++i) {
    EditedFrame& frame = (*frames)[i];
    if (i == *last) frame.json = with_parts(*std::move(frame.json), parts);
    if (i == *last || !has_parts(frame)) kept.push_back(std::move(frame));
  }
  return written_body(body, std::move(kept));
}

split::Recut parts_apart(const GeminiBody& body) {
  auto frames = editable_frames(body);
  if (!frames) return gemini_unchanged(body);
  std::vector<EditedFrame> divided;
  for (EditedFrame& frame : *frames) {
    const Json parts = has_parts(frame) ? *parts_of(*frame.json) : Json::array();
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
      divided.push_back({frame.frame, head_of(*frame.json, Json::array({parts[i]}))});
    if (parts.size() > 1) frame.json = with_parts(*std::move(frame.json), Json::array({parts.back()}));
    divided.push_back(std::move(frame));
  }
  return written_body(body, std::move(divided));
}

split::Recut finish_apart(const GeminiBody& body) {
  auto frames = editable_frames(body);
  if (!frames) return gemini_unchanged(body);
  const auto end = std::find_if(frames->begin(), frames->end(), [](const EditedFrame& frame) {
    return frame.json && has_finish(*frame.json);
  });
  if (!has_parts(*end)) return gemini_unchanged(body);
  Json last = head_of(*end->json, Json::array({{{"text", ""}}}));
  move_end(*end->json, last);
  const std::size_t number = end->frame;
  frames->insert(end + 1, {number, std::move(last)});
  return written_body(body, *std::move(frames));
}

split::Recut finish_fused(const GeminiBody& body) {
  auto frames = editable_frames(body);
  if (!frames) return gemini_unchanged(body);
  const auto end = std::find_if(frames->begin(), frames->end(), [](const EditedFrame& frame) {
    return frame.json && has_finish(*frame.json);
  });
  const auto silent = [](const EditedFrame& frame) {
    const Json* parts = parts_of(*frame.json);
    return parts == nullptr || std::all_of(parts->begin(), parts->end(), [](const Json& part) {
             return part.size() == 1 && string_at(part, "text").empty() && part.contains("text");
           });
  };
  if (end == frames->begin() || !silent(*end) || !has_parts(*(end - 1))) return gemini_unchanged(body);
  if (member(*end->json, "modelVersion") != member(*(end - 1)->json, "modelVersion"))
    return gemini_unchanged(body);
  move_end(*end->json, *(end - 1)->json);
  frames->erase(end);
  return written_body(body, *std::move(frames));
}

split::Recut usage_moved(const GeminiBody& body, bool each) {
  auto frames = editable_frames(body);
  if (!frames) return gemini_unchanged(body);
  Json counts = Json::object();
  for (const EditedFrame& frame : *frames)
    if (frame.json && has_counts(*frame.json)) counts = (*frame.json)["usageMetadata"];
  if (counts.empty()) return gemini_unchanged(body);
  EditedFrame* last = nullptr;
  for (EditedFrame& frame : *frames) {
    if (!frame.json) continue;
    if (each) (*frame.json)["usageMetadata"] = counts;
    if (!each) frame.json->erase("usageMetadata");
    last = &frame;
  }
  (*last->json)["usageMetadata"] = counts;
  return written_body(body, *std::move(frames));
}

split::Recut usage_on_each(const GeminiBody& body) { return usage_moved(body, true); }
split::Recut usage_on_last(const GeminiBody& body) { return usage_moved(body, false); }

}  // namespace

std::span<const FrameLayout> frame_layouts() {
  static constexpr std::array<FrameLayout, 6> kAll = {{{"parts:joined", parts_joined},
                                                       {"parts:apart", parts_apart},
                                                       {"finish:apart", finish_apart},
                                                       {"finish:fused", finish_fused},
                                                       {"usage:each", usage_on_each},
                                                       {"usage:last", usage_on_last}}};
  return kAll;
}

}  // namespace splitproof::dialect
