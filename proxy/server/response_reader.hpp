#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/body_reader.hpp"

namespace splitproof::server {

/// Reads one answer of an upstream off a connection, by RFC 9112. It decides which bytes belong to the answer, so it reads
/// the framing strictly: an answer whose end two programs could see at two places is refused, or its connection is not
/// used again.
///
/// Interim answers (1xx) are skipped. `101 Switching Protocols` is refused: nobody asked to switch.
class ResponseReader {
 public:
  enum class State : std::uint8_t { head, body, whole, malformed };

  /// Takes bytes from the front of `bytes`, none after the end of the answer, and appends the body's to `body`. Bytes that
  /// are left in `bytes` when the state is `whole` do not belong to this answer. Once the answer is `whole` or `malformed`,
  /// it takes nothing.
  State take(std::string_view& bytes, std::string& body);

  /// The upstream has closed its side. The state stays what it is, except for a body that ends with the connection: that
  /// is `whole`.
  State close();

  State state() const { return state_; }

  /// A byte of a head has come.
  bool begun() const { return head_bytes_ > 0; }

  /// Of the final answer; 0 until its head has come.
  int status() const { return status_; }

  /// The header of that name; empty without it, if it is folded, or if it holds more than visible ASCII.
  const std::string& retry_after() const { return retry_after_; }

  /// The `content-encoding` in lower case; empty without one.
  const std::string& coding() const { return coding_; }

  /// Another request may follow on the connection once the answer is whole: the upstream keeps it open, and there is no
  /// doubt where the answer ended.
  bool keeps_open() const { return keeps_open_ && state_ == State::whole; }

 private:
  void take_line(std::string_view& bytes);
  bool read_line(std::string_view line);
  bool read_status(std::string_view line);
  bool read_field(std::string_view line);
  bool read_length(std::string_view value);
  bool read_coding(std::string_view value);
  bool fold();
  bool end_head();

  State state_ = State::head;
  std::string line_;            // the part of it that has come
  std::size_t head_bytes_ = 0;  // of all heads, interim ones included
  int code_ = 0;                // of the head that is being read; 0 before its first line
  int status_ = 0;
  bool old_ = false;  // HTTP/1.0
  bool keeps_open_ = true;
  bool chunked_ = false;
  std::optional<std::size_t> length_;
  std::string field_;  // name of the last field, in lower case
  std::string retry_after_;
  std::string coding_;
  std::optional<BodyReader> framed_;  // none: the connection's end is the body's
};

}  // namespace splitproof::server
