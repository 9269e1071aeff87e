#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/testee/http_header.hpp"
#include "harness/testee/http_message.hpp"
#include "harness/testee/readiness.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// What is asked of a testee, beside what tells where the body ends and what the connection is for.
struct Post {
  std::string path;
  Headers headers;
  std::string body;
  std::string method = "POST";
  std::size_t most_of_answer = std::size_t{1} << 20;  ///< bytes of the answer's body that are read
};

/// How long the client waits for what.
struct ClientTimeouts {
  std::chrono::milliseconds silence{10'000};  ///< for the next byte; without one the testee hangs
  std::chrono::milliseconds whole{200'000};   ///< for the end of the answer, whatever comes meanwhile
  std::chrono::milliseconds closing{100};     ///< for the connection to end after the answer
};

/// Whoever follows an exchange while it goes on. All are called from the thread that waits in post(), and may be empty.
struct ClientEvents {
  std::function<void(std::string_view body)> read;  ///< more of the body came: this is all of it so far
  std::function<Deadline()> excused;  ///< silence counts from this moment on, if it is a later one
};

/// What came back.
struct Reply {
  std::string body;
  Ending ending = Ending::complete;  ///< complete, cut, left, hung, crashed (nobody listens) or garbage
  std::string detail;                ///< about an ending that is not complete: one sentence
  std::optional<HttpMessage> http;
  bool kept_open = false;  ///< the connection did not end after the answer, and nothing came behind it
  Deadline sent;           ///< when the request was: the beginning of all times in `http`
  bool endless = false;    ///< it hung, though bytes kept coming
};

/// Sends one POST over a connection of its own and reads all that comes, to the end of the connection: bytes after the
/// end of the message belong to what it shows. The request says `connection: close`, so a testee that follows RFC 9112 ends
/// the connection itself, and nothing has to be waited for; of one that does not, `closing` says how long it is listened to.
///
/// It is written over raw sockets because an HTTP library hides what a testee did wrong. libcurl 7.88, even with
/// CURLOPT_HTTP_TRANSFER_DECODING switched off, reads no further than the first final chunk: bytes that come in a later
/// segment are never seen, those behind a content-length not even in the same one. It also takes heads whose lines end
/// in a bare LF, and does not say in which reads the body came.
///
/// `leave` makes the client close the connection where it stands, once it is requested.
Reply post(const HttpAddress& to, const Post& what, const ClientTimeouts& timeouts,
           const ClientEvents& events, const StopToken& leave);

}  // namespace splitproof::testee
