#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/testee/http_header.hpp"

namespace splitproof::testee {

/// Bytes of a body as the client read them.
struct Read {
  double at = 0;        ///< seconds since the client sent its request
  std::size_t end = 0;  ///< one past the last of them in the body

  bool operator==(const Read&) const = default;
};

/// What an HTTP response was beside its body.
struct HttpMessage {
  int status = 0;
  Headers headers;          ///< as they were sent
  double head_at = 0;       ///< seconds since the client sent its request
  std::vector<Read> reads;  ///< of the body
  bool chunked = false;     ///< Transfer-Encoding: chunked
  std::vector<std::size_t>
      chunk_ends;                ///< the testee's own chunks: one past each one's last byte in the body
  std::size_t final_chunks = 0;  ///< how many chunks of size 0 there were
  std::size_t trailing = 0;      ///< bytes after the end of the message, before the connection ended
  double ended_at = 0;           ///< seconds since the client sent its request

  bool operator==(const HttpMessage&) const = default;
};

/// A request that the testee made to its upstream while it worked on one exchange.
struct UpstreamCall {
  std::string method;
  std::string target;
  Headers headers;
  std::string body;
  int status = 0;           ///< that it got
  std::size_t written = 0;  ///< bytes of the response, head and framing counted
  std::string outcome;  ///< of the response: "finished", "client left", "not read", "not released", "stopped"
  bool exact = false;   ///< each write was read before the next one was made
  std::size_t downstream = 0;  ///< bytes of its body that the client had when the request came
  std::optional<double>
      left;  ///< where the client was told to leave: seconds from then until the testee was gone too

  /// Where a secret of the client's own request stands in this one, as client_secret_in() (credentials.hpp) names it; nothing:
  /// the client had none.
  std::optional<std::vector<std::string>> client_secret_in = {};

  bool operator==(const UpstreamCall&) const = default;
};

}  // namespace splitproof::testee
