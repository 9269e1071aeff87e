#include "harness/dialect/anthropic_messages/body.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// Reads a delta that only has text of its block's kind.
void read_piece(const std::string& block, AnthropicFrame& frame) {
  struct Piece {
    std::string_view type;
    const char* key;
  };
  constexpr Piece kPieces[] = {
      {"text_delta", "text"}, {"thinking_delta", "thinking"}, {"input_json_delta", "partial_json"}};
  const Json& delta = member(*frame.json, "delta");
  const std::string type = string_at(delta, "type");
  for (const Piece& piece : kPieces) {
    if (piece.type != type || !member(delta, piece.key).is_string()) continue;
    if (delta.size() != 2 || frame.json->size() != 3) continue;
    if (piece.key == std::string_view("partial_json") ? !block.ends_with("tool_use") : piece.key != block)
      continue;
    frame.key = piece.key;
    frame.piece = string_at(delta, piece.key);
  }
}

}  // namespace

AnthropicBody read_anthropic_body(std::string_view body) {
  AnthropicBody all;
  std::map<std::uint64_t, std::size_t> open;  // by number
  bool started = false;
  bool ended = false;
  bool spliced = false;  // another message begins in it
  std::string id;        // id of the message
  for (std::size_t begin = 0; begin < body.size(); begin += all.frames.back().bytes.size()) {
    AnthropicFrame& frame = all.frames.emplace_back(AnthropicFrame{event_frame_at(body, begin), 0, {}, {}});
    if (frame.says_nothing) frame.type = "ping";
    if (frame.type == "message_start") {
      const std::string own = string_at(member(*frame.json, "message"), "id");
      spliced = spliced || (started && own != id);
      id = own;
      started = true;
    }
    if (ended || !started) {
      frame.json = nullptr;
      frame.type.clear();
    }
    if (frame.json == nullptr) continue;
    if (frame.type == "message_stop") {
      all.stop = all.frames.size() - 1;
      ended = true;
    }
    if (!frame.is_of_block()) continue;
    const Json& index = member(*frame.json, "index");
    if (frame.type == "content_block_start" && index.is_number_unsigned()) {
      open[index.get<std::uint64_t>()] = all.blocks.size();
      all.blocks.push_back(string_at(member(*frame.json, "content_block"), "type"));
    }
    const auto found = index.is_number_unsigned() ? open.find(index.get<std::uint64_t>()) : open.end();
    if (found == open.end()) {
      frame.json = nullptr;
      frame.type.clear();
      continue;
    }
    frame.block = found->second;
    if (frame.type == "content_block_delta") read_piece(all.blocks[frame.block], frame);
    if (frame.type == "content_block_stop") open.erase(found);
  }
  if (!ended || spliced) all.stop = all.frames.size();
  return all;
}

}  // namespace splitproof::dialect
