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

/// A captured request with its bytes `begin` to `end`, which start at `line`.
struct RequestMessage {
  std::string method;                             ///< Empty: not known.
  std::string path;                               ///< With its query; empty: not known.
  std::shared_ptr<const nlohmann::json> headers;  ///< {name: value}, names in lower case; null: not known.
  std::shared_ptr<const nlohmann::json> body;     ///< null: it is not JSON.
  std::string fault;                              ///< Why it is not JSON, in one clause.
  std::optional<int> status;  ///< The upstream got no request, and the client got this status.
  std::string client;         ///< The client's protocol; empty: not known.
  std::shared_ptr<const nlohmann::json> asked;  ///< Body of the client's request; null: not known.

  /// The upstream's answer in the previous turn, which the client's request refers to. null: not known.
  std::shared_ptr<const observe::Answer> answered;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t line = 1;
};

/// Reader for the requests of one protocol.
struct RequestDialect {
  std::string_view protocol;
  std::string_view path;  ///< The end of the requests' path.
  observe::AskedRequest (*asked)(const nlohmann::json& body);
  std::uint64_t least_limit = 1;  ///< The smallest token limit that servers accept.
  bool (*takes_id)(std::string_view id) = observe::is_any_id;  ///< True if servers accept this id of a call.
  bool keeps_order = false;                                    ///< True if a turn can have text after a call.
  bool forgets_thinking = false;  ///< True if servers ignore thinking before the last question.
  std::string_view
      whole_path{};  ///< The end of the path of requests without a stream; empty: the body decides.
  bool needs_tools =
      false;  ///< True if no choice forbids calls, and earlier calls are accepted only next to tools.
};

/// A request's meaning next to its client's request.
struct ComparedRequests {
  observe::Documents documents;  ///< Null if unreadable.
  std::set<std::string> shapes;  ///< Features of the client's request.
  std::string unread;            ///< Why they are unreadable.
};

/// Suffix of the names of contracts for requests.
inline constexpr std::string_view kUpstreamSide = ".upstream";

/// Returns the reader for `PROTOCOL.upstream`. Returns null for any other name, and if requests of the
/// protocol cannot be read.
const RequestDialect* request_reader_of(std::string_view side);

/// True if requests of the protocol go to this path, without its query. Also true if the path is unknown.
bool is_request_of(const RequestDialect& reader, const RequestMessage& message);

/// True if a request to a provider of this protocol requests a stream. Also true if its body is unreadable.
/// `path` may have a query.
bool asks_for_stream(const std::string& protocol, std::string_view path, std::string_view body);

/// Compares both requests of a message, if these rules apply to the translation of the client's request.
ComparedRequests compared(const RequestDialect& reader, const RequestMessage& message,
                          const observe::AskedRules& rules = {});

/// Returns the JSON body of a request. Otherwise returns null and sets `fault` to the reason.
std::shared_ptr<const nlohmann::json> body_of_request(std::string_view text, std::string& fault);

/// Returns a request as rules of the side `upstream` read it: one event of type `asked`. It has `protocol`
/// and, if known, `method`, `path`, `headers`, `body` and `asked`. `asked` is the body in the form of all
/// dialects (observe/asked.hpp), with a proxy's own banners as `banners`. Without an upstream request, the
/// type is `uncalled`, with the `status`.
observe::Trace asked_trace(const RequestDialect& reader, const RequestMessage& message);

}  // namespace splitproof::dialect
