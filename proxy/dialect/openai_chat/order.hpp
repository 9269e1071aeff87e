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

/// What may come when in a stream of Chat Completions:
///
/// 1. Every frame is a JSON object, somebody's extension, or the closing mark.
/// 2. Behind the closing mark nothing comes, and behind an error nothing but that mark.
/// 3. A stream that ends says so: by the mark, by an error, or, where the rules let it, by a finish of every choice and
///    the orderly end of its body. The mark is then added.
/// 4. An error has the protocol's form. Others pass only where their chunk has choices, and are followed by one that has
///    it; so is a finish that says that the answer broke off.
///
/// Chunks as such are not judged: of what providers send, half breaks some rule about them, and clients cope.
class ChatOrder {
 public:
  explicit ChatOrder(turn::Rules rules) : rules_(std::move(rules)) {}

  /// Says what becomes of the next frame.
  Ruling take(const wire::Frame& frame);

  /// Says how the stream ends where its body does, and appends what it still lacks.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Ends the stream in an error.
  static void fail(const turn::Failure& failure, std::string& out);

  /// The client has been told how the message ends.
  bool ended() const { return failed_; }

  bool operator==(const ChatOrder&) const = default;

 private:
  Ruling take_chunk(const wire::Json& chunk, bool named_error);
  bool finished() const;

  turn::Rules rules_;
  std::size_t frames_ = 0;                  // taken so far, for messages
  bool failed_ = false;                     // an error has passed
  std::map<std::uint64_t, bool> finishes_;  // of each choice by its number: whether it has one
};

}  // namespace splitproof::proxy::dialect
