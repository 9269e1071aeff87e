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
#include "proxy/dialect/bedrock_converse/order.hpp"
#include "proxy/dialect/bedrock_converse/reader.hpp"
#include "proxy/dialect/bedrock_converse/writer.hpp"
#include "proxy/dialect/bedrock_invoke/reader.hpp"
#include "proxy/dialect/google_gemini/framer.hpp"
#include "proxy/dialect/google_gemini/order.hpp"
#include "proxy/dialect/google_gemini/reader.hpp"
#include "proxy/dialect/google_gemini/writer.hpp"
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
#include "proxy/dialect/socket.hpp"
#include "proxy/dialect/told_item.hpp"
#include "proxy/limits.hpp"
#include "proxy/names/tool_map.hpp"
#include "proxy/names/tool_places.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/request/renaming.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/request/target.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/event_stream_framer.hpp"
#include "proxy/wire/sse_framer.hpp"

namespace splitproof::proxy::dialect {

// The only list of the protocols. CONTRIBUTING.md lists the parts of each.

using Framer =
    std::variant<wire::SseFramer, wire::EventStreamFramer, OllamaFramer, GeminiFramer>;  // bytes to frames
using Reader =
    std::variant<ChatReader, OllamaReader, AnthropicReader, ResponsesReader, KiroReader, GeminiReader,
                 ConverseReader, InvokeReader<AnthropicReader>>;  // frames to the events of a turn
using Writer = std::variant<AnthropicWriter, ResponsesWriter, ChatWriter, GeminiWriter,
                            ConverseWriter>;  // the steps of a turn to bytes
using Order = std::variant<ChatOrder, AnthropicOrder, ResponsesOrder, GeminiOrder,
                           ConverseOrder>;  // checks the order of a relayed stream

/// Functions that rename tools in relayed content.
struct ToolsInPlace {
  names::FindPlaces request;
  names::FindPlaces answer;  ///< For a whole answer.
  /// For a stream. `map`: tools of its request with a mapping.
  ToldCalls (*calls)(names::ToolMap map, const Limits& limits);
};

/// A protocol on the upstream's side.
struct UpstreamRow {
  std::string_view protocol;
  std::string_view title;         ///< For people.
  std::string_view path;          ///< Path of its requests, under the upstream's base URL.
  std::string_view example_base;  ///< An example of such a URL.
  std::string_view key_header;    ///< The header with the key, up to the key: "Authorization: Bearer ".
  std::string_view header;        ///< Another required header; empty: none.
  Framer (*framer)(const Limits& limits);
  Reader (*reader)(const Knobs& knobs, const Limits& limits);
  /// Refuses what would change the answer if it were left out.
  tl::expected<std::string, request::Refusal> (*write_request)(const request::Asked& asked,
                                                               const Knobs& knobs);
  /// For a relayed stream; null: no client uses this protocol.
  Order (*order)(const turn::Rules& rules, const Knobs& knobs, const request::Reply& reply) = nullptr;
  const ToolsInPlace* tools_in_place = nullptr;     ///< null: it is translated instead.
  std::string_view accepted = "text/event-stream";  ///< Media type of its streams.
  request::ToolNames tool_names = {};               ///< Tool names that it accepts.
  bool says_choice = false;  ///< `write_request` writes the choice of tools in words: the protocol has none.
  bool takes_stops = true;   ///< false: its requests have no stop texts.
  /// Returns the path under a base URL for a model and the form of the answer, if it depends on them; null: it is
  /// always `path`.
  std::string (*path_for)(std::string_view base, std::string_view model, bool stream) = nullptr;
  const Socket* socket = nullptr;  ///< null: it has no WebSocket.
};

/// A protocol on the client's side.
struct ClientRow {
  std::string_view protocol;
  std::string_view title;        ///< For people.
  std::string_view path;         ///< Path of its requests.
  std::string_view key_header;   ///< Its own header for the key.
  std::string_view own_headers;  ///< Prefix, in lower case, of headers with a meaning for the upstream.
  turn::Layout layout;           ///< Layout of its messages.
  Writer (*writer)(const Knobs& knobs, const request::Reply& reply);
  tl::expected<request::Asked, request::Refusal> (*read_request)(std::string_view body, const Limits& limits);
  /// Returns an error in place of a stream.
  Answer (*error)(turn::ErrorKind kind, std::string_view message);
  /// Returns the error of a refused request.
  Answer (*refused)(const request::Refusal& refusal);
  /// Returns the error of a stream by `writer` that contains nothing more.
  std::optional<Answer> (*lone_error)(std::string_view stream);
  /// True if a body has the form of an error in place of a stream.
  bool (*is_error)(std::string_view body);
  /// Returns the content of a whole stream by `writer`, for a client without a stream.
  Answer (*whole_answer)(std::string_view stream);
  /// Returns the body with items in place of references, if it has any; null: the protocol has no references.
  std::optional<std::string> (*resolve)(const std::string& body, std::size_t depth,
                                        const FindToldItem& find) = nullptr;
  /// Changes the status of an error, also in the body if that repeats it.
  void (*set_status)(Answer& answer, int status) = dialect::set_status;
  /// True for a path that belongs to the protocol; null: there is only `path`.
  bool (*owns)(std::string_view path) = nullptr;
  /// Reads facts of a request from its target, or returns nothing if the target is for another purpose. null: the body
  /// has these facts.
  std::optional<request::Target> (*read_target)(std::string_view path, std::string_view query) = nullptr;
  std::string_view key_member = {};  ///< Member of the query that may have the key; empty: none.
  std::string_view stream_type = "text/event-stream";  ///< Media type of its streams.
  const Socket* socket = nullptr;                      ///< null: it has no WebSocket.
};

/// Return all rows; the first is the default.
std::span<const UpstreamRow> upstreams();
std::span<const ClientRow> clients();

/// Return the row of this protocol, or null.
const UpstreamRow* find_upstream(std::string_view protocol);
const ClientRow* find_client(std::string_view protocol);

}  // namespace splitproof::proxy::dialect
