#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "proxy/dialect/ruling.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Order of the events in a stream of Chat Completions:
///
/// 1. Every frame is a JSON object, an extension, or the closing mark.
/// 2. After the closing mark nothing follows. After an error only the mark follows.
/// 3. A stream ends with the mark or an error. If the rules allow it, it may also end with a finish of every choice and
///    the orderly end of its body. The mark is then added.
/// 4. An error has the protocol's form. Other errors pass only in a chunk with choices, and an error in the right form
///    follows them. The same applies to a finish that reports a broken answer.
///
/// Chunks themselves are not checked: half of the providers' chunks break some rule, and clients accept them.
class ChatOrder {
 public:
  explicit ChatOrder(turn::Rules rules) : rules_(std::move(rules)) {}

  /// Decides about the next frame.
  Ruling take(const wire::Frame& frame);

  /// Decides about the end of the body, and appends what the stream still lacks.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Ends the stream with an error.
  static void fail(const turn::Failure& failure, std::string& out);

  /// True if the client has received the end of the message.
  bool ended() const { return failed_; }

  bool operator==(const ChatOrder&) const = default;

 private:
  Ruling take_chunk(const wire::Json& chunk, bool named_error);
  bool finished() const;

  turn::Rules rules_;
  std::size_t frames_ = 0;                  // frames so far, for messages
  bool failed_ = false;                     // an error has passed
  bool answered_ = false;                   // Some choice has content or a finish_reason.
  std::map<std::uint64_t, bool> finishes_;  // for each choice by its number: true if finished
};

}  // namespace splitproof::proxy::dialect
