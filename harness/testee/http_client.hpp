#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/testee/http_header.hpp"
#include "harness/testee/http_message.hpp"
#include "harness/testee/readiness.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/socket_event.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// A request to a testee, without the headers for framing and connection.
struct Post {
  std::string path;
  Headers headers;
  std::string body;
  std::string method = "POST";
  std::size_t most_of_answer = std::size_t{1} << 20;  ///< Bytes of the answer's body that are read.
};

/// Timeouts of the client.
struct ClientTimeouts {
  std::chrono::milliseconds silence{10'000};  ///< For the next byte; after it, the testee hangs.
  std::chrono::milliseconds whole{200'000};   ///< For the end of the answer, even if bytes keep coming.
  std::chrono::milliseconds closing{100};     ///< For the connection to end after the answer.
};

/// Callbacks during an exchange. They are called from the thread that waits in post(), and may be empty.
struct ClientEvents {
  std::function<void(std::string_view body)> read;  ///< Called with the whole body so far.
  std::function<Deadline()> excused;                ///< Silence counts from this time, if it is later.
};

/// The testee's reply.
struct Reply {
  std::string body;
  Ending ending = Ending::complete;  ///< Complete, cut, left, hung, crashed (nobody listens) or garbage.
  std::string detail;                ///< One sentence about an ending that is not complete.
  std::optional<HttpMessage> http;
  bool kept_open = false;  ///< The connection did not end after the answer, and no byte followed.
  Deadline sent;           ///< When the request was sent: the origin of all times in `http`.
  bool endless = false;    ///< It hung although bytes kept coming.
  std::vector<SocketEvent> socket = {};  ///< Facts about a WebSocket; empty without one.
};

/// Begins the `detail` of a reply if nobody listens, so no byte of the request was sent.
inline constexpr std::string_view kNobodyListens = "no program listens on ";

/// Connects to the target for an exchange. Returns none if that fails, and sets the ending and detail of `reply`.
Descriptor connect_to_target(const HttpAddress& to, const ClientTimeouts& timeouts, const StopToken& leave,
                             Reply& reply);

/// Sends one POST over a new connection and reads until the connection ends, because bytes after the
/// message's end are evidence too. The request has `connection: close`. So a testee that follows RFC 9112
/// closes the connection at once. For others, `closing` limits the wait.
///
/// It uses raw sockets, because an HTTP library hides a testee's faults. libcurl 7.88 reads no further than
/// the first final chunk, even without CURLOPT_HTTP_TRANSFER_DECODING. So it misses bytes in later segments,
/// and bytes after a content-length even in the same segment. It also accepts heads with bare LF, and does
/// not report in which reads the body came.
///
/// A stop request on `leave` makes the client close the connection at once.
Reply post(const HttpAddress& to, const Post& what, const ClientTimeouts& timeouts,
           const ClientEvents& events, const StopToken& leave);

}  // namespace splitproof::testee
