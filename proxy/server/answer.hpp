#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/turn/event.hpp"

namespace splitproof::server {

/// A whole response with a JSON body.
struct Answer {
  int status = 200;
  std::string body;
  std::string retry_after;  ///< for the header of that name; empty: none

  bool operator==(const Answer&) const = default;
};

/// An error in Anthropic's envelope. The status follows the kind; `api` is 502, for what fails behind a proxy is its
/// upstream.
Answer error_answer(turn::ErrorKind kind, std::string message);

/// The error of an upstream that answered with another status than success. The kind follows the status, and the body
/// where the status leaves it open; the message is the body's, where it is JSON that has one. Other bodies are not
/// passed on: they are pages of servers in between.
Answer upstream_error(int status, std::string_view body, std::string retry_after);

/// The answer that says what an event stream says, if all it says is an error: its body is that event's data.
std::optional<Answer> lone_error(std::string_view events);

/// The answer to a client that did not ask for a stream: the message that an Anthropic Messages event stream adds up to,
/// or its error. `events` is a whole stream as the translator writes it. A call whose arguments were cut off, by
/// max_tokens or a content filter, is left out: there is no way to write half an object, and an empty one would be a
/// call that nobody made.
Answer whole_answer(std::string_view events);

/// Replaces every occurrence of a secret in an error. Secrets of less than eight bytes are left: they would match
/// ordinary words.
void conceal(Answer& answer, std::string_view secret);

}  // namespace splitproof::server
