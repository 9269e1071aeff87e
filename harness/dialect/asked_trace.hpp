#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/asked.hpp"
#include "harness/observe/asked_meaning.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/functions.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::dialect {

/// A request as it was seen, where `begin` to `end` are its bytes and `line` is where they begin.
struct RequestMessage {
  std::string method;                             ///< empty: not known
  std::string path;                               ///< with its query; empty: not known
  std::shared_ptr<const nlohmann::json> headers;  ///< {name: value}, names in lower case; null: not known
  std::shared_ptr<const nlohmann::json> body;     ///< null: it is no JSON
  std::string fault;                              ///< why not, one clause
  std::optional<int> status;  ///< nothing was asked of the upstream, and the client was answered with this
  std::string client;         ///< protocol of the client for whom it is asked; empty: not known
  std::shared_ptr<const nlohmann::json> asked;  ///< body of that client's request; null: not known

  /// What the upstream said in the turn before, which that request holds as the client was told it; null: not known.
  std::shared_ptr<const observe::Answer> answered;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t line = 1;
};

/// How the requests of one protocol are read.
struct RequestDialect {
  std::string_view protocol;
  std::string_view path;  ///< the end of the path that they go to
  observe::AskedRequest (*asked)(const nlohmann::json& body);
  std::uint64_t least_limit = 1;  ///< the smallest limit of tokens that servers take
  bool (*takes_id)(std::string_view id) = observe::is_any_id;  ///< whether servers take such an id of a call
  bool keeps_order = false;  ///< whether a turn has a place for text behind a call
  bool forgets_thinking =
      false;  ///< whether servers leave thinking unread that stands before the last question
};

/// What a request means, beside what its client asked for.
struct ComparedRequests {
  observe::Documents documents;  ///< null where that cannot be told
  std::set<std::string> shapes;  ///< of the client's request
  std::string unread;            ///< why it cannot be told
};

/// What the names of contracts about requests end in.
inline constexpr std::string_view kUpstreamSide = ".upstream";

/// The reader for `PROTOCOL.upstream`; null where requests of the protocol cannot be read, and for any other name.
const RequestDialect* request_reader_of(std::string_view side);

/// Whether the path, without its query, is one that requests of the protocol go to; one that is not known may be.
bool is_request_of(const RequestDialect& reader, const RequestMessage& message);

/// Whether the body of a request to a provider of this protocol asks for a stream; what cannot be read may.
bool asks_for_stream(const std::string& protocol, std::string_view body);

/// Compares the two that a message holds, where the client's is to be said again by these rules.
ComparedRequests compared(const RequestDialect& reader, const RequestMessage& message,
                          const observe::AskedRules& rules = {});

/// The body of a request, which is JSON; null else, and then `fault` says why.
std::shared_ptr<const nlohmann::json> body_of_request(std::string_view text, std::string& fault);

/// A request as rules of the side `upstream` read it: one event, whose type is `asked`, with `protocol`, and, as far as they are known,
/// `method`, `path`, `headers`, `body` and `asked`, which is the body in the form that all dialects share
/// (observe/asked.hpp) and has the banners of a proxy's own as `banners`. Where nothing was asked its type is `uncalled`, with the `status`.
observe::Trace asked_trace(const RequestDialect& reader, const RequestMessage& message);

}  // namespace splitproof::dialect
