#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/body_reader.hpp"

namespace splitproof::server {

/// Fields of an answer `101 Switching Protocols` that decide about a WebSocket.
struct SwitchedHead {
  std::string upgrade;
  std::string accept;       ///< `Sec-WebSocket-Accept`.
  bool connection = false;  ///< `Connection` names `Upgrade`.
  bool extras = false;      ///< It names an extension or a subprotocol.
};

/// True if a list of tokens, as in `Connection: keep-alive, close`, has this token in any case.
bool has_token(std::string_view list, std::string_view token);

/// Reads one answer of an upstream off a connection, by RFC 9112. Its framing decides which bytes belong to the answer.
/// So if two programs could see different ends, it refuses the answer or does not reuse the connection.
///
/// Interim answers (1xx) are skipped. `101 Switching Protocols` is refused unless the request asks to switch.
class ResponseReader {
 public:
  /// `switched`: the protocol has been switched. All further bytes belong to the new one.
  enum class State : std::uint8_t { head, body, whole, malformed, switched };

  /// `may_switch`: the request asks to switch the protocol.
  explicit ResponseReader(bool may_switch = false) : may_switch_(may_switch) {}

  /// Takes bytes of the answer from the front of `bytes`, and appends the body's to `body`. Bytes left in `bytes` in
  /// state `whole` belong to no answer. Takes nothing if the answer is `whole` or `malformed`.
  State take(std::string_view& bytes, std::string& body);

  /// The upstream has closed its side. Only a body that ends with the connection changes the state: to `whole`.
  State close();

  State state() const { return state_; }

  /// True after the first byte of a head.
  bool begun() const { return head_bytes_ > 0; }

  /// Status of the final answer; 0 until its head is complete.
  int status() const { return status_; }

  /// The header of that name; empty without it, if it is folded, or if it holds more than visible ASCII.
  const std::string& retry_after() const { return retry_after_; }

  /// The name of an error of an AWS service: `x-amzn-errortype` up to its colon, under the same conditions.
  const std::string& error_type() const { return error_type_; }

  /// The fields of the head that switches the protocol.
  const SwitchedHead& switched_head() const { return switched_head_; }

  /// The `content-encoding` in lower case; empty without one.
  const std::string& coding() const { return coding_; }

  /// True if another request may follow after the whole answer: the upstream keeps the connection open, and the end is
  /// unambiguous.
  bool keeps_open() const { return keeps_open_ && state_ == State::whole; }

 private:
  void take_line(std::string_view& bytes);
  bool read_line(std::string_view line);
  bool read_status(std::string_view line);
  bool read_field(std::string_view line);
  bool read_length(std::string_view value);
  bool read_coding(std::string_view value);
  bool fold();
  void read_switch(std::string_view value);
  bool end_head();

  bool may_switch_;
  SwitchedHead switched_head_;
  State state_ = State::head;
  std::string line_;            // the part that has arrived
  std::size_t head_bytes_ = 0;  // size of all heads, interim ones included
  int code_ = 0;                // of the current head; 0 before its first line
  int status_ = 0;
  bool old_ = false;  // HTTP/1.0
  bool keeps_open_ = true;
  bool chunked_ = false;
  std::optional<std::size_t> length_;
  std::string field_;  // name of the last field, in lower case
  std::string retry_after_;
  std::string error_type_;
  std::string coding_;
  std::optional<BodyReader> framed_;  // none: the body ends with the connection
};

}  // namespace splitproof::server
