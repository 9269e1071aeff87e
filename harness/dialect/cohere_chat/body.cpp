#include "harness/dialect/cohere_chat/body.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// Place of a piece in an event.
struct PiecePlace {
  std::string_view type;
  std::string_view key;
  const char* pointer;
  bool is_numbered;
};

constexpr std::array<PiecePlace, 4> kPlaces{
    {{"content-delta", "text", "/delta/message/content/text", true},
     {"content-delta", "thinking", "/delta/message/content/thinking", true},
     {"tool-plan-delta", "tool_plan", "/delta/message/tool_plan", false},
     {"tool-call-delta", "arguments", "/delta/message/tool_calls/function/arguments", true}}};

/// Returns an event of this type that holds nothing but the piece.
Json bare(const PiecePlace& place, const Json& index, const std::string& piece) {
  Json event = {{"type", place.type}};
  if (place.is_numbered) event["index"] = index;
  event[Json::json_pointer(place.pointer)] = piece;
  return event;
}

void read_piece(CohereFrame& frame) {
  const Json& index = member(*frame.json, "index");
  for (const PiecePlace& place : kPlaces) {
    if (frame.type != place.type || place.is_numbered != index.is_number_unsigned()) continue;
    const Json::json_pointer pointer(place.pointer);
    if (!frame.json->contains(pointer) || !frame.json->at(pointer).is_string()) continue;
    const auto piece = frame.json->at(pointer).get<std::string>();
    // Objects are compared in any order of their keys.
    if (nlohmann::json(*frame.json) != nlohmann::json(bare(place, index, piece))) continue;
    frame.key = place.key;
    frame.piece = piece;
    frame.index = place.is_numbered ? index.get<std::uint64_t>() : 0;
  }
}

}  // namespace

std::string CohereFrame::with_piece(const std::string& other) const {
  Json changed = *json;
  for (const PiecePlace& place : kPlaces)
    if (place.type == type && place.key == key) changed[Json::json_pointer(place.pointer)] = other;
  return with(changed);
}

CohereBody read_cohere_body(std::string_view body) {
  CohereBody all;
  bool started = false;
  bool ended = false;
  for (std::size_t begin = 0; begin < body.size(); begin += all.frames.back().bytes.size()) {
    CohereFrame& frame = all.frames.emplace_back(CohereFrame{event_frame_at(body, begin), {}, {}, 0});
    started = started || frame.type == "message-start";
    if (!started || ended) {
      frame.json = nullptr;
      frame.type.clear();
    }
    if (frame.json == nullptr) continue;
    read_piece(frame);
    if (frame.type != "message-end") continue;
    all.end = all.frames.size() - 1;
    ended = true;
  }
  if (!ended) all.end = all.frames.size();
  return all;
}

}  // namespace splitproof::dialect
