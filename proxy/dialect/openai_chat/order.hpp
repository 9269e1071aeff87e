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

/// Decides which frames of a Chat Completions stream pass.
///
/// 1. Each frame is a JSON object, an extension of a server, or the closing mark.
/// 2. After the closing mark nothing comes. After an error only the mark comes.
/// 3. A stream ends with the mark or an error. If the rules allow it, it may also end with a finish_reason of each choice and the
///    proper end of the body. Then the mark is added.
/// 4. Before the mark, some choice has content or a finish_reason.
/// 5. An error has the protocol's form. A chunk with another error passes only if it has choices. An error of the protocol's form
///    follows it. The same holds for a finish_reason that reports a failure.
///
/// Chunks themselves are not checked. Half of the providers break some rule about them, and clients accept that.
class ChatOrder {
 public:
  explicit ChatOrder(turn::Rules rules) : rules_(std::move(rules)) {}

  /// Decides about the next frame.
  Ruling take(const wire::Frame& frame);

  /// Decides how the stream ends at the end of its body, and appends what it lacks.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Ends the stream in an error.
  static void fail(const turn::Failure& failure, std::string& out);

  /// True if the client has the end of the message.
  bool ended() const { return failed_; }

  bool operator==(const ChatOrder&) const = default;

 private:
  Ruling take_chunk(const wire::Json& chunk, bool named_error);
  bool finished() const;

  turn::Rules rules_;
  std::size_t frames_ = 0;                  // Frames so far, for messages.
  bool failed_ = false;                     // An error has passed.
  bool answered_ = false;                   // Some choice has content or a finish_reason.
  std::map<std::uint64_t, bool> finishes_;  // By the number of a choice: true if it has a finish_reason.
};

}  // namespace splitproof::proxy::dialect
