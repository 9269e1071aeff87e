#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/chat_calls.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::dialect {

/// Reads an OpenAI Chat Completions stream into the canonical turn (`chat.completion.chunk` objects, then `[DONE]`).
///
/// Only choice 0 is read. Within one chunk thinking comes before text, and text before calls. Fields of an unexpected
/// type count as absent, unknown fields and empty strings as nothing. An event that is not a JSON object is a failure,
/// unless it has a name of its own, or the body ended inside it: then it is nothing, and how the body ended decides.
///
/// JSON is read as RFC 7493 restricts it: a number beyond the range of a double, or the escape of half a surrogate pair,
/// is not JSON here.
class ChatReader {
 public:
  ChatReader(SameIndexNewId same_index_new_id, Limits limits)
      : same_index_new_id_(same_index_new_id), limits_(limits) {}

  /// Reads one frame and appends what it says.
  void read(const wire::SseFrame& frame, std::vector<turn::Event>& events);

  bool operator==(const ChatReader&) const = default;

 private:
  void read_chunk(const nlohmann::json& chunk, std::string_view text, bool named_error,
                  std::vector<turn::Event>& events);
  void read_delta(const nlohmann::json& delta, std::string_view text, std::size_t position,
                  std::vector<turn::Event>& events);
  void read_calls(const nlohmann::json& delta, std::string_view text, std::size_t position,
                  std::vector<turn::Event>& events);
  void read_call(const nlohmann::json& function, ChatCallMark mark, std::size_t place,
                 std::string_view raw_function, std::vector<turn::Event>& events);

  SameIndexNewId same_index_new_id_;
  Limits limits_;
  std::size_t frames_ = 0;  // read so far, for messages
  ChatCalls calls_;
};

}  // namespace splitproof::dialect
