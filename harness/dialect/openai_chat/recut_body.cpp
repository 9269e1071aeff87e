#include "harness/dialect/openai_chat/recut_body.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/line_end.hpp"
#include "harness/split/event_json.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

struct ChunkLine {
  std::string_view content;
  std::size_t end;  ///< One past its line end.
  bool ended;       ///< It has a line end.
};

ChunkLine chat_line_at(std::string_view body, std::size_t begin) {
  const std::size_t content_end = find_line_end(body, begin);
  const std::string_view content = body.substr(begin, content_end - begin);
  if (content_end == body.size()) return {content, content_end, false};
  const bool crlf = body.substr(content_end).starts_with("\r\n");
  return {content, content_end + (crlf ? 2 : 1), true};
}

Json model_of(const Json& chunk) { return chunk.value("model", Json()); }

/// Reads a block's only line that is not a comment.
void read_data_line(std::string_view line, ChatFrame& frame) {
  if (!line.starts_with("data:")) return;
  std::string_view value = line.substr(5);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (value.starts_with("[DONE]") && value.find_first_not_of(" \t", 6) == std::string_view::npos) {
    frame.kind = ChatFrame::Kind::done;
    return;
  }
  frame.chunk = split::parse_event(value);
  std::optional<ChatSaid> said;
  if (frame.chunk != nullptr) said = said_by(*frame.chunk);
  if (!said) return;
  frame.kind = ChatFrame::Kind::chunk;
  frame.said = *std::move(said);
  const auto begin = static_cast<std::size_t>(value.data() - frame.bytes.data());
  frame.before = frame.bytes.substr(0, begin);
  frame.after = frame.bytes.substr(begin + value.size());
}

/// Returns the block that begins at `begin`.
ChatFrame frame_at(std::string_view body, std::size_t begin) {
  std::size_t end = begin;
  std::size_t comments = 0;
  std::vector<std::string_view> lines;
  bool ended = false;
  while (end < body.size() && !ended) {
    const ChunkLine line = chat_line_at(body, end);
    end = line.end;
    ended = line.content.empty();
    if (line.content.starts_with(':')) {
      ++comments;
    } else if (!ended) {
      lines.push_back(line.content);
    }
  }
  ChatFrame frame;
  frame.bytes = body.substr(begin, end - begin);
  if (lines.empty()) {
    frame.kind = ChatFrame::Kind::silent;
  } else if (ended && lines.size() == 1 && comments == 0) {
    read_data_line(lines.front(), frame);
  }
  return frame;
}

}  // namespace

std::string ChatFrame::with(const Json& other) const {
  return std::string(before) + split::write_event(other) + std::string(after);
}

bool ChatBody::transparent_between(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!frames[i].is_transparent()) return false;
  }
  return true;
}

ChatBody read_chat_body(std::string_view body) {
  ChatBody chat;
  for (std::size_t begin = 0; begin < body.size(); begin += chat.frames.back().bytes.size())
    chat.frames.push_back(frame_at(body, begin));
  const auto first = [&](auto holds) {
    const auto found = std::find_if(chat.frames.begin(), chat.frames.end(), holds);
    return static_cast<std::size_t>(found - chat.frames.begin());
  };
  chat.done = first([](const ChatFrame& frame) { return frame.kind == ChatFrame::Kind::done; });
  chat.finish = std::min(chat.done, first([](const ChatFrame& frame) { return frame.said.finish; }));
  chat.role = first([](const ChatFrame& frame) { return frame.said.role; });
  chat.opening = first([](const ChatFrame& frame) { return frame.said.choice; });
  chat.one_model = std::all_of(chat.frames.begin(), chat.frames.end(), [&](const ChatFrame& frame) {
    return !frame.said.choice || model_of(*frame.chunk) == model_of(chat.chunk(chat.opening));
  });
  return chat;
}

std::vector<Json> kept(const ChatBody& body, std::size_t frame, const Json& chunk) {
  const bool names_model = frame == body.opening && !body.one_model;
  if (says_nothing(chunk, body.role < frame) && !names_model) return {};
  return {chunk};
}

split::Recut rewrite(const ChatBody& body, const ChatReplacements& replacements) {
  split::Recut recut;
  for (std::size_t i = 0; i < body.frames.size(); ++i) {
    const ChatFrame& frame = body.frames[i];
    const auto found = replacements.find(i);
    if (found == replacements.end()) {
      recut.append(frame.bytes);
      continue;
    }
    const bool same = found->second.size() == 1 && found->second[0] == *frame.chunk;
    for (const Json& chunk : found->second) recut.append(same ? std::string(frame.bytes) : frame.with(chunk));
  }
  return recut;
}

}  // namespace splitproof::dialect
