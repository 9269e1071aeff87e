#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

// A protocol whose requests and events are messages of a WebSocket connection.

/// A request in such a message.
struct SocketTurn {
  std::string body;      ///< The request as a client posts it, with the whole conversation.
  std::string items;     ///< Items of the conversation with this request, joined by commas.
  std::string previous;  ///< Id of the answer that it continues; empty: none.
  bool generates =
      true;  ///< false: the client only prepares the next request, and wants no answer of the model.
};

/// Returns the items of the conversation up to and with the answer of this id; none if the connection has no such
/// answer.
using FindConversation = std::function<std::optional<std::string_view>(std::string_view id)>;

/// Rules for reading a request.
struct TurnRules {
  std::size_t depth = 0;    ///< Limit of nested JSON.
  std::size_t most = 0;     ///< Limit in bytes of a request with its conversation.
  bool stored_too = false;  ///< The upstream may know answers that the connection does not.
};

/// The meaning of an event for the connection.
struct SocketEvent {
  std::string item;      ///< A complete item of the answer, as a later request repeats it; empty: none.
  std::string answered;  ///< Id of the answer that ends here and can be continued; empty: none.
  std::string output;    ///< All items of that answer, joined by commas, if the event repeats them.
  bool last = false;     ///< The answer is over.
};

/// An error in place of an answer.
struct SocketError {
  Answer answer;
  bool expired = false;  ///< Only the connection is too old. A new one serves the request.
};

struct Socket {
  /// Reads a message of a client. Returns none for a message that needs no answer, and otherwise a request or an error.
  tl::expected<std::optional<SocketTurn>, Answer> (*read_turn)(std::string_view message,
                                                               const TurnRules& rules,
                                                               const FindConversation& find);
  /// Returns an error as a message to a client.
  std::string (*error_message)(const Answer& answer);
  /// Returns the error for a connection that has reached its age limit, in minutes.
  Answer (*too_old)(std::size_t minutes);
  /// Returns the members that a response repeats, with the id of the answer that it continues.
  std::string (*repeat_previous)(std::string members, std::string_view previous);
  /// Reads an event.
  SocketEvent (*read_event)(std::string_view json);
  /// Returns a posted request as a message to an upstream.
  std::string (*request_message)(std::string_view body);
  /// Appends a message of an upstream as an event of an event stream.
  void (*append_event)(std::string& out, std::string_view message);
  /// Returns the error in a message of an upstream, if it is one.
  std::optional<SocketError> (*read_error)(std::string_view message);
  /// True for a header that asks for this transport. It is useless in a posted request.
  bool (*asks_for_socket)(std::string_view name, std::string_view value);
};

}  // namespace splitproof::proxy::dialect
