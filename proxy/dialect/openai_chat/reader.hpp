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

/// Reads an OpenAI Chat Completions stream into the canonical turn (`chat.completion.chunk` objects, then `[DONE]`).
///
/// Only choice 0 is read, all its entries in a chunk, and an answer that has others alone is a failure. A `message` beside the
/// deltas repeats them, unless they said nothing, or lack a call that it has. Within one chunk thinking comes before text,
/// and text before calls. Fields of an unexpected type count as absent, unknown fields and empty strings as nothing. An
/// event that is not a JSON object is a failure, unless it has a name of its own, or the body ended inside it: then it is
/// nothing, and how the body ended decides. A bare body is the error that it reports: any but an answer does.
///
/// What prose and arguments say is WTF-8, since a surrogate may come alone (`wire::SurrogateJoiner`). All
/// other text is UTF-8.
class ChatReader {
 public:
  ChatReader(SameIndexNewId same_index_new_id, Limits limits)
      : same_index_new_id_(same_index_new_id), limits_(limits), thoughts_(limits.parts) {}

  /// Reads one frame and appends what it says.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  bool operator==(const ChatReader&) const = default;

 private:
  void read_bare_body(const wire::Json& object, std::vector<turn::Event>& events) const;
  void read_chunk(const wire::Json& chunk, bool named_error, std::vector<turn::Event>& events);
  std::vector<wire::Json> first_choices(const wire::Json& choices);
  void read_delta(const wire::Json& delta, std::vector<turn::Event>& events);
  void read_content(const wire::Json& content, std::vector<turn::Event>& events);
  void read_message(const wire::Json& message, std::vector<turn::Event>& events);
  void add_usage(const wire::Json& usage, std::vector<turn::Event>& events);
  void read_calls(const wire::Json& delta, std::vector<turn::Event>& events);
  void read_call(const wire::Json& function, ChatCallMark mark, std::size_t place,
                 std::vector<turn::Event>& events);

  SameIndexNewId same_index_new_id_;
  Limits limits_;
  std::size_t frames_ = 0;      // read so far, for messages
  bool first_chosen_ = false;   // choice 0 has occurred
  bool others_chosen_ = false;  // so has another
  ChatCalls calls_;
  bool begun_ = false;  // a delta said something
  ChatThoughts thoughts_;
  UsageReader usage_{"openai.chat", true};
};

}  // namespace splitproof::proxy::dialect
