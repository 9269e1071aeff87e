#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/testee/http_header.hpp"

namespace splitproof::testee {

/// One request as a testee sent it to its upstream. Evidence: it holds what came, and whether it was a request at all,
/// but no opinion on what it asks for.
struct UpstreamRequest {
  std::string method;
  std::string target;   ///< path and query as sent
  std::string version;  ///< "HTTP/1.1" or "HTTP/1.0"
  Headers headers;      ///< without the trailer fields of a chunked body
  std::string body;     ///< freed of its chunked framing
  bool chunked = false;
  bool complete = false;  ///< all of it came
  std::string broken;     ///< why it is no request that can be answered; empty where it is one

  bool operator==(const UpstreamRequest&) const = default;
};

/// Whether the connection may carry another request after this one (RFC 9112, 9.3).
bool keeps_alive(const UpstreamRequest& request);

/// What one request may cost.
struct RequestLimits {
  std::size_t head = 64 * 1024;  ///< bytes of request line and header fields, and again of trailer fields
  std::size_t body = 64 * 1024 * 1024;  ///< bytes, freed of its framing

  bool operator==(const RequestLimits&) const = default;
};

/// Reads HTTP/1.1 and 1.0 requests as RFC 9112 has them, and strictly, since two readers that disagree about
/// a lenient one would see different requests: no bare LF, no folded line, no blank before a colon, not both
/// content-length and transfer-encoding, no two lengths, one `host` in HTTP/1.1. Its state depends on the bytes alone,
/// not on how they were cut.
class RequestReader {
 public:
  explicit RequestReader(const RequestLimits& limits = {}) : limits_(limits) {}

  /// Takes bytes up to the end of the request, or to where it broke, and returns how many it took: what is left
  /// belongs to the next request. Takes nothing once `done`.
  std::size_t feed(std::string_view bytes);

  /// No more bytes will come. A request that has begun and is not complete is broken by that.
  void finish();

  /// Whether any byte of a request has come; empty lines before one do not count.
  bool begun() const { return state_ != State::before || !line_.empty(); }

  /// Whether the request is complete or broken.
  bool done() const { return state_ == State::over; }

  /// Whether the sender waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1).
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
  std::string line_;           // the line that has begun, without its LF
  std::size_t head_ = 0;       // bytes of lines so far, of the head or of a trailer
  std::size_t remaining_ = 0;  // of the body, or of the chunk
  UpstreamRequest request_;
};

}  // namespace splitproof::testee
