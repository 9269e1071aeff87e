#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/testee/http_header.hpp"

namespace splitproof::testee {

/// One request as a testee sent it to its upstream. It is evidence: it records whether this was a valid
/// request, but does not judge the content.
struct UpstreamRequest {
  std::string method;
  std::string target;   ///< Path and query as sent.
  std::string version;  ///< "HTTP/1.1" or "HTTP/1.0".
  Headers headers;      ///< Without the trailer fields of a chunked body.
  std::string body;     ///< Without its chunked framing.
  bool chunked = false;
  bool complete = false;  ///< The whole request came.
  std::string broken;     ///< Why the request cannot be answered; empty if it can.

  bool operator==(const UpstreamRequest&) const = default;
};

/// True if the connection may carry another request (RFC 9112, 9.3).
bool keeps_alive(const UpstreamRequest& request);

/// Limits of one request.
struct RequestLimits {
  std::size_t head = 64 * 1024;  ///< Bytes of request line and header fields, and again of trailer fields.
  std::size_t body = 64 * 1024 * 1024;  ///< Bytes without framing.

  bool operator==(const RequestLimits&) const = default;
};

/// Reads HTTP/1.1 and 1.0 requests strictly (RFC 9112), because two lenient readers could see different
/// requests. It rejects a bare LF, a folded line, a blank before a colon, content-length with
/// transfer-encoding, and two lengths. It requires one `host` in HTTP/1.1. Its state depends only on the
/// bytes, not on their pieces.
class RequestReader {
 public:
  explicit RequestReader(const RequestLimits& limits = {}) : limits_(limits) {}

  /// Takes bytes up to the end of the request or to its first fault. Returns their number; the rest belongs
  /// to the next request. Takes nothing once `done`.
  std::size_t feed(std::string_view bytes);

  /// Ends the input. An incomplete request becomes broken.
  void finish();

  /// True if a byte of a request has come, except empty lines before it.
  bool begun() const { return state_ != State::before || !line_.empty(); }

  /// True if the request is complete or broken.
  bool done() const { return state_ == State::over; }

  /// True if the sender waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1).
  bool wants_continue() const;

  const UpstreamRequest& request() const { return request_; }

  bool operator==(const RequestReader&) const = default;

 private:
  enum class State : std::uint8_t { before, fields, counted, chunk_size, chunk, chunk_end, trailer, over };

  std::size_t take_line(std::string_view bytes);
  std::size_t take_body(std::string_view bytes);
  void read_line(std::string_view line);
  void read_request_line(std::string_view line);
  void read_field(std::string_view line);
  void end_head();
  void read_length(const std::string& text);
  void read_chunk_size(std::string_view line);
  void complete();
  void fail(std::string why);

  RequestLimits limits_;
  State state_ = State::before;
  std::string line_;           // the unfinished line, without its LF
  std::size_t head_ = 0;       // bytes of lines so far, in the head or in a trailer
  std::size_t remaining_ = 0;  // bytes to come of the body, or of the chunk
  UpstreamRequest request_;
};

}  // namespace splitproof::testee
