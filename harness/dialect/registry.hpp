#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/dialect/client.hpp"
#include "harness/dialect/socket_form.hpp"
#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// Properties of an answer that one event shows, for rules of the transport.
struct EventMarks {
  bool output = false;   ///< Text, thinking or a piece of a call.
  bool success = false;  ///< The answer is complete.
  bool error = false;    ///< The answer failed.

  bool operator==(const EventMarks&) const = default;
};

/// Returns the body with which most servers answer an error status, as OpenAI's do.
std::string refusal_of_openai(int status);

/// The harness's support for one protocol.
struct Dialect {
  std::string_view protocol;                  ///< Name in recordings, contracts and target files.
  const UpstreamDialect* upstream = nullptr;  ///< null: the harness cannot read the provider's answers.
  const Client* client = nullptr;             ///< null: the harness cannot read the client's answers.
  std::string (*refusal)(int status) = refusal_of_openai;  ///< Returns its servers' body for an error status.
  EventMarks (*marks)(const observe::Event& event) = nullptr;  ///< null: nothing is known of an event.
  bool is_format = false;                                      ///< A format of any provider, not a protocol.
  /// The project's recordings have irregularities that no client's contract knows.
  bool has_irregular_recordings = false;
  const SocketForm* socket = nullptr;  ///< null: it is not spoken over WebSocket.
};

/// Returns all dialects, in the order for lists.
std::span<const Dialect> all();

/// Returns the dialect of a protocol, or null.
const Dialect* find(std::string_view protocol);

/// Return lists of protocols for messages, "a or b": those whose clients the harness plays, those whose
/// upstreams it reads, and all.
std::string client_names();
std::string upstream_names();
std::string protocol_names();

/// Return the sides of a protocol's dialect, or null if the harness cannot read them.
const UpstreamDialect* upstream_of(std::string_view protocol);
const Client* client_of(std::string_view protocol);

/// Returns how the protocol is spoken over WebSocket, or null if it is not.
const SocketForm* socket_form_of(std::string_view protocol);

/// Returns the list of the protocols that are, for messages: "a or b".
std::string socket_names();

/// Returns the dealer for bodies of a protocol, or null.
const split::Rechunker* dealer_of(std::string_view protocol);

/// Returns the format of a protocol's bodies. The default is server-sent events.
BodyFormat format_of(std::string_view protocol);

}  // namespace splitproof::dialect
