#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/testee/chunked_body.hpp"
#include "harness/testee/http_message.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Reads the response to one POST out of what a connection gives (RFC 9112), strictly, and keeps what came as it came.
/// Interim responses (1xx) are read over. But for the times, its state depends on the bytes alone.
class MessageReader {
 public:
  /// Most bytes of a head; a message with more is broken, and so is one whose body has more than `most_of_body` or comes in
  /// more pieces.
  static constexpr std::size_t kMostHead = 256 * 1024;
  static constexpr std::size_t kMostReads = std::size_t{1} << 20;
  explicit MessageReader(std::size_t most_of_body) : most_of_body_(most_of_body) {}

  /// Takes all of `bytes`, which came `at` seconds after the request.
  void feed(std::string_view bytes, double at);

  /// The connection ended, by a reset or in order. That ends a body that has neither chunks nor a length.
  void finish(bool reset, double at);

  /// Whether the message is complete. What is fed from now on is counted as trailing.
  bool over() const { return state_ == State::over; }

  /// Whether nothing that may still come can make it an HTTP message, or a whole one.
  bool broken() const { return state_ == State::broken; }

  /// `complete` where it is over, `garbage` where its head is none of HTTP, else `cut`.
  Ending ending() const;

  /// Why it is not complete, one sentence without a full stop; empty where it is.
  const std::string& detail() const { return why_; }

  /// The head and the framing; none before the head is complete.
  std::optional<HttpMessage> message() const;

  /// Freed of its framing. Where the head is none of HTTP, all that came.
  const std::string& body() const { return chunked() ? chunks_.body() : body_; }

  bool operator==(const MessageReader&) const = default;

 private:
  enum class State : std::uint8_t { status_line, fields, counted, chunks, to_the_end, over, broken };

  bool chunked() const { return message_.chunked; }
  std::size_t take_head(std::string_view bytes);
  std::size_t take_body(std::string_view bytes, double at);
  void read_status_line(std::string_view line);
  void read_field(std::string_view line);
  void end_head(double at);
  void end_message(double at);
  void fail(std::string why);

  std::size_t most_of_body_;
  State state_ = State::status_line;
  HttpMessage message_;
  bool has_head_ = false;
  bool ended_early_ = false;   // the connection ended before the message
  std::string line_;           // the line that has begun
  std::size_t head_ = 0;       // bytes of all heads
  std::size_t remaining_ = 0;  // of a body with a length
  ChunkedBody chunks_;
  std::string body_;
  std::string raw_head_;  // of the head that is being read
  std::string why_;       // it is broken
};

}  // namespace splitproof::testee
