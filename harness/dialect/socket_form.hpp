#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::dialect {

/// The form of a dialect over a WebSocket. Each event is a text message: the data of the same event in an event stream.
/// All functions take any bytes.
class SocketForm {
 public:
  virtual ~SocketForm() = default;

  /// Returns the message with which a client asks for an answer, from the JSON body of the same request over HTTP.
  virtual std::string asking(std::string_view request) const = 0;

  /// Returns the body of the same request over HTTP. Returns nullopt if the message asks for nothing.
  virtual std::optional<std::string> asked(std::string_view message) const = 0;

  /// True if the message only prepares the connection, so that its answer has no content.
  virtual bool only_prepares(std::string_view message) const = 0;

  /// Returns the event stream that answers such a message.
  virtual std::string prepared_answer() const = 0;

  /// True if the message is an event of the dialect.
  virtual bool is_event(std::string_view message) const = 0;

  /// True if no event of the same answer may follow this one.
  virtual bool ends_answer(std::string_view message) const = 0;

  /// Returns the event of an event stream with this message as its data.
  virtual std::string event_of(std::string_view message) const = 0;

  /// True if the data of an event of an event stream is a message too. False for a mark of the stream's end.
  virtual bool has_message(std::string_view data) const = 0;

  /// Returns the message that reports an error status with this JSON body.
  virtual std::string error_message(int status, std::string_view body) const = 0;
};

}  // namespace splitproof::dialect
