#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

#include "proxy/dialect/answer.hpp"
#include "proxy/dialect/anthropic_messages/order.hpp"
#include "proxy/dialect/anthropic_messages/reader.hpp"
#include "proxy/dialect/anthropic_messages/told_calls.hpp"
#include "proxy/dialect/anthropic_messages/writer.hpp"
#include "proxy/dialect/kiro_eventstream/reader.hpp"
#include "proxy/dialect/knobs.hpp"
#include "proxy/dialect/ollama_chat/framer.hpp"
#include "proxy/dialect/ollama_chat/reader.hpp"
#include "proxy/dialect/openai_chat/order.hpp"
#include "proxy/dialect/openai_chat/reader.hpp"
#include "proxy/dialect/openai_chat/writer.hpp"
#include "proxy/dialect/openai_responses/order.hpp"
#include "proxy/dialect/openai_responses/reader.hpp"
#include "proxy/dialect/openai_responses/writer.hpp"
#include "proxy/dialect/told_item.hpp"
#include "proxy/limits.hpp"
#include "proxy/names/tool_map.hpp"
#include "proxy/names/tool_places.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/request/renaming.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/event_stream_framer.hpp"
#include "proxy/wire/sse_framer.hpp"

namespace splitproof::proxy::dialect {

// The one place that names the protocols. CONTRIBUTING.md says what each part has to provide.

using Framer = std::variant<wire::SseFramer, wire::EventStreamFramer, OllamaFramer>;  // bytes to frames
using Reader = std::variant<ChatReader, OllamaReader, AnthropicReader, ResponsesReader,
                            KiroReader>;                                    // frames to the events of a turn
using Writer = std::variant<AnthropicWriter, ResponsesWriter, ChatWriter>;  // the steps of a turn to bytes
using Order = std::variant<ChatOrder, AnthropicOrder,
                           ResponsesOrder>;  // what of a stream may be passed on to a client of its protocol

/// How names of tools are changed in what is passed on.
struct ToolsInPlace {
  names::FindPlaces request;
  names::FindPlaces answer;  ///< a whole one
  /// Of a stream. `map`: the tools of its request that are in force.
  ToldCalls (*calls)(names::ToolMap map, const Limits& limits);
};

/// A protocol as upstreams speak it.
struct UpstreamRow {
  std::string_view protocol;
  std::string_view title;         ///< for people
  std::string_view path;          ///< of its requests, under the upstream's base URL
  std::string_view example_base;  ///< such a URL
  std::string_view
      key_header;  ///< the header of its requests that has the key, up to that: "Authorization: Bearer "
  std::string_view header;  ///< another one that its requests need; empty: none
  Framer (*framer)(const Limits& limits);
  Reader (*reader)(const Knobs& knobs, const Limits& limits);
  /// Refuses what would change the answer if it were left out.
  tl::expected<std::string, request::Refusal> (*write_request)(const request::Asked& asked,
                                                               const Knobs& knobs);
  /// Of a stream that is passed on; null: there is no client of this protocol.
  Order (*order)(const turn::Rules& rules, const Knobs& knobs, const request::Reply& reply) = nullptr;
  const ToolsInPlace* tools_in_place = nullptr;     ///< null: they are not, and it is translated
  std::string_view accepted = "text/event-stream";  ///< the media type of its streams
  request::ToolNames tool_names = {};               ///< those that it takes
  bool says_choice = false;  ///< `write_request` says the choice of tools in words: the protocol has none
  bool takes_stops = true;   ///< false: its requests have no place for texts that end the answer
};

/// A protocol as clients speak it.
struct ClientRow {
  std::string_view protocol;
  std::string_view title;       ///< for people
  std::string_view path;        ///< of its requests
  std::string_view key_header;  ///< its own header for the key
  std::string_view
      own_headers;  ///< what the names of those begin with that mean something to the upstream, in lower case
  turn::Layout layout;  ///< of its messages
  Writer (*writer)(const Knobs& knobs, const request::Reply& reply);
  tl::expected<request::Asked, request::Refusal> (*read_request)(std::string_view body, const Limits& limits);
  /// An error in place of a stream.
  Answer (*error)(turn::ErrorKind kind, std::string_view message);
  /// That of a request that is refused.
  Answer (*refused)(const request::Refusal& refusal);
  /// The error of a stream, if it is all that a stream of `writer` says.
  std::optional<Answer> (*lone_error)(std::string_view stream);
  /// Whether a body has the form of an error in place of a stream.
  bool (*is_error)(std::string_view body);
  /// What a whole stream of `writer` says, for a client that did not ask for one.
  Answer (*whole_answer)(std::string_view stream);
  /// The body with items in place of references to them, if it has such; null: the protocol has no references.
  std::optional<std::string> (*resolve)(const std::string& body, std::size_t depth,
                                        const FindToldItem& find) = nullptr;
};

/// All of them; the first is the default.
std::span<const UpstreamRow> upstreams();
std::span<const ClientRow> clients();

/// The one of this protocol; null: there is none.
const UpstreamRow* find_upstream(std::string_view protocol);
const ClientRow* find_client(std::string_view protocol);

}  // namespace splitproof::proxy::dialect
