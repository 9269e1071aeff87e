#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/recut_chunk.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// A block of lines of an event stream with its blank line.
struct ChatFrame {
  enum class Kind : std::uint8_t {
    chunk,   ///< One line `data: {...}` with a chunk that can be recut.
    done,    ///< The line `data: [DONE]`.
    silent,  ///< Only comments or nothing.
    other    ///< Anything different, which stays unchanged and which no text may pass.
  };
  Kind kind = Kind::other;
  std::string_view bytes;                               ///< The whole block.
  std::string_view before;                              ///< Chunks only: bytes before the JSON text.
  std::string_view after;                               ///< Chunks only: bytes after the JSON text.
  std::shared_ptr<const nlohmann::ordered_json> chunk;  ///< Chunks only.
  ChatSaid said;                                        ///< Chunks only.

  bool is_chunk() const { return kind == Kind::chunk; }
  /// Returns the event with another chunk.
  std::string with(const nlohmann::ordered_json& other) const;
  /// True if text may move past it, because it has no content except the role.
  bool is_transparent() const {
    return kind == Kind::silent ||
           (is_chunk() && said.voice == ChatVoice::none && !said.finish && !said.any_usage());
  }
};

/// A split Chat Completions body. It holds views into the body.
struct ChatBody {
  std::vector<ChatFrame> frames;  ///< Joined, they are the body.
  std::size_t done = 0;           ///< Index of `[DONE]`, or the number of frames.
  std::size_t finish = 0;         ///< First frame with a finish before `done`, or `done`.
  std::size_t role = 0;           ///< First frame with the role, or the number of frames.

  std::size_t opening = 0;  ///< First frame with a choice, or the number of frames.
  bool one_model = true;    ///< All chunks have the same model.

  const nlohmann::ordered_json& chunk(std::size_t frame) const { return *frames[frame].chunk; }
  bool finishes() const { return finish < frames.size() && frames[finish].said.finish; }
  /// True if all frames strictly between are transparent.
  bool transparent_between(std::size_t begin, std::size_t end) const;
};

/// Splits any bytes into lines as in the WHATWG standard.
ChatBody read_chat_body(std::string_view body);

/// Replacements of chunks by frame.
using ChatReplacements = std::map<std::size_t, std::vector<nlohmann::ordered_json>>;

/// Returns the replacement of a frame by `chunk`. Returns nothing if the chunk adds no information and the
/// frame did not name the model.
std::vector<nlohmann::ordered_json> kept(const ChatBody& body, std::size_t frame,
                                         const nlohmann::ordered_json& chunk);

/// Returns the body with these replacements. A new chunk keeps the bytes around the old one. Unchanged frames
/// keep their bytes.
split::Recut rewrite(const ChatBody& body, const ChatReplacements& replacements);

}  // namespace splitproof::dialect
