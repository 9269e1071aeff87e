#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/dialect/client.hpp"
#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// What one event tells of the answer as a whole, as rules of the transport ask.
struct EventMarks {
  bool output = false;   ///< text, thinking or a piece of a call
  bool success = false;  ///< the answer is complete
  bool error = false;    ///< the answer failed

  bool operator==(const EventMarks&) const = default;
};

/// What most servers answer with an error's status: as OpenAI's do.
std::string refusal_of_openai(int status);

/// What the harness knows of one protocol.
struct Dialect {
  std::string_view protocol;                  ///< as recordings, contracts and target files name it
  const UpstreamDialect* upstream = nullptr;  ///< null: the harness cannot read what a provider says
  const Client* client = nullptr;             ///< null: the harness cannot read what a client is told
  std::string (*refusal)(int status) = refusal_of_openai;  ///< what its servers answer with an error's status
  EventMarks (*marks)(const observe::Event& event) = nullptr;  ///< null: only that events came can be told
  bool is_format = false;                                      ///< any provider's, and nobody's protocol
};

/// All dialects, in the order in which lists name them.
std::span<const Dialect> all();

/// The dialect of a protocol; null where there is none.
const Dialect* find(std::string_view protocol);

/// The protocols whose clients the harness plays, as an error's advice lists them: "a or b"; those whose upstreams it
/// reads; and all that it knows.
std::string client_names();
std::string upstream_names();
std::string protocol_names();

/// The sides of a protocol's dialect; null where the harness cannot read them.
const UpstreamDialect* upstream_of(std::string_view protocol);
const Client* client_of(std::string_view protocol);

/// Who deals the bodies of a protocol out anew; null where nobody does.
const split::Rechunker* dealer_of(std::string_view protocol);

/// What the bodies of a protocol are made of: server-sent events, unless more is known.
BodyFormat format_of(std::string_view protocol);

}  // namespace splitproof::dialect
