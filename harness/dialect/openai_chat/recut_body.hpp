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

/// A block of lines of an event stream with the blank line that ends it.
struct ChatFrame {
  enum class Kind : std::uint8_t {
    chunk,   ///< one line `data: {...}`, and what it says can be recut
    done,    ///< data: [DONE]
    silent,  ///< only comments or nothing
    other    ///< anything else, which is left alone and which no text may pass
  };
  Kind kind = Kind::other;
  std::string_view bytes;                               ///< all of it
  std::string_view before;                              ///< of a chunk: what stands before the JSON text
  std::string_view after;                               ///< of a chunk: what stands behind it
  std::shared_ptr<const nlohmann::ordered_json> chunk;  ///< of a chunk
  ChatSaid said;                                        ///< of a chunk

  bool is_chunk() const { return kind == Kind::chunk; }
  /// The event that has another chunk in the place of its own.
  std::string with(const nlohmann::ordered_json& other) const;
  /// Whether text may be taken from behind it to before it: it says nothing, or the role.
  bool is_transparent() const {
    return kind == Kind::silent ||
           (is_chunk() && said.voice == ChatVoice::none && !said.finish && !said.any_usage());
  }
};

/// A Chat Completions body taken apart. Views into the body that it was read from.
struct ChatBody {
  std::vector<ChatFrame> frames;  ///< joined, they are the body
  std::size_t done = 0;           ///< the frame of `[DONE]`; as many as there are frames where none is
  std::size_t finish = 0;         ///< the first frame that finishes before `done`; `done` where none does
  std::size_t role = 0;  ///< the first frame that says the role; as many as there are where none does

  std::size_t opening = 0;  ///< the first frame with a choice; as many as there are where none has one
  bool one_model = true;    ///< all chunks name the same model

  const nlohmann::ordered_json& chunk(std::size_t frame) const { return *frames[frame].chunk; }
  bool finishes() const { return finish < frames.size() && frames[finish].said.finish; }
  /// Whether all frames strictly between are transparent.
  bool transparent_between(std::size_t begin, std::size_t end) const;
};

/// Takes apart any bytes: lines as the WHATWG standard has them.
ChatBody read_chat_body(std::string_view body);

/// What stands in the place of a chunk, by its frame.
using ChatReplacements = std::map<std::size_t, std::vector<nlohmann::ordered_json>>;

/// What is left of a frame once `chunk` stands in it: nothing, where that says nothing that was not said before
/// and the frame did not name the model.
std::vector<nlohmann::ordered_json> kept(const ChatBody& body, std::size_t frame,
                                         const nlohmann::ordered_json& chunk);

/// The body with these replacements. A new chunk stands between the bytes that its frame had around its own;
/// frames that are not replaced, or by what they were, keep their bytes.
split::Recut rewrite(const ChatBody& body, const ChatReplacements& replacements);

}  // namespace splitproof::dialect
