#include "harness/dialect/anthropic_messages/body.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/split/event_json.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// One past the line that begins at `begin`, and what it says.
std::pair<std::size_t, std::string_view> line_at(std::string_view body, std::size_t begin) {
  const std::size_t end = std::min(body.find_first_of("\r\n", begin), body.size());
  const std::string_view line = body.substr(begin, end - begin);
  if (end == body.size()) return {end, line};
  return {end + (body.substr(end).starts_with("\r\n") ? 2 : 1), line};
}

/// The block that begins at `begin`.
AnthropicFrame frame_at(std::string_view body, std::size_t begin) {
  std::size_t end = begin;
  bool says = false;  // anything but comments
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
  AnthropicFrame frame;
  frame.bytes = body.substr(begin, end - begin);
  if (!says) frame.type = "ping";
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

/// What a delta says, if it says text and nothing else, and its block is of that kind.
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

std::string AnthropicFrame::with(const Json& other) const {
  if (other == *json) return std::string(bytes);
  return std::string(before) + split::write_event(other) + std::string(after);
}

std::string AnthropicFrame::beside(const Json& other) const {
  const std::string_view line_end = after.substr(0, after.size() / 2);
  const bool named = before.starts_with("event:");
  return (named ? "event: " + string_at(other, "type") + std::string(line_end) : "") +
         "data: " + split::write_event(other) + std::string(after);
}

AnthropicBody read_anthropic_body(std::string_view body) {
  AnthropicBody all;
  std::map<std::uint64_t, std::size_t> open;  // by number
  bool started = false;
  bool ended = false;
  for (std::size_t begin = 0; begin < body.size(); begin += all.frames.back().bytes.size()) {
    AnthropicFrame& frame = all.frames.emplace_back(frame_at(body, begin));
    started = started || frame.type == "message_start";
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
  if (!ended) all.stop = all.frames.size();
  return all;
}

split::Recut rewrite(const AnthropicBody& body, const AnthropicReplacements& replacements) {
  split::Recut recut;
  for (std::size_t i = 0; i < body.frames.size(); ++i) {
    const auto found = replacements.find(i);
    if (found == replacements.end()) {
      recut.append(body.frames[i].bytes);
    } else {
      for (const std::string& event : found->second) recut.append(event);
    }
  }
  return recut;
}

}  // namespace splitproof::dialect
