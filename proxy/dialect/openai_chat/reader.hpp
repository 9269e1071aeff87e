#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/openai_chat/calls.hpp"
#include "proxy/dialect/openai_chat/thoughts.hpp"
#include "proxy/dialect/usage_member.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads an OpenAI Chat Completions stream into the canonical turn: `chat.completion.chunk` objects, then `[DONE]`.
///
/// It reads choice 0 only, and all entries for it in a chunk. An answer with other choices alone is a failure. A `message`
/// next to the deltas repeats them. It counts if they have no content. A call that they lack counts too. In one chunk,
/// thinking comes before text, and text before calls.
///
/// A field of an unexpected type counts as absent. Unknown fields and empty strings are ignored. Content of an unknown
/// type, images and audio are `Unplaced`. An event that is not a JSON object is a failure. It is ignored if it has a name
/// of its own, or if the body ended inside it. A bare body is an error, unless it is an answer.
///
/// Prose and arguments are WTF-8, since a surrogate may come alone (`wire::SurrogateJoiner`). All other text is UTF-8.
class ChatReader {
 public:
  ChatReader(SameIndexNewId same_index_new_id, Limits limits)
      : same_index_new_id_(same_index_new_id), limits_(limits), thoughts_(limits.parts) {}

  /// Reads one frame and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// Takes the end of the body and appends what waits.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events);

  bool operator==(const ChatReader&) const = default;

 private:
  void read_frame(const wire::Frame& frame, std::vector<turn::Event>& events);
  void read_bare_body(const wire::Json& object, std::vector<turn::Event>& events) const;
  void read_chunk(const wire::Json& chunk, bool named_error, std::vector<turn::Event>& events);
  std::vector<wire::Json> first_choices(const wire::Json& choices);
  void read_delta(const wire::Json& delta, std::vector<turn::Event>& events);
  void read_content(const wire::Json& content, std::vector<turn::Event>& events);
  void read_thought(const wire::Json& part, std::string_view type, std::vector<turn::Event>& events);
  void read_message(const wire::Json& message, std::vector<turn::Event>& events);
  void add_usage(const wire::Json& usage, std::vector<turn::Event>& events);
  void read_calls(const wire::Json& delta, std::vector<turn::Event>& events);
  void read_call(const wire::Json& function, ChatCallMark mark, std::size_t place,
                 std::vector<turn::Event>& events);
  void release_arguments(std::size_t place, std::vector<turn::Event>& events);

  SameIndexNewId same_index_new_id_;
  Limits limits_;
  std::size_t frames_ = 0;      // Frames so far, for messages.
  bool first_chosen_ = false;   // Choice 0 has occurred.
  bool others_chosen_ = false;  // Another choice has occurred.
  ChatCalls calls_;
  bool begun_ = false;  // A delta had content.
  ChatThoughts thoughts_;
  UsageReader usage_{"openai.chat", true};
};

}  // namespace splitproof::proxy::dialect
