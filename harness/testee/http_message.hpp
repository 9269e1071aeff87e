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
  double at = 0;        ///< Seconds since the client sent its request.
  std::size_t end = 0;  ///< One past the last byte in the body.

  bool operator==(const Read&) const = default;
};

/// An HTTP response without its body.
struct HttpMessage {
  int status = 0;
  Headers headers;                      ///< As they were sent.
  double head_at = 0;                   ///< Seconds since the client sent its request.
  std::vector<Read> reads;              ///< Reads of the body.
  bool chunked = false;                 ///< Transfer-Encoding: chunked.
  std::vector<std::size_t> chunk_ends;  ///< The testee's own chunks: end offsets in the body.
  std::size_t final_chunks = 0;         ///< Number of chunks of size 0.
  std::size_t trailing = 0;             ///< Bytes after the end of the message, before the connection ended.
  double ended_at = 0;                  ///< Seconds since the client sent its request.

  bool operator==(const HttpMessage&) const = default;
};

/// A request that the testee sent to its upstream during one exchange.
struct UpstreamCall {
  std::string method;
  std::string target;
  Headers headers;
  std::string body;
  int status = 0;           ///< Status of its response.
  std::size_t written = 0;  ///< Bytes of the response, including head and framing.
  std::string outcome;  ///< Outcome of the response: "finished", "client left", "not read", "not released",
                        ///< "stopped".
  bool exact = false;   ///< Each write was read before the next one.
  std::size_t downstream = 0;  ///< Bytes of the client's body when the request came.
  std::optional<double> left;  ///< If the client had to leave: seconds from then until the testee left too.

  /// Places of the client's secrets in this request, as client_secret_in() (credentials.hpp) names them.
  /// nullopt: the client had none.
  std::optional<std::vector<std::string>> client_secret_in = {};

  bool operator==(const UpstreamCall&) const = default;
};

}  // namespace splitproof::testee
