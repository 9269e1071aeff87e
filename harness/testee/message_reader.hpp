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

/// Reads the response to one POST from a connection's bytes (RFC 9112), strictly and without changes. Skips
/// interim responses (1xx). Apart from times, its state depends only on the bytes.
class MessageReader {
 public:
  /// Maximum bytes of a head. A longer head breaks the message. So does a body with more than `most_of_body`
  /// bytes or more than kMostReads pieces.
  static constexpr std::size_t kMostHead = 256 * 1024;
  static constexpr std::size_t kMostReads = std::size_t{1} << 20;
  explicit MessageReader(std::size_t most_of_body) : most_of_body_(most_of_body) {}

  /// Takes all of `bytes`, which came `at` seconds after the request.
  void feed(std::string_view bytes, double at);

  /// Ends the connection, by a reset or in order. This ends a body that has neither chunks nor a length.
  void finish(bool reset, double at);

  /// True if the message is complete. Later bytes count as trailing.
  bool over() const { return state_ == State::over; }

  /// True if no further bytes can make it a complete HTTP message.
  bool broken() const { return state_ == State::broken; }

  /// Returns `complete` if it is over, `garbage` if its head is not HTTP, otherwise `cut`.
  Ending ending() const;

  /// Returns why it is incomplete, as one sentence without a full stop, or "".
  const std::string& detail() const { return why_; }

  /// Returns the head and the framing, or nullopt before the head is complete.
  std::optional<HttpMessage> message() const;

  /// Returns the body without framing, or all bytes if the head is not HTTP.
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
  std::string line_;           // the unfinished line
  std::size_t head_ = 0;       // bytes of all heads
  std::size_t remaining_ = 0;  // bytes to come of a body with a length
  ChunkedBody chunks_;
  std::string body_;
  std::string raw_head_;  // the head in progress
  std::string why_;       // why it is broken
};

}  // namespace splitproof::testee
